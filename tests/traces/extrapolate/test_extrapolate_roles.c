/*
 * Extrapolation of roles that no program has, of the families of applications, and of how
 * computation scatters in the new program.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Makes the communicator of all ranks. */
static uint32_t make_world(struct program_builder *builder, uint32_t ranks) {
    struct status status = STATUS_INIT;
    uint32_t world = 0, *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    free(members);
    return world;
}

/* ---- roles by symmetry ---- */

/* How the ranks of the grid differ from each other. */
static struct {
    uint32_t odd_dimension; /* in which extents of 3 or more make one message more; 3: none */
    bool has_margins; /* faces are as large as those of parts with copies of their neighbours */
    bool is_still;    /* and they do not scatter */
    bool has_cells;   /* so are layers of cells, which are thicker along an extent of 4 */
} grid_kind;

/* Returns the part of a layer of cells that an extent makes. */
static uint64_t cells_of(uint32_t extent, uint32_t dimension, uint32_t other) {
    if (other == dimension) return extent == 2 ? 48 : 64;
    if (other < dimension) return extent == 2 ? 30 : 20;
    return extent == 2 ? 24 : 12;
}

/* Returns the bytes that a rank sends up a dimension of a box of 6000 x 6000 x 6000. Dimensions are
 * exchanged one after another: the margins of those before are a part of the face. */
static uint64_t face_of(const uint32_t extents[3], uint32_t dimension, uint32_t up, uint32_t rank) {
    uint64_t bytes = 1;
    if ((!grid_kind.has_margins && !grid_kind.has_cells) || up > 1) return 4096;
    for (uint32_t d = 0; d < 3 && grid_kind.has_cells; d++)
        bytes *= cells_of(extents[d], dimension, d);
    if (grid_kind.has_cells) return bytes + rank * 7 % 5 * 16;
    for (uint32_t d = 0; d < 3; d++)
        if (d != dimension) bytes *= 6000 / extents[d] + (d < dimension ? 1000 : 0);
    if (grid_kind.is_still) return bytes / 1000;
    return bytes / 97 + rank * 7 % 5 * 16; /* they scatter */
}

/* Posts one message up or down a dimension, and one from the other side. The call takes 1 ps. */
static void exchange(struct program_builder *builder, uint32_t world, uint32_t region,
                     const uint32_t at[3], const uint32_t extents[3], uint32_t dimension,
                     uint32_t up, int64_t *now_ps) {
    struct status status = STATUS_INIT;
    uint32_t to[3], from[3], peers[2] = {0}, own = 0;
    memcpy(to, at, sizeof to);
    memcpy(from, at, sizeof from);
    to[dimension] = (at[dimension] + up) % extents[dimension];
    from[dimension] = (at[dimension] + extents[dimension] - up) % extents[dimension];
    for (uint32_t d = 3; d-- > 0;) {
        own = own * extents[d] + at[d];
        peers[0] = peers[0] * extents[d] + to[d];
        peers[1] = peers[1] * extents[d] + from[d];
    }
    builder_call(builder, own, region, 0, *now_ps, &status);
    builder_send(builder, own, world, peers[0], 0, face_of(extents, dimension, up, own), 0,
                 BUILDER_NO_REQUEST, &status);
    builder_receive(builder, own, world, peers[1], 0, face_of(extents, dimension, up, peers[1]), 0,
                    BUILDER_NO_REQUEST, &status);
    builder_wait_call(builder, own, &status);
    builder_return(builder, own, ++*now_ps, false, &status);
}

/* A periodic 3-D grid, the smallest extent first, as a code of molecular dynamics has: along an
 * extent of 2, both neighbours are one rank, which gets one message. Along others there are two. */
static struct program *make_grid(uint32_t ranks) {
    struct status status = STATUS_INIT;
    uint32_t extents[3] = {2, 2, 2}, at[3];
    for (uint32_t d = 3; extents[0] * extents[1] * extents[2] < ranks;)
        extents[--d] = 4;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t calls[3] = {builder_define_region(builder, "MPI_Sendrecv", true),
                               builder_define_region(builder, "MPI_Sendrecv_replace", true),
                               builder_define_region(builder, "MPI_Ssend", true)};
    const uint32_t sum = builder_define_region(builder, "MPI_Allreduce", true);
    const uint32_t world = make_world(builder, ranks);
    const struct program_collective_arguments arguments = {.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                                           .communicator = world,
                                                           .send_bytes = 8,
                                                           .receive_bytes = 8};
    for (uint32_t i = 0; i < ranks; i++) {
        at[0] = i % extents[0];
        at[1] = i / extents[0] % extents[1];
        at[2] = i / extents[0] / extents[1];
        int64_t now_ps = 0;
        for (uint32_t step = 0; step < 2; step++) {
            for (uint32_t d = 0; d < 3; d++) {
                exchange(builder, world, calls[0], at, extents, d, 1, &now_ps);
                if (extents[d] == 2) continue;
                exchange(builder, world, calls[1], at, extents, d, extents[d] - 1, &now_ps);
                if (d == grid_kind.odd_dimension)
                    exchange(builder, world, calls[2], at, extents, d, 1, &now_ps);
            }
            builder_call(builder, i, sum, 0, now_ps, &status);
            builder_collective(builder, i, &arguments, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, i, ++now_ps, false, &status);
        }
    }
    return series_run_seal(builder);
}

/* From 2 x 2 x 2, 2 x 2 x 4 and 2 x 4 x 4 to 4 x 4 x 4: no program has ranks with two neighbours
 * in all dimensions. */
static const uint32_t grids[] = {8, 16, 32, 64, 0};

static unsigned count_inferred(const struct extrapolate_report *report) {
    unsigned count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        count += strcmp(report->findings[i].subject, "role") == 0 &&
                 report->findings[i].uncertain &&
                 strstr(report->findings[i].fit, "; no program has it") != NULL;
    return count;
}

static void roles_follow_by_symmetry(void **state) {
    (void)state;
    struct series_run run;
    grid_kind.odd_dimension = 3;
    series_run_made(&run, make_grid, grids);
    series_run_equal(&run, make_grid(64));
    assert_int_equal(count_inferred(&run.report), 1);
    series_run_free(&run);
}

/* Dimensions 2 and 3 differ, so that they say nothing of dimension 1. */
static void dimensions_that_differ_are_refused(void **state) {
    (void)state;
    struct series_run run;
    grid_kind.odd_dimension = 2;
    series_run_made(&run, make_grid, grids);
    series_run_refused(&run, STATUS_INPUT, "no rule says which ranks call MPI alike");
}

/* Dimension 1 differs from the others where no program shows it. The assumption is wrong, and the
 * report says that it is one. */
static void roles_by_symmetry_are_uncertain(void **state) {
    (void)state;
    struct series_run run;
    grid_kind.odd_dimension = 0;
    if (series_run_made(&run, make_grid, grids) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_grid(64);
    assert_true(run.made->content_hash != real->content_hash);
    assert_int_equal(count_inferred(&run.report), 1);
    program_free(real);
    series_run_free(&run);
}

/* A ring in which each rank sends to both sides, but two ranks send one message to each other. */
static struct program *make_ring(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t world = make_world(builder, ranks);
    for (uint32_t i = 0; i < ranks; i++) {
        int64_t now_ps = 0;
        for (uint32_t side = 0; side < (ranks == 2 ? 1 : 2); side++) {
            const uint32_t up = side == 0 ? 1 : ranks - 1;
            builder_call(builder, i, region, 0, now_ps, &status);
            builder_send(builder, i, world, (i + up) % ranks, 0, 64, 0, BUILDER_NO_REQUEST,
                         &status);
            builder_receive(builder, i, world, (i + ranks - up) % ranks, 0, 64, 0,
                            BUILDER_NO_REQUEST, &status);
            builder_wait_call(builder, i, &status);
            builder_return(builder, i, ++now_ps, false, &status);
        }
    }
    return series_run_seal(builder);
}

/* No program shows what ranks do whose neighbours are one rank. */
static void neighbours_that_are_one_are_uncertain(void **state) {
    (void)state;
    static const uint32_t to_two[] = {4, 6, 8, 2, 0}, to_ten[] = {4, 6, 8, 10, 0};
    for (int is_two = 0; is_two < 2; is_two++) {
        struct series_run run;
        unsigned named = 0;
        if (series_run_made(&run, make_ring, is_two ? to_two : to_ten) != STATUS_OK)
            fail_msg("%s", run.status.text);
        for (size_t i = 0; i < run.report.finding_count; i++)
            named += run.report.findings[i].uncertain &&
                     strstr(run.report.findings[i].law, "two partners of some ranks") != NULL;
        assert_int_equal(named, is_two);
        series_run_free(&run);
    }
}

/* Makes the grid with sizes that are fitted. Their sum is right within 1 %, and a law has the text.
 */
static void expect_fitted(const char *text) {
    struct series_run run = {.config = {.ranks = 64, .approximate = true, .seed = 1, .threads = 1}};
    grid_kind.odd_dimension = 3;
    for (; run.count < 3; run.count++)
        run.programs[run.count] = make_grid(grids[run.count]);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_grid(64);
    struct program_totals own, other;
    program_totals_compute(run.made, &own);
    program_totals_compute(real, &other);
    assert_int_equal(own.messages, other.messages);
    const wide off = own.message_bytes > other.message_bytes
                         ? own.message_bytes - other.message_bytes
                         : other.message_bytes - own.message_bytes;
    assert_true(off * 100 <= other.message_bytes);
    unsigned named = 0;
    for (size_t i = 0; i < run.report.finding_count; i++)
        named += strstr(run.report.findings[i].law, text) != NULL;
    assert_true(named > 0);
    program_free(real);
    series_run_free(&run);
}

/* No program shows more than 2 ranks along dimension 1, where the face across dimension 2 has its
 * margin: the margin is that of the other dimensions, and so are ratios of sizes. */
static void sizes_are_those_of_all_dimensions(void **state) {
    (void)state;
    grid_kind.has_margins = true;
    expect_fitted("a face with a margin of 16.");
    /* Without scatter, an exact law of extent 3 gives the sizes along dimension 2, but is wrong. */
    grid_kind.is_still = true;
    expect_fitted("a face with a margin of 16.");
    grid_kind.is_still = grid_kind.has_margins = false;
    grid_kind.has_cells = true;
    expect_fitted("the ratios of programs that differ along one dimension");
    grid_kind.has_cells = false;
}

/* ---- faces ---- */

static struct series_run run_family(const char *name, const uint32_t *ranks) {
    const struct series_family_pattern *family = series_family_named(name);
    struct series_run run = {.config = {.seed = 1, .threads = 1}};
    for (; ranks[run.count + 1] > 0; run.count++)
        run.programs[run.count] = series_family_make(family, ranks[run.count]);
    run.config.ranks = ranks[run.count];
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s: %s", name, run.status.text);
    return run;
}

/* The new program of a family has as many messages, bytes and as much computation as the right one.
 */
static void expect_messages(const char *name, const uint32_t *ranks) {
    struct series_run run = run_family(name, ranks);
    struct program *real = series_family_make(series_family_named(name), run.config.ranks);
    struct program_totals own, right;
    program_totals_compute(run.made, &own);
    program_totals_compute(real, &right);
    assert_true(own.messages == right.messages && own.message_bytes == right.message_bytes);
    assert_true(own.compute_ps == right.compute_ps);
    program_free(real);
    series_run_free(&run);
}

/* The new program of a family: the right one if nothing is named, else one of which a finding is
 * UNCERTAIN and has the text. */
static void expect_family(const char *name, const uint32_t *ranks, const char *text) {
    const struct series_family_pattern *family = series_family_named(name);
    struct series_run run = run_family(name, ranks);
    unsigned named = 0;
    for (size_t i = 0; text != NULL && i < run.report.finding_count; i++)
        named +=
            run.report.findings[i].uncertain && strstr(run.report.findings[i].fit, text) != NULL;
    struct program *real = series_family_make(family, run.config.ranks);
    if (text == NULL) assert_true(run.made->content_hash == real->content_hash);
    if (text != NULL) assert_true(named > 0);
    program_free(real);
    series_run_free(&run);
}

/* Parts of a box of which some ranks have a plane more than others have faces that follow the
 * parts, not the number of ranks. */
static void faces_follow_the_parts_of_a_box(void **state) {
    (void)state;
    static const uint32_t cubes[] = {8, 27, 64, 512, 0}, eights[] = {8, 16, 32, 64, 0};
    static const uint32_t squares[] = {4, 16, 64, 256, 0};
    expect_family("uneven_box", cubes, NULL);
    expect_family("faces3", eights, "the smallest part of 3686400 among the ranks of a line");
    expect_family("size_of_face", squares, "fits as well: 160160 on rank 0, not 90090");
}

/* Sums among neighbours, transposes, ghost cells, pencils, long boxes and other grids; a box and a
 * plane in one program; tags of pairs and of partners; and roots of which one iteration has another
 * one. */
static void applications_are_found(void **state) {
    (void)state;
    static const uint32_t doubled[] = {6, 12, 24, 96, 0}, powers[] = {16, 32, 64, 128, 0};
    static const uint32_t flat[] = {12, 18, 30, 72, 0}, cubes[] = {8, 27, 64, 512, 0};
    static const uint32_t to_16[] = {4, 8, 32, 16, 0}, to_256[] = {16, 32, 64, 256, 0};
    static const uint32_t twos[] = {8, 16, 32, 64, 128, 0}, to_216[] = {8, 27, 64, 216, 0};
    expect_family("neighbour_sums", powers, NULL);
    expect_family("transpose_rectangle", doubled, NULL);
    expect_family("reordered_box", powers, NULL);
    expect_family("transpose_others", to_16, "no program has such a rank");
    expect_family("ghost_cells", doubled, NULL);
    expect_family("pencils", flat, NULL);
    expect_family("long_box", cubes, NULL);
    expect_family("long_box", to_256, "in dimension 1 of 8 x 4 x 8 fits as well: ");
    expect_family("reports", powers, NULL);
    expect_family("tournament", doubled, NULL);
    expect_family("turns_of_ring", doubled, NULL);
    expect_family("tournament", to_256, NULL);
    expect_family("middle_first", twos, "another rule may fit as well");
    expect_family("open3", powers, NULL);
    expect_family("torus_and_lines", to_216, NULL);
    expect_family("tags_of_senders", doubled, NULL);
    expect_family("tags_of_receivers", powers, NULL);
    expect_messages("sweep_blocks", doubled);
}

/* Exchanges that follow each other with the same calls: rounds, then a transpose, and sums of
 * another size; a transpose first; rows of ranks along three dimensions. */
static void exchanges_in_one_loop_are_divided(void **state) {
    (void)state;
    static const uint32_t powers[] = {4, 8, 16, 32, 64, 0}, squares[] = {4, 9, 16, 36, 0};
    expect_family("matrix_in_blocks", powers, NULL);
    expect_family("transposed_first", powers, NULL);
    expect_family("multi_partition", squares, NULL);
    expect_family("tagged_partition", squares, NULL);
    expect_family("buffers_of_squares", squares, NULL);
}

/* Messages of a wavefront are smaller at the ends of a plane, and those of another one with the
 * same calls are not. */
static void sizes_at_the_ends_of_a_plane_follow(void **state) {
    (void)state;
    static const uint32_t powers[] = {4, 8, 16, 32, 64, 0}, few[] = {4, 8, 16, 32, 128, 0};
    static const uint32_t larger[] = {16, 32, 64, 128, 0};
    expect_family("cells_inside", powers, NULL);
    expect_family("cells_inside", few, NULL);
    expect_family("cells_inside", larger, NULL);
}

/* No program shows four messages along dimension 3, only two: a law of these two leaves out the
 * others, so that the laws of the other dimensions are taken. */
static void laws_of_some_iterations_are_none(void **state) {
    (void)state;
    static const uint32_t with_24[] = {8, 16, 24, 32, 64, 0};
    expect_family("layers3", with_24, NULL);
}

/* Three extents along both dimensions together test a law with two coefficients. Two do not: the
 * law is taken where sizes may be fitted. */
static void sizes_along_two_dimensions_have_one_law(void **state) {
    (void)state;
    static const uint32_t powers[] = {4, 8, 16, 32, 64, 0}, few[] = {4, 8, 16, 0};
    static const char *const names[] = {"margins_of_plane", "margins_by_turns"};
    expect_family("margins_at_ends", powers, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct series_family_pattern *family = series_family_named(names[i]);
        struct series_run run = {
            .config = {.ranks = 64, .approximate = true, .seed = 1, .threads = 1}};
        expect_family(names[i], powers, NULL);
        expect_family(names[i], powers, "exact, but sizes along another dimension show it");
        for (; few[run.count] > 0; run.count++)
            run.programs[run.count] = series_family_make(family, few[run.count]);
        series_run_extrapolate(&run);
        series_run_equal(&run, series_family_make(family, 64));
        series_run_free(&run);
    }
}

/* ---- tests of requests ---- */

/* Tests find requests complete on some ranks, and on others these wait: before the next call,
 * before the next wait, or in it. */
static void tests_are_taken_as_waits(void **state) {
    (void)state;
    static const uint32_t doubled[] = {6, 12, 24, 96, 0};
    static const char *const names[] = {"test_or_wait", "test_of_rows", "test_of_some"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect_messages(names[i], doubled);
        expect_family(names[i], doubled, "which tests find a request complete depends on timing");
    }
}

/* Where no rank waits for what tests find complete, no wait takes their place. */
static void tests_without_waits_are_refused(void **state) {
    (void)state;
    static const uint32_t doubled[] = {6, 12, 24, 0};
    const struct series_family_pattern *family = series_family_named("tests_alone");
    struct series_run run = {.config = {.ranks = 96, .seed = 1, .threads = 1}};
    for (; doubled[run.count] > 0; run.count++)
        run.programs[run.count] = series_family_make(family, doubled[run.count]);
    series_run_extrapolate(&run);
    series_run_refused(&run, STATUS_INPUT, "which tests find a request complete depends on timing");
}

/* ---- scatter ---- */

enum { STEPS = 8 };

/* Each rank computes for mean_ps in each step, ten times as long in the first one, and up to
 * share_percent of that and noise_ps more; then all meet in a barrier. */
static struct program *make_steps(uint32_t ranks, int64_t mean_ps, int64_t share_percent,
                                  int64_t noise_ps) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Barrier", true);
    const struct program_collective_arguments barrier = {
        .kind = PROGRAM_COLLECTIVE_BARRIER, .communicator = make_world(builder, ranks)};
    uint64_t random = 7 * ranks;
    for (uint32_t i = 0; i < ranks; i++)
        for (int64_t step = 0, now_ps = 0; step < STEPS; step++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const int64_t work_ps = mean_ps * (step == 0 ? 10 : 1);
            const int64_t thousandths = (int64_t)((random >> 40) % 1000);
            const int64_t compute_ps =
                work_ps + (work_ps / 100 * share_percent + noise_ps) / 1000 * thousandths;
            builder_compute(builder, i, compute_ps, &status);
            now_ps += compute_ps;
            builder_call(builder, i, region, 0, now_ps, &status);
            builder_collective(builder, i, &barrier, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, i, ++now_ps, false, &status);
        }
    return series_run_seal(builder);
}

static struct program *make_scattered(uint32_t ranks) {
    return make_steps(ranks, 1000000000, 8, 0);
}

/* Takes the computations of a rank, one of each step. */
static void take_steps(const struct program *program, uint32_t rank, int64_t steps[STEPS]) {
    unsigned count = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
        const struct program_operation *own = &program->operations[program->ranks[rank].first + i];
        if (own->kind != OPERATION_COMPUTE) continue;
        assert_true(count < STEPS);
        steps[count++] = own->compute.duration_ps;
    }
    assert_int_equal(count, STEPS);
}

/* Returns whether a rank computes about as long in each step as a rank of another program. */
static bool has_steps_of(const struct program *made, uint32_t rank, const struct program *known,
                         uint32_t source) {
    int64_t own[STEPS], other[STEPS];
    take_steps(made, rank, own);
    take_steps(known, source, other);
    for (unsigned i = 0; i < STEPS; i++)
        if (llabs(own[i] - other[i]) >= other[i] / 50) return false;
    return true;
}

/* The first ranks have the times of the largest program, up to the ratio of the means. The others
 * have them in another order, but a long step remains long. */
static void scatter_keeps_long_steps(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 128, 0};
    struct series_run run;
    if (series_run_made(&run, make_scattered, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    unsigned copies = 0;
    for (uint32_t r = 0; r < 128; r++) {
        int64_t made[STEPS];
        take_steps(run.made, r, made);
        for (unsigned i = 0; i < STEPS; i++) {
            const int64_t mean = INT64_C(1040000000) * (i == 0 ? 10 : 1);
            assert_true(llabs(made[i] - mean) < mean / 15);
        }
        if (r < 32) assert_true(has_steps_of(run.made, r, run.programs[2], r));
        for (uint32_t source = 0; source < 32 && r >= 32; source++)
            copies += has_steps_of(run.made, r, run.programs[2], source);
    }
    assert_true(copies < 96 / 4); /* some are alike by chance */
    const uint64_t hash = run.made->content_hash;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        program_free(run.made);
        extrapolate_report_free(&run.report);
        run.config.seed = seed;
        assert_int_equal(series_run_extrapolate(&run), STATUS_OK);
        assert_int_equal(run.made->content_hash == hash, seed == 1);
    }
    series_run_free(&run);
}

static struct program *make_noisy(uint32_t ranks) {
    return make_steps(ranks, INT64_C(400000000000) / ranks, 0, 8000000000);
}

static struct program *make_uneven(uint32_t ranks) {
    return make_steps(ranks, INT64_C(400000000000) / ranks, 40, 0);
}

/* Returns the mean deviation of the later steps from their mean, and sets this mean. */
static int64_t spread_of(const struct program *program, int64_t *mean_ps) {
    const uint32_t ranks = program->rank_count;
    int64_t sum_ps = 0, spread_ps = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t r = 0; r < ranks; r++) {
            int64_t steps[STEPS];
            take_steps(program, r, steps);
            for (unsigned i = 1; i < STEPS; i++) {
                if (pass == 0) sum_ps += steps[i];
                if (pass == 1) spread_ps += llabs(steps[i] - *mean_ps);
            }
            *mean_ps = sum_ps / ranks / (STEPS - 1);
        }
    return spread_ps / ranks / (STEPS - 1);
}

/* With a fixed amount of work in all, noise that does not depend on the work stays as long as it
 * is, and imbalance stays a share of the work. */
static void noise_and_imbalance_scale_differently(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 128, 0};
    struct series_run run;
    int64_t known_ps = 0, made_ps = 0;
    if (series_run_made(&run, make_noisy, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    const int64_t noise_ps = spread_of(run.programs[2], &known_ps);
    const int64_t made_noise_ps = spread_of(run.made, &made_ps);
    assert_true(made_ps < known_ps * 4 / 5);
    assert_true(made_noise_ps > noise_ps * 9 / 10 && made_noise_ps < noise_ps * 11 / 10);
    series_run_free(&run);
    if (series_run_made(&run, make_uneven, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    const int64_t known_spread_ps = spread_of(run.programs[2], &known_ps);
    const int64_t made_spread_ps = spread_of(run.made, &made_ps);
    const int64_t share_ps = known_spread_ps * made_ps / known_ps;
    assert_true(made_ps < known_ps / 3);
    assert_true(made_spread_ps > share_ps * 9 / 10 && made_spread_ps < share_ps * 11 / 10);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_and_imbalance_scale_differently),
        cmocka_unit_test(roles_follow_by_symmetry),
        cmocka_unit_test(dimensions_that_differ_are_refused),
        cmocka_unit_test(roles_by_symmetry_are_uncertain),
        cmocka_unit_test(neighbours_that_are_one_are_uncertain),
        cmocka_unit_test(sizes_are_those_of_all_dimensions),
        cmocka_unit_test(faces_follow_the_parts_of_a_box),
        cmocka_unit_test(applications_are_found),
        cmocka_unit_test(exchanges_in_one_loop_are_divided),
        cmocka_unit_test(sizes_at_the_ends_of_a_plane_follow),
        cmocka_unit_test(laws_of_some_iterations_are_none),
        cmocka_unit_test(sizes_along_two_dimensions_have_one_law),
        cmocka_unit_test(tests_are_taken_as_waits),
        cmocka_unit_test(tests_without_waits_are_refused),
        cmocka_unit_test(scatter_keeps_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
