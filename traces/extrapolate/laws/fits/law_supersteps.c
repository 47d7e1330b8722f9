/*
 * Supersteps. A superstep is what ranks compute between two collectives of all ranks in which no
 * rank goes on before all have come. In each superstep, ranks wait for the one that computes
 * longest, and more ranks wait longer. If the ranks of the new program wait longer than those of
 * all programs of the series, the time of the new program depends on waits that no program shows.
 */
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/fits/series_fits.h"

#include <stdlib.h>

/* The supersteps of a program. */
struct supersteps {
    int64_t *longest_ps; /* [superstep]: the longest computation of a rank */
    size_t count, capacity;
    wide all_ps; /* computation of all ranks in all supersteps */
};

/* Returns whether an operation is a blocking collective of all ranks in which no rank goes on
 * before all have come, because each rank gets data from all others. */
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

/* Adds what a rank has computed in superstep `number`. */
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

/* Sets the supersteps of all ranks of a program. */
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
