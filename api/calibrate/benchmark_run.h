/*
 * Runs a benchmark on a machine: replays its program between two nodes, or, for a collective, on
 * ranks placed by the settings placement.*.
 */
#ifndef ANAX_API_BENCHMARK_RUN_H
#define ANAX_API_BENCHMARK_RUN_H

#include "api/api.h"
#include "api/calibrate/measurement.h"

/* The two nodes of a benchmark between two nodes. */
struct benchmark_nodes {
    uint32_t first, second;
};

/* Chooses the two nodes by calibrate.distance. STATUS_USAGE: the machine has no such nodes. */
status_code benchmark_nodes_find(struct benchmark_nodes *nodes, const anax_config *config,
                                 struct status *status);

struct benchmark_run {
    const anax_config *config;
    struct benchmark_nodes nodes;
    const anax_options *options;
};

/* Computes the times in ps of `count` message sizes, as the rows of a measurement report times.
 * table gives the kind, pairs, window and processes; its rows are ignored. */
status_code benchmark_times(double *times_ps, const struct benchmark_run *run,
                            const struct measurement *table, const uint64_t *sizes_bytes,
                            size_t count, struct status *status);

/* Returns the number of messages in flight in a table's benchmark. */
uint32_t benchmark_window(const anax_config *config, const struct measurement *table);

/* Returns the number of processes of a table's benchmark; 0: not known. */
uint32_t benchmark_processes(const anax_config *config, const struct measurement *table);

#endif
