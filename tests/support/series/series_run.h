/* A series of programs and its extrapolation, for tests. */
#ifndef ANAX_TESTS_SERIES_RUN_H
#define ANAX_TESTS_SERIES_RUN_H

#include "traces/extrapolate/traces_extrapolate.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/program.h"

enum { SERIES_RUN_MAX = 8 };

/* An application of traces_generate. */
struct series_pattern {
    const char *name;
    uint32_t neighbours; /* 0: 6 */
};

/* A series, and what becomes of it. */
struct series_run {
    struct program *programs[SERIES_RUN_MAX];
    uint32_t count;
    struct extrapolate_config config;
    struct program *made;
    struct extrapolate_report report;
    struct status status;
};

struct program *series_generate(const struct series_pattern *pattern, uint32_t ranks);
void series_run_free(struct series_run *run);
status_code series_run_extrapolate(struct series_run *run);
/* Extrapolates a pattern. ranks: of the series, then of the new program, then 0. */
status_code series_run_pattern(struct series_run *run, const struct series_pattern *pattern,
                               const uint32_t *ranks);
/* Extrapolates programs of a maker. ranks: of the series, then of the new program, then 0. */
typedef struct program *series_maker(uint32_t ranks);
status_code series_run_made(struct series_run *run, series_maker *make, const uint32_t *ranks);
/* Defines the communicator of all ranks of a program, and returns it. */
uint32_t series_run_world(struct program_builder *builder, uint32_t ranks, struct status *status);
/* Returns the arguments of an allreduce of 8 bytes. */
struct program_collective_arguments series_run_sum(uint32_t communicator);
/* Seals a program and frees its builder; a failure ends the test. */
struct program *series_run_seal(struct program_builder *builder);
/* Asserts that the extrapolation made `real`, by its hash, and frees `real`. */
void series_run_equal(const struct series_run *run, struct program *real);
/* Asserts that the extrapolation failed with this text, and frees the run. */
void series_run_refused(struct series_run *run, status_code code, const char *text);

#endif
