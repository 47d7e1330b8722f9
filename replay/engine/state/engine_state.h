/*
 * The state of the engine. For replay/ alone: besides the folders of replay/engine, for the files
 * that run engines (replay.c, schedule.c) and for replay/ideal.
 *
 * Invariant: each mutable object belongs to one domain (or to one rank, which belongs to one
 * domain) and is used only in callbacks of that domain, so it needs no lock. What domains share is
 * atomic or has a lock: quiescence, the rows of rank_states.c, the cells of communication_matrix.c,
 * and the chunks of tickets.c. The cookies of messages (message.h) carry what another domain must
 * learn.
 */
#ifndef ANAX_REPLAY_ENGINE_STATE_H
#define ANAX_REPLAY_ENGINE_STATE_H

#include "core/base/compiler_hints.h"
#include "core/memory/pool.h"
#include "replay/collectives/collectives.h"
#include "replay/engine/state/inflight.h"
#include "replay/replay.h"
#include "replay/transport/transport.h"

#include <stdatomic.h>

/* The owner of a transfer is told of the transfer's end. It is one of these:
 * - a slot of the rank: the slot's number;
 * - an activation of the domain: the activation's index | ENGINE_OWNER_ACTIVATION;
 * - the rank itself, which waits for the transfer only at its end: ENGINE_OWNER_DETACHED;
 * - nobody: ENGINE_OWNER_NOBODY. */
#define ENGINE_OWNER_NOBODY     UINT32_MAX
#define ENGINE_OWNER_DETACHED   (UINT32_MAX - 1)
#define ENGINE_OWNER_ACTIVATION 0x80000000u

/* Upper limits of a replay, which follow from the bits of a cookie (message.h) and of an owner. */
#define ENGINE_RANK_LIMIT         (1u << 30)
#define ENGINE_COMMUNICATOR_LIMIT (1u << 31)
#define ENGINE_SLOT_LIMIT         ENGINE_OWNER_ACTIVATION
#define ENGINE_OPERATION_LIMIT    UINT32_MAX /* operations of one rank */

/* Upper limit of the data of all members of a collective: an entry of inflight.h holds a size in 61
 * bits. */
#define ENGINE_COLLECTIVE_BYTES_LIMIT (UINT64_C(1) << 60)

typedef enum engine_slot_state {
    ENGINE_SLOT_EMPTY,
    ENGINE_SLOT_PENDING,  /* posted, incomplete */
    ENGINE_SLOT_WAITED,   /* incomplete, and the rank is blocked in a WAIT for it */
    ENGINE_SLOT_DETACHED, /* incomplete, of a persistent send: a test found it complete, and the
                             rank went on */
    ENGINE_SLOT_DONE      /* complete, not waited for yet */
} engine_slot_state;

/* What remains for the rank when it has waited for the operation of a slot. */
typedef enum engine_slot_end {
    ENGINE_SLOT_ENDS,      /* nothing */
    ENGINE_SLOT_TAKES_IN,  /* CPU time for a message */
    ENGINE_SLOT_COLLECTIVE /* the time until the end of a collective */
} engine_slot_end;

struct engine_slot {
    uint32_t operation; /* index among the rank's operations */
    uint16_t state;     /* engine_slot_state */
    uint16_t end;       /* engine_slot_end */
    union {
        int64_t take_in_ps;  /* DONE, RECEIVE: CPU time for taking in the message */
        int64_t done_ps;     /* DONE, COLLECTIVE: time of its end; may be later than now */
        uint32_t send;       /* PENDING, SEND: index in domain.sends */
        uint32_t activation; /* PENDING, COLLECTIVE: index in domain.activations */
        uint32_t receive;    /* EMPTY, RECEIVE of a graph: its number at the rank */
    };
};

typedef enum engine_rank_phase {
    ENGINE_RANK_TIMED,         /* goes on when its timer expires */
    ENGINE_RANK_WAITING,       /* blocked in a WAIT, or before a SEND whose slot is DETACHED */
    ENGINE_RANK_IN_COLLECTIVE, /* blocked in a blocking collective */
    ENGINE_RANK_ENDING, /* at its end, until all operations without which it went on are complete */
    ENGINE_RANK_FINISHED
} engine_rank_phase;

struct engine_rank {
    _Alignas(64) uint64_t current; /* index of its current operation in the program */
    uint64_t first;                /* index of its first operation in the program */
    int64_t clock_ps;              /* its clock; may be ahead of simulated time */
    uint64_t first_slot;           /* index of its first slot in engine.slots */
    uint32_t pending;              /* number of slots it is blocked for */
    uint32_t receives;             /* number of receives posted so far */
    uint32_t domain;
    uint16_t phase;         /* engine_rank_phase */
    bool is_outside_mpi;    /* whether it is outside MPI calls since call_from_ps */
    uint8_t nic;            /* the NIC that it uses, as in network_message */
    int64_t waited_ps;      /* all its waiting so far */
    int64_t call_from_ps;   /* start of its MPI call; outside MPI calls: end of the last one */
    int64_t call_waited_ps; /* waited_ps when the call began */
    uint32_t mpi_function;  /* function of this call: index into domain.mpi_functions */
    uint32_t last_task;  /* index of its last postponed task in domain.tasks; PROGRAM_NONE: none */
    uint32_t mark_count; /* number of its time stamps in the timeline so far */
    uint32_t detached;   /* number of incomplete sends and activations without which it went on */
    struct replay_rank_result result;
};
static_assert(sizeof(struct engine_rank) == 256,
              "a rank is four cache lines, the first the busiest");

/* A send that is not complete at the sender: of a rendezvous, or a ready send above the eager
 * threshold. */
struct engine_send {
    uint32_t rank; /* world rank of the sender; PROGRAM_NONE: the entry is free */
    uint32_t owner;
    bool is_synchronous;
    bool is_cleared_to_send; /* the clear to send has arrived, or none is needed (ready send) */
    uint8_t nic;             /* as in TRANSFER_NIC_SHIFT */
    struct inflight_key key;
    uint64_t size_bytes;
    int64_t requested_ps;   /* when the request was handed to the NIC */
    int64_t arrived_ps;     /* when the request arrived at the receiver */
    int64_t cleared_ps;     /* when the clear to send was handed to the receiver's NIC */
    int64_t cts_arrived_ps; /* when the clear to send arrived at the sender */
};
POOL_DEFINE(engine_send, struct engine_send)

/* A collective in progress on one rank. */
struct engine_activation {
    uint32_t rank;      /* world rank; PROGRAM_NONE: the entry is free */
    uint64_t operation; /* index in the program */
    const struct collective_algorithm *algorithm;
    struct collective_call call;
    uint32_t step;               /* number of the next step to begin */
    uint32_t steps;              /* number of all steps */
    uint32_t pending;            /* number of incomplete transfers of the steps that have begun */
    int64_t clock_ps;            /* its clock; may be ahead of simulated time */
    int64_t deferred_receive_ps; /* receive overhead of messages that arrived before their receive
                                    was posted */
    int64_t combine_ps;          /* CPU time of reductions, spent once pending is 0 */
    int64_t hop_ps;              /* time of the NIC for these steps, spent once pending is 0 */
    bool in_nic;      /* its steps are carried out by the NIC now (collective_step.is_by_nic) */
    bool is_detached; /* a test found it complete: the rank waits for it only at the rank's end */
    /* Of a non-blocking collective: what the activation has waited for since its rank began to wait
     * for the collective. */
    struct replay_collective_wait wait;
};
POOL_DEFINE(engine_activation, struct engine_activation)

/* A task that is postponed until a rank enters an MPI call, and the members that it uses. */
typedef enum engine_task_kind {
    ENGINE_TASK_CTS,       /* sends the clear to send to the sender of a posted receive. key */
    ENGINE_TASK_DATA,      /* sends the data of a send that is cleared to send. `send` */
    ENGINE_TASK_FIN,       /* tells the sender that its data was fetched. key, `send`, arrived_ps */
    ENGINE_TASK_COLLECTIVE /* begins the next steps of a collective. `activation` */
} engine_task_kind;

struct engine_task {
    uint32_t kind; /* engine_task_kind */
    uint32_t next; /* next task in the rank's ring */
    union {
        uint32_t send;       /* DATA, FIN: index in the domain.sends of the sender */
        uint32_t activation; /* COLLECTIVE: index in domain.activations */
    };
    struct inflight_key key; /* CTS, FIN: key of the message */
    int64_t arrived_ps;      /* FIN: when the data arrived */
};
POOL_DEFINE(engine_task, struct engine_task)

/* A lock of a window at a target. It exists as long as a rank holds it (rma_window_lock.c). */
struct engine_rma_window_lock {
    uint32_t target; /* world rank */
    uint32_t communicator;
    uint32_t lock_number; /* program_lock_number */
    uint32_t holders;     /* number of ranks that hold it */
    uint32_t holder;      /* world rank of the latest holder */
    program_lock kind;    /* kind of lock that all holders have */
    uint32_t first, last; /* first and last request that waits for it: indexes in
                             domain.lock_requests; PROGRAM_NONE: none waits */
};

/* The request of a one-sided operation that has arrived at the operation's target. It has what the
 * target needs of the operation, because the target's process may not have the source's program. */
struct engine_rma_request {
    uint64_t reply_bytes; /* bytes of data that the reply carries */
    uint32_t target;      /* world rank */
    uint32_t source;      /* world rank */
    uint32_t envelope;    /* the operation's envelope */
    uint32_t owner;       /* the operation's owner at the source (ENGINE_OWNER_...) */
    uint32_t next;        /* the next request that waits for the same lock; PROGRAM_NONE: none */
    int64_t arrived_ps;   /* when the request arrived */
};
POOL_DEFINE(engine_rma_request, struct engine_rma_request)

/* A read or a write of a file under way. */
struct engine_file_access {
    uint32_t rank;                        /* world rank */
    uint32_t owner;                       /* ENGINE_OWNER_... */
    uint32_t parts;                       /* number of all parts */
    uint32_t sent_parts;                  /* number of parts whose requests were sent */
    uint32_t replied_parts;               /* number of parts whose replies have arrived */
    uint64_t operation;                   /* index in the program */
    int64_t from_ps;                      /* when it began */
    int64_t sent_ps[REPLAY_REQUESTS_MAX]; /* when the latest request with each number was sent */
};
POOL_DEFINE(engine_file_access, struct engine_file_access)

struct replay_engine;
struct engine_graph; /* graph.c */

struct engine_domain {
    struct replay_engine *engine;
    uint32_t index;
    struct inflight_table inflight;
    struct engine_send_pool sends;
    struct engine_activation_pool activations;
    struct engine_task_pool tasks;
    struct engine_rma_window_lock *locks;
    size_t lock_capacity;
    uint32_t lock_count;
    struct engine_rma_request_pool lock_requests; /* that wait for locks */
    struct engine_file_access_pool file_accesses;
    struct replay_mpi_function_result *mpi_functions;
    uint64_t eager_messages;
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t rma_operations;
    uint64_t sent;     /* number of messages with data handed to the transport */
    uint64_t received; /* number of messages with data that have arrived; at the end, its sum over
                          all domains equals the sum of `sent` */
    int64_t last_ps;   /* with a struct replay_companion: time of the domain's last event of
                          the replay */
    struct status failure; /* the first failure; the domain simulates nothing after it */
};

/* State that tells whether any event of the replay is left (quiescence.c). It is used if there is a
 * struct replay_companion. */
struct engine_quiescence {
    bool is_watched;      /* whether there is a replay_companion; else nothing is counted */
    int64_t lag_ps;       /* several groups: upper bound of the lookahead of windows */
    atomic_llong pending; /* number of events of the replay still to come */
    /* Of several processes, after the last window: */
    int64_t elsewhere;     /* sum of `pending` of the other processes */
    int64_t elsewhere_ps;  /* time of the last event of any process */
    atomic_llong since_ps; /* time of the last event; INT64_MAX while any is to come */
};

/* Message sizes of an ALLTOALLV or ALLTOALLW of which only sums are known (engine_pairs.c). */
struct engine_pairs {
    uint32_t first_sum;               /* index of the sums in the program's sizes */
    uint32_t size;                    /* members of the communicator, or of its first group */
    uint32_t remote_size;             /* members of its second group; 0: it has one group */
    struct collective_pairs pairs[2]; /* [0]: from the first group to the second, or within the only
                                         one; [1]: from the second group to the first */
};

/* The cause of one phase of a wait. */
typedef enum engine_wait_cause {
    ENGINE_WAIT_LATE_SENDER,
    ENGINE_WAIT_LATE_RECEIVER,
    ENGINE_WAIT_STORAGE,
    ENGINE_WAIT_NETWORK
} engine_wait_cause;

/* A phase of a wait. It begins where the phase before it ends. */
struct engine_wait_phase {
    engine_wait_cause cause;
    int64_t until_ps;
    int64_t zero_load_ps; /* NETWORK: the time, from the phase's start, that counts as transit; the
                             rest of the phase is queueing */
};

/* Which members of a communicator share a node (engine_nodes.c). Each of the last four arrays holds
 * the array of that name of struct collective_nodes for all communicators, one after another in the
 * order of the program's communicator_members. `first` has two entries for each member, because a
 * communicator needs one entry more than it has nodes, and has at most as many nodes as members. */
struct engine_nodes {
    struct collective_nodes *nodes_of_communicator; /* [communicator]. NULL: no algorithm asks */
    uint32_t *node_of_member;
    uint32_t *place_in_node;
    uint32_t *members;
    uint32_t *first;
};

/* The I/O nodes. */
struct engine_storage {
    uint32_t count;
    struct replay_storage_node *nodes; /* in ascending order; each belongs to its node's domain */
    uint32_t *first;        /* [domain]: index of its first I/O node; domains + 1 entries */
    uint32_t *node_of_rank; /* as node_of_rank of struct replay_engine, which points to it */
};

/* The end of a transfer, and the consecutive phases that led to it. */
struct engine_transfer_end {
    int64_t now_ps;
    int64_t from_ps;    /* when the first phase began */
    int64_t take_in_ps; /* receives: CPU time for taking in the message; sends: 0 */
    unsigned phase_count;
    struct engine_wait_phase phase[6];
};

/* Functions of later layers by which earlier layers report that a transfer or collective is
 * complete. */
struct engine_completions {
    /* A transfer is complete. slot: it belongs to a slot of the rank; detached: the rank went
     * on without it; step: it belongs to an activation. */
    void (*slot)(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                 const struct engine_transfer_end *end);
    void (*detached)(struct engine_domain *domain, uint32_t rank,
                     const struct engine_transfer_end *end);
    void (*step)(struct engine_domain *domain, uint32_t activation,
                 const struct engine_transfer_end *end);
    /* A collective is complete at done_ps. collective: the rank is blocked in it; collective_slot:
     * it belongs to a slot, and `wait` is what it has waited for since its rank waits for it;
     * detached_collective: the rank went on without it. */
    void (*collective)(struct engine_domain *domain, uint32_t rank, int64_t now_ps,
                       int64_t done_ps);
    void (*collective_slot)(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                            int64_t now_ps, int64_t done_ps,
                            const struct replay_collective_wait *wait);
    void (*detached_collective)(struct engine_domain *domain, uint32_t rank, int64_t done_ps);
};

struct replay_engine {
    const struct engine_completions *completions;
    const struct program *program;
    struct program_read_ahead *ahead; /* while ranks run; NULL: all lies in memory */
    const struct placement *placement;
    struct replay_config config;
    const struct network_config *network_config;
    struct engine_storage *storage; /* NULL: files cost no time */
    const uint32_t *node_of_rank;   /* [rank]: its node; the I/O nodes follow */
    uint32_t participant_count;     /* ranks and I/O nodes */
    struct transport *transport;    /* carries the messages; the engine is its sink */
    struct engine_rank *ranks;
    struct engine_slot *slots;
    /* [rank]: latest end of the collectives that the rank went on without */
    int64_t *detached_until_ps;
    /* [rank]: the graph of a rank that is one and has begun, else NULL; NULL: no rank is a graph */
    struct engine_graph **graphs;
    uint32_t graph_functions; /* index into domain.mpi_functions of the sends of graphs; then: their
                                 receives */
    bool names_nics;          /* whether any vertex names a NIC other than 0 */
    struct engine_domain *domains;
    uint32_t domain_count;
    uint32_t *mpi_function_of_region; /* per region: index into domain.mpi_functions; PROGRAM_NONE:
                                         not MPI */
    const char **mpi_function_names;
    uint64_t
        *mpi_function_uses; /* per MPI function: how often the program has it; 0: not surveyed */
    uint32_t mpi_function_count;
    /* Operations that the notes of the result are about. */
    uint64_t unknown_sizes;       /* MPI_Alltoallv and -w of which only sums are known */
    uint64_t local_handles;       /* creations of communicators that cost nothing */
    uint64_t collective_accesses; /* to files, that cost time */
    uint64_t free_accesses;       /* to files, that cost no time: the machine has no I/O nodes */
    uint32_t finalize_function;   /* index into domain.mpi_functions of MPI_Finalize, which exists
                                     even if the trace has no such call */
    uint64_t *size_sums; /* running sums of the program's sizes, from 0; size_count + 1 entries */
    struct engine_pairs *pairs; /* sorted by first_sum, size and remote_size */
    uint32_t pair_count;
    struct engine_nodes nodes;
    struct replay_timeline *timeline; /* NULL unless asked for */
    const int64_t *start_ps;          /* per rank: time of its start; NULL: all at 0 */
    const uint8_t *traffic_classes;   /* per rank; NULL: config.traffic_class for all */
    const struct replay_hosts *hosts; /* factors and noise; NULL: none */
    uint32_t first_rank;              /* number of rank 0 in `hosts` and among all jobs */
    uint64_t first_file;              /* number of file 0 among those of all jobs */
    uint64_t seed;                    /* seed of the noise and of random orders of partners */
    struct engine_quiescence quiescence;
    struct causes *causes;           /* NULL: the replay does not explain its time (causes.h) */
    struct rank_states *rank_states; /* NULL: no time bins are kept (rank_states.h) */
    struct replay_matrix *matrix;    /* NULL: messages are not counted (communication_matrix.h) */
    struct origins *origins;         /* NULL: messages have no labels (origins.h) */
    bool skips_marks;                /* MPI calls and user regions change nothing */
    bool is_observed;                /* whether there are causes, states, a matrix or origins */
};

/* Returns whether anything beyond the results is kept of the time that ranks spend. */
static inline bool engine_is_observed(const struct engine_domain *domain) {
    return HINT_UNLIKELY(domain->engine->is_observed);
}

#endif
