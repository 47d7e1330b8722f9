/*
 * The replay's state and the interfaces between its parts; private to this room.
 *
 *   rank.c        a rank goes through its operations, waits, and accounts for its time
 *   activation.c  a collective in progress on one rank
 *   transfer.c    one message: eager or rendezvous, matched with its receive
 *   remote.c      one one-sided operation: there and back
 *   window_lock.c locks of windows, and who waits for them
 *   progress.c    what waits for a rank to enter an MPI call
 *   threshold.c   the eager threshold that lets blocked ranks go on
 *   stall.c       what ranks that cannot go on wait for
 *   over.c        when nothing of the replay is left to happen
 *
 * Invariant: all mutable state belongs to one domain (or to one rank, which belongs to one domain)
 * and is touched only in callbacks of that domain; so there are no locks. What crosses domains is
 * in the cookies of messages.
 */
#ifndef ANAX_REPLAY_ENGINE_H
#define ANAX_REPLAY_ENGINE_H

#include "replay/collectives/collectives.h"
#include "replay/host_cost.h"
#include "replay/inflight.h"
#include "replay/replay.h"
#include "replay/transport.h"

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

typedef struct engine_slot {
    uint32_t operation; /* counted from the rank's first */
    uint32_t state;     /* slot_state */
    union {
        uint64_t size_bytes; /* DONE, RECEIVE: what was received */
        int64_t done_ps;     /* DONE, COLLECTIVE: may be later than now */
        uint32_t handle;     /* PENDING: of the send or the activation */
    };
} engine_slot;

typedef enum rank_phase {
    RANK_TIMED,         /* a timer will let it go on */
    RANK_WAITING,       /* blocked in a WAIT, or before a SEND whose slot is TESTED */
    RANK_IN_COLLECTIVE, /* blocked in a blocking collective */
    RANK_ENDING,        /* at its end, until what was only tested is complete */
    RANK_FINISHED
} rank_phase;

typedef struct engine_rank {
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
    replay_rank_result result;
    int64_t call_from_ps;   /* when the call began; outside: when the last one ended */
    int64_t call_waited_ps; /* waited_ps when the call began */
    uint32_t call;          /* index into domain.calls */
    uint32_t tasks;         /* last of those put off, in domain.tasks; PROGRAM_NONE: none */
    uint32_t mark;          /* next place in its part of the timeline */
    uint32_t tested;        /* sends and activations that it went on without, incomplete */
} engine_rank;
static_assert(sizeof(engine_rank) == 192, "a rank is three cache lines, the first the busiest");

/* The sending side of a message that is not complete locally: a rendezvous, or a large ready send.
 */
typedef struct engine_send {
    uint32_t rank; /* sender; PROGRAM_NONE: the entry is free */
    uint32_t owner;
    uint32_t next_free;
    bool synchronous;
    bool answered; /* the receiver has cleared it */
    inflight_key key;
    uint64_t size_bytes;
    int64_t requested_ps; /* request handed to the NIC */
    int64_t arrived_ps;   /* request at the receiver */
    int64_t cleared_ps;   /* clear to send handed to the receiver's NIC */
    int64_t answered_ps;  /* clear to send back here */
} engine_send;

/* A collective in progress on one rank. */
typedef struct engine_activation {
    uint32_t rank; /* PROGRAM_NONE: free */
    uint32_t next_free;
    uint64_t operation;
    const collective_algorithm *algorithm;
    collective_call call;
    uint32_t step; /* next to begin */
    uint32_t steps;
    uint32_t pending; /* transfers of the steps begun that are incomplete */
    int64_t clock_ps;
    int64_t owed_ps;    /* receive overhead of messages that were here before their receive */
    int64_t combine_ps; /* to be spent once pending is 0 */
    bool is_tested;     /* a test found it complete: the rank hears of it at its end */
} engine_activation;

/* Something put off until a rank enters an MPI call. */
typedef enum task_kind {
    TASK_ANSWER,    /* to a request whose receive is there: key */
    TASK_DATA,      /* of an answered send: handle */
    TASK_FINISH,    /* telling the sender that its data were fetched: key, handle, arrived_ps */
    TASK_COLLECTIVE /* the next steps: handle is the activation */
} task_kind;

typedef struct engine_task {
    uint32_t kind; /* task_kind */
    uint32_t next; /* in the rank's ring, or in the free list */
    uint32_t handle;
    inflight_key key;
    int64_t arrived_ps;
} engine_task;

/* A lock at a target, as long as it is held (window_lock.c). */
typedef struct window_lock {
    uint32_t target;
    uint32_t communicator;
    uint32_t number; /* program_lock_number */
    uint32_t holders;
    uint32_t holder;      /* the latest */
    program_lock kind;    /* of all who hold it */
    uint32_t first, last; /* waiting, in domain.lock_requests; PROGRAM_NONE: nobody */
} window_lock;

typedef struct lock_request {
    uint64_t operation;
    uint32_t source;
    uint32_t slot;
    uint32_t next;
    int64_t arrived_ps;
} lock_request;

typedef struct engine engine;

typedef struct engine_domain {
    engine *engine;
    uint32_t index;
    inflight_table inflight;
    engine_send *sends;
    size_t send_capacity;
    uint32_t send_count;
    uint32_t free_send; /* PROGRAM_NONE: none */
    engine_activation *activations;
    size_t activation_capacity;
    uint32_t activation_count;
    uint32_t free_activation;
    engine_task *tasks;
    size_t task_capacity;
    uint32_t task_count;
    uint32_t free_task;
    window_lock *locks;
    size_t lock_capacity;
    uint32_t lock_count;
    lock_request *lock_requests;
    size_t lock_request_capacity;
    uint32_t lock_request_count;
    uint32_t free_lock_request;
    replay_call_result *calls;
    uint64_t eager_messages;
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t remote_operations;
    uint64_t sent;     /* messages with data, handed over */
    uint64_t received; /* and taken in: equal in the end, summed over domains */
    int64_t last_ps;   /* with a companion: when the last event of the replay was */
    status failure;    /* the first thing that went wrong; nothing is simulated after it */
} engine_domain;

/* With a companion: whether the replay is over (over.c). */
typedef struct engine_over {
    bool watched;         /* else nothing is counted */
    int64_t lag_ps;       /* no window is longer */
    atomic_llong pending; /* events of the replay that are still to come */
    atomic_llong over_ps; /* when the last one was; INT64_MAX as long as some are to come */
} engine_over;

/* Message sizes of an ALLTOALLV's sums. */
typedef struct engine_pairs {
    uint32_t sizes; /* index in the program's sizes */
    uint32_t size;
    uint32_t remote_size;
    collective_pairs pairs[2];
} engine_pairs;

struct engine {
    const program *program;
    const placement *placement;
    replay_config config;
    const network_config *machine;
    transport *transport; /* which carries the messages; the engine is its sink */
    engine_rank *ranks;
    engine_slot *slots;
    int64_t *tested_until_ps; /* per rank: when the collectives end that it went on without */
    engine_domain *domains;
    uint32_t domain_count;
    uint32_t *call_of_region; /* region -> index into domain.calls; PROGRAM_NONE: not MPI */
    const char **call_names;
    uint32_t call_count;
    uint32_t end_call; /* index into domain.calls: MPI_Finalize, whether the trace has it or not */
    uint64_t *size_sums; /* running sums of the program's sizes, from 0; size_count + 1 */
    engine_pairs *pairs; /* sorted */
    uint32_t pairs_count;
    replay_timeline *timeline; /* NULL unless asked for */
    const int64_t *start_ps;   /* per rank; NULL: all at 0 */
    const replay_hosts *hosts; /* NULL: all alike */
    uint32_t first_rank;       /* of hosts */
    uint64_t seed;             /* of noise */
    engine_over over;
};

/* A stretch of waiting, up to until_ps. */
typedef enum wait_cause { WAIT_LATE_SENDER, WAIT_LATE_RECEIVER, WAIT_NETWORK } wait_cause;

typedef struct wait_phase {
    wait_cause cause;
    int64_t until_ps;
    int64_t zero_load_ps; /* NETWORK: so much from its start is transit, the rest queueing */
} wait_phase;

/* A transfer is complete: when, and what had to happen one after another before. */
typedef struct transfer_end {
    int64_t now_ps;
    int64_t from_ps; /* when the first phase began */
    bool received;   /* else sent */
    uint64_t size_bytes;
    unsigned phase_count;
    wait_phase phase[6];
} transfer_end;

/* engine.c: the ranks of a program, placed on a machine's nodes; the transport reports to it. All
 * but timeline must live as long. */
status_code engine_new(engine **engine, const program *program, const placement *placement,
                       const replay_config *config, const network_config *machine,
                       transport *transport, bool timeline, status *status);
/* Has another transport carry the messages from now on. */
void engine_attach(engine *engine, transport *transport);
void engine_free(engine *engine);
void replay_timeline_free(replay_timeline *timeline);
/* Sets every rank's timer at its start. */
void engine_start(engine *engine);
/* After the transport has run out of events: the first failure of a domain, ranks that cannot go on
 * (stall.c), or messages that were lost. */
status_code engine_check_end(engine *engine, status *status);
/* Remembers the first failure of a domain. */
void engine_fail(engine_domain *domain, status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A rank's clock has passed HOST_TIME_LIMIT_PS: the domain fails, and the clock stops there. */
void engine_pass_limit(engine_domain *domain, uint32_t rank, int64_t *clock_ps);
/* Spends CPU time: adds a cost to a clock of a rank and to a part of its result (NULL: none). */
static inline void engine_spend(engine_domain *domain, uint32_t rank, int64_t *clock_ps,
                                int64_t cost_ps, int64_t *part_ps) {
    *clock_ps += cost_ps;
    if (*clock_ps > HOST_TIME_LIMIT_PS)
        engine_pass_limit(domain, rank, clock_ps);
    else if (part_ps != NULL)
        *part_ps += cost_ps;
}
engine_domain *engine_domain_of_rank(engine *engine, uint32_t rank);
void engine_send_message(engine_domain *domain, int64_t ready_ps, const network_message *message);
void engine_timer(engine_domain *domain, int64_t at_ps, uint32_t rank);
const collective_pairs *engine_find_pairs(const engine *engine, uint32_t sizes, uint32_t size,
                                          uint32_t remote_size);

/* rank.c */
void rank_timer(engine_domain *domain, uint32_t rank, int64_t now_ps);
/* One of the rank's slots is complete. */
void rank_slot_done(engine_domain *domain, uint32_t rank, uint32_t slot, const transfer_end *end);
/* A non-blocking collective is complete at done_ps (>= now_ps). */
void rank_collective_slot_done(engine_domain *domain, uint32_t rank, uint32_t slot, int64_t now_ps,
                               int64_t done_ps);
/* What the rank went on without is complete: a send, or a collective at done_ps. */
void rank_tested_done(engine_domain *domain, uint32_t rank, const transfer_end *end);
void rank_tested_collective_done(engine_domain *domain, uint32_t rank, int64_t done_ps);
/* The blocking collective the rank was in is over at done_ps. */
void rank_collective_done(engine_domain *domain, uint32_t rank, int64_t now_ps, int64_t done_ps);
/* The world rank of a communicator's member as numbered in collective_call. */
uint32_t rank_of_member(const engine *engine, uint32_t communicator, uint32_t member,
                        uint32_t self);

/* activation.c: starts operation `index` of a rank at at_ps; true when it is done at once, at
 * *done_ps, else *handle is set. */
bool activation_start(engine_domain *domain, uint32_t rank, uint64_t index, int64_t at_ps,
                      int64_t *done_ps, uint32_t *handle);
/* Its rank does not wait for it where a test found it complete. */
void activation_tested(engine_domain *domain, uint32_t handle);
/* A collective as it would be carried out. */
typedef struct activation_plan {
    uint32_t rank;
    const program_operation *operation;
    collective_call call;
    const collective_algorithm *algorithm;
    uint32_t steps;
} activation_plan;
/* Plans operation `operation`, a collective of a rank. False: it consists of nothing. */
bool activation_describe(const engine *engine, uint32_t rank, uint64_t operation,
                         activation_plan *plan);
/* One of the plan's steps: the messages of a rank, which posts the receive first. */
typedef struct activation_step {
    uint32_t to; /* world ranks; PROGRAM_NONE: nobody */
    uint32_t from;
    uint32_t send_tag;
    uint32_t receive_tag;
    uint64_t send_bytes;
    uint64_t receive_bytes;
    int64_t combine_ps; /* once this and all before it are complete */
    bool wait;          /* for which the next step waits */
} activation_step;
void activation_messages(const engine *engine, const activation_plan *plan, uint32_t number,
                         activation_step *messages);
/* Goes on with a non-blocking collective whose rank has entered an MPI call. */
void activation_resume(engine_domain *domain, uint32_t activation, int64_t at_ps);
void activation_transfer_done(engine_domain *domain, uint32_t activation, const transfer_end *end);

/* In transfer_send's flags, beside the program's: a message of a window, not counted. */
#define TRANSFER_OF_WINDOW 256u

/* transfer.c: hands a message to the NIC at at_ps; key->source is the sender. True: complete
 * locally, the owner hears no more of it; else *handle is set. */
bool transfer_send(engine_domain *domain, uint32_t owner, const inflight_key *key,
                   uint64_t size_bytes, unsigned flags, int64_t at_ps, uint32_t *handle);
/* From now on it is the rank at its end that hears of a send. */
void transfer_tested(engine_domain *domain, uint32_t handle);
/* A send without a receive: sent, and dropped on arrival. */
void transfer_send_unmatched(engine_domain *domain, uint32_t source, uint32_t destination,
                             uint64_t size_bytes, uint64_t operation, int64_t at_ps);
/* Posts a receive at at_ps. True: the message is already here, of *size_bytes. */
bool transfer_receive(engine_domain *domain, uint32_t owner, const inflight_key *key, int64_t at_ps,
                      uint64_t *size_bytes);
void transfer_delivered(engine_domain *domain, int64_t now_ps, const network_delivery *delivery);
/* The sender and receiver of a message with data; false for control messages. */
bool transfer_ranks(const network_message *message, uint32_t *sender, uint32_t *receiver);
void transfer_sent(engine_domain *domain, int64_t now_ps, const network_cookie *cookie);
/* What progress puts off: answers a request whose receive is posted; sends the data of an answered
 * send; tells a sender that its data, which were here at arrived_ps, have been fetched. */
void transfer_answer(engine_domain *domain, const inflight_key *key, int64_t at_ps);
void transfer_data(engine_domain *domain, uint32_t handle, int64_t at_ps);
void transfer_finish(engine_domain *domain, const inflight_key *key, uint32_t handle,
                     int64_t arrived_ps, int64_t at_ps);
/* Completes all sends of at most size_bytes that wait for their receiver, as if they had been
 * eager. */
void transfer_release(engine_domain *domain, uint64_t size_bytes);
/* Tells the owner, a slot of that rank or an activation. */
void transfer_complete(engine_domain *domain, uint32_t rank, uint32_t owner,
                       const transfer_end *end);

/* remote.c: a one-sided operation, for one of the source's slots or nobody; complete when the
 * answer is back. */
void remote_send(engine_domain *domain, uint32_t source, uint64_t operation, uint32_t owner,
                 int64_t at_ps);
/* Its bytes on the way to the peer (direction PROGRAM_REMOTE_WRITE) and with the answer (…_READ):
 * data or a control message. */
uint64_t remote_bytes(const engine *engine, const program_operation *operation, unsigned direction);
/* It has arrived at its peer; its answer is back. */
void remote_delivered(engine_domain *domain, int64_t now_ps, const network_delivery *delivery);
void remote_answered(engine_domain *domain, int64_t now_ps, const network_delivery *delivery);

/* window_lock.c: a request has arrived at its target. False: it waits in line. */
bool window_lock_take(engine_domain *domain, const lock_request *request);
/* An unlock has arrived; after it, and after each one granted, the next in line that can have the
 * lock, if there is one. */
void window_lock_give_back(engine_domain *domain, const program_operation *operation);
bool window_lock_next(engine_domain *domain, const program_operation *operation,
                      lock_request *granted);

/* progress.c: is the rank computing at that time, so that its part of the protocol must wait? */
bool progress_is_outside(const engine_domain *domain, uint32_t rank, int64_t now_ps);
void progress_put_off(engine_domain *domain, uint32_t rank, const engine_task *task);
/* The rank enters an MPI call (or has finished): carries out what was put off, at its clock. */
void progress_enter(engine_domain *domain, engine_rank *rank);

/* threshold.c: goes on from where the ranks are stuck, or from the start of a new engine. The
 * smallest eager threshold in bytes, not below the engine's, with which all ranks finish, or -1
 * when none does. Destroys the state. */
int64_t threshold_from_here(engine *engine);
int64_t threshold_from_start(engine *engine);

/* over.c: one more event is to come; one has been dealt with; and whether all were, as seen by a
 * domain at now_ps. */
void over_expect(engine *engine);
void over_done(engine_domain *domain, int64_t now_ps);
bool over_is(engine *engine, int64_t now_ps);

/* stall.c: STATUS_RUN with the report; called when there are no events left and not all ranks have
 * finished. */
status_code stall_report(engine *engine, status *status);

#endif
