/*
 * Extends chains of causes: makes their links, puts bases after long lists of links, and frees
 * links to which nothing refers any more. chain_values.c reads chains.
 */
#include "replay/engine/causes/chain.h"
#include "replay/engine/causes/chain_links.h"

#include "core/base/compiler_hints.h"

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

static void init_link(struct chain *link, chain_kind kind, int64_t time_ps) {
    atomic_init(&link->references, 1);
    link->kind = (uint16_t)kind;
    link->length = 0;
    link->time_ps = time_ps;
    link->before = NULL;
}

/* A base with at most this many steps comes from the heap. */
#define BASE_STEPS 32u

static struct chain_base *new_base(const struct chain_rules *rules, struct chain_heap *heap,
                                   uint64_t step_count, int64_t time_ps) {
    const uint64_t room = rules->base_steps < BASE_STEPS ? rules->base_steps : BASE_STEPS;
    const size_t value_bytes = rules->value_count * sizeof(int64_t);
    const size_t bytes = sizeof(struct chain_base) + value_bytes;
    const bool is_large = step_count > room;
    struct chain *link =
        is_large ? chain_heap_take_large(heap, bytes + step_count * sizeof(struct chain_step))
                 : chain_heap_take(heap, CHAIN_BASE, bytes + room * sizeof(struct chain_step));
    struct chain_base *base = (void *)link;
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
    struct chain_base *base = new_base(rules, heap, is_late, start_ps);
    if (base == NULL) return false;
    memset(base->values, 0, rules->value_count * sizeof *base->values);
    base->values[CHAIN_LATE_START] = start_ps;
    if (is_late)
        base->steps[0] = (struct chain_step){.to_ps = start_ps,
                                             .cause = CHAIN_STARTS_LATE,
                                             .rank = rank,
                                             .from_rank = rank,
                                             .function = CHAIN_NO_NAME};
    *tip = (struct chain_tip){
        .chain = &base->chain, .time_ps = start_ps, .rivals.margin_ps = INT64_MAX};
    return true;
}

bool chain_resume(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                  int64_t time_ps, const int64_t *values, uint64_t step_count,
                  const struct chain_step *steps, const struct chain_rivals *rivals,
                  struct chain_place place) {
    struct chain_base *base = new_base(rules, heap, step_count, time_ps);
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
    return ((const struct chain_base *)(const void *)chain)->place;
}

static void give_link(struct chain_heap *heap, struct chain *link) {
    if (HINT_UNLIKELY(link->kind == CHAIN_BASE && ((struct chain_base *)(void *)link)->is_large))
        chain_heap_give_large(heap, link);
    else
        chain_heap_give(heap, link->kind, link);
}

/* Removes a reference to a link. Returns true if it was the last one. */
static inline bool release_link(struct chain *link, const struct chain_heap *heap) {
    const unsigned references = atomic_load_explicit(&link->references, memory_order_acquire);
    if (references == 1) return true; /* the caller has the only one */
    if (!heap->has_one_thread)
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

/* Returns an upper bound of the number of steps that a new base keeps of a chain. */
static uint64_t max_steps(const struct chain *chain, const struct chain_rules *rules) {
    const struct chain *first = chain;
    while (first->kind != CHAIN_BASE)
        first = first->before;
    uint64_t count =
        2 * (uint64_t)chain->length + ((const struct chain_base *)(const void *)first)->step_count;
    return count < rules->base_steps ? count : rules->base_steps;
}

/* Puts a base after a long chain. Unless all steps are kept, the base replaces the chain. */
static bool add_base(struct chain **chain, const struct chain_rules *rules,
                     struct chain_heap *heap) {
    bool all = rules->base_steps == CHAIN_ALL_STEPS;
    uint64_t max = all ? 0 : max_steps(*chain, rules);
    struct chain_base *base = new_base(rules, heap, max, (*chain)->time_ps);
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
                          struct chain_heap *heap, uint32_t rank, uint32_t function, bool is_send,
                          const struct chain_cost *cost) {
    struct chain_cost_link *link =
        extend(chain, rules, heap, CHAIN_COST, rank, function, sizeof *link);
    if (link == NULL) return false;
    link->cost = *cost;
    link->is_send = is_send;
    link->chain.time_ps += chain_cost_time_ps(cost);
    return true;
}

/* Makes the message of a tip a link of its chain. Returns false if out of memory. */
static bool close_message(struct chain_tip *tip, const struct chain_rules *rules,
                          struct chain_heap *heap) {
    struct chain_message_link *link = (void *)tip->message;
    if (link == NULL) return true;
    const int64_t time_ps = link->chain.time_ps;
    if (!attach(&tip->chain, rules, heap, &link->chain, CHAIN_MESSAGE, link->chain.rank,
                link->chain.function))
        return false;
    link->chain.time_ps += time_ps;
    tip->message = NULL;
    return true;
}

bool chain_close(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap) {
    if (tip->chain == NULL) return false; /* lost when memory ran out */
    if (!close_message(tip, rules, heap)) return false;
    if (tip->has_cost && !add_cost_link(&tip->chain, rules, heap, tip->rank, tip->function,
                                        tip->is_send, &tip->cost))
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
    struct chain_computation_link *link = growing(tip->chain, CHAIN_COMPUTATION, rank, region);
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
                    uint32_t rank, uint32_t function, bool is_send, const struct chain_cost *cost) {
    if (tip->has_cost &&
        (tip->rank != rank || tip->function != function || tip->is_send != is_send) &&
        !chain_close(tip, rules, heap))
        return false;
    if (!tip->has_cost) {
        tip->cost = (struct chain_cost){0};
        tip->rank = rank;
        tip->function = function;
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
    tip->time_ps += chain_cost_time_ps(cost);
    return true;
}

bool chain_add_time(struct chain_tip *tip, const struct chain_rules *rules, struct chain_heap *heap,
                    uint32_t rank, uint32_t function, chain_part part, int64_t time_ps) {
    if (!chain_close(tip, rules, heap)) return false;
    struct chain_spent_link *link = growing(tip->chain, CHAIN_SPENT, rank, function);
    if (link == NULL || link->part != part) {
        link = extend(&tip->chain, rules, heap, CHAIN_SPENT, rank, function, sizeof *link);
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
    struct chain_message_link *link = (void *)chain_heap_take(heap, CHAIN_MESSAGE, sizeof *link);
    return link != NULL ? &link->message : NULL;
}

void chain_add_message(struct chain_tip *tip, uint32_t rank, uint32_t function,
                       struct chain_message *message) {
    struct chain_message_link *link =
        (void *)((char *)message - offsetof(struct chain_message_link, message));
    const int64_t time_ps = message_time(&message->parts);
    init_link(&link->chain, CHAIN_MESSAGE,
              time_ps + (tip->has_cost ? chain_cost_time_ps(&tip->cost) : 0));
    link->chain.rank = rank;
    link->chain.function = function;
    link->cost = tip->cost;
    link->rank = tip->rank;
    link->function = tip->function;
    link->has_cost = tip->has_cost;
    link->is_send = tip->is_send;
    tip->message = &link->chain;
    chain_add_to_bounds(tip->rivals.bounds, &message->parts);
    tip->time_ps += time_ps;
    tip->has_cost = false;
}
