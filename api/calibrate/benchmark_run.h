/*
 * What a machine makes of a benchmark: its program is replayed between two nodes, or by a
 * collective's ranks as placement.* has it.
 */
#ifndef ANAX_API_BENCHMARK_RUN_H
#define ANAX_API_BENCHMARK_RUN_H

#include "api/api.h"
#include "api/calibrate/measurement.h"

/* Where benchmarks of two nodes run. */
struct benchmark_nodes {
    uint32_t first, second;
};

/* The two nodes by calibrate.distance. STATUS_USAGE: the machine has no such nodes. */
status_code benchmark_nodes_find(struct benchmark_nodes *nodes, const anax_config *config,
                                 struct status *status);

struct benchmark_run {
    const anax_config *config;
    struct benchmark_nodes nodes;
    const anax_options *options;
};

/* The times of sizes in the terms of a measurement's rows. table gives the kind, pairs, window and
 * processes; its rows are not looked at. */
status_code benchmark_times(double *times_ps, const struct benchmark_run *run,
                            const struct measurement *table, const uint64_t *sizes_bytes,
                            size_t count, struct status *status);

/* Messages in flight of a table. */
uint32_t benchmark_window(const anax_config *config, const struct measurement *table);

/* Processes of a table; 0: not known. */
uint32_t benchmark_processes(const anax_config *config, const struct measurement *table);

#endif
