/*
 * Programs of the benchmarks that measure MPI between two nodes, which measured times are compared
 * with. Each message size has a region. Must not know what was measured.
 *
 * Invariant: the sizes run one after another on an idle machine, and the region of a size holds
 * exactly what such a benchmark measures. Of pairs the even rank has the region, as rank 2i sends
 * to rank 2i+1; of collectives all ranks have it.
 */
#include "core/memory/memory.h"
#include "traces/patterns/pattern_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct benchmark_job {
    const struct traces_benchmark *benchmark;
    uint32_t *regions; /* per size */
};

static void ping_pong(struct pattern_rank *rank, uint64_t bytes) {
    if (rank->rank % 2 == 0) {
        pattern_send(rank, rank->rank + 1, 0, bytes);
        pattern_recv(rank, rank->rank + 1, 1, bytes);
    } else {
        pattern_recv(rank, rank->rank - 1, 0, bytes);
        pattern_send(rank, rank->rank - 1, 1, bytes);
    }
}

/* Appends one size, which is one iteration of the frame of patterns. */
static void one_size(struct pattern_rank *rank, uint32_t iteration, const void *context) {
    const struct benchmark_job *job = context;
    const struct traces_benchmark *benchmark = job->benchmark;
    const uint64_t bytes = benchmark->sizes_bytes[iteration];
    const bool collective = benchmark->kind == TRACES_BENCHMARK_ALLREDUCE;
    const bool keeps_time = collective || rank->rank % 2 == 0;
    if (collective)
        pattern_collective(rank, PATTERN_BARRIER, PROGRAM_COLLECTIVE_BARRIER, rank->world,
                           PROGRAM_NONE, 0);
    if (keeps_time) pattern_mark(rank, job->regions[iteration], true);
    for (uint32_t i = 0; i < benchmark->rounds; i++) {
        switch (benchmark->kind) {
        case TRACES_BENCHMARK_PING_PONG:
            ping_pong(rank, bytes);
            break;
        case TRACES_BENCHMARK_STREAM:
            pattern_stream(rank, rank->rank ^ 1, rank->rank % 2 == 0, bytes, benchmark->window);
            break;
        case TRACES_BENCHMARK_BOTH_WAYS:
            /* windows of one are a sendrecv, of two an exchange of two neighbours */
            pattern_both_ways(rank, rank->rank ^ 1, bytes, benchmark->window);
            break;
        case TRACES_BENCHMARK_ALLREDUCE:
            pattern_collective(rank, PATTERN_ALLREDUCE, PROGRAM_COLLECTIVE_ALLREDUCE, rank->world,
                               PROGRAM_NONE, bytes);
            break;
        }
    }
    if (keeps_time) pattern_mark(rank, job->regions[iteration], false);
}

static status_code build_program(const struct traces_benchmark *benchmark,
                                 struct program_builder *builder, uint32_t *regions,
                                 struct status *status) {
    const struct benchmark_job job = {benchmark, regions};
    const struct traces_pattern_config config = {
        .rank_count = benchmark->ranks,
        .iterations = (uint32_t)benchmark->size_count,
        .size_bytes = 0,
    };
    struct pattern_plan plan = {.body = one_size, .context = &job, .own_compute = true};
    plan.operations_per_iteration = (uint64_t)benchmark->rounds * (6 * benchmark->window + 12);
    for (size_t i = 0; i < benchmark->size_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%" PRIu64, benchmark->sizes_bytes[i]);
        regions[i] = builder_define_region(builder, name, false);
    }
    FORWARD_IF_ERROR(pattern_define_world(builder, benchmark->ranks, status));
    return pattern_run(&config, builder, &plan, status);
}

status_code traces_benchmark_new(struct program **program, const struct traces_benchmark *benchmark,
                                 struct status *status) {
    *program = NULL;
    uint32_t *regions = memory_new(benchmark->size_count, sizeof *regions);
    struct program_builder *builder = builder_new(benchmark->ranks, status);
    status_code code = STATUS_OK;
    if (regions == NULL || builder == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a benchmark");
    if (code == STATUS_OK) code = build_program(benchmark, builder, regions, status);
    if (code == STATUS_OK) code = builder_seal(builder, 0, program, status);
    builder_free(builder);
    free(regions);
    return code;
}
