/*
 * The program: what every rank does, in order, with sends matched to receives. OTF2 archives,
 * program files and generated patterns all become programs. The replay sees nothing else.
 *
 * Must not know: OTF2, networks, nodes. A sealed program does not change, so many threads may read
 * it.
 *
 * Invariants (program_check tests all of them):
 * - the operations of a rank are contiguous and end with OPERATION_END;
 * - a SEND with match != PROGRAM_NONE is matched with the RECEIVE number match of its peer, and
 *   that RECEIVE's match is the number of the SEND among its rank's sends; both count from 0 in
 *   program order. For each (communicator, source, destination, tag) the k-th send is matched with
 *   the k-th receive, so the simulation compares no tags. One-sided operations are not matched;
 * - a slot is posted at most once before a WAIT names it; a rank's slots are 0 … slot_count-1.
 *   After a wait with OPERATION_FLAG_WAIT_TESTED for a send with OPERATION_FLAG_SEND_PERSISTENT,
 *   only a send may be posted in the same slot;
 * - CALL and RETURN alternate; ENTER and LEAVE (user regions) are nested and stand outside calls;
 *   SEND, RECEIVE, COLLECTIVE, FILE and WAIT stand between CALL and RETURN;
 * - all members of a communicator call the same sequence of collectives (instances) on it, apart
 *   from CREATE_HANDLE and DESTROY_HANDLE;
 * - a rank whose first operation is a VERTEX is a graph, and none of the last four points but the
 *   matching holds for it. Each VERTEX is followed by at most one COMPUTE, SEND or RECEIVE, which
 *   is what the vertex does; none: it only joins the vertices that it needs. A vertex needs earlier
 *   vertices only, the slot of its message is its own number, and slot_count is the number of
 *   vertices (program_graph.h).
 */
#ifndef ANAX_TRACES_PROGRAM_H
#define ANAX_TRACES_PROGRAM_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "traces/program/program_operation.h"
#include "traces/program/program_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enumerator, name in reports and JSON, whether the collective carries sizes per rank. */
#define PROGRAM_COLLECTIVES(X)                                                                     \
    X(BARRIER, "BARRIER", false)                                                                   \
    X(BCAST, "BCAST", false)                                                                       \
    X(GATHER, "GATHER", false)                                                                     \
    X(GATHERV, "GATHERV", true)                                                                    \
    X(SCATTER, "SCATTER", false)                                                                   \
    X(SCATTERV, "SCATTERV", true)                                                                  \
    X(ALLGATHER, "ALLGATHER", false)                                                               \
    X(ALLGATHERV, "ALLGATHERV", true)                                                              \
    X(ALLTOALL, "ALLTOALL", false)                                                                 \
    X(ALLTOALLV, "ALLTOALLV", true)                                                                \
    X(ALLTOALLW, "ALLTOALLW", true)                                                                \
    X(ALLREDUCE, "ALLREDUCE", false)                                                               \
    X(REDUCE, "REDUCE", false)                                                                     \
    X(REDUCE_SCATTER, "REDUCE_SCATTER", true)                                                      \
    X(REDUCE_SCATTER_BLOCK, "REDUCE_SCATTER_BLOCK", false)                                         \
    X(SCAN, "SCAN", false)                                                                         \
    X(EXSCAN, "EXSCAN", false)                                                                     \
    X(CREATE_HANDLE, "CREATE_HANDLE", false)                                                       \
    X(DESTROY_HANDLE, "DESTROY_HANDLE", false)                                                     \
    X(WINDOW, "WINDOW", false)

typedef enum program_collective_kind {
#define PROGRAM_COLLECTIVE_ENUM(name, text, sized) PROGRAM_COLLECTIVE_##name,
    PROGRAM_COLLECTIVES(PROGRAM_COLLECTIVE_ENUM)
#undef PROGRAM_COLLECTIVE_ENUM
        PROGRAM_COLLECTIVE_KINDS
} program_collective_kind;

/* The arguments of a collective on one rank. Calls with equal arguments share one entry. The sizes
 * are those of the MPI call: the importer has removed the factors of the recording (such as N, or
 * N-1 with MPI_IN_PLACE). */
struct program_collective_arguments {
    uint32_t kind;         /* a program_collective_kind */
    uint32_t communicator; /* index in communicators */
    uint32_t own_member;   /* this rank's number in its group of the communicator */
    uint32_t root; /* collectives with a root: the root's number in the communicator; PROGRAM_NONE
                      for others. On an intercommunicator: the root's number in the root's group
                      (see OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE); PROGRAM_NONE on the other members
                      of that group, whose trace does not name the root */
    /* Sizes in bytes:
     * - BCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN: both are the size of the vector.
     * - GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER_BLOCK: both are the size of one rank's
     *   block (for ALLGATHER and ALLTOALL on intercommunicators, the blocks of the two groups may
     *   differ).
     * - GATHERV, ALLGATHERV: send is the rank's own block, receive is the sum of the blocks it
     *   receives.
     * - SCATTERV: receive is the rank's own block, send is the sum of all blocks at the root.
     * - ALLTOALLV, ALLTOALLW: send is the row sum, receive is the column sum, both with the own
     *   block.
     * - REDUCE_SCATTER: send is the whole vector, receive is the rank's own block.
     * - Others: 0. */
    uint64_t send_bytes;
    uint64_t receive_bytes;
};

struct program_communicator {
    uint32_t size;        /* members of the (local) group; 1 for MPI_COMM_SELF */
    uint32_t members;     /* index in communicator_members of the first member's world rank;
                             PROGRAM_NONE for MPI_COMM_SELF */
    uint32_t remote_size; /* intercommunicators: members of the remote group; 0 for others */
    uint32_t remote_members;
    uint32_t name; /* offset in strings */
    uint32_t id;   /* what messages call it: the id in the trace; without a trace the index */
    bool handles_synchronise; /* true if all members recorded the same number of CREATE_HANDLEs, at
                                 least one: each of these calls may then count as synchronising the
                                 members */
};

typedef enum program_topology_kind {
    PROGRAM_TOPOLOGY_CARTESIAN,
    PROGRAM_TOPOLOGY_GRAPH,
    PROGRAM_TOPOLOGY_KINDS
} program_topology_kind;

/* The process topology of a communicator (program_topology.h). Its numbers are, for a Cartesian
 * one, the size of each dimension and 1 if it is periodic; for a graph, for each member: how many
 * members it receives from and sends to, then their numbers. */
struct program_topology {
    uint32_t communicator; /* topologies are in ascending order of it */
    uint32_t kind;         /* a program_topology_kind */
    uint64_t first;        /* index in topology_numbers; topologies follow each other */
    uint64_t count;
};

/* Tags of messages that the application did not send itself: one-sided operations, and the
 * synchronisation of windows (MPI_Win_post to MPI_Win_start, MPI_Win_complete to MPI_Win_wait). */
#define PROGRAM_TAG_RMA      INT32_MIN
#define PROGRAM_TAG_POST     (INT32_MIN + 1)
#define PROGRAM_TAG_COMPLETE (INT32_MIN + 2)
/* Tags of one-sided operations without data that take or release a lock at the peer: for window
 * number w the tag is PROGRAM_TAG_LOCK + PROGRAM_LOCK_TAGS * w + program_lock. */
#define PROGRAM_TAG_LOCK      (INT32_MIN + 3)
#define PROGRAM_LOCK_TAGS     6 /* of a window: the values of program_lock before the last one */
#define PROGRAM_WINDOWS_LIMIT (INT32_C(1) << 28)
#define PROGRAM_TAG_LAST      (PROGRAM_TAG_LOCK + PROGRAM_LOCK_TAGS * PROGRAM_WINDOWS_LIMIT - 1)

/* What a one-sided operation does to a lock. Each member of a window has a lock for its own part.
 * The first member also has a lock for the whole window. Two kinds of ranks take that lock and
 * exclude each other: ranks that lock all parts (PROGRAM_LOCK_ALL) and ranks that lock one part
 * exclusively (PROGRAM_LOCK_ONE). A rank holds a lock at most once. The first three values are
 * about the lock of the peer's part, and the next three about that of the whole window. */
typedef enum program_lock {
    PROGRAM_LOCK_SHARED, /* takes the lock of the peer's part, shared */
    PROGRAM_LOCK_EXCLUSIVE,
    PROGRAM_LOCK_RELEASE,
    PROGRAM_LOCK_ALL, /* takes the lock of the whole window, for all parts */
    PROGRAM_LOCK_ONE,
    PROGRAM_LOCK_RELEASE_ALL, /* releases the lock of the whole window */
    PROGRAM_LOCK_NONE
} program_lock;

/* Communicator and tag of a message. Messages with the same pair share one envelope. */
struct program_envelope {
    uint32_t communicator;
    int32_t tag;
};

struct program_region {
    uint32_t name; /* offset in strings */
    uint32_t is_mpi;
};

/* A file of MPI-IO. Ranks that open the same name share the file. */
struct program_file {
    uint32_t name; /* offset in strings */
};

/* Files are smaller than this limit (4 EiB). */
#define PROGRAM_OFFSET_LIMIT (UINT64_C(1) << 62)

/* A note about something that the trace holds and the program does not carry, or about something
 * that the trace does not say in full and the importer assumed. */
struct program_note {
    uint32_t what; /* offset in strings: a short name, for example "MPI_Neighbor_alltoall" */
    uint32_t why;  /* offset in strings: a sentence that says what the note means for the result */
    uint64_t count;
    uint64_t is_assumed; /* 0: left out; 1: assumed */
};

struct program_rank {
    uint64_t first;           /* index of the rank's first operation */
    uint64_t count;           /* operations, END included */
    uint64_t first_wait_slot; /* index of the rank's first entry in wait_slots */
    uint64_t wait_slot_count;
    uint32_t slot_count;    /* slots of the rank: the most requests in flight at once */
    uint32_t send_count;    /* SEND operations */
    uint32_t receive_count; /* RECEIVE operations */
    uint32_t mark_count;    /* CALL, RETURN, ENTER and LEAVE operations */
};

struct paging;
struct program_division;

struct program {
    struct program_division *division; /* NULL: all ranks are in memory (program_division.h) */
    struct paging *paging; /* where operations and wait_slots lie (core/memory/paging.h); NULL: in
                              memory. Owned by the program */
    uint32_t rank_count;
    struct program_rank *ranks;
    struct program_operation *operations; /* NULL: packed */
    struct program_packed *packed;        /* NULL: operations. program_operation_at reads both */
    uint64_t operation_count;
    uint32_t *wait_slots; /* WAIT.first counts from the rank's first_wait_slot */
    uint64_t wait_slot_count;
    struct program_collective_arguments *collective_arguments;
    uint32_t collective_argument_count;
    uint64_t *sizes; /* sizes of v- and w-collectives, in bytes, for each member of the
                        communicator. GATHERV, SCATTERV, ALLGATHERV, REDUCE_SCATTER: the member's
                        block. ALLTOALLV, ALLTOALLW: all row sums, then all column sums (2N
                        entries). Intercommunicators: the local group's entries, then the remote
                        group's (N = size + remote_size). Equal vectors are stored once */
    uint64_t size_count;
    uint64_t *pair_rows; /* ALLTOALLV, ALLTOALLW of which the size of each message is known: for
                            each member, in the order of sizes, the index in pair_bytes of its row.
                            Equal vectors are stored once */
    uint64_t pair_row_count;
    uint64_t *pair_bytes; /* rows: the bytes that a member sends to each member, itself included; on
                             intercommunicators to each member of the other group. Equal rows are
                             stored once */
    uint64_t pair_byte_count;
    struct program_communicator *communicators;
    uint32_t communicator_count;
    uint32_t *communicator_members;
    uint64_t communicator_member_count;
    struct program_topology *topologies;
    uint32_t topology_count;
    uint32_t *topology_numbers;
    uint64_t topology_number_count;
    struct program_envelope *envelopes;
    uint32_t envelope_count;
    struct program_region *regions;
    uint32_t region_count;
    struct program_file *files;
    uint32_t file_count;
    struct program_note *notes;
    uint32_t note_count;
    char *strings; /* NUL-terminated texts, one after another; offset 0 is "" */
    uint64_t string_bytes;
    /* Facts about the source of the program. */
    uint32_t source;      /* offset in strings: path, or pattern with its options */
    uint32_t creator;     /* offset in strings: for example "Score-P 8.4" */
    uint64_t event_count; /* event records that the importer read */
    uint64_t location_count;
    int64_t span_ps; /* last minus first time stamp of the trace */
    uint64_t unmatched_sends;
    uint64_t unmatched_receives;
    uint64_t content_hash; /* hash of the sealed program's content, which identifies the program in
                              results. An archive and its program file have equal hashes, for any
                              number of threads, with or without user regions */
};

/* ---- Reading operations. One: program_operation_at, PROGRAM_OPERATION_AT. All, one after another:
 * program_walk_next. All at once, in memory: program_array. Marks alone, in less time:
 * program_read_mark (program_marks.h). ---- */

/* Returns the operation of a rank with the index. Indices count through all ranks, so the rank's
 * first operation has ranks[rank].first. `room` is where a packed operation is put. The rank must
 * be in memory (program_division.h). */
static inline const struct program_operation *program_operation_at(const struct program *program,
                                                                   uint32_t rank, uint64_t index,
                                                                   struct program_operation *room) {
    const struct program_packed *packed = program->packed;
    if (packed == NULL) return &program->operations[index];
    const uint64_t place = program_word_place(packed, rank, index);
    const struct program_block *block = &packed->blocks[program_block_of(packed, rank, place)];
    program_unpack_word(room, program_word(packed, rank, block, place), block,
                        packed->ranks[rank].whole_operations);
    return room;
}
/* Returns the same, in room of its own that lasts until the end of the enclosing block of code. */
#define PROGRAM_OPERATION_AT(program, rank, index)                                                 \
    program_operation_at(program, rank, index, &(struct program_operation){0})

/* Makes the array that program_array returns for a packed program, unless there is one; other
 * programs have it. Several threads may call this function. Call it where code needs the array
 * itself. The packed operations remain. */
status_code program_make_array(const struct program *program, struct status *status);

/* Returns all operations as an array: of a program that is not packed, or that program_make_array
 * was called for. */
static inline const struct program_operation *program_array(const struct program *program) {
    return program->packed == NULL ? program->operations : program->packed->array;
}

/* Prefetches what lies so many bytes after an operation, in the form the program has. */
static inline void program_prefetch(const struct program *program, uint32_t rank, uint64_t index,
                                    size_t bytes) {
    const struct program_packed *packed = program->packed;
    const char *at = packed == NULL
                         ? (const char *)&program->operations[index]
                         : (const char *)&packed->upper[program_word_place(packed, rank, index)];
    __builtin_prefetch(at + bytes);
}

/* A walk through the operations of all ranks. A zeroed walk begins with the first. */
struct program_walk {
    const struct program_operation *operation;
    struct program_operation room;
    uint64_t next;
    uint32_t rank; /* of `operation` */
};
/* Takes the next operation of a walk. Returns false at the end. */
static inline bool program_walk_next(const struct program *program, struct program_walk *walk) {
    if (walk->next == program->operation_count) return false;
    const struct program_rank *rank_entry = &program->ranks[walk->rank];
    for (; walk->next >= rank_entry->first + rank_entry->count; rank_entry++)
        walk->rank++;
    walk->operation = program_operation_at(program, walk->rank, walk->next++, &walk->room);
    return true;
}

/* Frees a program and everything it holds. NULL is allowed. */
void program_free(struct program *program);

/* Tests all invariants above. STATUS_INPUT names the first violated invariant and its place. */
status_code program_check(const struct program *program, struct status *status);
/* Tests the same, and that no mark goes back in time or beyond the span. */
status_code program_check_file(const struct program *program, struct status *status);

/* Returns the text at an offset. */
static inline const char *program_text(const struct program *program, uint32_t offset) {
    return program->strings + offset;
}

/* Returns true if the program has any region that is not of MPI. */
bool program_has_user_regions(const struct program *program);

/* Returns true if the operation carries a time of the trace. */
static inline bool program_is_mark(const struct program_operation *operation) {
    return operation->kind == OPERATION_CALL || operation->kind == OPERATION_RETURN ||
           operation->kind == OPERATION_ENTER || operation->kind == OPERATION_LEAVE;
}

/* Returns whether the application's call of a collective is blocking. */
static inline bool program_is_blocking(const struct program_operation *operation) {
    return (operation->flags &
            (OPERATION_FLAG_COLLECTIVE_BLOCKING | OPERATION_FLAG_COLLECTIVE_SPLIT)) != 0;
}

/* Returns true for collectives that combine data: reductions and scans. */
static inline bool program_is_reduction(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_ALLREDUCE || kind == PROGRAM_COLLECTIVE_REDUCE ||
           kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER ||
           kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK || kind == PROGRAM_COLLECTIVE_SCAN ||
           kind == PROGRAM_COLLECTIVE_EXSCAN;
}

/* Returns true for collectives in which each member sends each other one a size of its own. */
static inline bool program_is_paired(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_ALLTOALLV || kind == PROGRAM_COLLECTIVE_ALLTOALLW;
}

/* Returns true for a one-sided operation: a SEND without a RECEIVE. */
static inline bool program_is_one_sided(const struct program_operation *operation) {
    return operation->kind == OPERATION_SEND &&
           (operation->flags & (OPERATION_FLAG_RMA_WRITE | OPERATION_FLAG_RMA_READ)) != 0;
}

/* Returns true for a message that the application itself sent or received. */
static inline bool program_is_message(const struct program *program,
                                      const struct program_operation *operation) {
    return (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE) &&
           program->envelopes[operation->message.envelope].tag > PROGRAM_TAG_LAST;
}

/* Returns true if an operation with a slot only gives data away, so that its completion tells the
 * rank nothing about other ranks. That is true for a send that is not synchronous, and for a part
 * in a collective that brings the rank no data. One-sided operations return false: NICs carry them
 * out, and no rank can be blocked by waiting for them. */
bool program_only_gives(const struct program *program, const struct program_operation *operation);
/* Returns whether the part of a rank in a collective only gives data away: it brings the rank no
 * data. */
bool program_collective_only_gives(const struct program_communicator *communicator,
                                   const struct program_collective_arguments *arguments,
                                   unsigned flags);

/* Returns what a one-sided operation with a tag does to a lock; PROGRAM_LOCK_NONE if it does
 * nothing to one. */
static inline program_lock program_lock_of(int32_t tag) {
    if (tag < PROGRAM_TAG_LOCK || tag > PROGRAM_TAG_LAST) return PROGRAM_LOCK_NONE;
    return (program_lock)((tag - PROGRAM_TAG_LOCK) % PROGRAM_LOCK_TAGS);
}
/* Returns the tag of a one-sided operation that does something to a lock of a window.
 * window: below PROGRAM_WINDOWS_LIMIT. */
static inline int32_t program_lock_tag(int32_t window, program_lock lock) {
    return PROGRAM_TAG_LOCK + PROGRAM_LOCK_TAGS * window + (int32_t)lock;
}
/* Returns what a one-sided operation does to a lock. */
static inline program_lock program_lock_kind(const struct program *program,
                                             const struct program_operation *operation) {
    return program_lock_of(program->envelopes[operation->message.envelope].tag);
}

/* Returns true if the operation takes a lock, and false if it releases one or is about no lock. */
static inline bool program_lock_takes(program_lock lock) {
    return lock != PROGRAM_LOCK_NONE && lock != PROGRAM_LOCK_RELEASE &&
           lock != PROGRAM_LOCK_RELEASE_ALL;
}

/* Returns the number of the peer's lock that a tag names: 2 w is the lock of the peer's part of
 * window w, and 2 w + 1 is the lock of the whole window. */
static inline uint32_t program_lock_number(int32_t tag) {
    return (uint32_t)(tag - PROGRAM_TAG_LOCK) / (PROGRAM_LOCK_TAGS / 2);
}

/* Returns the world rank of member `number` of a communicator. self: the calling rank, which is the
 * only member of MPI_COMM_SELF. */
static inline uint32_t program_member(const struct program *program, uint32_t communicator,
                                      uint32_t number, uint32_t self) {
    uint32_t members = program->communicators[communicator].members;
    return members == PROGRAM_NONE ? self : program->communicator_members[members + number];
}

/* Returns the rank's place among all members of the communicator of the arguments. The remote group
 * follows the local one. */
uint32_t program_place_of_rank(const struct program *program,
                               const struct program_collective_arguments *arguments, uint32_t rank);

/* Returns the bytes that the rank sends to each member in an ALLTOALLV or ALLTOALLW, and sets
 * *count to their number; NULL: not known. */
const uint64_t *program_bytes_to_members(const struct program *program,
                                         const struct program_operation *operation, uint32_t rank,
                                         uint32_t *count);

/* Returns the name of a kind in reports and JSON. */
const char *program_collective_name(program_collective_kind kind);
/* Returns true if collectives of the kind carry sizes per rank. */
bool program_collective_is_sized(program_collective_kind kind);

enum { PROGRAM_COMMUNICATOR_TEXT = 160 };

/* Writes a text that names a communicator for users: its name, if no other communicator has the
 * same name; otherwise its number with its name or sizes. A long name ends with "...". */
void program_write_communicator(const struct program *program, uint32_t communicator,
                                char text[PROGRAM_COMMUNICATOR_TEXT]);

/* Returns the name of the MPI call that operation `index` of a rank belongs to, such as
 * "MPI_Waitall". CALL and RETURN belong to their call. Returns "" outside calls. */
const char *program_call_name(const struct program *program, uint32_t rank, uint64_t index);

/* Totals of a program. */
struct program_totals {
    uint64_t messages; /* messages of the application, unmatched ones included */
    wide message_bytes;
    uint64_t rma_operations; /* one-sided operations */
    uint64_t rma_locks;      /* of them, those that take or release a lock */
    wide rma_bytes;
    /* Calls of each kind, summed over ranks: [0] blocking, [1] non-blocking. */
    uint64_t collectives[PROGRAM_COLLECTIVE_KINDS][2];
    wide collective_bytes;     /* that ranks send in them at least, whatever their algorithms */
    uint64_t file_accesses[2]; /* [0] reads of files, [1] writes */
    wide file_bytes[2];
    wide compute_ps;             /* computation, summed over ranks */
    uint64_t size_histogram[64]; /* entry k: messages of at most 2^k bytes and more than 2^(k-1) */
};

/* Finds the totals of a program. */
void program_totals_compute(const struct program *program, struct program_totals *totals);
/* Adds those of a rank. */
void program_totals_add(const struct program *program, uint32_t rank,
                        struct program_totals *totals);
/* Adds those of other ranks. */
void program_totals_join(struct program_totals *totals, const struct program_totals *others);

#endif
