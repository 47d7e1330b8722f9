/*
 * Extrapolation of generated applications: what follows no rule is refused, and what is uncertain
 * is said. test_extrapolate_patterns.c has the programs that come out.
 */
#include "tests/support/series/series_run.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    static const struct {
        struct series_pattern pattern;
        uint32_t ranks[SERIES_RUN_MAX];
        status_code code;
        const char *text;
    } rows[] = {
        {{"halo3d", 6}, {8, 27, 64, 509}, STATUS_INPUT, "509 x 1 x 1"},
        {{"halo3d", 6}, {8, 27, 512}, STATUS_USAGE, "a series has 2 programs"},
        {{"halo3d", 6}, {8, 27, 27, 512}, STATUS_USAGE, "both have 27 ranks"},
        {{"random-pairs", 0}, {8, 16, 32, 64}, STATUS_INPUT, "no rule gives the partner"},
        {{"permutation", 0}, {8, 16, 32, 64}, STATUS_INPUT, "no rule gives the partner"},
        {{"sweep3d", 0}, {4, 6, 8, 64}, STATUS_INPUT, "32 x 2 or 8 x 8"},
        {{"halo3d", 6}, {8, 27, 64, 1}, STATUS_USAGE, "extrapolate.ranks is 1"},
        {{"allreduce-ring", 0}, {8, 16, 32, 1 << 15}, STATUS_INPUT, "take fewer ranks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        series_run_pattern(&run, &rows[i].pattern, rows[i].ranks);
        series_run_refused(&run, rows[i].code, rows[i].text);
    }
}

/* A law of two coefficients from three programs is tested by one value. */
static void laws_of_three_programs_are_uncertain(void **state) {
    (void)state;
    static const struct series_pattern sum = {"incast", 0};
    static const uint32_t three[] = {8, 16, 32, 64, 0}, four[] = {8, 16, 32, 48, 64, 0};
    for (int i = 0; i < 2; i++) {
        struct series_run run;
        unsigned uncertain = 0;
        if (series_run_pattern(&run, &sum, i == 0 ? three : four) != STATUS_OK)
            fail_msg("%s", run.status.text);
        for (size_t f = 0; f < run.report.finding_count; f++)
            uncertain +=
                run.report.findings[f].uncertain &&
                strstr(run.report.findings[f].fit, "exact, but one value tests it") != NULL;
        assert_int_equal(uncertain > 0, i == 0);
        series_run_free(&run);
    }
}

/* Programs whose reads and writes of files were taken out: the report and the new program say so.
 */
static void left_out_files_are_told(void **state) {
    (void)state;
    static const struct series_pattern incast = {"incast", 0};
    struct series_run run = {.config = {.ranks = 64, .threads = 1, .accesses = 48}};
    for (; run.count < 3; run.count++)
        run.programs[run.count] = series_generate(&incast, 8u << run.count);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    unsigned told = 0;
    for (size_t f = 0; f < run.report.finding_count; f++)
        told +=
            run.report.findings[f].uncertain &&
            strcmp(run.report.findings[f].law, "48 reads and writes of files in the series") == 0;
    assert_int_equal(told, 1);
    told = 0;
    for (uint32_t i = 0; i < run.made->note_count; i++)
        told += strcmp(program_text(run.made, run.made->notes[i].what),
                       "reads and writes of files") == 0 &&
                run.made->notes[i].count == 48;
    assert_int_equal(told, 1);
    series_run_free(&run);
}

static void different_applications_are_refused(void **state) {
    (void)state;
    static const struct series_pattern halo = {"halo3d", 6}, sweep = {"sweep3d", 0};
    struct series_run run = {.config = {.ranks = 512}, .count = 3};
    run.programs[0] = series_generate(&halo, 8);
    run.programs[1] = series_generate(&sweep, 27);
    run.programs[2] = series_generate(&halo, 64);
    series_run_extrapolate(&run);
    series_run_refused(&run, STATUS_INPUT, "different applications");
}

/* Cubes alone do not tell 5 x 5 x 4 from 4 x 5 x 5. */
static void open_grids_are_uncertain(void **state) {
    (void)state;
    static const struct series_pattern halo = {"halo3d", 6};
    static const uint32_t ranks[] = {8, 27, 64, 100, 0};
    struct series_run run;
    assert_int_equal(series_run_pattern(&run, &halo, ranks), STATUS_OK);
    assert_string_equal(run.report.findings[0].subject, "grid");
    assert_string_equal(run.report.findings[0].where, "5 x 5 x 4");
    assert_true(run.report.findings[0].uncertain);
    assert_non_null(strstr(run.report.findings[0].law,
                           "4 x 5 x 5 fits the series as well; choose with --grid"));
    const uint64_t falling = run.made->content_hash;
    struct program *real = series_generate(&halo, 100);
    assert_int_equal(falling, real->content_hash);
    program_free(real);
    program_free(run.made);
    extrapolate_report_free(&run.report);
    memcpy(run.config.grid, (uint32_t[4]){4, 5, 5, 0}, sizeof run.config.grid);
    assert_int_equal(series_run_extrapolate(&run), STATUS_OK);
    assert_string_equal(run.report.findings[0].where, "4 x 5 x 5");
    assert_false(run.report.findings[0].uncertain);
    assert_true(run.made->content_hash != falling);
    series_run_free(&run);
}

/* Makes a series of a pattern with a size of its own for each program, and extrapolates it. */
static struct series_run run_sizes(const char *pattern, const uint32_t ranks[3],
                                   const uint64_t sizes[3], uint32_t target) {
    struct series_run run = {.config = {.ranks = target, .seed = 1, .threads = 2}, .count = 3};
    for (uint32_t i = 0; i < run.count; i++) {
        struct traces_pattern_config config = {.rank_count = ranks[i],
                                               .iterations = 2,
                                               .size_bytes = sizes[i],
                                               .neighbours = 6,
                                               .window = 4,
                                               .seed = 1};
        if (traces_generate(&run.programs[i], pattern, &config, &run.status) != STATUS_OK)
            fail_msg("%s", run.status.text);
    }
    series_run_extrapolate(&run);
    return run;
}

/* 4 x 2 x 2, 6 x 3 x 3 and 6 x 5 x 5 do not tell 210000 / extent of dimension 2 from that of
 * dimension 3; 8 x 7 x 6 does. */
static const uint32_t flat[] = {16, 54, 150};
static const uint64_t flat_sizes[] = {105000, 70000, 42000};

static void laws_of_two_dimensions_are_not_decided(void **state) {
    (void)state;
    struct series_run run = run_sizes("halo3d", flat, flat_sizes, 336);
    series_run_refused(
        &run, STATUS_INPUT,
        "several rules fit the bytes sent (42000 on rank 149 of 150 ranks), and they "
        "differ on rank 0 of 336 ranks: 210000 x 1/extent (dimension 2 of 8 x 7 x 6), "
        "which is 30000, or 210000 x 1/extent (dimension 3 of 8 x 7 x 6), which is "
        "35000; add a program with another number of ranks");
    /* 8 x 5 x 5: both give the same. */
    run = run_sizes("halo3d", flat, flat_sizes, 200);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_free(&run);
}

/* From 2 x 2 x 2, 4 x 2 x 2 and 4 x 4 x 2 ranks, extents as equal as possible come before one that
 * is 2 in all programs. */
static void equal_extents_come_first(void **state) {
    (void)state;
    static const struct series_pattern pattern = {"halo3d", 6};
    static const uint32_t ranks[] = {8, 16, 32, 512, 0};
    struct series_run run;
    bool is_named = false;
    if (series_run_pattern(&run, &pattern, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = series_generate(&pattern, 512);
    assert_true(run.made->content_hash == real->content_hash);
    for (size_t i = 0; i < run.report.finding_count; i++)
        is_named |= run.report.findings[i].uncertain &&
                    strstr(run.report.findings[i].law,
                           "16 x 16 x 2 fits the series as well; choose with --grid") != NULL;
    assert_true(is_named);
    program_free(real);
    series_run_free(&run);
}

/* 96000 / P is no whole number for 7 x 7 x 7 ranks. */
static void a_law_without_a_value_is_named(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 20, 40};
    static const uint64_t sizes[] = {12000, 4800, 2400};
    struct series_run run = run_sizes("allreduce", ranks, sizes, 343);
    series_run_refused(
        &run, STATUS_INPUT,
        "96000 x 1/P, gives no whole number for 343 ranks; choose another extrapolate.ranks");
    /* With approximations, the size is rounded down. */
    run = run_sizes("allreduce", ranks, sizes, 20);
    program_free(run.made);
    run.made = NULL;
    extrapolate_report_free(&run.report);
    run.config.ranks = 343;
    run.config.approximate = true;
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    bool is_rounded = false;
    for (size_t i = 0; i < run.report.finding_count; i++)
        is_rounded |= strcmp(run.report.findings[i].law, "96000 x 1/P") == 0 &&
                      strstr(run.report.findings[i].fit, "is rounded down") != NULL &&
                      run.report.findings[i].uncertain;
    assert_true(is_rounded);
    uint64_t sums = 0;
    for (uint64_t i = 0; i < run.made->operation_count; i++) {
        const struct program_operation *operation = &run.made->operations[i];
        if (operation->kind != OPERATION_COLLECTIVE) continue;
        const struct program_collective_arguments *arguments =
            &run.made->collective_arguments[operation->collective.arguments];
        if (arguments->kind != PROGRAM_COLLECTIVE_ALLREDUCE) continue;
        assert_int_equal(arguments->send_bytes, 279);
        sums++;
    }
    assert_true(sums > 0);
    series_run_free(&run);
}

/* An allreduce alone has no grid, so that its size follows no extent. */
static void extents_of_unused_grids_are_no_laws(void **state) {
    (void)state;
    struct series_run run = run_sizes("allreduce", flat, flat_sizes, 200);
    series_run_refused(&run, STATUS_INPUT, "no rule gives the bytes given to a collective");
}

/* Extrapolates once more, with --grid 10x10. */
static void again_on_plane(struct series_run *run) {
    program_free(run->made);
    run->made = NULL;
    extrapolate_report_free(&run->report);
    memcpy(run->config.grid, (uint32_t[4]){10, 10, 0, 0}, sizeof run->config.grid);
    series_run_extrapolate(run);
}

/* A --grid of other dimensions than the application's is an error, and decides nothing. */
static void other_dimensions_are_refused(void **state) {
    (void)state;
    static const struct series_pattern halo = {"halo3d", 6}, sum = {"allreduce", 0};
    static const uint32_t ranks[] = {8, 27, 64, 100, 0};
    struct series_run run;
    series_run_pattern(&run, &sum, ranks);
    again_on_plane(&run);
    series_run_refused(&run, STATUS_USAGE, "nothing in the series follows a process grid");
    series_run_pattern(&run, &halo, ranks);
    again_on_plane(&run);
    series_run_refused(&run, STATUS_USAGE, "extrapolate.grid has 2 extents");
}

/* ---- small programs with a part that the test chooses ---- */

/* Returns a value of a rank, from its number and the number of ranks. */
typedef uint64_t choose_value(uint32_t rank, uint32_t ranks);

/* Adds the communicator of all ranks, and returns it. */
static uint32_t add_world(struct program_builder *builder, uint32_t ranks, struct status *status) {
    uint32_t world = 0, *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, status);
    free(members);
    return world;
}

/* Pairs of ranks. Each rank posts 4 sends to the other one and 4 receives, waits for the second
 * request and for the one that `waited` says, and then for all others. */
static struct program *make_window(uint32_t ranks, choose_value *tag, choose_value *waited) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Waitall", true);
    const uint32_t world = add_world(builder, ranks, &status);
    for (uint32_t i = 0; i < ranks; i++) {
        const uint32_t other = i ^ 1;
        builder_call(builder, i, region, 0, 0, &status);
        for (uint64_t k = 1; k <= 8; k++)
            if (k <= 4)
                builder_send(builder, i, world, other, (int32_t)tag(i, ranks), 8, 0, k, &status);
            else
                builder_receive(builder, i, world, other, (int32_t)tag(other, ranks), 8, 0, k,
                                &status);
        uint64_t first[] = {2, 1 + waited(i, ranks)}, rest[8], count = 0;
        for (uint64_t k = 1; k <= 8; k++)
            if (k != first[0] && k != first[1]) rest[count++] = k;
        builder_wait(builder, i, first, 2, &status);
        builder_wait(builder, i, rest, (uint32_t)count, &status);
        builder_return(builder, i, 1, false, &status);
    }
    struct program *program = NULL;
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    return program;
}

static struct series_run run_window(const uint32_t ranks[3], uint32_t target, choose_value *tag,
                                    choose_value *waited) {
    struct series_run run = {.config = {.ranks = target, .seed = 1}, .count = 3};
    for (uint32_t i = 0; i < 3; i++)
        run.programs[i] = make_window(ranks[i], tag, waited);
    series_run_extrapolate(&run);
    return run;
}

static uint64_t always_zero(uint32_t rank, uint32_t ranks) {
    (void)rank;
    (void)ranks;
    return 0;
}
static uint64_t always_four(uint32_t rank, uint32_t ranks) {
    (void)rank;
    (void)ranks;
    return 4;
}
static uint64_t log2_of(uint32_t rank, uint32_t ranks) {
    (void)rank;
    return (uint64_t)(31 - __builtin_clz(ranks));
}
static uint64_t large_tag(uint32_t rank, uint32_t ranks) {
    (void)rank;
    return (uint64_t)ranks << 24;
}
static uint64_t middle_coordinate(uint32_t rank, uint32_t ranks) {
    (void)ranks;
    return rank / 2 % 2;
}

static const uint32_t doubled[] = {8, 16, 32};

/* By log2 P, 2 ranks would wait twice for the request at place 1. */
static void a_request_is_waited_for_once(void **state) {
    (void)state;
    struct series_run run = run_window(doubled, 64, always_zero, log2_of);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_free(&run);
    run = run_window(doubled, 2, always_zero, log2_of);
    series_run_refused(&run, STATUS_INPUT, "is waited for already");
}

static void tags_beyond_their_range_are_refused(void **state) {
    (void)state;
    struct series_run run = run_window(doubled, 64, large_tag, always_four);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_free(&run);
    run = run_window(doubled, 128, large_tag, always_four);
    series_run_refused(&run, STATUS_INPUT, "tags are 0 to 2147483647");
}

static uint64_t parity(uint32_t rank, uint32_t ranks) {
    (void)ranks;
    return rank % 2;
}

/* Roles have names, not numbers. */
static void roles_are_named(void **state) {
    (void)state;
    unsigned found = 0;
    struct series_run run = run_window(doubled, 64, parity, always_four);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        found +=
            strcmp(finding->subject, "role") == 0 &&
            (strcmp(finding->where, "even ranks") == 0 || strcmp(finding->where, "odd ranks") == 0);
    }
    assert_int_equal(found, 2);
    series_run_free(&run);
}

/* The tags make roles by the grid 2 x 2 x n, or 2 x 3 x 4 for 24 ranks, which has roles that the
 * series lacks. Without roles by tags, the series has no grid, and the tag is what has no rule. */
static void a_failed_search_leaves_no_grid(void **state) {
    (void)state;
    static const uint32_t ranks[] = {12, 16, 20};
    struct series_run run = run_window(ranks, 24, middle_coordinate, always_four);
    series_run_refused(&run, STATUS_INPUT, "the tag");
}

/* Two barriers with 24 / P records of the trace from one to the next. */
static struct program *make_records(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Barrier", true);
    const uint32_t world = add_world(builder, ranks, &status);
    for (uint32_t i = 0; i < ranks; i++)
        for (uint64_t k = 0; k < 2; k++) {
            const struct program_collective_arguments arguments = {
                .kind = PROGRAM_COLLECTIVE_BARRIER, .communicator = world, .root = PROGRAM_NONE};
            builder_call(builder, i, region, 1 + k * (24 / ranks), 0, &status);
            builder_collective(builder, i, &arguments, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, i, 1, false, &status);
        }
    struct program *program = NULL;
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    return program;
}

/* The number of records says nothing of what a rank does: without a whole number it is fitted. */
static void records_need_no_law(void **state) {
    (void)state;
    static const uint32_t ranks[] = {2, 4, 8, 16, 0};
    struct series_run run;
    series_run_made(&run, make_records, ranks);
    if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(laws_of_three_programs_are_uncertain),
        cmocka_unit_test(left_out_files_are_told),
        cmocka_unit_test(different_applications_are_refused),
        cmocka_unit_test(open_grids_are_uncertain),
        cmocka_unit_test(laws_of_two_dimensions_are_not_decided),
        cmocka_unit_test(equal_extents_come_first),
        cmocka_unit_test(a_law_without_a_value_is_named),
        cmocka_unit_test(records_need_no_law),
        cmocka_unit_test(roles_are_named),
        cmocka_unit_test(extents_of_unused_grids_are_no_laws),
        cmocka_unit_test(other_dimensions_are_refused),
        cmocka_unit_test(a_request_is_waited_for_once),
        cmocka_unit_test(tags_beyond_their_range_are_refused),
        cmocka_unit_test(a_failed_search_leaves_no_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
