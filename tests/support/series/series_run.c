/* Makes a series of programs of an application, extrapolates it, and compares the new program with
 * that of the application on as many ranks. */
#include "tests/support/series/series_run.h"

#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct program *series_generate(const struct series_pattern *pattern, uint32_t ranks) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    struct traces_pattern_config config = {
        .rank_count = ranks,
        .iterations = 3,
        .size_bytes = 100000,
        .compute_ps = 12345678,
        .neighbours = pattern->neighbours > 0 ? pattern->neighbours : 6,
        .window = 4,
        .seed = 1,
    };
    if (traces_generate(&program, pattern->name, &config, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

void series_run_free(struct series_run *run) {
    for (uint32_t i = 0; i < run->count; i++)
        program_free(run->programs[i]);
    program_free(run->made);
    extrapolate_report_free(&run->report);
    status_clear(&run->status);
}

status_code series_run_extrapolate(struct series_run *run) {
    return traces_extrapolate(&run->made, &run->report,
                              (const struct program *const *)run->programs, run->count,
                              &run->config, &run->status);
}

status_code series_run_pattern(struct series_run *run, const struct series_pattern *pattern,
                               const uint32_t *ranks) {
    *run = (struct series_run){.config = {.seed = 1, .threads = 2}};
    for (; ranks[run->count + 1] > 0; run->count++)
        run->programs[run->count] = series_generate(pattern, ranks[run->count]);
    run->config.ranks = ranks[run->count];
    return series_run_extrapolate(run);
}

status_code series_run_made(struct series_run *run, series_maker *make, const uint32_t *ranks) {
    *run = (struct series_run){.config = {.seed = 1, .threads = 1}};
    for (; ranks[run->count + 1] > 0; run->count++)
        run->programs[run->count] = make(ranks[run->count]);
    run->config.ranks = ranks[run->count];
    return series_run_extrapolate(run);
}

uint32_t series_run_world(struct program_builder *builder, uint32_t ranks, struct status *status) {
    uint32_t *members = calloc(ranks, sizeof *members), world = 0;
    assert_non_null(members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, status);
    free(members);
    return world;
}

struct program_collective_arguments series_run_sum(uint32_t communicator) {
    return (struct program_collective_arguments){.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                                 .communicator = communicator,
                                                 .root = PROGRAM_NONE,
                                                 .send_bytes = 8,
                                                 .receive_bytes = 8};
}

struct program *series_run_seal(struct program_builder *builder) {
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (builder_seal(builder, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(builder);
    return program;
}

void series_run_equal(const struct series_run *run, struct program *real) {
    if (run->status.code != STATUS_OK) fail_msg("%s", run->status.text);
    assert_int_equal(run->made->content_hash, real->content_hash);
    program_free(real);
}

void series_run_refused(struct series_run *run, status_code code, const char *text) {
    if (run->status.code != code || strstr(run->status.text, text) == NULL)
        fail_msg("not refused for \"%s\": %s", text,
                 run->status.text != NULL ? run->status.text : "a program was made");
    assert_null(run->made);
    series_run_free(run);
}
