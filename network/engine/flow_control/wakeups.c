/* Wake-ups make allocators due, which run after all events of the time stamp, and end the sleep of
 * input VCs that wait for the output. */
#include "network/engine/flow_control/wakeups.h"

#include "network/engine/flow_control/sleepers.h"
#include "network/engine/state/events.h"

void wakeup_set(struct rail_group *rail_group, uint32_t output, int64_t time_ps) {
    struct network_output *out = &rail_group->outputs[output];
    if (out->wake_ps > rail_group->now_ps && out->wake_ps <= time_ps) return;
    out->wake_ps = time_ps;
    event_queue_insert(&rail_group->events, time_ps, NETWORK_EVENT(NETWORK_EVENT_WAKE, 0, output));
}

void wakeup_make_due(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t output) {
    if (features->allocates_by_router && output < rail_group->network->tables.ports) {
        if (!features->has_basic_routing && rail_group->allocation.sleepers != NULL)
            sleepers_wake(rail_group, output);
        output = rail_group->network->tables.wiring[output].router;
    }
    bitset_add(&rail_group->allocation.due_allocators, output);
}
