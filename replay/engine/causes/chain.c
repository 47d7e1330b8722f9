/* Chains of causes. See chain.h. */
#include "replay/engine/causes/chain.h"
#include "replay/engine/causes/chain_channels.h"

#include "core/base/compiler_hints.h"

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

struct computation_link {
    struct chain chain;
    int64_t needed_ps;
};

struct cost_link {
    struct chain chain;
    struct chain_cost cost;
    bool is_send;
};

struct spent_link {
    struct chain chain;
    chain_part part;
};

/* A message, and the cost before it, mostly that of sending it. As long as the link is not part of
 * a chain, chain.time_ps is the time of these two alone, and chain.before is NULL. */
struct message_link {
    struct chain chain;
    struct chain_message message;
    struct chain_cost cost;
    uint32_t rank; /* that spent the cost, in this call */
    uint32_t call;
    bool has_cost;
    bool is_send;
};

struct base {
    struct chain chain;
    uint32_t step_count;
    bool is_large; /* too large for the heap: it has its own memory block */
    struct chain_place place;
    struct chain_step *steps; /* in the same block, after the values */
    int64_t values[];
};

/* ---------------------------------------------------------------- sums */

static int64_t start_ps(const struct chain *link) {
    return link->before->time_ps;
}

static void add_computation(const struct computation_link *link, const struct chain_rules *rules,
                            int64_t *values) {
    uint32_t region =
        link->chain.name != CHAIN_NO_NAME ? rules->sum_of_region[link->chain.name] : 0;
    values[CHAIN_COMPUTE] += link->needed_ps;
    values[CHAIN_NOISE] += link->chain.time_ps - start_ps(&link->chain) - link->needed_ps;
    values[CHAIN_NAMES + region] += link->needed_ps;
}

static int64_t time_of_cost(const struct chain_cost *cost) {
    return cost->each_ps + cost->size_dependent_ps + cost->copy_ps + cost->rendezvous_ps +
           cost->memory_ps;
}

static void add_cost(const struct chain_cost *cost, bool is_send, uint32_t call,
                     const struct chain_rules *rules, int64_t *values) {
    int64_t *parts = &values[is_send ? CHAIN_SEND : CHAIN_RECEIVE];
    parts[0] += cost->each_ps;
    parts[1] += cost->size_dependent_ps;
    parts[2] += cost->copy_ps;
    parts[3] += cost->rendezvous_ps;
    parts[4] += cost->memory_ps;
    values[is_send ? CHAIN_SENDS : CHAIN_RECEIVES] += cost->count;
    values[rules->first_function + rules->sum_of_function[call]] += time_of_cost(cost);
}
static_assert(CHAIN_SEND_MEMORY == CHAIN_SEND + 4 && CHAIN_RECEIVE_MEMORY == CHAIN_RECEIVE + 4,
              "the parts of a cost are neighbours");

static void add_spent(const struct spent_link *link, const struct chain_rules *rules,
                      int64_t *values) {
    int64_t time_ps = link->chain.time_ps - start_ps(&link->chain);
    values[link->part] += time_ps;
    if (link->part < CHAIN_OFFLOAD) /* the other parts are not work of a rank */
        values[rules->first_function + rules->sum_of_function[link->chain.name]] += time_ps;
}

/* Adds the parts of a message's time. The time of a control message on an idle network counts as
 * CHAIN_RENDEZVOUS. */
static void add_message(const struct chain_message *message, int64_t *values) {
    const struct network_time_parts *parts = &message->parts;
    int64_t idle_ps =
        parts->nic_ps + parts->acknowledgement_wait_ps + parts->memory_ps + parts->routers_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        values[CHAIN_HOPS + kind] += parts->hops[kind];
        values[CHAIN_SIZE_DEPENDENT_PS + kind] += parts->size_dependent_ps[kind];
        values[CHAIN_QUEUEING + kind] += parts->waiting_ps[kind];
        idle_ps += parts->latency_ps[kind] + parts->serialisation_ps[kind];
        if (message->is_control) continue;
        values[CHAIN_LATENCY + kind] += parts->latency_ps[kind];
        values[CHAIN_SERIALISATION + kind] += parts->serialisation_ps[kind];
    }
    values[CHAIN_QUEUEING_NIC] += parts->nic_waiting_ps;
    values[CHAIN_ROUTER_PASSES] += parts->routers;
    values[CHAIN_MEMORY_SIZE_DEPENDENT_PS] += parts->memory_size_dependent_ps;
    values[parts->memory_ps > 0 ? CHAIN_MEMORY_MESSAGES : CHAIN_MESSAGES]++;
    values[CHAIN_STEPS]++;
    if (message->is_control) {
        values[CHAIN_RENDEZVOUS] += idle_ps;
        return;
    }
    values[CHAIN_NIC] += parts->nic_ps;
    values[CHAIN_ACKNOWLEDGEMENT_WAIT] += parts->acknowledgement_wait_ps;
    values[CHAIN_MEMORY] += parts->memory_ps;
    values[CHAIN_ROUTERS] += parts->routers_ps;
}

/* Adds the waits of the messages after `first` to the table of channels. The table depends on the
 * order of waits, so they are added in the order of the chain, wherever its bases are. */
static void add_channels(const struct chain *chain, const struct chain *first, int64_t *table) {
    const struct chain_message *messages[CHAIN_LONGEST];
    unsigned count = 0;
    for (const struct chain *link = chain; link != first; link = link->before)
        if (link->kind == CHAIN_MESSAGE)
            messages[count++] = &((const struct message_link *)(const void *)link)->message;
    while (count > 0)
        chain_channels_add(table, messages[--count]);
}

void chain_values(const struct chain *chain, const struct chain_rules *rules, int64_t *values) {
    const struct chain *first = chain;
    while (first->kind != CHAIN_BASE)
        first = first->before;
    memcpy(values, ((const struct base *)(const void *)first)->values,
           rules->value_count * sizeof *values);
    for (const struct chain *link = chain; link != first; link = link->before) {
        const void *whole = link;
        const struct cost_link *cost = whole;
        const struct message_link *message = whole;
        switch ((chain_kind)link->kind) {
        case CHAIN_COMPUTATION:
            add_computation(whole, rules, values);
            break;
        case CHAIN_COST:
            add_cost(&cost->cost, cost->is_send, link->name, rules, values);
            break;
        case CHAIN_SPENT:
            add_spent(whole, rules, values);
            break;
        case CHAIN_MESSAGE:
            if (message->has_cost)
                add_cost(&message->cost, message->is_send, message->call, rules, values);
            add_message(&message->message, values);
            break;
        case CHAIN_BASE:
            break;
        }
    }
    add_channels(chain, first, &values[rules->first_channel]);
}

/* ---------------------------------------------------------------- steps */

static void message_step(struct chain_step *step, const struct message_link *link) {
    const struct chain_message *message = &link->message;
    const struct network_time_parts *parts = &message->parts;
    if (link->has_cost) step->from_ps += time_of_cost(&link->cost);
    step->cause = message->is_sent      ? CHAIN_MESSAGE_LEAVES
                  : message->is_control ? CHAIN_CONTROL_ARRIVES
                                        : CHAIN_MESSAGE_ARRIVES;
    step->size_bytes = message->size_bytes;
    step->from_rank = message->from_rank;
    step->route = parts->route;
    step->queueing_ps = parts->nic_waiting_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        step->queueing_ps += parts->waiting_ps[kind];
}

static chain_cause spent_cause(uint32_t part) {
    if (part < CHAIN_OFFLOAD) return CHAIN_WORKS;
    return part == CHAIN_OFFLOAD ? CHAIN_NIC_WORKS : CHAIN_STORAGE_WORKS;
}

static struct chain_step step_of(const struct chain *link) {
    const void *whole = link;
    struct chain_step step = {.from_ps = start_ps(link),
                              .to_ps = link->time_ps,
                              .rank = link->rank,
                              .from_rank = link->rank,
                              .name = link->name};
    if (link->kind == CHAIN_COMPUTATION)
        step.cause = CHAIN_COMPUTES;
    else if (link->kind == CHAIN_COST)
        step.cause = ((const struct cost_link *)whole)->is_send ? CHAIN_SENDS_MESSAGE
                                                                : CHAIN_RECEIVES_MESSAGE;
    else if (link->kind == CHAIN_SPENT)
        step.cause = spent_cause(((const struct spent_link *)whole)->part);
    else
        message_step(&step, whole);
    return step;
}

/* Returns the step of the cost before a message. */
static struct chain_step step_before(const struct message_link *link) {
    const int64_t from_ps = start_ps(&link->chain);
    return (struct chain_step){.from_ps = from_ps,
                               .to_ps = from_ps + time_of_cost(&link->cost),
                               .cause =
                                   link->is_send ? CHAIN_SENDS_MESSAGE : CHAIN_RECEIVES_MESSAGE,
                               .rank = link->rank,
                               .from_rank = link->rank,
                               .name = link->call};
}

/* An iteration over the steps of a chain, the latest first. */
struct chain_walk {
    const struct chain *link;
    uint32_t in_base; /* number of steps of the current base that were visited */
    bool is_message;  /* the message of the link was visited, and the cost before it was not */
};

static bool next_step(struct chain_walk *walk, struct chain_step *step) {
    for (; walk->link != NULL; walk->link = walk->link->before, walk->in_base = 0) {
        if (walk->link->kind != CHAIN_BASE) {
            const struct message_link *message = (const void *)walk->link;
            const bool is_message = walk->link->kind == CHAIN_MESSAGE && message->has_cost;
            *step = walk->is_message ? step_before(message) : step_of(walk->link);
            walk->is_message = is_message && !walk->is_message;
            if (!walk->is_message) walk->link = walk->link->before;
            return true;
        }
        const struct base *base = (const void *)walk->link;
        if (walk->in_base < base->step_count) {
            *step = base->steps[base->step_count - ++walk->in_base];
            return true;
        }
    }
    return false;
}

bool chain_is_one_step(const struct chain_step *step, const struct chain_step *next) {
    return step->cause == next->cause && step->cause < CHAIN_MESSAGE_LEAVES &&
           step->rank == next->rank && step->name == next->name;
}

/* Returns an upper bound of the number of steps that a new base keeps of a chain. */
static uint64_t max_steps(const struct chain *chain, const struct chain_rules *rules) {
    const struct chain *first = chain;
    while (first->kind != CHAIN_BASE)
        first = first->before;
    uint64_t count =
        2 * (uint64_t)chain->length + ((const struct base *)(const void *)first)->step_count;
    return count < rules->base_steps ? count : rules->base_steps;
}

uint64_t chain_steps(const struct chain *chain, const struct chain_rules *rules, uint64_t count,
                     struct chain_step *steps) {
    uint64_t max = rules->base_steps == CHAIN_ALL_STEPS ? UINT64_MAX : rules->base_steps, taken = 0;
    struct chain_walk walk = {.link = chain};
    struct chain_step step, next = {0};
    while (next_step(&walk, &step)) {
        bool joins = taken > 0 && chain_is_one_step(&step, &next);
        if (joins) step.to_ps = next.to_ps;
        if (!joins && taken == max) break;
        taken += !joins;
        if (steps != NULL) steps[count - taken] = step;
        next = step;
    }
    return taken;
}

/* ---------------------------------------------------------------- links */

static void init_link(struct chain *link, chain_kind kind, int64_t time_ps) {
    atomic_init(&link->references, 1);
    link->kind = (uint16_t)kind;
    link->length = 0;
    link->time_ps = time_ps;
    link->before = NULL;
}

/* A base with at most this many steps comes from the heap. */
#define BASE_STEPS 32u

static struct base *new_base(const struct chain_rules *rules, struct chain_heap *heap,
                             uint64_t step_count, int64_t time_ps) {
    const uint64_t room = rules->base_steps < BASE_STEPS ? rules->base_steps : BASE_STEPS;
    const size_t value_bytes = rules->value_count * sizeof(int64_t);
    const size_t bytes = sizeof(struct base) + value_bytes;
    const bool is_large = step_count > room;
    struct chain *link =
        is_large ? chain_heap_take_large(heap, bytes + step_count * sizeof(struct chain_step))
                 : chain_heap_take(heap, CHAIN_BASE, bytes + room * sizeof(struct chain_step));
    struct base *base = (void *)link;
    if (base == NULL) return NULL;
    init_link(&base->chain, CHAIN_BASE, time_ps);
    base->step_count = (uint32_t)step_count;
    base->is_large = is_large;
    base->place = (struct chain_place){.domain = CHAIN_NO_PLACE};
    base->steps = (void *)((char *)base->values + value_bytes);
    return base;
}
static_assert(alignof(struct chain_step) <= alignof(int64_t), "steps follow values");

bool chain_begin(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                 uint32_t rank, int64_t start_ps) {
    bool is_late = start_ps > 0 && rules->base_steps > 0;
    struct base *base = new_base(rules, heap, is_late, start_ps);
    if (base == NULL) return false;
    memset(base->values, 0, rules->value_count * sizeof *base->values);
    base->values[CHAIN_LATE_START] = start_ps;
    if (is_late)
        base->steps[0] = (struct chain_step){.to_ps = start_ps,
                                             .cause = CHAIN_STARTS_LATE,
                                             .rank = rank,
                                             .from_rank = rank,
                                             .name = CHAIN_NO_NAME};
    *tip = (struct chain_tip){
        .chain = &base->chain, .time_ps = start_ps, .rivals.margin_ps = INT64_MAX};
    return true;
}

bool chain_resume(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                  int64_t time_ps, const int64_t *values, uint64_t step_count,
                  const struct chain_step *steps, const struct chain_rivals *rivals,
                  struct chain_place place) {
    struct base *base = new_base(rules, heap, step_count, time_ps);
    if (base == NULL) return false;
    memcpy(base->values, values, rules->value_count * sizeof *values);
    if (step_count > 0) memcpy(base->steps, steps, step_count * sizeof *steps);
    base->place = place;
    *tip = (struct chain_tip){.chain = &base->chain, .time_ps = time_ps, .rivals = *rivals};
    return true;
}

struct chain_place chain_earlier_place(const struct chain *chain) {
    while (chain->before != NULL)
        chain = chain->before;
    return ((const struct base *)(const void *)chain)->place;
}

static void give_link(struct chain_heap *heap, struct chain *link) {
    if (HINT_UNLIKELY(link->kind == CHAIN_BASE && ((struct base *)(void *)link)->is_large))
        chain_heap_give_large(heap, link);
    else
        chain_heap_give(heap, link->kind, link);
}

/* Removes a reference to a link. Returns true if it was the last one. */
static inline bool release_link(struct chain *link, const struct chain_heap *heap) {
    const unsigned references = atomic_load_explicit(&link->references, memory_order_acquire);
    if (references == 1) return true; /* the caller has the only one */
    if (!heap->is_alone)
        return atomic_fetch_sub_explicit(&link->references, 1, memory_order_acq_rel) == 1;
    atomic_store_explicit(&link->references, references - 1, memory_order_relaxed);
    return false;
}

static void drop_links(struct chain *chain, struct chain_heap *heap) {
    while (chain != NULL && release_link(chain, heap)) {
        struct chain *before = chain->before;
        give_link(heap, chain);
        chain = before;
    }
}

void chain_drop(struct chain_tip *tip, struct chain_heap *heap) {
    if (tip->message != NULL) give_link(heap, tip->message);
    tip->message = NULL;
    drop_links(tip->chain, heap);
    tip->chain = NULL;
    tip->has_cost = false;
}

void chain_drop_late(struct chain_tip *tip, struct chain_heap *heap) {
    struct chain *link = tip->chain;
    tip->chain = NULL;
    while (link != NULL) {
        struct chain **place = &heap->late[heap->next_late++ % CHAIN_LATE];
        struct chain *oldest = *place;
        __builtin_prefetch(link, 1);
        *place = link;
        link = NULL;
        if (oldest == NULL || !release_link(oldest, heap)) break;
        link = oldest->before;
        give_link(heap, oldest);
    }
    chain_drop(tip, heap);
}

/* Puts a base after a long chain. Unless all steps are kept, the base replaces the chain. */
static bool add_base(struct chain **chain, const struct chain_rules *rules,
                     struct chain_heap *heap) {
    bool all = rules->base_steps == CHAIN_ALL_STEPS;
    uint64_t max = all ? 0 : max_steps(*chain, rules);
    struct base *base = new_base(rules, heap, max, (*chain)->time_ps);
    if (base == NULL) return false;
    chain_values(*chain, rules, base->values);
    if (max > 0) base->step_count = (uint32_t)chain_steps(*chain, rules, max, base->steps);
    base->steps += max - base->step_count;
    if (all)
        base->chain.before = *chain;
    else
        drop_links(*chain, heap);
    *chain = &base->chain;
    return true;
}

/* Appends a link with the time of the chain before it. Returns false if out of memory. */
static bool attach(struct chain **chain, const struct chain_rules *rules, struct chain_heap *heap,
                   struct chain *link, chain_kind kind, uint32_t rank, uint32_t name) {
    if ((*chain)->length == CHAIN_LONGEST && !add_base(chain, rules, heap)) return false;
    init_link(link, kind, (*chain)->time_ps);
    link->length = (uint16_t)((*chain)->length + 1);
    link->before = *chain;
    link->rank = rank;
    link->name = name;
    *chain = link;
    return true;
}

/* Appends a new link of link_bytes and returns it; NULL: out of memory. */
static void *extend(struct chain **chain, const struct chain_rules *rules, struct chain_heap *heap,
                    chain_kind kind, uint32_t rank, uint32_t name, size_t link_bytes) {
    struct chain *link = chain_heap_take(heap, kind, link_bytes);
    if (link == NULL || attach(chain, rules, heap, link, kind, rank, name)) return link;
    chain_heap_give(heap, kind, link);
    return NULL;
}

/* Appends a link for a cost. */
static bool add_cost_link(struct chain **chain, const struct chain_rules *rules,
                          struct chain_heap *heap, uint32_t rank, uint32_t call, bool is_send,
                          const struct chain_cost *cost) {
    struct cost_link *link = extend(chain, rules, heap, CHAIN_COST, rank, call, sizeof *link);
    if (link == NULL) return false;
    link->cost = *cost;
    link->is_send = is_send;
    link->chain.time_ps += time_of_cost(cost);
    return true;
}

/* Makes the message of a tip a link of its chain. Returns false if out of memory. */
static bool close_message(struct chain_tip *tip, const struct chain_rules *rules,
                          struct chain_heap *heap) {
    struct message_link *link = (void *)tip->message;
    if (link == NULL) return true;
    const int64_t time_ps = link->chain.time_ps;
    if (!attach(&tip->chain, rules, heap, &link->chain, CHAIN_MESSAGE, link->chain.rank,
                link->chain.name))
        return false;
    link->chain.time_ps += time_ps;
    tip->message = NULL;
    return true;
}

bool chain_close(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap) {
    if (tip->chain == NULL) return false; /* lost when memory ran out */
    if (!close_message(tip, rules, heap)) return false;
    if (tip->has_cost &&
        !add_cost_link(&tip->chain, rules, heap, tip->rank, tip->call, tip->is_send, &tip->cost))
        return false;
    tip->has_cost = false;
    return true;
}

bool chain_share(struct chain_tip *tip, struct chain_tip *other, const struct chain_rules *rules,
                 struct chain_heap *heap) {
    if (!close_message(other, rules, heap)) return false;
    *tip = *other;
    chain_refer(tip->chain, heap);
    return true;
}

bool chain_share_and_raise_bounds(struct chain_tip *tip, struct chain_tip *other,
                                  const struct chain_rules *rules, struct chain_heap *heap) {
    if (!close_message(other, rules, heap)) return false;
    memcpy(tip, other, offsetof(struct chain_tip, rivals.bounds));
    chain_raise_bounds(tip, other->rivals.bounds);
    chain_refer(tip->chain, heap);
    return true;
}

/* Returns the latest link if time of this kind, rank and name can be added to it; otherwise NULL.
 */
static void *growing(struct chain *chain, chain_kind kind, uint32_t rank, uint32_t name) {
    bool grows = chain->kind == (uint16_t)kind && chain->rank == rank && chain->name == name &&
                 atomic_load_explicit(&chain->references, memory_order_acquire) == 1;
    return grows ? chain : NULL;
}

bool chain_add_computation(struct chain_tip *tip, const struct chain_rules *rules,
                           struct chain_heap *heap, uint32_t rank, uint32_t region,
                           int64_t needed_ps, int64_t time_ps) {
    if (!chain_close(tip, rules, heap)) return false;
    struct computation_link *link = growing(tip->chain, CHAIN_COMPUTATION, rank, region);
    if (link == NULL) {
        link = extend(&tip->chain, rules, heap, CHAIN_COMPUTATION, rank, region, sizeof *link);
        if (link == NULL) return false;
        link->needed_ps = 0;
    }
    link->needed_ps += needed_ps;
    tip->rivals.bounds[0] += needed_ps;
    link->chain.time_ps += time_ps;
    tip->time_ps += time_ps;
    return true;
}

/* Returns the bound of a tip on a part from CHAIN_SEND to CHAIN_OFFLOAD. */
static int64_t *bound_of(struct chain_tip *tip, chain_part part) {
    return &tip->rivals.bounds[CHAIN_ACTED_PARTS + part - CHAIN_SEND];
}

bool chain_add_cost(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                    uint32_t rank, uint32_t call, bool is_send, const struct chain_cost *cost) {
    if (tip->has_cost && (tip->rank != rank || tip->call != call || tip->is_send != is_send) &&
        !chain_close(tip, rules, heap))
        return false;
    if (!tip->has_cost) {
        tip->cost = (struct chain_cost){0};
        tip->rank = rank;
        tip->call = call;
        tip->is_send = is_send;
        tip->has_cost = true;
    }
    chain_cost_add(&tip->cost, cost);
    int64_t *bounds = bound_of(tip, is_send ? CHAIN_SEND : CHAIN_RECEIVE);
    bounds[0] += cost->each_ps;
    bounds[1] += cost->size_dependent_ps;
    bounds[2] += cost->copy_ps;
    bounds[3] += cost->rendezvous_ps;
    bounds[4] += cost->memory_ps;
    tip->time_ps += time_of_cost(cost);
    return true;
}

bool chain_add_time(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                    uint32_t rank, uint32_t call, chain_part part, int64_t time_ps) {
    if (!chain_close(tip, rules, heap)) return false;
    struct spent_link *link = growing(tip->chain, CHAIN_SPENT, rank, call);
    if (link == NULL || link->part != part) {
        link = extend(&tip->chain, rules, heap, CHAIN_SPENT, rank, call, sizeof *link);
        if (link == NULL) return false;
        link->part = part;
    }
    if (part >= CHAIN_SEND && part <= CHAIN_OFFLOAD) *bound_of(tip, part) += time_ps;
    link->chain.time_ps += time_ps;
    tip->time_ps += time_ps;
    return true;
}

/* Returns the sum of the parts of a message's time. */
static int64_t message_time(const struct network_time_parts *parts) {
    int64_t time_ps = parts->memory_ps + parts->nic_ps + parts->acknowledgement_wait_ps +
                      parts->routers_ps + parts->nic_waiting_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        time_ps +=
            parts->latency_ps[kind] + parts->serialisation_ps[kind] + parts->waiting_ps[kind];
    return time_ps;
}

void chain_add_to_bounds(int64_t *bounds, const struct network_time_parts *parts) {
    int64_t *counts = &bounds[CHAIN_ACTED_COUNTS];
    counts[parts->memory_ps > 0 ? CHAIN_MEMORY_MESSAGES - CHAIN_MESSAGES : 0]++;
    counts[CHAIN_MEMORY_SIZE_DEPENDENT_PS - CHAIN_MESSAGES] += parts->memory_size_dependent_ps;
    for (unsigned kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        counts[CHAIN_HOPS - CHAIN_MESSAGES + kind] += parts->hops[kind];
        counts[CHAIN_SIZE_DEPENDENT_PS - CHAIN_MESSAGES + kind] += parts->size_dependent_ps[kind];
    }
    counts[CHAIN_ROUTER_PASSES - CHAIN_MESSAGES] += parts->routers;
}

struct chain_message *chain_message_new(struct chain_tip *tip, const struct chain_rules *rules,
                                        struct chain_heap *heap) {
    if (!close_message(tip, rules, heap)) return NULL;
    struct message_link *link = (void *)chain_heap_take(heap, CHAIN_MESSAGE, sizeof *link);
    return link != NULL ? &link->message : NULL;
}

void chain_add_message(struct chain_tip *tip, uint32_t rank, uint32_t call,
                       struct chain_message *message) {
    struct message_link *link = (void *)((char *)message - offsetof(struct message_link, message));
    const int64_t time_ps = message_time(&message->parts);
    init_link(&link->chain, CHAIN_MESSAGE,
              time_ps + (tip->has_cost ? time_of_cost(&tip->cost) : 0));
    link->chain.rank = rank;
    link->chain.name = call;
    link->cost = tip->cost;
    link->rank = tip->rank;
    link->call = tip->call;
    link->has_cost = tip->has_cost;
    link->is_send = tip->is_send;
    tip->message = &link->chain;
    chain_add_to_bounds(tip->rivals.bounds, &message->parts);
    tip->time_ps += time_ps;
    tip->has_cost = false;
}
