/*
 * One operation of a rank: its kind, its flags and its members. program.h has the program, and what
 * must hold for the operations of a rank.
 *
 * Must not know programs.
 */
#ifndef ANAX_TRACES_PROGRAM_OPERATION_H
#define ANAX_TRACES_PROGRAM_OPERATION_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define PROGRAM_NONE UINT32_MAX

/* Messages and collectives have fewer bytes than this limit (256 TiB). A larger size is a sign of a
 * damaged trace. */
#define PROGRAM_BYTES_LIMIT (UINT64_C(1) << 48)

/* The longest time of a trace and the longest single computation: 26 days. Sums and differences of
 * two such times do not overflow. */
#define PROGRAM_TIME_LIMIT_PS (INT64_MAX / 4)

typedef enum program_operation_kind {
    OPERATION_COMPUTE,    /* duration_ps of work outside MPI */
    OPERATION_CALL,       /* an MPI call begins */
    OPERATION_RETURN,     /* an MPI call ends, after all WAITs before it have completed */
    OPERATION_ENTER,      /* a user region begins (only in programs that keep user regions) */
    OPERATION_LEAVE,      /* a user region ends */
    OPERATION_SEND,       /* posts a send and never blocks */
    OPERATION_RECEIVE,    /* posts a receive and never blocks */
    OPERATION_COLLECTIVE, /* posts a collective, or carries it out
                             (OPERATION_FLAG_COLLECTIVE_BLOCKING) */
    OPERATION_WAIT,       /* waits until all given slots are complete, and frees the slots */
    OPERATION_END,
    OPERATION_VERTEX, /* a vertex of a rank that is a graph. New kinds follow, since hashes contain
                       the numbers of the others */
    OPERATION_FILE    /* posts a read or a write of a file and never blocks */
} program_operation_kind;

/* Flags of an operation (program_operation.flags). The same bit has another meaning in another
 * kind. */
enum {
    /* SEND, RECEIVE, FILE: no rank waits for the request; no slot. */
    OPERATION_FLAG_DETACHED = 8,

    /* Completes only when its receive is matched (MPI_Ssend). */
    OPERATION_FLAG_SEND_SYNCHRONOUS = 1,
    /* Its receive is already posted (MPI_Rsend): always eager. */
    OPERATION_FLAG_SEND_READY = 2,
    /* Copied at once (MPI_Bsend): completes locally, any size. */
    OPERATION_FLAG_SEND_BUFFERED = 4,
    /* SEND: one-sided; data go to the peer, which takes no part. The slot is complete when the
     * reply of the peer's NIC has arrived. */
    OPERATION_FLAG_RMA_WRITE = 16,
    /* SEND: one-sided; the reply brings data from the peer. */
    OPERATION_FLAG_RMA_READ = 32,
    /* Of a persistent request that a test found complete. It keeps its slot, and the next send in
     * the slot waits for it. */
    OPERATION_FLAG_SEND_PERSISTENT = 64,

    /* Not recorded but inferred by sealing (docs/model.md, 9.13). */
    OPERATION_FLAG_RECEIVE_INFERRED = 16,

    /* A test (MPI_Test, ...) found the slots complete. The rank does not wait for what only gives
     * data away (program_only_gives). */
    OPERATION_FLAG_WAIT_TESTED = 64,

    /* Blocking; split in two by other threads: slot and WAIT. */
    OPERATION_FLAG_COLLECTIVE_SPLIT = 1,
    /* The rank continues when its part is done; no slot. */
    OPERATION_FLAG_COLLECTIVE_BLOCKING = 16,
    /* The recorded sizes are those of MPI_IN_PLACE. */
    OPERATION_FLAG_COLLECTIVE_IN_PLACE = 32,
    /* On an intercommunicator: the root is in the other group, not in this rank's own (root ==
     * own_member: this rank). */
    OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE = 64,

    OPERATION_FLAG_FILE_WRITE = 16,     /* a write; without this flag a read */
    OPERATION_FLAG_FILE_COLLECTIVE = 32 /* the call is collective */
};

struct program_operation {
    /* All these structs begin with the kind and the flags. An initializer names the members of the
     * first one alone: the members of another one would take their place. */
    union {
        struct {
            uint64_t kind : 8; /* a program_operation_kind */
            uint64_t flags : 8;
            uint64_t value : 48; /* whichever of the next ones it is; 0 for all other kinds */
        };
        struct {
            uint64_t : 16;
            uint64_t bytes : 48; /* SEND, RECEIVE, FILE */
        };
        struct {
            uint64_t : 16;
            uint64_t record : 48; /* CALL: number of its ENTER record in the location's event stream
                                     (from 0), which messages name as the place */
        };
        struct {
            uint64_t : 16;
            uint64_t element_bytes : 48; /* COLLECTIVE, reductions; 0: not known */
        };
        struct {
            uint64_t : 16;
            uint64_t pair_row_plus_1 : 48; /* COLLECTIVE, ALLTOALLV and ALLTOALLW: index in
                                              pair_rows of the instance's first entry; 0: not known
                                            */
        };
        struct {
            uint64_t : 16;
            uint64_t place : 48; /* VERTEX: its CPU, and its NIC in the bits from 8 on */
        };
    };
    union {
        struct {
            uint32_t peer; /* world rank of the other side */
            union {
                uint32_t match;         /* number of the partner among the peer's receives or sends;
                                           PROGRAM_NONE: no partner in the trace */
                uint32_t request_state; /* while building (builder_parts.h) */
                uint32_t queue;         /* while sends are inferred (infer_parts.h) */
            };
            uint32_t slot;
            uint32_t envelope; /* index in envelopes: communicator and tag, for messages to users */
        } message;
        struct {
            int64_t duration_ps;
            uint64_t unused;
        } compute;
        struct {
            int64_t trace_ps; /* time of the mark in the trace, from the start of the trace */
            uint32_t region;  /* index in regions */
            uint32_t unused;
        } mark; /* CALL, RETURN, ENTER, LEAVE */
        struct {
            uint32_t arguments; /* index in the program's collective_arguments */
            uint32_t slot;      /* PROGRAM_NONE if OPERATION_FLAG_COLLECTIVE_BLOCKING */
            union {
                uint32_t instance; /* number of this collective on its communicator, equal on all
                                   members. CREATE_HANDLE and DESTROY_HANDLE each have a count of
                                   their own, since some members may not record them */
                uint32_t request_state; /* while building (builder_parts.h) */
            };
            uint32_t sizes; /* v- and w-collectives: index in sizes of the instance's first entry
                               (sealing sets it); PROGRAM_NONE for others */
        } collective;
        struct {
            uint32_t first; /* count == 1: the slot; else index in wait_slots of the first slot */
            uint32_t count; /* slots to wait for, at least 1 */
            uint64_t unused;
        } wait; /* also of VERTEX: its needs (PROGRAM_NEED) in place of slots; count may be 0 */
        struct {
            uint64_t offset; /* of the first byte in the file */
            uint32_t slot;   /* PROGRAM_NONE if OPERATION_FLAG_DETACHED */
            uint32_t index;  /* in files */
        } file;
    };
};
static_assert(sizeof(struct program_operation) == 24, "an operation is at most 24 bytes");

/* Returns two numbers as they stand side by side in memory. */
static inline uint64_t program_pair(uint32_t first, uint32_t second) {
    const uint32_t pair[2] = {first, second};
    uint64_t word;
    memcpy(&word, pair, sizeof word);
    return word;
}

/* Sets an operation. Three stores of a word each: a load that needs several smaller stores before
 * it waits for them. */
static inline void program_set(struct program_operation *operation, uint64_t kind, uint64_t flags,
                               uint64_t value, uint64_t first, uint64_t second) {
    uint64_t words[3] = {(kind & 0xFF) | flags << 8 | value << 16, first, second};
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        words[0] = kind << 56 | flags << 48 | (value & (PROGRAM_BYTES_LIMIT - 1));
    memcpy(operation, words, sizeof words);
}

#endif
