/*
 * Supersteps: what ranks compute between two collectives of all ranks. Ranks wait for the one that
 * computes longest in each superstep, and the more they are, the longer they wait. Programs of a
 * series show how long. Where ranks of the new program would wait longer than in any of them, its
 * time is beyond what the series shows.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"

#include <stdlib.h>

/* The longest computation of a rank in each superstep. */
struct supersteps {
    int64_t *longest_ps;
    size_t count, capacity;
    wide all_ps; /* of all ranks and supersteps */
};

/* Returns whether no rank goes on before all have come: a collective of all ranks that brings each
 * of them the data of all others. */
static bool joins_all(const struct program *program, const struct program_operation *operation) {
    if (operation->kind != OPERATION_COLLECTIVE || !program_is_blocking(operation)) return false;
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    if (program->communicators[arguments->communicator].size != program->rank_count) return false;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
    case PROGRAM_COLLECTIVE_ALLREDUCE:
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
    case PROGRAM_COLLECTIVE_ALLTOALL:
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return true;
    default:
        return false;
    }
}

static status_code end_superstep(struct supersteps *supersteps, size_t number, int64_t computed_ps,
                                 struct status *status) {
    if (number == supersteps->count) {
        FORWARD_IF_ERROR(memory_grow((void **)&supersteps->longest_ps, &supersteps->capacity,
                                     supersteps->count + 1, sizeof *supersteps->longest_ps,
                                     status));
        supersteps->longest_ps[supersteps->count++] = 0;
    }
    if (computed_ps > supersteps->longest_ps[number]) supersteps->longest_ps[number] = computed_ps;
    supersteps->all_ps += (uint64_t)computed_ps;
    return STATUS_OK;
}

static status_code take(const struct program *program, struct supersteps *supersteps,
                        struct status *status) {
    struct program_walk walk = {0};
    size_t number = 0;
    int64_t computed_ps = 0;
    while (program_walk_next(program, &walk)) {
        const struct program_operation *operation = walk.operation;
        if (operation->kind == OPERATION_COMPUTE) computed_ps += operation->compute.duration_ps;
        if (operation->kind != OPERATION_END && !joins_all(program, operation)) continue;
        FORWARD_IF_ERROR(end_superstep(supersteps, number, computed_ps, status));
        number = operation->kind == OPERATION_END ? 0 : number + 1;
        computed_ps = 0;
    }
    return STATUS_OK;
}

status_code law_supersteps_ratio(const struct program *program, int64_t *ratio,
                                 struct status *status) {
    struct supersteps supersteps = {0};
    const status_code code = take(program, &supersteps, status);
    wide longest_ps = 0;
    for (size_t i = 0; i < supersteps.count; i++)
        longest_ps += (uint64_t)supersteps.longest_ps[i];
    *ratio = code == STATUS_OK
                 ? wide_millionths(longest_ps * program->rank_count, supersteps.all_ps)
                 : 0;
    free(supersteps.longest_ps);
    return code;
}
