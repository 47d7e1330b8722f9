/*
 * Reads chains of causes: adds up the sums of all links of a chain, and lists its steps.
 */
#include "replay/engine/causes/chain.h"
#include "replay/engine/causes/chain_channels.h"
#include "replay/engine/causes/chain_links.h"

#include <assert.h>
#include <string.h>

/* ---------------------------------------------------------------- sums */

static int64_t start_ps(const struct chain *link) {
    return link->before->time_ps;
}

static void add_computation(const struct chain_computation_link *link,
                            const struct chain_rules *rules, int64_t *values) {
    uint32_t region =
        link->chain.region != CHAIN_NO_NAME ? rules->sum_of_region[link->chain.region] : 0;
    values[CHAIN_COMPUTE] += link->needed_ps;
    values[CHAIN_NOISE] += link->chain.time_ps - start_ps(&link->chain) - link->needed_ps;
    values[CHAIN_NAMES + region] += link->needed_ps;
}

static void add_cost(const struct chain_cost *cost, bool is_send, uint32_t function,
                     const struct chain_rules *rules, int64_t *values) {
    int64_t *parts = &values[is_send ? CHAIN_SEND : CHAIN_RECEIVE];
    parts[0] += cost->each_ps;
    parts[1] += cost->size_dependent_ps;
    parts[2] += cost->copy_ps;
    parts[3] += cost->rendezvous_ps;
    parts[4] += cost->memory_ps;
    values[is_send ? CHAIN_SENDS : CHAIN_RECEIVES] += cost->count;
    values[rules->first_function + rules->sum_of_function[function]] += chain_cost_time_ps(cost);
}
static_assert(CHAIN_SEND_MEMORY == CHAIN_SEND + 4 && CHAIN_RECEIVE_MEMORY == CHAIN_RECEIVE + 4,
              "the parts of a cost are neighbours");

static void add_spent(const struct chain_spent_link *link, const struct chain_rules *rules,
                      int64_t *values) {
    int64_t time_ps = link->chain.time_ps - start_ps(&link->chain);
    values[link->part] += time_ps;
    if (link->part < CHAIN_OFFLOAD) /* the other parts are not work of a rank */
        values[rules->first_function + rules->sum_of_function[link->chain.function]] += time_ps;
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
            messages[count++] = &((const struct chain_message_link *)(const void *)link)->message;
    while (count > 0)
        chain_channels_add(table, messages[--count]);
}

void chain_values(const struct chain *chain, const struct chain_rules *rules, int64_t *values) {
    const struct chain *first = chain;
    while (first->kind != CHAIN_BASE)
        first = first->before;
    memcpy(values, ((const struct chain_base *)(const void *)first)->values,
           rules->value_count * sizeof *values);
    for (const struct chain *link = chain; link != first; link = link->before) {
        const void *pointer = link;
        const struct chain_cost_link *cost = pointer;
        const struct chain_message_link *message = pointer;
        switch ((chain_kind)link->kind) {
        case CHAIN_COMPUTATION:
            add_computation(pointer, rules, values);
            break;
        case CHAIN_COST:
            add_cost(&cost->cost, cost->is_send, link->function, rules, values);
            break;
        case CHAIN_SPENT:
            add_spent(pointer, rules, values);
            break;
        case CHAIN_MESSAGE:
            if (message->has_cost)
                add_cost(&message->cost, message->is_send, message->function, rules, values);
            add_message(&message->message, values);
            break;
        case CHAIN_BASE:
            break;
        }
    }
    add_channels(chain, first, &values[rules->first_channel]);
}

/* ---------------------------------------------------------------- steps */

static void message_step(struct chain_step *step, const struct chain_message_link *link) {
    const struct chain_message *message = &link->message;
    const struct network_time_parts *parts = &message->parts;
    if (link->has_cost) step->from_ps += chain_cost_time_ps(&link->cost);
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
    const void *pointer = link;
    struct chain_step step = {.from_ps = start_ps(link),
                              .to_ps = link->time_ps,
                              .rank = link->rank,
                              .from_rank = link->rank,
                              .name = link->name};
    if (link->kind == CHAIN_COMPUTATION)
        step.cause = CHAIN_COMPUTES;
    else if (link->kind == CHAIN_COST)
        step.cause = ((const struct chain_cost_link *)pointer)->is_send ? CHAIN_SENDS_MESSAGE
                                                                        : CHAIN_RECEIVES_MESSAGE;
    else if (link->kind == CHAIN_SPENT)
        step.cause = spent_cause(((const struct chain_spent_link *)pointer)->part);
    else
        message_step(&step, pointer);
    return step;
}

/* Returns the step of the cost before a message. */
static struct chain_step step_before(const struct chain_message_link *link) {
    const int64_t from_ps = start_ps(&link->chain);
    return (struct chain_step){.from_ps = from_ps,
                               .to_ps = from_ps + chain_cost_time_ps(&link->cost),
                               .cause =
                                   link->is_send ? CHAIN_SENDS_MESSAGE : CHAIN_RECEIVES_MESSAGE,
                               .rank = link->rank,
                               .from_rank = link->rank,
                               .function = link->function};
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
            const struct chain_message_link *message = (const void *)walk->link;
            const bool is_message = walk->link->kind == CHAIN_MESSAGE && message->has_cost;
            *step = walk->is_message ? step_before(message) : step_of(walk->link);
            walk->is_message = is_message && !walk->is_message;
            if (!walk->is_message) walk->link = walk->link->before;
            return true;
        }
        const struct chain_base *base = (const void *)walk->link;
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
