/*
 * Credit-based flow control: what an output knows of the buffer at the other end of its channel.
 *
 * Returning credits are lists in order of time, and are applied only when an allocator reads them.
 * A blocked output is woken by the credit that unblocks it, or with shared buffers by every credit.
 */
#include "network/engine/flow_control/credits.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/routing/observation/round_trips.h"

static inline int64_t at_least_0(int64_t bytes) {
    return bytes > 0 ? bytes : 0;
}

/* Returns which part of a credit goes to the shared buffer if the VC has these credits before. */
static inline int64_t repaid_to_shared(int64_t credits_bytes, int64_t bytes) {
    int64_t debt = at_least_0(-credits_bytes);
    return bytes < debt ? bytes : debt;
}

/* ---------------------------------------------------------------- overflow records */

/* Returns the overflow record of an output VC. NULL: it has none. */
static inline struct network_credit *overflow_of(const struct rail_group *rail_group,
                                                 const struct network_output_vc *output_vc) {
    bool has_overflow = output_vc->overflow & NETWORK_HAS_OVERFLOW;
    return has_overflow ? &rail_group->credits.items[output_vc->overflow & ~NETWORK_HAS_OVERFLOW]
                        : NULL;
}

/* Returns the overflow record of an output VC, new if it has none. NULL: out of memory, which is
 * recorded. */
static struct network_credit *overflow_or_new(struct rail_group *rail_group,
                                              struct network_output_vc *output_vc) {
    struct network_credit *found = overflow_of(rail_group, output_vc);
    if (found != NULL) return found;
    uint32_t index = network_credit_pool_take(&rail_group->credits);
    if (index >= NETWORK_HAS_OVERFLOW) {
        rail_group->failure.out_of_memory = true;
        return NULL;
    }
    struct network_credit *made = &rail_group->credits.items[index];
    *made = (struct network_credit){.returning_bytes = output_vc->returning_bytes,
                                    .last_credit = NETWORK_NONE,
                                    .wanted_bytes = 0};
    output_vc->overflow = NETWORK_HAS_OVERFLOW + index;
    return made;
}

/* Takes the overflow record away from an output VC that does not need it. */
static inline void end_overflow(struct rail_group *rail_group,
                                struct network_output_vc *output_vc) {
    const struct network_credit *unneeded = overflow_of(rail_group, output_vc);
    if (unneeded->last_credit != NETWORK_NONE || unneeded->wanted_bytes > 0) return;
    uint32_t index = output_vc->overflow & ~NETWORK_HAS_OVERFLOW;
    output_vc->returning_bytes = unneeded->returning_bytes;
    network_credit_pool_give(&rail_group->credits, index);
}

/* Records for how many bytes of credit a packet waits; 0: none waits. */
static void want_credits(struct rail_group *rail_group, struct network_output_vc *output_vc,
                         uint32_t bytes) {
    struct network_credit *waiting = overflow_or_new(rail_group, output_vc);
    if (waiting != NULL) waiting->wanted_bytes = bytes;
}

/* ---------------------------------------------------------------- credits that have arrived */

/* Records the earliest returning credit of an output VC in all state besides the VC. */
HINT_NOINLINE static void record_credit(struct rail_group *rail_group, uint32_t port_vc,
                                        const struct network_output_vc *output_vc, uint32_t bytes) {
    const struct network *network = rail_group->network;
    if (rail_group->shared_free_bytes != NULL)
        rail_group->shared_free_bytes[port_of_vc(network, port_vc)] +=
            (int32_t)repaid_to_shared(output_vc->credits_bytes, bytes);
    if (rail_group->routing.round_trips != NULL &&
        port_vc < network->tables.ports * network->vcs.per_port)
        round_trips_record_credit(rail_group, port_vc, bytes, output_vc->returning_ps);
}

/* Makes the first credit of the queue, if there is one, the earliest returning credit. */
static inline void take_from_queue(struct rail_group *rail_group,
                                   struct network_output_vc *output_vc) {
    struct network_credit_pool *pool = &rail_group->credits;
    struct network_credit *own = overflow_of(rail_group, output_vc);
    uint32_t last = own->last_credit;
    if (last == NETWORK_NONE) {
        output_vc->returning_ps = EVENT_NEVER;
        own->returning_bytes = 0;
        return;
    }
    uint32_t first = pool->items[last].next;
    const struct network_credit credit = pool->items[first];
    output_vc->returning_ps = credit.time_ps;
    own->returning_bytes = credit.bytes;
    if (first == last)
        own->last_credit = NETWORK_NONE;
    else
        pool->items[last].next = credit.next;
    network_credit_pool_give(pool, first);
    end_overflow(rail_group, output_vc);
}

void credits_settle_more(struct rail_group *rail_group, const struct network_hop_features *features,
                         uint32_t port_vc) {
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    do {
        const struct network_credit *own = overflow_of(rail_group, output_vc);
        const uint32_t bytes = own != NULL ? own->returning_bytes : output_vc->returning_bytes;
        if (!features->has_basic_routing && rail_group->tracks_credits)
            record_credit(rail_group, port_vc, output_vc, bytes);
        if (own != NULL) {
            output_vc->credits_bytes += (int32_t)bytes;
            take_from_queue(rail_group, output_vc);
        } else {
            credits_take_only(output_vc);
        }
    } while (output_vc->returning_ps <= rail_group->now_ps);
}

/* ---------------------------------------------------------------- shared buffers */

static inline bool may_share(const struct network *network, uint32_t port_vc) {
    return network->vcs.ring_vc == NETWORK_NONE ||
           !network_is_ring_vc(network, port_vc % network->vcs.per_port);
}

bool credits_shared_are_available(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes) {
    const struct network *network = rail_group->network;
    if (!may_share(network, port_vc)) return false;
    uint32_t output = port_of_vc(network, port_vc);
    for (uint32_t other = output * network->vcs.per_port;
         other < (output + 1) * network->vcs.per_port; other++)
        credits_settle(rail_group, &rail_group->network->hop_features, other);
    return at_least_0(rail_group->output_vcs[port_vc].credits_bytes) +
               rail_group->shared_free_bytes[output] >=
           bytes;
}

void credits_take_shared(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes) {
    int64_t more = bytes - at_least_0(rail_group->output_vcs[port_vc].credits_bytes);
    rail_group->shared_free_bytes[port_of_vc(rail_group->network, port_vc)] -=
        (int32_t)at_least_0(more);
}

/* The credits that an output VC has at some time, and the returning credit that comes next. */
struct credit_walk {
    int64_t credits_bytes;
    int64_t time_ps; /* EVENT_NEVER: none */
    uint32_t bytes;
    uint32_t credit; /* index of that credit; NETWORK_NONE: the earliest one, which has none */
};

/* Applies a VC's next credit and goes on to the one after it. Returns what it gives back to the
 * shared buffer. */
static int64_t apply_next(const struct rail_group *rail_group,
                          const struct network_output_vc *output_vc, struct credit_walk *walk) {
    const struct network_credit *credits = rail_group->credits.items;
    const struct network_credit *own = overflow_of(rail_group, output_vc);
    int64_t back = repaid_to_shared(walk->credits_bytes, walk->bytes);
    walk->credits_bytes += walk->bytes;
    uint32_t last = own != NULL ? own->last_credit : NETWORK_NONE;
    if (last == NETWORK_NONE || walk->credit == last) {
        walk->time_ps = EVENT_NEVER;
    } else {
        walk->credit = credits[walk->credit == NETWORK_NONE ? last : walk->credit].next;
        walk->time_ps = credits[walk->credit].time_ps;
        walk->bytes = credits[walk->credit].bytes;
    }
    return back;
}

/* credits_at_ps where VCs share a buffer: goes through the returning credits of all VCs of the
 * output in the order of time. A credit that is not yet on its way may come before those that are,
 * and a credit of any VC may suffice, so from now on all of them wake the output. */
HINT_NOINLINE static int64_t shared_time(struct rail_group *rail_group, uint32_t port_vc,
                                         uint32_t bytes) {
    const struct network *network = rail_group->network;
    uint32_t output = port_of_vc(network, port_vc), first = output * network->vcs.per_port;
    struct credit_walk walks[NETWORK_VCS_MAX];
    for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
        credits_settle(rail_group, &rail_group->network->hop_features, first + vc);
        struct network_output_vc *output_vc = &rail_group->output_vcs[first + vc];
        want_credits(rail_group, output_vc,
                     1); /* from now on every credit wakes the output when it comes */
        const struct network_credit *own = overflow_of(rail_group, output_vc);
        walks[vc] = (struct credit_walk){output_vc->credits_bytes, output_vc->returning_ps,
                                         own != NULL ? own->returning_bytes : 0, NETWORK_NONE};
    }
    int64_t free_bytes = rail_group->shared_free_bytes[output];
    for (;;) {
        uint32_t next = 0;
        for (uint32_t vc = 1; vc < network->vcs.per_port; vc++)
            if (walks[vc].time_ps < walks[next].time_ps) next = vc;
        int64_t time_ps = walks[next].time_ps;
        if (time_ps == EVENT_NEVER) return EVENT_NEVER;
        free_bytes += apply_next(rail_group, &rail_group->output_vcs[first + next], &walks[next]);
        if (at_least_0(walks[port_vc - first].credits_bytes) + free_bytes >= bytes) return time_ps;
    }
}

int64_t credits_at_ps(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes) {
    if (rail_group->shared_free_bytes != NULL && may_share(rail_group->network, port_vc))
        return shared_time(rail_group, port_vc, bytes);
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    const struct network_credit *own = overflow_of(rail_group, output_vc);
    int64_t credits_bytes = output_vc->credits_bytes;
    if (output_vc->returning_ps != EVENT_NEVER) {
        credits_bytes += own != NULL ? own->returning_bytes : output_vc->returning_bytes;
        if (credits_bytes >= bytes) return output_vc->returning_ps;
        const struct network_credit *credits = rail_group->credits.items;
        uint32_t last = own != NULL ? own->last_credit : NETWORK_NONE;
        for (uint32_t i = last == NETWORK_NONE ? NETWORK_NONE : credits[last].next;
             i != NETWORK_NONE; i = i == last ? NETWORK_NONE : credits[i].next) {
            credits_bytes += credits[i].bytes;
            if (credits_bytes >= bytes) return credits[i].time_ps;
        }
    }
    if (own == NULL || own->wanted_bytes == 0 || own->wanted_bytes > bytes)
        want_credits(rail_group, output_vc, bytes);
    return EVENT_NEVER;
}

/* Appends a returning credit to the ring of an output VC, no earlier than those that are on their
 * way. Returns its time. */
HINT_NOINLINE static int64_t add_to_queue(struct rail_group *rail_group,
                                          struct network_output_vc *output_vc, int64_t time_ps,
                                          uint32_t bytes) {
    uint32_t added = network_credit_pool_take(&rail_group->credits);
    struct network_credit *own = added != POOL_NONE ? overflow_or_new(rail_group, output_vc) : NULL;
    if (own == NULL) {
        rail_group->failure.out_of_memory = true;
        return time_ps;
    }
    struct network_credit *credits = rail_group->credits.items;
    uint32_t last = own->last_credit;
    int64_t before_ps = last == NETWORK_NONE ? output_vc->returning_ps : credits[last].time_ps;
    if (time_ps < before_ps) time_ps = before_ps;
    uint32_t first = last == NETWORK_NONE ? added : credits[last].next;
    credits[added] = (struct network_credit){.time_ps = time_ps, .bytes = bytes, .next = first};
    if (last != NETWORK_NONE) credits[last].next = added;
    own->last_credit = added;
    return time_ps;
}

/* Wakes the output of a VC whose packet waits for credits if a returning credit lets it go, or with
 * shared buffers may let it go. */
HINT_NOINLINE static void wake_waiting(struct rail_group *rail_group, uint32_t port_vc,
                                       int64_t time_ps) {
    const uint32_t output = port_of_vc(rail_group->network, port_vc);
    if (rail_group->shared_free_bytes != NULL) {
        wakeup_set(rail_group, output, time_ps);
        return;
    }
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    const uint32_t wanted_bytes = overflow_of(rail_group, output_vc)->wanted_bytes;
    want_credits(rail_group, output_vc, 0);
    int64_t wake_ps = credits_at_ps(rail_group, port_vc, wanted_bytes);
    if (wake_ps == EVENT_NEVER) return;
    wakeup_set(rail_group, output, wake_ps);
    end_overflow(rail_group, output_vc);
}

/* credits_return where other credits are on their way, or a packet waits for some. */
HINT_NOINLINE static int64_t return_to_overflow(struct rail_group *rail_group, uint32_t port_vc,
                                                int64_t time_ps, uint32_t bytes) {
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    if (output_vc->returning_ps == EVENT_NEVER) {
        output_vc->returning_ps = time_ps;
        overflow_of(rail_group, output_vc)->returning_bytes = bytes;
    } else {
        time_ps = add_to_queue(rail_group, output_vc, time_ps, bytes);
    }
    const struct network_credit *own = overflow_of(rail_group, output_vc);
    if (own != NULL && own->wanted_bytes > 0) wake_waiting(rail_group, port_vc, time_ps);
    return time_ps;
}

int64_t credits_return(struct rail_group *rail_group, const struct network_hop_features *features,
                       uint32_t port_vc, int64_t time_ps, uint32_t bytes) {
    struct network_output_vc *output_vc = &rail_group->output_vcs[port_vc];
    credits_settle(rail_group, features, port_vc);
    if (output_vc->returning_bytes == 0) { /* by far the most frequent case */
        output_vc->returning_ps = time_ps;
        output_vc->returning_bytes = bytes;
        return time_ps;
    }
    return return_to_overflow(rail_group, port_vc, time_ps, bytes);
}
