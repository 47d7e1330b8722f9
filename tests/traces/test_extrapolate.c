/*
 * Extrapolation of generated applications: from a series of small sizes to a larger one, which must
 * be the generated program of that size, by its hash. What follows no rule is refused.
 */
#include "traces/extrapolate/extrapolate.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

struct pattern {
    const char *name;
    uint32_t neighbours, edge, window;
    uint64_t size_bytes;
    int64_t compute_ps;
};

static struct program *generate(const struct pattern *pattern, uint32_t ranks) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    struct traces_pattern_config config = {
        .rank_count = ranks,
        .iterations = 3,
        .size_bytes = pattern->size_bytes > 0 ? pattern->size_bytes : 100000,
        .compute_ps = pattern->compute_ps > 0 ? pattern->compute_ps : 12345678,
        .neighbours = pattern->neighbours > 0 ? pattern->neighbours : 6,
        .window = pattern->window > 0 ? pattern->window : 4,
        .edge = pattern->edge,
        .seed = 1,
    };
    if (traces_generate(&program, pattern->name, &config, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

/* ranks: of the series and then of the new program, 0 at the end. */
static status_code extrapolate(const struct pattern *pattern, const uint32_t *ranks,
                               const struct extrapolate_config *wanted, struct program **made,
                               struct status *status) {
    struct program *programs[MOST] = {0};
    struct extrapolate_report report;
    struct extrapolate_config config = *wanted;
    uint32_t count = 0;
    for (; ranks[count + 1] > 0; count++)
        programs[count] = generate(pattern, ranks[count]);
    config.ranks = ranks[count];
    status_code code = traces_extrapolate(made, &report, (const struct program *const *)programs,
                                          count, &config, status);
    for (uint32_t i = 0; i < count; i++)
        program_free(programs[i]);
    extrapolate_report_free(&report);
    return code;
}

static void expect_exact(const struct pattern *pattern, const uint32_t *ranks) {
    struct program *made = NULL;
    struct status status = STATUS_INIT;
    const struct extrapolate_config config = {.seed = 1};
    if (extrapolate(pattern, ranks, &config, &made, &status) != STATUS_OK) {
        print_error("%s %u %u %u: %s\n", pattern->name, ranks[0], ranks[1], ranks[2], status.text);
        status_clear(&status);
        return;
    }
    while (ranks[1] > 0)
        ranks++;
    struct program *real = generate(pattern, ranks[0]);
    if (program_check(made, &status) != STATUS_OK) fail_msg("%s", status.text);
    if (made->content_hash != real->content_hash)
        print_error("%s to %u: another program\n", pattern->name, ranks[0]);
    program_free(made);
    program_free(real);
}

static const uint32_t cubes[] = {8, 27, 64, 512, 0}, others[] = {12, 24, 48, 96, 0};
static const uint32_t powers[] = {8, 16, 32, 64, 256, 0};

static void patterns_are_exact(void **state) {
    (void)state;
    static const struct pattern patterns[] = {
        {.name = "halo2d"},
        {.name = "halo3d"},
        {.name = "halo3d", .neighbours = 26},
        {.name = "sweep3d"},
        {.name = "fft3d"},
        {.name = "allreduce"},
        {.name = "alltoall"},
        {.name = "bcast"},
        {.name = "allreduce-ring"},
        {.name = "allreduce-recursive-doubling"},
        {.name = "incast"},
        {.name = "ping-pong"},
        {.name = "stream"},
        {.name = "both-ways"},
        {.name = "nekbone"},
        {.name = "minife"},
        {.name = "lulesh"},
        {.name = "milc"},
        {.name = "amg"},
        {.name = "swfft"},
        {.name = "kripke"},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const char *only = getenv("ONLY");
        if (only && strcmp(only, patterns[i].name)) continue;
        expect_exact(&patterns[i], cubes);
        expect_exact(&patterns[i], others);
        expect_exact(&patterns[i], powers);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
