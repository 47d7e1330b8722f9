/*
 * The state of replays on ideal machines that need no queue of events. Used by ideal_flow.c and
 * flow_messages.c alone.
 */
#ifndef ANAX_REPLAY_FLOW_STATE_H
#define ANAX_REPLAY_FLOW_STATE_H

#include "core/base/prefetch.h"
#include "core/memory/map.h"
#include "core/memory/pool.h"
#include "replay/engine/activation.h"
#include "replay/engine/engine_state.h"
#include "replay/host_cost.h"
#include "replay/ideal_flow.h"
#include "replay/transport/transport_idle.h"

/* A time on each of the ideal machines. */
struct flow_times {
    int64_t ps[IDEAL_RUNS];
};

/* CPU time, by flow_sort: the machine IDEAL_FREE has costs of its own. */
struct flow_cost {
    int64_t ps[2];
};
static inline unsigned flow_sort(unsigned machine) {
    return machine == IDEAL_FREE ? 0 : 1;
}

/* The costs of a message, which are the same for equal messages. */
struct flow_costs {
    uint64_t size_bytes;
    uint32_t known_path; /* replay_message_path and 1; 0: none is known here */
    struct flow_cost send;
    struct flow_cost completion;
    struct flow_cost receive;
};
#define FLOW_COSTS_BITS 6u

/* Something that a waiter waits for, and that has come. */
struct flow_arrival {
    struct flow_times at;
    struct flow_cost cost; /* for taking it in */
    uint32_t next;         /* in the waiter's list, or for the pool */
};
POOL_DEFINE(flow_arrival, struct flow_arrival)

/* Whoever waits: a rank, or a collective on one rank. */
struct flow_waiter {
    struct flow_times clock;
    uint32_t arrived; /* list of what has come; POOL_NONE: nothing */
    uint32_t pending; /* how much is still to come */
    bool is_blocked;  /* until nothing is to come */
};
#define FLOW_NO_WAITER UINT32_MAX       /* nobody waits yet */
#define FLOW_NOBODY    (UINT32_MAX - 1) /* nobody will wait */

typedef enum flow_state {
    FLOW_FREE,
    FLOW_POSTED,   /* the receive was posted */
    FLOW_ARRIVED,  /* the message has arrived */
    FLOW_REQUESTED /* the request of a rendezvous has arrived */
} flow_state;

/* A message, or its receive, that the other side does not know yet. */
struct flow_message {
    struct inflight_key key;
    uint32_t state; /* flow_state */
    uint32_t path;  /* ARRIVED: replay_message_path that says the costs */
    union {
        uint32_t waiter; /* POSTED: number of the waiter, or FLOW_NO… */
        uint32_t owner;  /* REQUESTED: of the send (engine_state.h) */
    };
    uint64_t size_bytes;
    struct flow_times at; /* when that was */
};
static_assert(sizeof(struct flow_message) == 64, "a message is a cache line");

static inline bool flow_message_is_used(const struct flow_message *message) {
    return message->state != FLOW_FREE;
}
/* Hashes all members in less time than inflight_hash does. */
static inline uint64_t flow_hash(const struct inflight_key *key) {
    const uint64_t receive = (uint64_t)key->rank << 32 | key->number;
    const uint64_t rest = (uint64_t)key->source << 32 | (key->tag ^ key->communicator);
    return map_hash(receive ^ map_hash(rest) >> 7);
}
MAP_DEFINE(flow_message, struct flow_message, struct inflight_key, flow_hash, inflight_is_same,
           flow_message_is_used)

typedef enum flow_slot_state {
    FLOW_SLOT_COMPLETE, /* since it was posted */
    FLOW_SLOT_DONE,     /* at a known time */
    FLOW_SLOT_RECEIVES, /* `source` and `number` say what */
    FLOW_SLOT_PENDING,  /* a send or a collective */
    FLOW_SLOT_WAITED    /* the same, and the rank waits for it */
} flow_slot_state;

struct flow_slot {
    uint16_t state; /* flow_slot_state */
    bool is_collective;
    uint32_t source;
    uint32_t number;      /* of the receive */
    struct flow_times at; /* RECEIVES: when it was posted; DONE: when the rest was complete */
};

struct flow_rank {
    _Alignas(64) struct flow_waiter waiter;
    uint64_t next; /* index of its current operation */
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
    uint32_t next; /* for the pool */
};
POOL_DEFINE(flow_collective, struct flow_collective)

/* Why the times are not found. */
typedef enum flow_stop { FLOW_GOES_ON, FLOW_IS_UNKNOWN, FLOW_OUT_OF_MEMORY } flow_stop;

/* Part of an arrival on one machine. */
struct flow_taken {
    int64_t at_ps;
    int64_t cost_ps;
};

struct flow {
    const struct flow_task *task;
    struct engine *engine; /* says costs, algorithms and messages, and runs nothing */
    const struct replay_config *configs[2]; /* by flow_sort */
    struct transport_idle idle;
    struct flow_rank *ranks;
    struct flow_slot *slots; /* as engine.slots */
    struct flow_message_map messages;
    uint32_t messages_most; /* more are left to replays with events */
    struct flow_arrival_pool arrivals;
    struct flow_collective_pool collectives;
    struct flow_costs costs[1u << FLOW_COSTS_BITS];
    struct flow_taken *taken; /* room for sorting */
    size_t taken_capacity;
    /* Waiters that can go on, in a ring; its capacity is a power of two. */
    uint32_t *ready;
    uint32_t ready_capacity;
    uint32_t ready_first;
    uint32_t ready_count;
    uint64_t done; /* operations that are behind ranks */
    flow_stop stop;
};

/* Waiters are numbered: the ranks, then the collectives by their index in the pool. */
static inline struct flow_waiter *flow_waiter_at(struct flow *flow, uint32_t number) {
    const uint32_t ranks = flow->task->program->rank_count;
    return number < ranks ? &flow->ranks[number].waiter
                          : &flow->collectives.items[number - ranks].waiter;
}

static inline void flow_is_unknown(struct flow *flow) {
    if (flow->stop == FLOW_GOES_ON) flow->stop = FLOW_IS_UNKNOWN;
}

/* Spends CPU time. Times that are too large are left to replays with events. */
static inline void flow_spend(struct flow *flow, struct flow_times *clock,
                              const struct flow_cost *cost) {
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++) {
        clock->ps[machine] += cost->ps[flow_sort(machine)];
        if (clock->ps[machine] >= HOST_TIME_LIMIT_PS) {
            clock->ps[machine] = 0;
            flow_is_unknown(flow);
        }
    }
}

/* Returns the costs of a message, valid until the next call. path: cost_path. */
const struct flow_costs *flow_costs_of(struct flow *flow, replay_message_path path,
                                       uint64_t size_bytes);

/* Lets a waiter go on when its turn comes. */
void flow_make_ready(struct flow *flow, uint32_t waiter);
/* Notes that something has come for a waiter. */
void flow_arrive(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                 const struct flow_cost *cost);
/* The same for something that was pending. */
void flow_arrive_pending(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                         const struct flow_cost *cost);
/* Takes in all that has come for a waiter, by the order of arrival on each machine. */
void flow_take_in(struct flow *flow, struct flow_waiter *waiter);
/* Ends what a rank's slot stands for, at a time. */
void flow_slot_done(struct flow *flow, uint32_t rank, uint32_t slot, const struct flow_times *at);

/* Prefetches the entry of a message. */
PREFETCH_FUNCTION void flow_fetch(const struct flow *flow, const struct inflight_key *key) {
    const struct flow_message_map *map = &flow->messages;
    if (map->capacity > 0) __builtin_prefetch(&map->entries[flow_message_map_home(map, key)], 1);
}

/* Sends a message at `ready`, by the path of its protocol. A send that is not copied ends when the
 * NIC or the receiver says so, for its owner (engine_state.h). */
void flow_send(struct flow *flow, const struct inflight_key *key, uint32_t owner,
               replay_message_path path, uint64_t size_bytes, const struct flow_times *ready);
/* Posts a receive at a time, for a waiter or FLOW_NO…; or names the waiter of a posted one. Returns
 * whether the message is still to come. If it has come, it is among what has arrived for the
 * waiter. */
bool flow_receive(struct flow *flow, const struct inflight_key *key, uint32_t waiter,
                  const struct flow_times *posted);

#endif
