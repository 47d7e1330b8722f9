/*
 * The state of replays on ideal machines that need no queue of events. Used by ideal_flow.c and
 * flow_messages.c alone. They include headers of replay/engine, so that costs, kinds of messages
 * and steps of collectives are those of replays with events; they run no engine.
 */
#ifndef ANAX_REPLAY_FLOW_STATE_H
#define ANAX_REPLAY_FLOW_STATE_H

#include "core/base/prefetch.h"
#include "core/memory/map.h"
#include "core/memory/pool.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"
#include "replay/ideal/ideal_flow.h"
#include "replay/transport/transport_idle.h"

/* A time on each of the ideal machines. */
struct flow_times {
    int64_t ps[IDEAL_RUNS];
};

/* CPU time on each machine, indexed by flow_cost_index: 0 for IDEAL_FREE, 1 for the others. */
struct flow_cost {
    int64_t ps[2];
};
/* Returns the index of the costs of a machine. */
static inline unsigned flow_cost_index(unsigned machine) {
    return machine == IDEAL_FREE ? 0 : 1;
}

/* A cached set of costs, those of all messages with this size and path. */
struct flow_costs {
    uint64_t size_bytes;
    uint32_t known_path_plus_1; /* a replay_message_path; 0: the entry is empty */
    struct flow_cost send;
    struct flow_cost completion;
    struct flow_cost receive;
};
#define FLOW_COSTS_BITS 6u

/* The arrival of something that a waiter waits for, not taken in yet. */
struct flow_arrival {
    struct flow_times at;
    struct flow_cost cost; /* for taking it in */
    uint32_t next;         /* in the waiter's list */
};
POOL_DEFINE(flow_arrival, struct flow_arrival)

/* A rank, or a collective in progress on one rank. */
struct flow_waiter {
    struct flow_times clock;
    uint32_t arrived; /* list of its arrivals; POOL_NONE: there is none */
    uint32_t pending; /* number of arrivals still to come */
    bool is_blocked;  /* until `pending` is 0 */
};
/* Values that stand for the number of a waiter. */
#define FLOW_NO_WAITER UINT32_MAX       /* no waiter yet */
#define FLOW_NOBODY    (UINT32_MAX - 1) /* never a waiter */

typedef enum flow_state {
    FLOW_FREE,
    FLOW_POSTED,   /* the receive was posted */
    FLOW_ARRIVED,  /* the message has arrived */
    FLOW_REQUESTED /* the request of a rendezvous has arrived */
} flow_state;

/* A message without its receive, or a receive without its message. */
struct flow_message {
    struct inflight_key key;
    uint32_t state; /* flow_state */
    uint32_t path;  /* ARRIVED: replay_message_path that says the costs */
    union {
        uint32_t waiter; /* POSTED: number of the waiter, or FLOW_NO… */
        uint32_t owner;  /* REQUESTED: of the send (engine_state.h) */
    };
    uint64_t size_bytes;
    struct flow_times at; /* when the state began */
};
static_assert(sizeof(struct flow_message) == 64, "a message is a cache line");

/* Returns whether an entry is used. */
static inline bool flow_message_is_used(const struct flow_message *message) {
    return message->state != FLOW_FREE;
}
/* Hashes all members in less time than inflight_hash does. */
static inline uint64_t flow_hash(const struct inflight_key *key) {
    const uint64_t receive = (uint64_t)key->rank << 32 | key->sequence;
    const uint64_t rest = (uint64_t)key->source << 32 | (key->tag ^ key->communicator);
    return map_hash(receive ^ map_hash(rest) >> 7);
}
MAP_DEFINE(flow_message, struct flow_message, struct inflight_key, flow_hash, inflight_is_same,
           flow_message_is_used)

typedef enum flow_slot_state {
    FLOW_SLOT_COMPLETE, /* since it was posted */
    FLOW_SLOT_DONE,     /* at a known time */
    FLOW_SLOT_RECEIVES, /* `source` and `receive` say what */
    FLOW_SLOT_PENDING,  /* an incomplete send or collective */
    FLOW_SLOT_WAITED    /* an incomplete send or collective for which the rank waits */
} flow_slot_state;

struct flow_slot {
    uint16_t state; /* flow_slot_state */
    bool is_collective;
    uint32_t source;
    uint32_t receive; /* its number at the rank */
    union {
        struct flow_times posted; /* RECEIVES: when the receive was posted */
        struct flow_times done;   /* DONE: when the operation was complete */
    };
};

struct flow_rank {
    _Alignas(64) struct flow_waiter waiter;
    uint64_t current; /* index of its current operation */
    uint64_t first_slot;
    uint32_t receives; /* posted so far */
    bool is_waiting;   /* its current operation is a WAIT that it has begun */
    bool is_finished;
};

/* A collective in progress on one rank. */
struct flow_collective {
    struct flow_waiter waiter;
    struct flow_cost combine; /* of reductions, spent once nothing is pending */
    struct activation_plan plan;
    uint32_t step; /* number of the next one to begin */
};
POOL_DEFINE(flow_collective, struct flow_collective)

/* Whether the replay goes on; FLOW_GIVEN_UP: replays with events must find the times. */
typedef enum flow_stop { FLOW_GOES_ON, FLOW_GIVEN_UP, FLOW_OUT_OF_MEMORY } flow_stop;

/* An arrival on one machine. */
struct flow_taken {
    int64_t at_ps;
    int64_t cost_ps;
};

struct flow {
    const struct flow_task *task;
    struct replay_engine *engine; /* never started: gives costs, algorithms and messages */
    const struct replay_config *configs[2]; /* [flow_cost_index] */
    struct transport_idle idle;
    struct flow_rank *ranks;
    struct flow_slot *slots; /* as engine.slots */
    struct flow_message_map messages;
    uint32_t messages_max; /* most entries in `messages`; with more the replay gives up */
    struct flow_arrival_pool arrivals;
    struct flow_collective_pool collectives;
    struct flow_costs costs[1u << FLOW_COSTS_BITS];
    struct flow_taken *taken; /* room for sorting */
    size_t taken_capacity;
    /* Ring of the numbers of ready waiters; its capacity is a power of two. */
    uint32_t *ready;
    uint32_t ready_capacity;
    uint32_t ready_first;
    uint32_t ready_count;
    uint64_t done; /* operations that ranks have completed */
    flow_stop stop;
};

/* Waiters are numbered: the ranks, then the collectives by their index in the pool. */
static inline struct flow_waiter *flow_waiter_at(struct flow *flow, uint32_t number) {
    const uint32_t ranks = flow->task->program->rank_count;
    return number < ranks ? &flow->ranks[number].waiter
                          : &flow->collectives.items[number - ranks].waiter;
}

/* Leaves the program to replays with events. */
static inline void flow_give_up(struct flow *flow) {
    if (flow->stop == FLOW_GOES_ON) flow->stop = FLOW_GIVEN_UP;
}

/* Spends CPU time on a clock. Gives up if the clock passes HOST_TIME_LIMIT_PS. */
static inline void flow_spend(struct flow *flow, struct flow_times *clock,
                              const struct flow_cost *cost) {
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++) {
        clock->ps[machine] += cost->ps[flow_cost_index(machine)];
        if (clock->ps[machine] >= HOST_TIME_LIMIT_PS) {
            clock->ps[machine] = 0;
            flow_give_up(flow);
        }
    }
}

/* Returns the costs of a message, valid until the next call. path: message_cost_path. */
const struct flow_costs *flow_costs_of(struct flow *flow, replay_message_path path,
                                       uint64_t size_bytes);

/* Appends a waiter to the ring of ready waiters. */
void flow_make_ready(struct flow *flow, uint32_t waiter);
/* Adds an arrival at the times *at, which costs *cost to take in, to those of a waiter. */
void flow_arrive(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                 const struct flow_cost *cost);
/* Does the same for something that was pending. A blocked waiter with nothing pending gets ready.
 */
void flow_arrive_pending(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                         const struct flow_cost *cost);
/* Takes in all arrivals of a waiter, on each machine in the order of their times. */
void flow_take_in(struct flow *flow, struct flow_waiter *waiter);
/* Completes the operation of a rank's slot at the times *at. */
void flow_slot_done(struct flow *flow, uint32_t rank, uint32_t slot, const struct flow_times *at);

/* Prefetches the entry of a message. */
PREFETCH_FUNCTION void flow_fetch(const struct flow *flow, const struct inflight_key *key) {
    const struct flow_message_map *map = &flow->messages;
    if (map->capacity > 0) __builtin_prefetch(&map->entries[flow_message_map_home(map, key)], 1);
}

/* Sends a message at the times *ready. Unless it is copied, its owner (engine_state.h) is told when
 * the send is complete. */
void flow_send(struct flow *flow, const struct inflight_key *key, uint32_t owner,
               replay_message_path path, uint64_t size_bytes, const struct flow_times *ready);
/* Posts a receive at the times *posted, or sets the waiter of a posted receive. waiter: a number,
 * FLOW_NO_WAITER or FLOW_NOBODY. Returns true if the message is still to come. Otherwise the
 * message is among the waiter's arrivals, or for FLOW_NO_WAITER waits to be taken; or memory is
 * short, and flow->stop says so. */
bool flow_receive(struct flow *flow, const struct inflight_key *key, uint32_t waiter,
                  const struct flow_times *posted);

#endif
