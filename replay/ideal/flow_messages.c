/*
 * Messages and waiters of replays without a queue of events: when each message arrives on each
 * ideal machine, and which waiter takes it in.
 *
 * Must not know: programs. Invariant: a message matches its receive once, whichever comes first.
 */
#include "replay/ideal/flow_state.h"

#include "core/memory/memory.h"
#include "replay/engine/state/message.h"

/* ---------------------------------------------------------------- costs */

const struct flow_costs *flow_costs_of(struct flow *flow, replay_message_path path,
                                       uint64_t size_bytes) {
    const uint64_t hash = map_hash(size_bytes << 2 | (unsigned)path);
    struct flow_costs *costs = &flow->costs[hash >> (64 - FLOW_COSTS_BITS)];
    if (costs->size_bytes == size_bytes && costs->known_path_plus_1 == (uint32_t)path + 1)
        return costs;
    costs->size_bytes = size_bytes;
    costs->known_path_plus_1 = (uint32_t)path + 1;
    for (unsigned index = 0; index < 2; index++) {
        const struct replay_config *config = flow->configs[index];
        costs->send.ps[index] = host_message_send_cost_ps(config, path, size_bytes);
        costs->completion.ps[index] = host_message_completion_cost_ps(config, path, size_bytes);
        costs->receive.ps[index] = host_message_receive_cost_ps(config, path, size_bytes);
    }
    return costs;
}

static const struct flow_cost nothing = {{0, 0}};

/* ---------------------------------------------------------------- waiters */

/* Doubles the ring of ready waiters. Returns false if out of memory. */
HINT_RARE static bool enlarge_ready(struct flow *flow) {
    const uint32_t capacity = flow->ready_capacity > 0 ? 2 * flow->ready_capacity : 1024;
    uint32_t *ready = memory_new(capacity, sizeof *ready);
    if (ready == NULL) return false;
    for (uint32_t i = 0; i < flow->ready_count; i++)
        ready[i] = flow->ready[(flow->ready_first + i) & (flow->ready_capacity - 1)];
    free(flow->ready);
    flow->ready = ready;
    flow->ready_capacity = capacity;
    flow->ready_first = 0;
    return true;
}

void flow_make_ready(struct flow *flow, uint32_t waiter) {
    if (flow->ready_count == flow->ready_capacity && !enlarge_ready(flow)) {
        flow->stop = FLOW_OUT_OF_MEMORY;
        return;
    }
    flow->ready[(flow->ready_first + flow->ready_count++) & (flow->ready_capacity - 1)] = waiter;
}

void flow_arrive(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                 const struct flow_cost *cost) {
    const uint32_t index = flow_arrival_pool_take(&flow->arrivals);
    if (index == POOL_NONE) {
        flow->stop = FLOW_OUT_OF_MEMORY;
        return;
    }
    struct flow_waiter *of = flow_waiter_at(flow, waiter);
    flow->arrivals.items[index] =
        (struct flow_arrival){.at = *at, .cost = *cost, .next = of->arrived};
    of->arrived = index;
}

void flow_arrive_pending(struct flow *flow, uint32_t waiter, const struct flow_times *at,
                         const struct flow_cost *cost) {
    flow_arrive(flow, waiter, at, cost);
    struct flow_waiter *of = flow_waiter_at(flow, waiter);
    if (--of->pending > 0 || !of->is_blocked) return;
    of->is_blocked = false;
    flow_make_ready(flow, waiter);
}

static int by_time(const void *one, const void *other) {
    const struct flow_taken *a = one, *b = other;
    return a->at_ps < b->at_ps ? -1 : a->at_ps > b->at_ps;
}

/* Sorts arrivals by time. Arrivals of the same time may be in any order, since only the sum of
 * their costs matters. */
static void sort_arrivals(struct flow_taken *taken, size_t count) {
    enum { INSERTION_MAX = 16 };
    if (count > INSERTION_MAX) {
        qsort(taken, count, sizeof *taken, by_time);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const struct flow_taken moved = taken[i];
        size_t at = i;
        for (; at > 0 && taken[at - 1].at_ps > moved.at_ps; at--)
            taken[at] = taken[at - 1];
        taken[at] = moved;
    }
}

/* Returns the clock after taking in something that came at at_ps. */
static int64_t clock_after(struct flow *flow, int64_t clock_ps, int64_t at_ps, int64_t cost_ps) {
    const int64_t end_ps = (at_ps > clock_ps ? at_ps : clock_ps) + cost_ps;
    if (end_ps < HOST_TIME_LIMIT_PS) return end_ps;
    flow_give_up(flow);
    return 0;
}

/* Takes in the arrivals of a waiter on one machine: first those before its clock, which need no
 * order, then the others by time. */
static void take_in_on(struct flow *flow, struct flow_waiter *waiter, unsigned machine) {
    const unsigned which = flow_cost_index(machine);
    size_t later = 0;
    int64_t clock_ps = waiter->clock.ps[machine];
    const int64_t begin_ps = clock_ps;
    for (uint32_t i = waiter->arrived; i != POOL_NONE; i = flow->arrivals.items[i].next) {
        const struct flow_arrival *arrival = &flow->arrivals.items[i];
        const int64_t at_ps = arrival->at.ps[machine], cost_ps = arrival->cost.ps[which];
        if (at_ps <= begin_ps)
            clock_ps = clock_after(flow, clock_ps, at_ps, cost_ps);
        else
            flow->taken[later++] = (struct flow_taken){at_ps, cost_ps};
    }
    sort_arrivals(flow->taken, later);
    for (size_t i = 0; i < later; i++)
        clock_ps = clock_after(flow, clock_ps, flow->taken[i].at_ps, flow->taken[i].cost_ps);
    waiter->clock.ps[machine] = clock_ps;
}

void flow_take_in(struct flow *flow, struct flow_waiter *waiter) {
    void *taken = flow->taken;
    size_t count = 0;
    for (uint32_t i = waiter->arrived; i != POOL_NONE; i = flow->arrivals.items[i].next)
        count++;
    if (count == 0) return;
    if (memory_grow(&taken, &flow->taken_capacity, count, sizeof *flow->taken, NULL) != STATUS_OK) {
        flow->stop = FLOW_OUT_OF_MEMORY;
        return;
    }
    flow->taken = taken;
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++)
        take_in_on(flow, waiter, machine);
    for (uint32_t i = waiter->arrived; i != POOL_NONE;) {
        const uint32_t next = flow->arrivals.items[i].next;
        flow_arrival_pool_give(&flow->arrivals, i);
        i = next;
    }
    waiter->arrived = POOL_NONE;
}

void flow_slot_done(struct flow *flow, uint32_t rank, uint32_t slot, const struct flow_times *at) {
    struct flow_slot *of = &flow->slots[flow->ranks[rank].first_slot + slot];
    const bool is_waited_for = of->state == FLOW_SLOT_WAITED;
    of->state = FLOW_SLOT_DONE;
    of->done = *at;
    if (is_waited_for) flow_arrive_pending(flow, rank, at, &nothing);
}

/* ---------------------------------------------------------------- messages */

/* Returns times that are later by the time of a message, by_ps: only on IDEAL_DISTANCE, the only
 * machine on which messages take time. */
static struct flow_times after_message(struct flow *flow, const struct flow_times *times,
                                       int64_t by_ps) {
    struct flow_times result = *times;
    result.ps[IDEAL_DISTANCE] += by_ps;
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++)
        if (result.ps[machine] >= NETWORK_TIME_LIMIT_PS) flow_give_up(flow);
    return result;
}

static int64_t time_of(const struct flow *flow, const struct network_message *message) {
    return transport_zero_load_ps(&flow->idle.transport, message);
}

/* Returns the time of a control message between two ranks. */
static int64_t control_ps(const struct flow *flow, uint32_t from, uint32_t to) {
    const struct network_message message = message_control_between(flow->engine, from, to);
    return time_of(flow, &message);
}

/* Notifies the owner of a send that it is complete. */
static void complete_send(struct flow *flow, uint32_t rank, uint32_t owner,
                          const struct flow_times *at) {
    if (owner == ENGINE_OWNER_NOBODY) return;
    if (owner & ENGINE_OWNER_ACTIVATION)
        flow_arrive_pending(flow,
                            flow->task->program->rank_count + (owner & ~ENGINE_OWNER_ACTIVATION),
                            at, &nothing);
    else
        flow_slot_done(flow, rank, owner, at);
}

/* Completes a send when the last byte of its data, ready at `ready`, has left the NIC. */
static void complete_when_sent(struct flow *flow, const struct inflight_key *key, uint32_t owner,
                               const struct network_message *message,
                               const struct flow_times *ready) {
    if (owner == ENGINE_OWNER_NOBODY) return;
    const int64_t sent_ps = network_idle_sent_ps(flow->idle.network, message);
    const struct flow_times sent = after_message(flow, ready, sent_ps);
    complete_send(flow, key->source, owner, &sent);
}

/* Carries out a rendezvous whose request has arrived and whose receive is posted. Returns when the
 * data arrive. */
static struct flow_times match_rendezvous(struct flow *flow, const struct inflight_key *key,
                                          uint32_t owner, uint64_t size_bytes,
                                          const struct flow_times *requested,
                                          const struct flow_times *posted) {
    const int64_t back_ps = control_ps(flow, key->rank, key->source);
    const struct network_message data =
        message_between(flow->engine, key->source, key->rank, size_bytes);
    struct flow_times cleared = *requested;
    for (unsigned machine = 0; machine < IDEAL_RUNS; machine++)
        if (posted->ps[machine] > cleared.ps[machine]) cleared.ps[machine] = posted->ps[machine];
    const struct flow_times answered = after_message(flow, &cleared, back_ps);
    const struct flow_times arrived = after_message(flow, &answered, time_of(flow, &data));
    if (flow->engine->config.rendezvous == REPLAY_RENDEZVOUS_GET) {
        const struct flow_times finished = after_message(flow, &arrived, back_ps);
        complete_send(flow, key->source, owner, &finished);
    } else {
        complete_when_sent(flow, key, owner, &data, &answered);
    }
    return arrived;
}

/* Returns the entry of a message; NULL: out of memory. */
static struct flow_message *entry_of(struct flow *flow, const struct inflight_key *key,
                                     bool *is_new) {
    struct flow_message_map *map = &flow->messages;
    /* Half of the entries stay free, so that a search looks at few of them: each is a cache line.
     */
    const bool fits = map->count < map->capacity / 2 || flow_message_map_grow(map);
    struct flow_message *entry =
        fits ? flow_message_map_find_or_add(&flow->messages, key, is_new) : NULL;
    if (entry == NULL) flow->stop = FLOW_OUT_OF_MEMORY;
    if (flow->messages.count > flow->messages_max) flow_give_up(flow);
    return entry;
}

/* Delivers a message. If a waiter waits for its receive, the message goes to the waiter and the
 * entry is removed; otherwise the entry becomes that of the arrived message. path:
 * message_cost_path.
 */
static void deliver_message(struct flow *flow, struct flow_message *entry, bool is_new,
                            replay_message_path path, uint64_t size_bytes,
                            const struct flow_times *at) {
    const uint32_t waiter = is_new ? FLOW_NO_WAITER : entry->waiter;
    if (waiter == FLOW_NO_WAITER) {
        entry->state = FLOW_ARRIVED;
        entry->path = (uint32_t)path;
        entry->size_bytes = size_bytes;
        entry->at = *at;
        return;
    }
    flow_message_map_remove(&flow->messages, entry);
    if (waiter == FLOW_NOBODY) return;
    flow_arrive_pending(flow, waiter, at, &flow_costs_of(flow, path, size_bytes)->receive);
}

void flow_send(struct flow *flow, const struct inflight_key *key, uint32_t owner,
               replay_message_path path, uint64_t size_bytes, const struct flow_times *ready) {
    bool is_new;
    struct flow_message *entry;
    const replay_message_path costs = message_cost_path(flow->engine, key->source, key->rank, path);
    flow_fetch(flow, key);
    if (path != REPLAY_MESSAGE_RENDEZVOUS) {
        const struct network_message message =
            message_between(flow->engine, key->source, key->rank, size_bytes);
        const struct flow_times at = after_message(flow, ready, time_of(flow, &message));
        entry = entry_of(flow, key, &is_new);
        if (entry == NULL) return;
        deliver_message(flow, entry, is_new, costs, size_bytes, &at);
        if (path == REPLAY_MESSAGE_DIRECT) complete_when_sent(flow, key, owner, &message, ready);
        return;
    }
    const struct flow_times requested =
        after_message(flow, ready, control_ps(flow, key->source, key->rank));
    entry = entry_of(flow, key, &is_new);
    if (entry == NULL) return;
    if (is_new) {
        entry->state = FLOW_REQUESTED;
        entry->owner = owner;
        entry->size_bytes = size_bytes;
        entry->at = requested;
    } else {
        const struct flow_times at =
            match_rendezvous(flow, key, owner, size_bytes, &requested, &entry->at);
        deliver_message(flow, entry, false, costs, size_bytes, &at);
    }
}

/* Gives a waiter a message that has arrived, and removes the entry. */
static void hand_over(struct flow *flow, struct flow_message *entry, uint32_t waiter) {
    const struct flow_message message = *entry;
    flow_message_map_remove(&flow->messages, entry);
    if (waiter == FLOW_NOBODY) return;
    const struct flow_costs *costs =
        flow_costs_of(flow, (replay_message_path)message.path, message.size_bytes);
    flow_arrive(flow, waiter, &message.at, &costs->receive);
}

bool flow_receive(struct flow *flow, const struct inflight_key *key, uint32_t waiter,
                  const struct flow_times *posted) {
    bool is_new;
    struct flow_message *entry = entry_of(flow, key, &is_new);
    if (entry == NULL) return false;
    if (is_new) {
        entry->state = FLOW_POSTED;
        entry->at = *posted;
    }
    if (entry->state == FLOW_POSTED) {
        entry->waiter = waiter;
        return true;
    }
    if (entry->state == FLOW_REQUESTED) {
        entry->at =
            match_rendezvous(flow, key, entry->owner, entry->size_bytes, &entry->at, posted);
        entry->state = FLOW_ARRIVED;
        entry->path =
            message_cost_path(flow->engine, key->source, key->rank, REPLAY_MESSAGE_RENDEZVOUS);
    }
    if (waiter != FLOW_NO_WAITER) hand_over(flow, entry, waiter);
    return false;
}
