/*
 * Collective algorithms as pure descriptions: for one member, a list of steps, each with at most
 * one message sent and one received. Nothing here simulates; tests follow symbolic blocks through
 * the very same descriptions.
 *
 * Must not know: networks, nodes, time.
 *
 * Invariants: what one member sends to another in some step, with some tag, the other receives from
 * it in one of its own steps with that tag, as the same blocks; (sender, receiver, tag) is unique
 * in one collective. A family is one file; a member is one row of the table in collectives.c.
 */
#ifndef ANAX_REPLAY_COLLECTIVES_H
#define ANAX_REPLAY_COLLECTIVES_H

#include "replay/collective_pairs.h"
#include "replay/replay.h"

#define COLLECTIVE_NOBODY UINT32_MAX

/* A collective as one member sees it. Members are numbered as in the communicator; the members of
 * an intercommunicator's second group follow those of the first. */
typedef struct collective_call {
    uint32_t kind;        /* program_collective_kind */
    uint32_t size;        /* of the communicator, or of the first group */
    uint32_t remote_size; /* of the second group; 0 unless it is an intercommunicator */
    uint32_t me;
    uint32_t root; /* COLLECTIVE_NOBODY: no root, or (intercommunicators) one this member need not
                      know */
    uint64_t send_bytes; /* as in program_collective_arguments */
    uint64_t receive_bytes;
    const uint64_t *sizes; /* v-forms: bytes of each member's block */
    const collective_pairs
        *pairs; /* ALLTOALLV, ALLTOALLW: [0], and [1] from second to first group */
} collective_call;

/* count blocks from first on, going round after the last member's. */
typedef struct collective_blocks {
    uint32_t first;
    uint32_t count;
} collective_blocks;

/* What a block is. */
typedef enum collective_layout {
    COLLECTIVE_EMPTY,  /* messages without data */
    COLLECTIVE_VECTOR, /* block 0 is the whole vector */
    COLLECTIVE_SLICES, /* block i is the i-th of `size` slices of the vector */
    COLLECTIVE_BLOCKS, /* block i belongs to member i; all have one size */
    COLLECTIVE_SIZED,  /* block i belongs to member i and has sizes[i] bytes; empty ones are not
                          sent, as MPICH does it */
    COLLECTIVE_PAIRED  /* block i is what the sender has for member i; empty ones are not sent */
} collective_layout;

typedef struct collective_step {
    uint32_t to;   /* COLLECTIVE_NOBODY: nothing is sent */
    uint32_t from; /* COLLECTIVE_NOBODY: nothing is received */
    uint32_t tag;
    collective_blocks send;
    collective_blocks receive;
    unsigned combine; /* how often the received data are combined with own data; 0: stored */
    bool wait;        /* the step, and all before it, must be complete before the next begins */
} collective_step;

typedef struct collective_algorithm {
    replay_algorithm_text text;
    collective_layout layout;
    uint32_t (*steps)(const collective_call *call);
    /* Fills *step, which comes with nobody, tag 0, nothing combined and wait set. */
    void (*step)(const collective_call *call, uint32_t number, collective_step *step);
} collective_algorithm;

/* The algorithms of a kind, on communicators and (a table of one) on intercommunicators; NULL and 0
 * where MPI has no such collective. */
const collective_algorithm *collective_algorithms(uint32_t kind, uint32_t *count);
const collective_algorithm *collective_intercommunicator_algorithm(uint32_t kind);

/* The names of a kind's algorithms for settings, NULL-terminated. */
const char *const *collective_algorithm_names(uint32_t kind);

/* Fills one step (number < steps). */
static inline void collective_describe(const collective_algorithm *algorithm,
                                       const collective_call *call, uint32_t number,
                                       collective_step *step) {
    *step = (collective_step){COLLECTIVE_NOBODY, COLLECTIVE_NOBODY, 0, {0, 0}, {0, 0}, 0, true};
    algorithm->step(call, number, step);
}

/* Bytes of the blocks that `from` sends to `to`, as this member knows them. */
uint64_t collective_bytes(const collective_call *call, collective_layout layout,
                          collective_blocks blocks, uint32_t from, uint32_t to);

/* Whether the layout leaves out messages without data. Both sides know these sizes alike. */
static inline bool collective_skips_empty(collective_layout layout) {
    return layout == COLLECTIVE_SIZED || layout == COLLECTIVE_PAIRED;
}

/* The families (collective_*.c), for the table only. */
#define COLLECTIVE_DECLARE(name)                                                                   \
    uint32_t collective_##name##_steps(const collective_call *call);                               \
    void collective_##name##_step(const collective_call *call, uint32_t number,                    \
                                  collective_step *step);
COLLECTIVE_DECLARE(binomial_bcast)
COLLECTIVE_DECLARE(binomial_scatter)
COLLECTIVE_DECLARE(binomial_gather)
COLLECTIVE_DECLARE(binomial_reduce)
COLLECTIVE_DECLARE(scatter_allgather_bcast)
COLLECTIVE_DECLARE(dissemination)
COLLECTIVE_DECLARE(bruck_allgather)
COLLECTIVE_DECLARE(doubling_allreduce)
COLLECTIVE_DECLARE(doubling_scan)
COLLECTIVE_DECLARE(ring_allgather)
COLLECTIVE_DECLARE(ring_allreduce)
COLLECTIVE_DECLARE(pairwise_alltoall)
COLLECTIVE_DECLARE(pairwise_reduce_scatter)
COLLECTIVE_DECLARE(linear_alltoall)
COLLECTIVE_DECLARE(linear_gather)
COLLECTIVE_DECLARE(linear_scatter)
COLLECTIVE_DECLARE(local)
COLLECTIVE_DECLARE(inter_leaders)
COLLECTIVE_DECLARE(inter_bcast)
COLLECTIVE_DECLARE(inter_reduce)
COLLECTIVE_DECLARE(inter_gather)
COLLECTIVE_DECLARE(inter_scatter)
COLLECTIVE_DECLARE(inter_alltoall)
#undef COLLECTIVE_DECLARE

#endif
