/*
 * What a report says of the whole computation: other laws of the steps that give another sum, laws
 * that one value tests, computation that one program alone shows, and ranks that wait longer than
 * in all programs of the series.
 */
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SUPERSTEPS = 16 };

/* What a rank computes in a superstep, in ps. */
typedef int64_t series_work(uint32_t rank, uint32_t ranks, uint32_t superstep);

/* All ranks add up 8 bytes after each superstep. */
static struct program *make_supersteps(uint32_t ranks, series_work *work) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Allreduce", true);
    const uint32_t world = series_run_world(builder, ranks, &status);
    const struct program_collective_arguments sum = series_run_sum(world);
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t now_ps = 0;
        for (uint32_t i = 0; i < SUPERSTEPS; i++) {
            const int64_t duration_ps = work(r, ranks, i);
            builder_compute(builder, r, duration_ps, &status);
            builder_call(builder, r, region, 0, now_ps += duration_ps, &status);
            builder_collective(builder, r, &sum, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, r, ++now_ps, false, &status);
        }
    }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

static uint32_t noise_of(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    return (rank * 7919 + ranks * 104729 + superstep * 31) % 101;
}

/* One rank in eight takes 1.8 times as long in one of 16 supersteps. */
static int64_t late_ranks(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    const bool is_late = rank % 8 == 3 && rank / 8 * 7 % SUPERSTEPS == superstep;
    return (is_late ? 1800000 : 1000000) + 10 * (int64_t)noise_of(rank, ranks, superstep);
}

static int64_t no_late_ranks(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    return 1000000 + 10 * (int64_t)noise_of(rank, ranks, superstep);
}

/* Means of 1.0, 1.12 and 1.10 us on 8, 16 and 32 ranks: a constant and other laws. */
static int64_t rising(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    const int64_t mean = ranks == 8 ? 1000000 : ranks == 16 ? 1120000 : 1100000;
    return mean + 10 * (int64_t)noise_of(rank, ranks, superstep);
}

/* 1 us + P x 50 ns. */
static int64_t line(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    return 1000000 + 50000 * (int64_t)ranks + 10 * (int64_t)noise_of(rank, ranks, superstep);
}

/* Extrapolates from 8, 16 and 32 ranks. */
static void run_work(struct series_run *run, series_work *work, uint32_t ranks) {
    *run = (struct series_run){
        .config = {.ranks = ranks, .seed = 1, .threads = 1, .approximate = true}};
    for (uint32_t n = 8; n <= 32; n *= 2)
        run->programs[run->count++] = make_supersteps(n, work);
    if (series_run_extrapolate(run) != STATUS_OK) fail_msg("%s", run->status.text);
}

/* Returns the finding about some computation. NULL: there is none. */
static const struct extrapolate_finding *find(const struct series_run *run, const char *where) {
    for (size_t i = 0; i < run->report.finding_count; i++)
        if (strcmp(run->report.findings[i].subject, "computation, in ps") == 0 &&
            strcmp(run->report.findings[i].where, where) == 0)
            return &run->report.findings[i];
    return NULL;
}

static void longer_waits_are_uncertain(void **state) {
    (void)state;
    struct series_run run;
    run_work(&run, late_ranks, 128);
    const struct extrapolate_finding *waits = find(&run, "ranks that wait");
    assert_non_null(waits);
    assert_true(waits->uncertain);
    assert_non_null(strstr(waits->law, " times the mean, 1.19 at most in the series"));
    series_run_free(&run);
    run_work(&run, no_late_ranks, 128);
    assert_null(find(&run, "ranks that wait"));
    series_run_free(&run);
}

static void other_laws_of_the_sum_are_uncertain(void **state) {
    (void)state;
    struct series_run run;
    run_work(&run, rising, 128);
    const struct extrapolate_finding *sum = find(&run, "all steps together");
    assert_non_null(sum);
    assert_true(sum->uncertain);
    assert_non_null(strstr(sum->fit, "; other laws that fit about as well give 38 % more"));
    series_run_free(&run);
    run_work(&run, no_late_ranks, 128);
    sum = find(&run, "all steps together");
    assert_non_null(sum);
    assert_false(sum->uncertain);
    assert_null(strstr(sum->fit, "other laws"));
    series_run_free(&run);
}

static void laws_that_one_value_tests_are_counted(void **state) {
    (void)state;
    struct series_run run;
    run_work(&run, line, 48);
    const struct extrapolate_finding *sum = find(&run, "all steps together");
    assert_non_null(sum);
    assert_non_null(strstr(sum->fit, "; one value tests the laws of 100 % of it"));
    assert_false(sum->uncertain);
    series_run_free(&run);
}

/* Extents of the box of 8 to 128 ranks: 2 x 2 x 2 to 8 x 4 x 4, the first dimension fastest. */
static void box_of(uint32_t ranks, uint32_t extents[3]) {
    extents[0] = ranks > 64 ? 8 : ranks > 8 ? 4 : 2;
    extents[1] = ranks > 16 ? 4 : 2;
    extents[2] = ranks / extents[0] / extents[1];
}

static bool is_inside_box(uint32_t rank, uint32_t ranks) {
    uint32_t extents[3];
    bool is_inside = true;
    box_of(ranks, extents);
    for (unsigned d = 0; d < 3; d++) {
        is_inside = is_inside && rank % extents[d] > 0 && rank % extents[d] + 1 < extents[d];
        rank /= extents[d];
    }
    return is_inside;
}

static void append_messages(struct program_builder *builder, uint32_t region, uint32_t world,
                            uint32_t rank, uint32_t ranks, struct status *status) {
    uint32_t extents[3], stride = 1;
    box_of(ranks, extents);
    for (unsigned d = 0; d < 3; stride *= extents[d++]) {
        const uint32_t coordinate = rank / stride % extents[d];
        for (int side = 0; side < 2; side++) {
            if (coordinate == (side == 0 ? 0 : extents[d] - 1)) continue;
            const uint32_t peer = side == 0 ? rank - stride : rank + stride;
            builder_call(builder, rank, region, 0, 0, status);
            builder_send(builder, rank, world, peer, 0, 64, 0, BUILDER_NO_REQUEST, status);
            builder_receive(builder, rank, world, peer, 0, 64, 0, BUILDER_NO_REQUEST, status);
            builder_wait_call(builder, rank, status);
            builder_return(builder, rank, 0, false, status);
        }
    }
}

/* Ranks exchange messages with their neighbours in a box, compute, and add up. */
static struct program *make_box(uint32_t ranks, series_work *work) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t exchange = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t region = builder_define_region(builder, "MPI_Allreduce", true);
    const uint32_t world = series_run_world(builder, ranks, &status);
    const struct program_collective_arguments sum = series_run_sum(world);
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t now_ps = 0;
        append_messages(builder, exchange, world, r, ranks, &status);
        /* The second sum follows at once, so no constant holds for all calls. */
        for (uint32_t i = 0; i < 2; i++) {
            const int64_t duration_ps = work(r, ranks, i);
            builder_compute(builder, r, duration_ps, &status);
            builder_call(builder, r, region, 0, now_ps += duration_ps, &status);
            builder_collective(builder, r, &sum, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, r, now_ps, false, &status);
        }
    }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

static int64_t shared_work(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    (void)rank;
    return superstep == 0 ? 69120000 / ranks : 0;
}

/* Ranks inside the box compute two thirds of what the others do. */
static int64_t less_inside(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    const int64_t work = shared_work(rank, ranks, superstep);
    return is_inside_box(rank, ranks) ? work / 3 * 2 : work;
}

/* They compute an odd number, of which nothing is in proportion. */
static int64_t odd_inside(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    return is_inside_box(rank, ranks) && superstep == 0 ? 700001
                                                        : shared_work(rank, ranks, superstep);
}

/* Extrapolates boxes of 8, 16, 32 and 64 ranks to 128 ranks. Only 64 have ranks inside. */
static void run_box(struct series_run *run, series_work *work) {
    *run = (struct series_run){.config = {.ranks = 128, .seed = 1, .threads = 1}};
    for (uint32_t n = 8; n <= 64; n *= 2)
        run->programs[run->count++] = make_box(n, work);
    if (series_run_extrapolate(run) != STATUS_OK) fail_msg("%s", run->status.text);
}

/* Returns whether a law of computation is from one program. */
static bool has_law_of_one_program(const struct series_run *run) {
    for (size_t i = 0; i < run->report.finding_count; i++)
        if (strcmp(run->report.findings[i].subject, "computation, in ps") == 0 &&
            strstr(run->report.findings[i].fit, "from one program") != NULL)
            return true;
    return false;
}

static void a_role_of_one_program_takes_the_law_of_others(void **state) {
    (void)state;
    struct series_run run;
    run_box(&run, shared_work);
    struct program_totals totals;
    program_totals_compute(run.made, &totals);
    assert_in_range((uint64_t)totals.compute_ps, 69119000, 69121000); /* fits round */
    assert_false(has_law_of_one_program(&run));
    series_run_free(&run);
}

static void a_role_of_one_program_is_in_proportion_to_others(void **state) {
    (void)state;
    struct series_run run;
    run_box(&run, less_inside);
    series_run_equal(&run, make_box(128, less_inside));
    const struct extrapolate_finding *sum = find(&run, "all steps together");
    assert_non_null(sum);
    assert_true(sum->uncertain);
    assert_non_null(strstr(sum->fit, "13 % of it is known from one program"));
    assert_null(strstr(sum->fit, "expect"));
    series_run_free(&run);
}

static void what_one_program_alone_shows_is_counted(void **state) {
    (void)state;
    struct series_run run;
    run_box(&run, odd_inside);
    assert_true(has_law_of_one_program(&run));
    const struct extrapolate_finding *sum = find(&run, "all steps together");
    assert_non_null(sum);
    assert_true(sum->uncertain);
    assert_non_null(strstr(sum->fit, "23 % of it is known from one program"));
    assert_null(strstr(sum->fit, "expect"));
    series_run_free(&run);
}

/* Returns whether the finding on the scaling is uncertain, and has this text. */
static bool scaling_says(const struct series_pattern *pattern, const uint32_t *ranks,
                         const char *text) {
    struct series_run run;
    bool says = false;
    if (series_run_pattern(&run, pattern, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        says = says || (strcmp(finding->subject, "scaling") == 0 && finding->uncertain &&
                        strstr(finding->fit, text) != NULL);
    }
    series_run_free(&run);
    return says;
}

/* From 3 x 2, 3 x 2 x 2 and 3 x 2 x 2 x 2 ranks, those of 4 x 3 x 2 x 2 take the computation
 * before the exchange along the first dimension a second time. */
static void other_scaling_than_the_series_is_uncertain(void **state) {
    (void)state;
    static const uint32_t copied[] = {6, 12, 24, 48, 0}, even[] = {8, 16, 32, 64, 0};
    const struct series_pattern milc = {"milc", 0};
    assert_true(scaling_says(&milc, copied,
                             "exact in all programs; a rank of the new program computes 15"));
    assert_false(scaling_says(&milc, even, "exact in all programs"));
}

/* A share of the work and something that grows with the number of ranks, which no law has. */
static int64_t share_and_more(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    (void)rank;
    (void)superstep;
    return 640000000 / ranks + 1000000 * (ranks == 8 ? 2 : ranks == 16 ? 4 : 6);
}

static int64_t share_and_more_with_noise(uint32_t rank, uint32_t ranks, uint32_t superstep) {
    return share_and_more(rank, ranks, superstep) + 10 * noise_of(rank, ranks, superstep);
}

/* Times without scatter that a law misses follow another law. */
static void fits_of_times_without_scatter_are_uncertain(void **state) {
    (void)state;
    static const char text[] = "nothing scatters, so another law gives the values";
    struct series_run run;
    run_work(&run, share_and_more, 128);
    const struct extrapolate_finding *step = find(&run, "MPI_Allreduce");
    assert_non_null(step);
    assert_true(step->uncertain);
    assert_non_null(strstr(step->fit, text));
    series_run_free(&run);
    run_work(&run, share_and_more_with_noise, 128);
    step = find(&run, "MPI_Allreduce");
    assert_non_null(step);
    assert_null(strstr(step->fit, text));
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longer_waits_are_uncertain),
        cmocka_unit_test(other_laws_of_the_sum_are_uncertain),
        cmocka_unit_test(laws_that_one_value_tests_are_counted),
        cmocka_unit_test(fits_of_times_without_scatter_are_uncertain),
        cmocka_unit_test(other_scaling_than_the_series_is_uncertain),
        cmocka_unit_test(a_role_of_one_program_takes_the_law_of_others),
        cmocka_unit_test(a_role_of_one_program_is_in_proportion_to_others),
        cmocka_unit_test(what_one_program_alone_shows_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
