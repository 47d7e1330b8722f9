/*
 * Credit-based flow control: what an output knows of the buffer at the other end of its channel.
 *
 * Returning credits are lists in order of time, and are applied only when an allocator reads them.
 * A blocked output is woken only by the credit that unblocks it.
 */
#include "network/engine/credits.h"

#include "core/hints.h"
#include "network/engine/wakeups.h"
#include "network/routing/round_trips.h"

void credits_settle_more(struct network_domain *domain, uint32_t index) {
    struct output_vc *port_vc = &domain->output_vcs[index];
    struct credit_pool *pool = &domain->credits;
    while (port_vc->coming_ps <= domain->now_ps) {
        port_vc->credits_bytes += (int32_t)port_vc->coming_bytes;
        if (domain->round_trips != NULL && index < domain->network->ports * domain->network->vcs)
            round_trips_credited(domain, index, port_vc->coming_bytes, port_vc->coming_ps);
        uint32_t last = port_vc->last_credit;
        if (last == NONE) {
            port_vc->coming_ps = EVENT_NEVER;
            return;
        }
        uint32_t first = pool->items[last].next;
        struct credit *credit = &pool->items[first];
        port_vc->coming_ps = credit->time_ps;
        port_vc->coming_bytes = credit->bytes;
        if (first == last) {
            port_vc->last_credit = NONE;
        } else {
            pool->items[last].next = credit->next;
        }
        credit_pool_give(pool, first);
    }
}

int64_t credits_time(struct network_domain *domain, uint32_t index, uint32_t bytes) {
    struct output_vc *port_vc = &domain->output_vcs[index];
    int64_t coming = port_vc->credits_bytes;
    if (port_vc->coming_ps != EVENT_NEVER) {
        coming += port_vc->coming_bytes;
        if (coming >= bytes) return port_vc->coming_ps;
        const struct credit *credits = domain->credits.items;
        uint32_t last = port_vc->last_credit;
        for (uint32_t i = last == NONE ? NONE : credits[last].next; i != NONE;
             i = i == last ? NONE : credits[i].next) {
            coming += credits[i].bytes;
            if (coming >= bytes) return credits[i].time_ps;
        }
    }
    if (port_vc->wanted_bytes == 0 || port_vc->wanted_bytes > (int32_t)bytes)
        port_vc->wanted_bytes = (int32_t)bytes;
    return EVENT_NEVER;
}

/* Appends a returning credit to the ring of an output VC. */
HINT_APART static void add_to_ring(struct network_domain *domain, struct output_vc *port_vc,
                                   int64_t time_ps, uint32_t bytes) {
    uint32_t added = credit_pool_take(&domain->credits);
    if (added == POOL_NONE) {
        domain->out_of_memory = true;
        return;
    }
    struct credit *credits = domain->credits.items;
    uint32_t last = port_vc->last_credit;
    credits[added] = (struct credit){time_ps, bytes, last == NONE ? added : credits[last].next};
    if (last != NONE) credits[last].next = added;
    port_vc->last_credit = added;
}

void credits_return(struct network_domain *domain, uint32_t index, int64_t time_ps,
                    uint32_t bytes) {
    struct output_vc *port_vc = &domain->output_vcs[index];
    credits_settle(domain, index);
    if (port_vc->coming_ps == EVENT_NEVER) {
        port_vc->coming_ps = time_ps;
        port_vc->coming_bytes = bytes;
    } else {
        add_to_ring(domain, port_vc, time_ps, bytes);
    }
    if (port_vc->wanted_bytes > 0) {
        int32_t wanted = port_vc->wanted_bytes;
        port_vc->wanted_bytes = 0;
        int64_t wake_ps = credits_time(domain, index, (uint32_t)wanted);
        if (wake_ps != EVENT_NEVER) wakeup_set(domain, index / domain->network->vcs, wake_ps);
    }
}
