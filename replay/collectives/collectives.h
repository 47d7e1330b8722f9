/*
 * Collective algorithms as pure descriptions: for one member, a list of steps, each with at most
 * one message sent and one received. Nothing here simulates. The tests trace symbolic blocks
 * through these descriptions.
 *
 * Must not know: networks, nodes, time.
 *
 * Invariants: if one member sends blocks to another with some tag, one step of the other receives
 * these blocks from it with this tag; (sender, receiver, tag) is unique in one collective. Each
 * family of algorithms is one file; each algorithm is one row of the lists in
 * collective_families.h.
 */
#ifndef ANAX_REPLAY_COLLECTIVES_H
#define ANAX_REPLAY_COLLECTIVES_H

#include "replay/collectives/collective_pairs.h"
#include "replay/replay.h"

#define COLLECTIVE_NOBODY UINT32_MAX

/* Which members of a communicator share a node. Nodes are numbered from 0 in the order of their
 * lowest members. */
struct collective_nodes {
    uint32_t count;
    const uint32_t *node_of_member; /* per member */
    const uint32_t *place_in_node;  /* per member: the number of lower members on its node */
    const uint32_t *first;          /* count + 1 indices in `members`, by node */
    const uint32_t *members;        /* by node, ascending */
};

/* A collective as one member sees it. Members are numbered as in the communicator. On an
 * intercommunicator, the members of the second group are numbered after those of the first. */
struct collective_call {
    uint32_t kind;        /* program_collective_kind */
    uint32_t size;        /* members of the communicator, or of the first group */
    uint32_t remote_size; /* members of the second group; 0 unless it is an intercommunicator */
    uint32_t own_member;
    uint32_t root; /* the root; COLLECTIVE_NOBODY: none, or (intercommunicators) one that does not
                      concern this member */
    uint64_t send_bytes; /* as in program_collective_arguments */
    uint64_t receive_bytes;
    const uint64_t *sums; /* v-forms: running sums of the members' blocks: block i has sums[i + 1] -
                             sums[i] bytes; the first sum need not be 0 */
    /* ALLTOALLV, ALLTOALLW: [0]; on intercommunicators, [0] is from the first group to the second,
     * [1] the reverse */
    const struct collective_pairs *pairs;
    const uint64_t *pair_bytes; /* ALLTOALLV, ALLTOALLW with known messages: their bytes */
    const uint64_t *pair_rows; /* … and for each member the index of its row, as in a program; NULL:
                                  pairs say the bytes */
    uint64_t element_bytes;    /* of an element of a reduction; 0: mpi.reduction_element */
    const struct collective_nodes *nodes;   /* NULL: not known, or an intercommunicator */
    uint64_t seed;                          /* of random orders; the same for all members */
    const struct collective_choice *choice; /* settings, for algorithms composed of others */
    bool in_place;                          /* whether all members use MPI_IN_PLACE */
    bool non_blocking;
};

/* `count` blocks from `first` on; block 0 follows the last member's block. */
struct collective_blocks {
    uint32_t first;
    uint32_t count;
};

/* The meaning of a block. */
typedef enum collective_layout {
    COLLECTIVE_EMPTY,    /* messages without data */
    COLLECTIVE_VECTOR,   /* block 0 is the whole vector */
    COLLECTIVE_SLICES,   /* block i is the i-th of step.slice_count even slices of the vector */
    COLLECTIVE_SEGMENTS, /* block i is the i-th segment of the vector; the last may be shorter */
    COLLECTIVE_BLOCKS,   /* block i belongs to member i; all blocks have one size */
    COLLECTIVE_SIZED,    /* block i belongs to member i and has its own size; empty blocks are not
                            sent, as in MPICH */
    COLLECTIVE_PAIRED    /* block i is the sender's data for member i; empty blocks are not sent */
} collective_layout;

struct collective_step {
    uint32_t to;   /* member to send to; COLLECTIVE_NOBODY: none */
    uint32_t from; /* member to receive from; COLLECTIVE_NOBODY: none */
    uint32_t tag;
    uint32_t lead; /* the tag of the received message is tag + lead */
    struct collective_blocks send;
    struct collective_blocks receive;
    collective_layout layout; /* meaning of the blocks of this step */
    uint32_t slice_count;     /* SLICES: number of slices */
    uint64_t vector_bytes;    /* VECTOR, SLICES, SEGMENTS: bytes of the whole vector */
    uint64_t vector_start; /* byte at which the vector begins in the data of the whole collective */
    unsigned combine; /* how many times the received data are combined with own data; 0: they are
                         stored */
    bool completes_before_next; /* whether this step and all before it must be complete before the
                                   next begins */
    bool is_by_nic; /* carried out by the NICs of the members: costs no CPU time, and is sent at
                       once whatever its size. A wait stands between such steps and others. */
};

struct collective_algorithm {
    struct replay_algorithm_text text;
    collective_layout layout; /* layout of its steps, unless a step says otherwise */
    uint32_t (*steps)(const struct collective_call *call);
    /* Fills in *step. The caller has set it to no sender, no receiver, tag 0, the algorithm's
     * layout, as many slices as members, no combination, and completes_before_next. */
    void (*step)(const struct collective_call *call, uint32_t number, struct collective_step *step);
};

/* Returns the *count algorithms of a kind on communicators. */
const struct collective_algorithm *collective_algorithms(uint32_t kind, uint32_t *count);

/* Returns the one algorithm of a kind on intercommunicators, or NULL if MPI has no such collective
 * there. */
const struct collective_algorithm *collective_intercommunicator_algorithm(uint32_t kind);

/* Returns the names that settings accept for a kind's algorithms, NULL-terminated; the first is
 * "auto". */
const char *const *collective_algorithm_names(uint32_t kind);

/* Returns the algorithm for a call according to call->choice. All members get the same algorithm,
 * since the choice only depends on values that all members know. */
const struct collective_algorithm *collective_chosen(const struct collective_call *call);

/* Returns the algorithm that the library chooses for a call, whatever the settings of single
 * collectives and of offload are. */
const struct collective_algorithm *collective_library_chosen(const struct collective_call *call);

/* Returns whether any algorithm that a choice may take depends on which members share a node. */
bool collective_reads_nodes(const struct collective_choice *choice);

/* Returns how many messages an alltoall has under way at a time; at least 1. */
uint32_t collective_throttle(const struct collective_call *call);

/* The names that settings accept for mpi.offload. */
const char *const *collective_offload_names(void);

/* Returns the names that settings accept for libraries, NULL-terminated. */
const char *const *collective_library_names(void);

/* Returns the bytes of the vector of a rooted or reducing collective, or of one member's block. */
static inline uint64_t collective_vector_bytes(const struct collective_call *call) {
    return call->send_bytes > call->receive_bytes ? call->send_bytes : call->receive_bytes;
}

/* Returns the number of elements of a reduction's vector. */
static inline uint64_t collective_elements(const struct collective_call *call) {
    uint64_t known = call->element_bytes;
    return collective_vector_bytes(call) /
           (known > 0 ? known : (uint64_t)call->choice->element_bytes);
}

/* Fills in step `number` (< steps) of an algorithm. */
static inline void collective_describe(const struct collective_algorithm *algorithm,
                                       const struct collective_call *call, uint32_t number,
                                       struct collective_step *step) {
    *step = (struct collective_step){.to = COLLECTIVE_NOBODY,
                                     .from = COLLECTIVE_NOBODY,
                                     .layout = algorithm->layout,
                                     .slice_count = call->size,
                                     .vector_bytes = collective_vector_bytes(call),
                                     .completes_before_next = true};
    algorithm->step(call, number, step);
}

/* Returns the number of segments of the vector, at least 1. */
uint32_t collective_segments(const struct collective_call *call);

/* Returns the bytes of the blocks that member `from` sends to member `to`, as
 * call->own_member knows them. */
uint64_t collective_bytes(const struct collective_call *call, const struct collective_step *step,
                          struct collective_blocks blocks, uint32_t from, uint32_t to);

/* Returns the byte at which the blocks begin in the data of the whole collective; 0 for the layouts
 * EMPTY and PAIRED. */
uint64_t collective_offset(const struct collective_call *call, const struct collective_step *step,
                           struct collective_blocks blocks);

/* Returns whether empty messages of a layout are not sent. Sender and receiver know the sizes. */
static inline bool collective_skips_empty(collective_layout layout) {
    return layout == COLLECTIVE_SIZED || layout == COLLECTIVE_PAIRED;
}

#endif
