/*
 * The program: what every rank does, in order, sealed and matched. It is what an OTF2 archive, a
 * program file or a generated pattern becomes, and all that the replay sees of a trace.
 *
 * Must not know: OTF2, networks, nodes. Read-only once sealed; safe to read from many threads.
 *
 * Invariants (program_check tests them all):
 *  - a rank's operations are one contiguous run ending with PROGRAM_END;
 *  - every SEND with match != PROGRAM_NONE names the RECEIVE of its peer that it meets (the
 * match-th RECEIVE of that rank, counted from 0 in program order), and that RECEIVE names it back
 * (the match-th SEND of its peer); per (communicator, source, destination, tag) the k-th send meets
 *    the k-th receive. So no tag is compared while simulating. One-sided operations meet none;
 *  - a slot is posted at most once before it is waited for; slots of a rank are 0 … slot_count-1.
 *    After a PROGRAM_TESTED wait for a PROGRAM_PERSISTENT send only a send may be posted in its
 * slot;
 *  - CALL and RETURN alternate; ENTER and LEAVE (user regions) stand between RETURN and CALL and
 *    nest; SEND, RECEIVE, COLLECTIVE and WAIT stand between CALL and RETURN;
 *  - all members of a communicator execute the same sequence of collectives on it (instances),
 *    CREATE_HANDLE and DESTROY_HANDLE apart.
 */
#ifndef ANAX_TRACES_PROGRAM_H
#define ANAX_TRACES_PROGRAM_H

#include "core/status.h"
#include "core/wide.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_NONE UINT32_MAX

/* Sizes of messages and collectives are smaller: 256 TiB. More is nonsense of a damaged trace. */
#define PROGRAM_BYTES_LIMIT (UINT64_C(1) << 48)

/* Times of a trace, and single computations, are at most so long: 26 days. So any two of them can
 * be added and subtracted. */
#define PROGRAM_TIME_LIMIT_PS (INT64_MAX / 4)

typedef enum program_kind {
    PROGRAM_COMPUTE,    /* duration_ps of work outside MPI */
    PROGRAM_CALL,       /* an MPI call begins */
    PROGRAM_RETURN,     /* and ends, after all WAITs before it are satisfied */
    PROGRAM_ENTER,      /* a user region begins (only if they were kept) */
    PROGRAM_LEAVE,      /* and ends */
    PROGRAM_SEND,       /* posts a send; never blocks by itself */
    PROGRAM_RECEIVE,    /* posts a receive */
    PROGRAM_COLLECTIVE, /* posts (or, with PROGRAM_BLOCKING, carries out) a collective */
    PROGRAM_WAIT,       /* until all the given slots are complete; frees them */
    PROGRAM_END
} program_kind;

/* program_operation.flags */
enum {
    PROGRAM_SYNCHRONOUS = 1,   /* SEND: completes only once the receive is matched (Ssend) */
    PROGRAM_READY = 2,         /* SEND: the receive is known to be posted (Rsend): always eager */
    PROGRAM_BUFFERED = 4,      /* SEND: copied at once (Bsend): completes locally, any size */
    PROGRAM_DETACHED = 8,      /* SEND, RECEIVE: nobody waits for it; slot is PROGRAM_NONE */
    PROGRAM_REMOTE_WRITE = 16, /* SEND: one-sided: data go to the peer, which has no part in it; the
                                  slot is complete when the peer's NIC has answered */
    PROGRAM_REMOTE_READ = 32,  /* SEND: one-sided: data come from the peer with the answer */
    PROGRAM_PERSISTENT = 64,   /* SEND: of a persistent request that a test found complete: the
                                  slot stays its own, and what is posted there next waits for it */
    PROGRAM_TESTED = 64,       /* WAIT: a test (MPI_Test and its kin) found them complete. Of what
                                  only gives away data (program_is_given) that is a matter of time,
                                  and the rank does not wait for it */
    PROGRAM_INFERRED = 16, /* RECEIVE: no record says which message it received; inferred from what
                              other records leave over (docs/model.md, 9.13) */
    PROGRAM_BLOCKING =
        16, /* COLLECTIVE: the rank goes on when its part is done; no slot, no wait */
    PROGRAM_IN_PLACE = 32, /* COLLECTIVE: MPI_IN_PLACE was seen in the recorded sizes */
    PROGRAM_ROOT_REMOTE =
        64 /* COLLECTIVE, rooted, on an intercommunicator: the root is in the other
              group. Not set: it is in this rank's own group (root == me: itself) */
};

struct program_operation {
    uint64_t kind : 8; /* program_kind */
    uint64_t flags : 8;
    uint64_t value : 48; /* SEND, RECEIVE: bytes. CALL: number of its record in its location's event
                            stream (0-based), the place to name in messages. */
    union {
        struct {
            uint32_t peer;  /* world rank of the other side */
            uint32_t match; /* see above; PROGRAM_NONE: no partner in the trace */
            uint32_t slot;
            uint32_t
                channel; /* index into channels: communicator and tag, for messages to people */
        } message;
        struct {
            int64_t duration_ps;
            uint64_t unused;
        } compute;
        struct {
            int64_t
                trace_ps; /* when the region was entered (or left) in the trace, from its start */
            uint32_t region; /* index into regions */
            uint32_t unused;
        } mark; /* CALL, RETURN, ENTER, LEAVE */
        struct {
            uint32_t arguments; /* index into the program's collective_arguments */
            uint32_t slot;      /* PROGRAM_NONE when PROGRAM_BLOCKING */
            uint32_t instance;  /* this communicator's instance-th collective, same on all members.
                                   CREATE_HANDLE and DESTROY_HANDLE are counted apart, each for
                                   itself: only some of the members may record them */
            uint32_t sizes;     /* v- and w-forms: index of the instance's first entry in sizes
                                   (set by sealing); PROGRAM_NONE otherwise */
        } collective;
        struct {
            uint32_t first; /* count == 1: the slot; else index of the first slot in wait_slots */
            uint32_t count; /* >= 1 */
            uint64_t unused;
        } wait;
    };
};
static_assert(sizeof(struct program_operation) == 24, "an operation is at most 24 bytes");

/* name used in reports and JSON, does it carry per-rank sizes */
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
#define PROGRAM_COLLECTIVE_ENUM(name, text, sized) PROGRAM_##name,
    PROGRAM_COLLECTIVES(PROGRAM_COLLECTIVE_ENUM)
#undef PROGRAM_COLLECTIVE_ENUM
        PROGRAM_COLLECTIVE_KINDS
} program_collective_kind;

/* What a collective was called with on one rank; equal arguments of different calls are shared.
 * The sizes are the caller's own, with the recording's conventions (N times, N-1 in place, …)
 * already taken out by the importer. */
struct program_collective_arguments {
    uint32_t kind;         /* program_collective_kind */
    uint32_t communicator; /* index into communicators */
    uint32_t me;           /* this rank's number in the (local) group of the communicator */
    uint32_t root; /* rooted kinds: the root's number in the communicator; else PROGRAM_NONE.
                      Intercommunicators: number in the root's own group (see
                      PROGRAM_ROOT_REMOTE), PROGRAM_NONE for the other members of that
                      group, who need not know it */
    /* Bytes. BCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN: send = receive = the vector. GATHER, SCATTER,
     * ALLGATHER, ALLTOALL, REDUCE_SCATTER_BLOCK: send = receive = one rank's block (on
     * intercommunicators the groups' blocks may differ in ALLGATHER and ALLTOALL). GATHERV,
     * ALLGATHERV: send = own block, receive = sum where received. SCATTERV: receive = own block,
     * send = sum at the root. ALLTOALLV/W: row sum sent, column sum received, own block included.
     * REDUCE_SCATTER: send = whole vector, receive = own block. Others 0. */
    uint64_t send_bytes;
    uint64_t receive_bytes;
};

struct program_communicator {
    uint32_t size;        /* members of the (local) group; 1 for COMM_SELF */
    uint32_t members;     /* index of the first member's world rank in communicator_members;
                             PROGRAM_NONE for COMM_SELF, where everyone is alone */
    uint32_t remote_size; /* intercommunicators: members of the other group; else 0 */
    uint32_t remote_members;
    uint32_t name;   /* offset in strings */
    uint32_t number; /* for people: its id in the trace; its index where there is no trace */
    bool
        handles_synchronise; /* all members recorded the same number of CREATE_HANDLEs on it, at
                                least one: each of them may be taken as synchronising the members */
};

/* Tags of messages that are none of the application's: of one-sided operations, and of the
 * synchronisation of windows (MPI_Win_post to MPI_Win_start, MPI_Win_complete to MPI_Win_wait). */
#define PROGRAM_TAG_REMOTE   INT32_MIN
#define PROGRAM_TAG_POST     (INT32_MIN + 1)
#define PROGRAM_TAG_COMPLETE (INT32_MIN + 2)
/* One-sided operations without data that take and give back a lock at the peer: from here on, for
 * the w-th window, 6 w + program_lock. */
#define PROGRAM_TAG_LOCK      (INT32_MIN + 3)
#define PROGRAM_WINDOWS_LIMIT (INT32_C(1) << 28)
#define PROGRAM_TAG_LAST      (PROGRAM_TAG_LOCK + 6 * PROGRAM_WINDOWS_LIMIT - 1)

/* Each member of a window has a lock of its part; the first member also has one of the whole
 * window, which either those hold who have locked all parts, or those who hold exclusive locks of
 * single ones. A rank holds a lock once. */
typedef enum program_lock {
    PROGRAM_LOCK_SHARED, /* the peer's part */
    PROGRAM_LOCK_EXCLUSIVE,
    PROGRAM_UNLOCK,
    PROGRAM_LOCK_ALL, /* the whole */
    PROGRAM_LOCK_ONE,
    PROGRAM_UNLOCK_WHOLE,
    PROGRAM_NO_LOCK
} program_lock;

struct program_channel {
    uint32_t communicator;
    int32_t tag;
};

struct program_region {
    uint32_t name; /* offset in strings */
    uint32_t is_mpi;
};

/* Something the trace holds that the program does not carry, or that the trace does not say in
 * full, so that the rest was assumed. */
struct program_note {
    uint32_t what; /* offset in strings: a short name, e.g. "MPI_Neighbor_alltoall" */
    uint32_t why;  /* offset in strings: one sentence, and what it means for the result */
    uint64_t count;
    uint64_t is_assumed; /* 0 or 1 */
};

struct program_rank {
    uint64_t first;           /* index of its first operation */
    uint64_t count;           /* operations, END included */
    uint64_t first_wait_slot; /* its part of wait_slots */
    uint64_t wait_slot_count;
    uint32_t slot_count;    /* largest number of requests in flight at once */
    uint32_t send_count;    /* SEND operations */
    uint32_t receive_count; /* RECEIVE operations */
    uint32_t mark_count;    /* CALL, RETURN, ENTER and LEAVE operations */
};

struct program {
    uint32_t rank_count;
    struct program_rank *ranks;
    struct program_operation *operations;
    uint64_t operation_count;
    uint32_t *wait_slots; /* WAIT.first of a rank is relative to its first_wait_slot */
    uint64_t wait_slot_count;
    struct program_collective_arguments *collective_arguments;
    uint32_t collective_argument_count;
    uint64_t *sizes; /* of v- and w-instances, per member of the communicator: GATHERV, SCATTERV,
                        ALLGATHERV, REDUCE_SCATTER: its block; ALLTOALLV/W: all row sums, then all
                        column sums (2N entries). Intercommunicators: the entries of the local
                        group, then those of the remote group (N = size + remote_size). Equal
                        vectors are stored once */
    uint64_t size_count;
    struct program_communicator *communicators;
    uint32_t communicator_count;
    uint32_t *communicator_members;
    uint64_t communicator_member_count;
    struct program_channel *channels;
    uint32_t channel_count;
    struct program_region *regions;
    uint32_t region_count;
    struct program_note *notes;
    uint32_t note_count;
    char *strings; /* NUL-terminated texts one after another; offset 0 is "" */
    uint64_t string_bytes;
    /* About the trace it came from. */
    uint32_t source;      /* offset in strings: path or pattern with its options */
    uint32_t creator;     /* offset in strings: e.g. "Score-P 8.4" */
    uint64_t event_count; /* records read */
    uint64_t location_count;
    int64_t span_ps; /* last minus first time stamp of the trace */
    uint64_t unmatched_sends;
    uint64_t unmatched_receives;
    uint64_t content_hash; /* of the sealed program's parts: its identity in results; equal for an
                              archive, its program file and every way of reading them */
};

/* Frees a program and all it holds; NULL is allowed. */
void program_free(struct program *program);

/* Tests all invariants above; STATUS_INPUT names the first that does not hold, with the place. */
status_code program_check(const struct program *program, struct status *status);

static inline const char *program_text(const struct program *program, uint32_t offset) {
    return program->strings + offset;
}

/* One with a time of the trace. */
static inline bool program_is_mark(const struct program_operation *operation) {
    return operation->kind == PROGRAM_CALL || operation->kind == PROGRAM_RETURN ||
           operation->kind == PROGRAM_ENTER || operation->kind == PROGRAM_LEAVE;
}

/* A one-sided operation: a SEND that meets no RECEIVE. */
static inline bool program_is_remote(const struct program_operation *operation) {
    return operation->kind == PROGRAM_SEND &&
           (operation->flags & (PROGRAM_REMOTE_WRITE | PROGRAM_REMOTE_READ)) != 0;
}

/* A message that the application sent or received itself. */
static inline bool program_is_message(const struct program *program,
                                      const struct program_operation *operation) {
    return (operation->kind == PROGRAM_SEND || operation->kind == PROGRAM_RECEIVE) &&
           program->channels[operation->message.channel].tag > PROGRAM_TAG_LAST;
}

/* Does an operation with a slot only give data away? Its completion then tells the rank nothing of
 * others: a send that is not synchronous, or a part in a collective that brings the rank no data.
 * (One-sided operations are carried out by NICs; nobody can be blocked by waiting for them.) */
bool program_is_given(const struct program *program, const struct program_operation *operation);
bool program_collective_is_given(const struct program_communicator *communicator,
                                 const struct program_collective_arguments *arguments,
                                 unsigned flags);

/* What a one-sided operation does with a lock. */
static inline program_lock program_lock_kind(const struct program *program,
                                             const struct program_operation *operation) {
    int32_t tag = program->channels[operation->message.channel].tag;
    if (tag < PROGRAM_TAG_LOCK || tag > PROGRAM_TAG_LAST) return PROGRAM_NO_LOCK;
    return (program_lock)((tag - PROGRAM_TAG_LOCK) % 6);
}

static inline bool program_lock_takes(program_lock lock) {
    return lock != PROGRAM_NO_LOCK && lock != PROGRAM_UNLOCK && lock != PROGRAM_UNLOCK_WHOLE;
}

/* Which of a peer's locks, by the tag: 2 w its part of the w-th window, 2 w + 1 the whole window.
 */
static inline uint32_t program_lock_number(int32_t tag) {
    return (uint32_t)(tag - PROGRAM_TAG_LOCK) / 3;
}

/* The world rank of member number `number` of a communicator, as seen by world rank `self`. */
static inline uint32_t program_member(const struct program *program, uint32_t communicator,
                                      uint32_t number, uint32_t self) {
    uint32_t members = program->communicators[communicator].members;
    return members == PROGRAM_NONE ? self : program->communicator_members[members + number];
}

const char *program_collective_name(program_collective_kind kind);
bool program_collective_is_sized(program_collective_kind kind);

enum { PROGRAM_COMMUNICATOR_TEXT = 160 };

/* Names a communicator for people: by its name, if no other one of the trace has the same, else by
 * its number, with its name or sizes. Long names end with "...". */
void program_communicator_text(const struct program *program, uint32_t communicator,
                               char text[PROGRAM_COMMUNICATOR_TEXT]);

/* "MPI_Waitall" for a SEND etc.: the region of the CALL around operation `index` of a rank (CALL
 * and RETURN included); "" outside calls. */
const char *program_call_name(const struct program *program, uint32_t rank, uint64_t index);

/* Frequently needed totals, found by one pass. */
struct program_totals {
    uint64_t messages; /* the application's, unmatched ones included */
    wide message_bytes;
    uint64_t remote_operations; /* one-sided */
    wide remote_bytes;
    uint64_t collectives[PROGRAM_COLLECTIVE_KINDS][2]; /* per kind: [blocking, non-blocking] calls
                                                          summed over ranks */
    wide compute_ps;                                   /* sum over ranks */
    uint64_t size_histogram[64]; /* messages of at most 2^k bytes and more than 2^(k-1) */
};

void program_totals_of(const struct program *program, struct program_totals *totals);

#endif
