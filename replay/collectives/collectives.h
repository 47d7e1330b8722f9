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

#include "replay/collectives/collective_pairs.h"
#include "replay/replay.h"

#define COLLECTIVE_NOBODY UINT32_MAX

/* A collective as one member sees it. Members are numbered as in the communicator; the members of
 * an intercommunicator's second group follow those of the first. */
struct collective_call {
    uint32_t kind;        /* program_collective_kind */
    uint32_t size;        /* of the communicator, or of the first group */
    uint32_t remote_size; /* of the second group; 0 unless it is an intercommunicator */
    uint32_t me;
    uint32_t root; /* COLLECTIVE_NOBODY: no root, or (intercommunicators) one this member need not
                      know */
    uint64_t send_bytes; /* as in program_collective_arguments */
    uint64_t receive_bytes;
    const uint64_t *sums; /* v-forms: running sums of the members' blocks, so that block i has
                             sums[i + 1] - sums[i] bytes; the first need not be 0 */
    const struct collective_pairs
        *pairs; /* ALLTOALLV, ALLTOALLW: [0], and [1] from second to first group */
    const struct collective_choice *choice; /* the library's ways, for algorithms made of others */
    bool in_place;                          /* MPI_IN_PLACE at all members */
    bool non_blocking;
};

/* count blocks from first on, going round after the last member's. */
struct collective_blocks {
    uint32_t first;
    uint32_t count;
};

/* What a block is. */
typedef enum collective_layout {
    COLLECTIVE_EMPTY,    /* messages without data */
    COLLECTIVE_VECTOR,   /* block 0 is the whole vector */
    COLLECTIVE_SLICES,   /* block i is the i-th of step.parts even slices of the vector */
    COLLECTIVE_SEGMENTS, /* block i is the i-th segment of the vector; the last may be shorter */
    COLLECTIVE_BLOCKS,   /* block i belongs to member i; all have one size */
    COLLECTIVE_SIZED,    /* block i belongs to member i and has a size of its own; empty ones are
                            not sent, as MPICH does it */
    COLLECTIVE_PAIRED    /* block i is what the sender has for member i; empty ones are not sent */
} collective_layout;

struct collective_step {
    uint32_t to;   /* COLLECTIVE_NOBODY: nothing is sent */
    uint32_t from; /* COLLECTIVE_NOBODY: nothing is received */
    uint32_t tag;
    uint32_t lead; /* the received message has the tag so much larger */
    struct collective_blocks send;
    struct collective_blocks receive;
    collective_layout layout; /* of the blocks of this step */
    uint32_t parts;           /* SLICES: how many */
    uint64_t vector_bytes;    /* VECTOR, SLICES, SEGMENTS: of the whole */
    uint64_t vector_start;    /* and where it begins in all the data of the collective */
    unsigned combine; /* how often the received data are combined with own data; 0: stored */
    bool wait;        /* the step, and all before it, must be complete before the next begins */
};

struct collective_algorithm {
    struct replay_algorithm_text text;
    collective_layout layout; /* of its steps, unless they say otherwise */
    uint32_t (*steps)(const struct collective_call *call);
    /* Fills *step, which comes with nobody, tag 0, the algorithm's layout, as many parts as
     * members, nothing combined and wait set. */
    void (*step)(const struct collective_call *call, uint32_t number, struct collective_step *step);
};

/* The algorithms of a kind, on communicators and (a table of one) on intercommunicators; NULL and 0
 * where MPI has no such collective. */
const struct collective_algorithm *collective_algorithms(uint32_t kind, uint32_t *count);
const struct collective_algorithm *collective_intercommunicator_algorithm(uint32_t kind);

/* The names of a kind's algorithms for settings, NULL-terminated; the first is "auto". */
const char *const *collective_algorithm_names(uint32_t kind);

/* The algorithm that call->choice makes for the call. All members come to the same, since they
 * decide by what they know alike. */
const struct collective_algorithm *collective_chosen(const struct collective_call *call);

/* The libraries whose choices are known: names for settings, NULL-terminated. */
const char *const *collective_library_names(void);

/* The vector of a rooted or reducing collective. */
static inline uint64_t collective_vector_bytes(const struct collective_call *call) {
    return call->send_bytes > call->receive_bytes ? call->send_bytes : call->receive_bytes;
}

/* Fills one step (number < steps). */
static inline void collective_describe(const struct collective_algorithm *algorithm,
                                       const struct collective_call *call, uint32_t number,
                                       struct collective_step *step) {
    *step = (struct collective_step){.to = COLLECTIVE_NOBODY,
                                     .from = COLLECTIVE_NOBODY,
                                     .layout = algorithm->layout,
                                     .parts = call->size,
                                     .vector_bytes = collective_vector_bytes(call),
                                     .wait = true};
    algorithm->step(call, number, step);
}

/* Segments of the vector; at least 1. */
uint32_t collective_segments(const struct collective_call *call);

/* Bytes of the blocks that `from` sends to `to`, as this member knows them. */
uint64_t collective_bytes(const struct collective_call *call, const struct collective_step *step,
                          struct collective_blocks blocks, uint32_t from, uint32_t to);

/* Where they begin in all the data of the collective, which the blocks of a layout other than
 * PAIRED cut up and go round. */
uint64_t collective_offset(const struct collective_call *call, const struct collective_step *step,
                           struct collective_blocks blocks);

/* Whether the layout leaves out messages without data. Both sides know these sizes alike. */
static inline bool collective_skips_empty(collective_layout layout) {
    return layout == COLLECTIVE_SIZED || layout == COLLECTIVE_PAIRED;
}

#endif
