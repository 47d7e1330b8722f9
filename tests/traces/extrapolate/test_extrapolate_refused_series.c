/*
 * Series that are refused as a whole: their grids do not show what is asked for, or their programs
 * are of several families.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A grid that no program of the series shows cannot be told. */
static void unseen_grid_is_refused(void **state) {
    (void)state;
    const struct series_family_pattern *family = series_family_named("torus2");
    struct series_run run = {.config = {.ranks = 36, .grid = {6, 6}, .threads = 1}};
    static const uint32_t primes[] = {7, 13, 19};
    for (; run.count < 3; run.count++)
        run.programs[run.count] = series_family_make(family, primes[run.count]);
    series_run_extrapolate(&run);
    series_run_refused(
        &run, STATUS_USAGE,
        "extrapolate.grid says 6 x 6, but the grids of the series are 7 x 1 to 19 x 1: no "
        "program shows what ranks do along dimension 2; add programs whose grids "
        "have several ranks in each dimension, such as 4, 6 or 9 ranks");
}

/* Programs of two families: the text names a call that one makes, or where a rank differs. */
static void mixed_series_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *names[4], *text;
    } rows[] = {
        {{"torus2", "torus2", "root_half"}, "(9 ranks) calls MPI_Sendrecv, and "},
        {{"torus2", "root_half", "torus2"}, "(9 ranks) does not"},
        {{"binomial", "pipeline", "pipeline"}, " (4 ranks) first differ at step "},
        {{"binomial", "binomial", "pipeline", "pipeline"},
         "(9 ranks) and of  (16 ranks) first differ at step "},
        {{"open2", "open2", "torus2"},
         "first differ at step 1: MPI_Sendrecv with a receive, and MPI_Sendrecv with a send; "},
        {{"bits", "bits", "bits"},
         "ranks with the same number make the same calls in all programs, and nothing says which "
         "calls further ranks make"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const uint32_t ranks[] = {4, 9, 16, 25};
        struct series_run run = {.config = {.ranks = 36, .threads = 1}};
        for (; run.count < 4 && rows[i].names[run.count] != NULL; run.count++)
            run.programs[run.count] =
                series_family_make(series_family_named(rows[i].names[run.count]), ranks[run.count]);
        series_run_extrapolate(&run);
        series_run_refused(&run, STATUS_INPUT, rows[i].text);
    }
}

/* A broadcast from one root: 0 stands for the last rank. */
static struct program *make_broadcasts(uint32_t ranks, uint32_t root) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t call = builder_define_region(builder, "MPI_Bcast", true);
    uint32_t world = 0, members[64];
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    const struct program_collective_arguments broadcast = {.kind = PROGRAM_COLLECTIVE_BCAST,
                                                           .communicator = world,
                                                           .root = root > 0 ? root : ranks - 1,
                                                           .send_bytes = 1024,
                                                           .receive_bytes = 1024};
    for (uint32_t i = 0; i < ranks; i++)
        for (uint64_t step = 0; step < 3; step++) {
            builder_call(builder, i, call, step, (int64_t)step, &status);
            builder_collective(builder, i, &broadcast, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, i, (int64_t)step + 1, false, &status);
        }
    return series_run_seal(builder);
}

/* 4, 8 and 12 are 2 floor(P/2) as well, which is no rank of 30. */
static void roots_are_ranks_of_the_new_program(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 30, .threads = 1}};
    for (uint32_t ranks = 5; ranks <= 13; ranks += 4)
        run.programs[run.count++] = make_broadcasts(ranks, 0);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_equal(&run, make_broadcasts(30, 0));
    for (size_t i = 0; i < run.report.finding_count; i++)
        assert_null(strstr(run.report.findings[i].fit, "floor(P/2)"));
    series_run_free(&run);
}

/* A root that no law can mend is refused with its call. */
static void root_beyond_the_ranks_is_named(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 4, .threads = 1}};
    for (uint32_t ranks = 8; ranks <= 32; ranks *= 2)
        run.programs[run.count++] = make_broadcasts(ranks, 5);
    series_run_extrapolate(&run);
    series_run_refused(&run, STATUS_INPUT,
                       "MPI_Bcast (call 3 of rank 31 of 32 ranks; role: all ranks, ranks 0 to 31): "
                       "in the new program: rank 0: BCAST with root 5 in a group of 4");
}

/* The neighbours of 8 to 27 ranks in cubes also follow from a long box. One program alone has ranks
 * inside along all dimensions of a cube, so that no law gives their sizes: the box, which needs no
 * such ranks, is named and not taken. The caller may take it. */
static void boxes_by_chance_are_named(void **state) {
    (void)state;
    const struct series_family_pattern *family = series_family_named("interfaces_of_levels");
    static const uint32_t ranks[] = {8, 12, 18, 27}, grids[][4] = {{0}, {4, 3, 3}, {3, 6, 2}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        struct series_run run = {.config = {.ranks = 36, .threads = 1}};
        memcpy(run.config.grid, grids[g], sizeof grids[g]);
        for (; run.count < sizeof ranks / sizeof *ranks; run.count++)
            run.programs[run.count] = series_family_make(family, ranks[run.count]);
        series_run_extrapolate(&run);
        assert_int_equal(run.status.code, g == 2 ? STATUS_OK : STATUS_INPUT);
        if (g == 2) {
            series_run_free(&run);
            continue;
        }
        assert_non_null(strstr(run.status.text, "only the program of 27 ranks has this role"));
        assert_non_null(strstr(run.status.text,
                               "add a program that has such ranks, or take those of this program "
                               "with extrapolate.approximate"));
        series_run_refused(&run, STATUS_INPUT,
                           g == 0 ? "the grid of 36 ranks is 4 x 3 x 3 by the rule of these roles; "
                                    "3 x 6 x 2 (3-D, parts of a box of 2 x 3 x 1 with the least "
                                    "surface) fits the series as well; extrapolate.grid says which "
                                    "it is"
                                  : "such ranks");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_grid_is_refused),
        cmocka_unit_test(mixed_series_are_refused),
        cmocka_unit_test(roots_are_ranks_of_the_new_program),
        cmocka_unit_test(root_beyond_the_ranks_is_named),
        cmocka_unit_test(boxes_by_chance_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
