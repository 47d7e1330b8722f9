/*
 * Collectives composed of other collectives, as in Open MPI: allreduce by reduce and bcast,
 * allgather by gather and bcast, reduce_scatter by reduce and scatter, barrier up and down a tree.
 * Open MPI calls MPI's own collectives for some of these; each then runs by the library's choice of
 * algorithm.
 *
 * Invariant: the tags of a part are below 2^30; the two highest bits hold the number of the part,
 * from 1.
 */
#include "replay/collectives/collective_families.h"

struct part {
    const struct collective_algorithm *algorithm;
    struct collective_call call;
};

/* Returns a call of another collective by the same members, rooted at member 0. */
static struct collective_call call_as(const struct collective_call *call, uint32_t kind,
                                      uint64_t bytes) {
    struct collective_call other = *call;
    other.kind = kind;
    other.root = 0;
    other.send_bytes = other.receive_bytes = bytes;
    return other;
}

static struct part chosen_part(const struct collective_call *call, uint32_t kind, uint64_t bytes) {
    struct part part = {NULL, call_as(call, kind, bytes)};
    part.algorithm = collective_chosen(&part.call);
    return part;
}

static struct part fixed_part(const struct collective_call *call, uint32_t kind, int32_t id,
                              uint64_t bytes) {
    return (struct part){collective_algorithm_of(kind, id), call_as(call, kind, bytes)};
}

static uint32_t steps_of(const struct part *parts) {
    return parts[0].algorithm->steps(&parts[0].call) + parts[1].algorithm->steps(&parts[1].call);
}

static void step_of(const struct part *parts, uint32_t number, struct collective_step *step) {
    uint32_t first = parts[0].algorithm->steps(&parts[0].call), second = number >= first;
    const struct part *part = &parts[second];
    collective_describe(part->algorithm, &part->call, second ? number - first : number, step);
    step->tag += (1 + second) << 30;
}

#define COMPOSED(name)                                                                             \
    uint32_t collective_##name##_steps(const struct collective_call *call) {                       \
        struct part parts[2];                                                                      \
        name##_parts(call, parts);                                                                 \
        return steps_of(parts);                                                                    \
    }                                                                                              \
    void collective_##name##_step(const struct collective_call *call, uint32_t number,             \
                                  struct collective_step *step) {                                  \
        struct part parts[2];                                                                      \
        name##_parts(call, parts);                                                                 \
        step_of(parts, number, step);                                                              \
    }

static void reduce_bcast_allreduce_parts(const struct collective_call *call, struct part *parts) {
    parts[0] = chosen_part(call, PROGRAM_COLLECTIVE_REDUCE, collective_vector_bytes(call));
    parts[1] = chosen_part(call, PROGRAM_COLLECTIVE_BCAST, collective_vector_bytes(call));
}
COMPOSED(reduce_bcast_allreduce)

static void linear_allreduce_parts(const struct collective_call *call, struct part *parts) {
    uint64_t bytes = collective_vector_bytes(call);
    parts[0] = fixed_part(call, PROGRAM_COLLECTIVE_REDUCE, REDUCE_LINEAR, bytes);
    parts[1] = fixed_part(call, PROGRAM_COLLECTIVE_BCAST, BCAST_LINEAR, bytes);
}
COMPOSED(linear_allreduce)

static void binomial_allreduce_parts(const struct collective_call *call, struct part *parts) {
    uint64_t bytes = collective_vector_bytes(call);
    parts[0] = fixed_part(call, PROGRAM_COLLECTIVE_REDUCE, REDUCE_BINOMIAL, bytes);
    parts[1] = fixed_part(call, PROGRAM_COLLECTIVE_BCAST, BCAST_BINOMIAL, bytes);
}
COMPOSED(binomial_allreduce)

/* Returns the bytes of all members' blocks. */
static uint64_t all_bytes(const struct collective_call *call) {
    if (call->sums != NULL) return call->sums[call->size] - call->sums[0];
    return call->size * collective_vector_bytes(call);
}

static void gather_bcast_allgather_parts(const struct collective_call *call, struct part *parts) {
    bool sized = call->kind == PROGRAM_COLLECTIVE_ALLGATHERV;
    parts[0] = chosen_part(call, sized ? PROGRAM_COLLECTIVE_GATHERV : PROGRAM_COLLECTIVE_GATHER,
                           collective_vector_bytes(call));
    parts[1] = chosen_part(call, PROGRAM_COLLECTIVE_BCAST, all_bytes(call));
}
COMPOSED(gather_bcast_allgather)

static void reduce_then_scatter_parts(const struct collective_call *call, struct part *parts) {
    bool sized = call->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER;
    parts[0] = chosen_part(call, PROGRAM_COLLECTIVE_REDUCE, all_bytes(call));
    parts[1] = chosen_part(call, sized ? PROGRAM_COLLECTIVE_SCATTERV : PROGRAM_COLLECTIVE_SCATTER,
                           collective_vector_bytes(call));
}
COMPOSED(reduce_then_scatter)

static void binomial_reduce_scatter_parts(const struct collective_call *call, struct part *parts) {
    bool sized = call->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER;
    parts[0] = fixed_part(call, PROGRAM_COLLECTIVE_REDUCE, REDUCE_BINOMIAL, all_bytes(call));
    parts[1] = fixed_part(call, sized ? PROGRAM_COLLECTIVE_SCATTERV : PROGRAM_COLLECTIVE_SCATTER,
                          sized ? SCATTERV_LINEAR : SCATTER_LINEAR, collective_vector_bytes(call));
}
COMPOSED(binomial_reduce_scatter)

/* The trees of reduce and bcast, with messages without data. */
static void tree_barrier_parts(const struct collective_call *call, struct part *parts) {
    parts[0] = fixed_part(call, PROGRAM_COLLECTIVE_REDUCE, REDUCE_BINOMIAL, 0);
    parts[1] = fixed_part(call, PROGRAM_COLLECTIVE_BCAST, BCAST_BINOMIAL, 0);
}
COMPOSED(tree_barrier)
