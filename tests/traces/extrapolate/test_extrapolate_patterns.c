/*
 * Extrapolation of generated applications: from a series of small sizes to a larger one, which must
 * be the generated program of that size, by its hash.
 */
#include "tests/support/series/series_run.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_exact(const struct series_pattern *pattern, const uint32_t *ranks) {
    struct series_run run;
    if (series_run_pattern(&run, pattern, ranks) != STATUS_OK)
        fail_msg("%s from %u: %s", pattern->name, ranks[0], run.status.text);
    if (program_check_file(run.made, &run.status) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = series_generate(pattern, run.config.ranks);
    if (run.made->content_hash != real->content_hash)
        fail_msg("%s to %u: another program", pattern->name, run.config.ranks);
    program_free(real);
    series_run_free(&run);
}

static const uint32_t cubes[] = {64, 8, 27, 512, 0}, others[] = {12, 24, 48, 96, 0};
static const uint32_t powers[] = {8, 16, 32, 64, 256, 0};

static void patterns_are_exact(void **state) {
    (void)state;
    static const struct series_pattern patterns[] = {
        {"halo2d", 0},         {"halo3d", 6},
        {"halo3d", 26},        {"sweep3d", 0},
        {"fft3d", 0},          {"allreduce", 0},
        {"alltoall", 0},       {"bcast", 0},
        {"allreduce-ring", 0}, {"allreduce-recursive-doubling", 0},
        {"incast", 0},         {"ping-pong", 0},
        {"stream", 0},         {"both-ways", 0},
        {"nekbone", 0},        {"minife", 0},
        {"lulesh", 0},         {"kripke", 0},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        expect_exact(&patterns[i], cubes);
        expect_exact(&patterns[i], others);
        expect_exact(&patterns[i], powers);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
