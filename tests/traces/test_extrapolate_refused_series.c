/*
 * Series that are refused as a whole: their grids do not show what is asked for, or their programs
 * are of several families.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_grid_is_refused),
        cmocka_unit_test(mixed_series_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
