/*
 * The replay's state. Private to this folder.
 *
 * Invariant: all mutable state belongs to one domain (or to one rank, which belongs to one domain)
 * and is touched only in callbacks of that domain; so there are no locks. What crosses domains is
 * in the cookies of messages (message.h).
 */
#ifndef ANAX_REPLAY_ENGINE_STATE_H
#define ANAX_REPLAY_ENGINE_STATE_H

#include "core/pool.h"
#include "replay/collectives/collectives.h"
#include "replay/engine/inflight.h"
#include "replay/replay.h"
#include "replay/transport/transport.h"

#include <stdatomic.h>

/* Who is told when a transfer is complete: one of the rank's slots, an activation of its domain,
 * the rank at its end, or nobody. */
#define OWNER_NOBODY     UINT32_MAX
#define OWNER_TESTED     (UINT32_MAX - 1)
#define OWNER_ACTIVATION 0x80000000u

/* Bits in a cookie (message.h) and in an owner limit what a replay can hold. */
#define ENGINE_RANK_LIMIT         (1u << 30)
#define ENGINE_COMMUNICATOR_LIMIT (1u << 31)
#define ENGINE_SLOT_LIMIT         OWNER_ACTIVATION
#define ENGINE_OPERATION_LIMIT    UINT32_MAX /* of one rank */

/* All members' data of a collective are less: an entry of inflight.h holds a size in 61 bits. */
#define COLLECTIVE_BYTES_LIMIT (UINT64_C(1) << 60)

typedef enum slot_state {
    SLOT_EMPTY,
    SLOT_PENDING, /* posted, incomplete */
    SLOT_WAITED,  /* and the rank is blocked in a WAIT for it */
    SLOT_TESTED,  /* and the rank went on after a test: a persistent send */
    SLOT_DONE     /* complete, not waited for yet */
} slot_state;

struct engine_slot {
    uint32_t operation; /* counted from the rank's first */
    uint32_t state;     /* slot_state */
    union {
        int64_t take_in_ps; /* DONE, RECEIVE: CPU time of taking it in */
        int64_t done_ps;    /* DONE, COLLECTIVE: may be later than now */
        uint32_t handle;    /* PENDING: of the send or the activation */
    };
};

typedef enum rank_phase {
    RANK_TIMED,         /* a timer will let it go on */
    RANK_WAITING,       /* blocked in a WAIT, or before a SEND whose slot is TESTED */
    RANK_IN_COLLECTIVE, /* blocked in a blocking collective */
    RANK_ENDING,        /* at its end, until what was only tested is complete */
    RANK_FINISHED
} rank_phase;

struct engine_rank {
    uint64_t next;       /* index of the operation it is at */
    uint64_t first;      /* of its first */
    int64_t clock_ps;    /* may be ahead of simulated time */
    uint64_t first_slot; /* its part of engine.slots */
    uint32_t pending;    /* slots it is blocked for */
    uint32_t receives;   /* posted so far */
    uint32_t domain;
    uint16_t phase;    /* rank_phase */
    bool outside;      /* of MPI calls; since call_from_ps */
    int64_t waited_ps; /* all its waiting so far */
    struct replay_rank_result result;
    int64_t call_from_ps;   /* when the call began; outside: when the last one ended */
    int64_t call_waited_ps; /* waited_ps when the call began */
    uint32_t call;          /* index into domain.calls */
    uint32_t tasks;         /* last of those put off, in domain.tasks; PROGRAM_NONE: none */
    uint32_t mark;          /* next place in its part of the timeline */
    uint32_t tested;        /* sends and activations that it went on without, incomplete */
};
static_assert(sizeof(struct engine_rank) == 192,
              "a rank is three cache lines, the first the busiest");

/* The sending side of a message that is not complete locally: a rendezvous, or a large ready send.
 */
struct engine_send {
    uint32_t rank; /* sender; PROGRAM_NONE: the entry is free */
    uint32_t owner;
    uint32_t next; /* in its pool */
    bool synchronous;
    bool answered; /* the receiver has cleared it */
    struct inflight_key key;
    uint64_t size_bytes;
    int64_t requested_ps; /* request handed to the NIC */
    int64_t arrived_ps;   /* request at the receiver */
    int64_t cleared_ps;   /* clear to send handed to the receiver's NIC */
    int64_t answered_ps;  /* clear to send back here */
};
POOL_DEFINE(engine_send, struct engine_send)

/* A collective in progress on one rank. */
struct engine_activation {
    uint32_t rank; /* PROGRAM_NONE: free */
    uint32_t next; /* in its pool */
    uint64_t operation;
    const struct collective_algorithm *algorithm;
    struct collective_call call;
    uint32_t step; /* next to begin */
    uint32_t steps;
    uint32_t pending; /* transfers of the steps begun that are incomplete */
    int64_t clock_ps;
    int64_t owed_ps;    /* receive overhead of messages that were here before their receive */
    int64_t combine_ps; /* to be spent once pending is 0 */
    bool is_tested;     /* a test found it complete: the rank hears of it at its end */
};
POOL_DEFINE(engine_activation, struct engine_activation)

/* Something put off until a rank enters an MPI call. */
typedef enum task_kind {
    TASK_ANSWER,    /* to a request whose receive is there: key */
    TASK_DATA,      /* of an answered send: handle */
    TASK_FINISH,    /* telling the sender that its data were fetched: key, handle, arrived_ps */
    TASK_COLLECTIVE /* the next steps: handle is the activation */
} task_kind;

struct engine_task {
    uint32_t kind; /* task_kind */
    uint32_t next; /* in the rank's ring, or in its pool */
    uint32_t handle;
    struct inflight_key key;
    int64_t arrived_ps;
};
POOL_DEFINE(engine_task, struct engine_task)

/* A lock at a target, as long as it is held (window_lock.c). */
struct window_lock {
    uint32_t target;
    uint32_t communicator;
    uint32_t number; /* program_lock_number */
    uint32_t holders;
    uint32_t holder;      /* the latest */
    program_lock kind;    /* of all who hold it */
    uint32_t first, last; /* waiting, in domain.lock_requests; PROGRAM_NONE: nobody */
};

struct lock_request {
    uint64_t operation;
    uint32_t source;
    uint32_t slot;
    uint32_t next;
    int64_t arrived_ps;
};
POOL_DEFINE(lock_request, struct lock_request)

struct engine;

struct engine_domain {
    struct engine *engine;
    uint32_t index;
    struct inflight_table inflight;
    struct engine_send_pool sends;
    struct engine_activation_pool activations;
    struct engine_task_pool tasks;
    struct window_lock *locks;
    size_t lock_capacity;
    uint32_t lock_count;
    struct lock_request_pool lock_requests;
    struct replay_call_result *calls;
    uint64_t eager_messages;
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t remote_operations;
    uint64_t sent;         /* messages with data, handed over */
    uint64_t received;     /* and taken in: equal in the end, summed over domains */
    int64_t last_ps;       /* with a companion: when the last event of the replay was */
    struct status failure; /* the first thing that went wrong; nothing is simulated after it */
};

/* With a companion: whether nothing of the replay is left to happen (quiescence.c). */
struct engine_quiescence {
    bool watched;          /* else nothing is counted */
    int64_t lag_ps;        /* no window is longer */
    atomic_llong pending;  /* events of the replay that are still to come */
    atomic_llong since_ps; /* when the last one was; INT64_MAX as long as some are to come */
};

/* Message sizes of an ALLTOALLV's sums. */
struct engine_pairs {
    uint32_t sizes; /* index in the program's sizes */
    uint32_t size;
    uint32_t remote_size;
    struct collective_pairs pairs[2];
};

/* A stretch of waiting, up to until_ps. */
typedef enum wait_cause { WAIT_LATE_SENDER, WAIT_LATE_RECEIVER, WAIT_NETWORK } wait_cause;

struct wait_phase {
    wait_cause cause;
    int64_t until_ps;
    int64_t zero_load_ps; /* NETWORK: so much from its start is transit, the rest queueing */
};

/* A transfer is complete: when, and what had to happen one after another before. */
struct transfer_end {
    int64_t now_ps;
    int64_t from_ps;    /* when the first phase began */
    int64_t take_in_ps; /* received: CPU time of taking it in; sent: 0 */
    unsigned phase_count;
    struct wait_phase phase[6];
};

/* Whom a part of the engine tells that something is complete: functions of later layers. */
struct engine_completions {
    /* A transfer is: to the rank's slot; to the rank, which went on without it; to an activation.
     */
    void (*slot)(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                 const struct transfer_end *end);
    void (*tested)(struct engine_domain *domain, uint32_t rank, const struct transfer_end *end);
    void (*step)(struct engine_domain *domain, uint32_t activation, const struct transfer_end *end);
    /* A collective is, at done_ps: the blocking one that the rank is in; one of its slots; one that
     * the rank went on without. */
    void (*collective)(struct engine_domain *domain, uint32_t rank, int64_t now_ps,
                       int64_t done_ps);
    void (*collective_slot)(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                            int64_t now_ps, int64_t done_ps);
    void (*tested_collective)(struct engine_domain *domain, uint32_t rank, int64_t done_ps);
};

struct engine {
    const struct engine_completions *completions;
    const struct program *program;
    const struct placement *placement;
    struct replay_config config;
    const struct network_config *machine;
    struct transport *transport; /* which carries the messages; the engine is its sink */
    struct engine_rank *ranks;
    struct engine_slot *slots;
    int64_t *tested_until_ps; /* per rank: when the collectives end that it went on without */
    struct engine_domain *domains;
    uint32_t domain_count;
    uint32_t *call_of_region; /* region -> index into domain.calls; PROGRAM_NONE: not MPI */
    const char **call_names;
    uint32_t call_count;
    uint32_t end_call; /* index into domain.calls: MPI_Finalize, whether the trace has it or not */
    uint64_t *size_sums;        /* running sums of the program's sizes, from 0; size_count + 1 */
    struct engine_pairs *pairs; /* sorted */
    uint32_t pairs_count;
    struct replay_timeline *timeline; /* NULL unless asked for */
    const int64_t *start_ps;          /* per rank; NULL: all at 0 */
    const struct replay_hosts *hosts; /* NULL: all alike */
    uint32_t first_rank;              /* of hosts */
    uint64_t seed;                    /* of noise */
    struct engine_quiescence quiescence;
};

#endif
