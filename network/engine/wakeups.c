/* Wake-ups make allocators due, which run after all events of the time stamp, and end the sleep of
 * input VCs that wait for the output. */
#include "network/engine/wakeups.h"

#include "network/engine/events.h"
#include "network/engine/sleepers.h"

void wakeup_set(struct network_domain *domain, uint32_t output, int64_t time_ps) {
    struct network_output *out = &domain->outputs[output];
    if (out->wake_ps > domain->now_ps && out->wake_ps <= time_ps) return;
    out->wake_ps = time_ps;
    event_queue_insert(&domain->events, time_ps, NETWORK_EVENT(NETWORK_WAKE, 0, output));
}

void wakeup_now(struct network_domain *domain, const struct network_hop_features *features,
                uint32_t output) {
    if (features->by_router && output < domain->network->tables.ports) {
        if (!features->basic && domain->allocation.sleepers != NULL) sleepers_wake(domain, output);
        output = domain->network->tables.wiring[output].router;
    }
    bitset_add(&domain->allocation.due, output);
}
