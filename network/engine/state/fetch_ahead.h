/*
 * Prefetches the data that the next events touch, because a group's state has mostly left the
 * cache between two windows. These functions change no state.
 */
#ifndef ANAX_NETWORK_FETCH_AHEAD_H
#define ANAX_NETWORK_FETCH_AHEAD_H

#include "core/base/prefetch.h"
#include "network/engine/state/events.h"
#include "network/engine/state/state.h"

/* Prefetches the input VC and the packet of the free event `distance` events ahead, as if it
 * were an arrival. For other kinds of events the prefetch is useless but harmless. */
PREFETCH_FUNCTION void fetch_ahead(const struct rail_group *rail_group, size_t distance) {
    uint64_t ahead = event_queue_ahead(&rail_group->events, distance);
    __builtin_prefetch(&rail_group->input_vcs[NETWORK_EVENT_WHERE(ahead)], 1);
    __builtin_prefetch(&rail_group->packets.items[NETWORK_EVENT_WHAT(ahead)], 1);
}

/* Prefetches the message of the next keyed event, as if it were a delivery. */
PREFETCH_FUNCTION void fetch_message(const struct rail_group *rail_group) {
    const struct event_record *next = event_queue_next_keyed(&rail_group->events);
    if (next == NULL || rail_group->messages.capacity == 0) return;
    const char *message = (const char *)&rail_group->messages.items[next->extra];
    __builtin_prefetch(message);
    __builtin_prefetch(message + sizeof(struct network_message_record) - 1);
}

/* Prefetches what a message from an endpoint touches first, if the number is that of a node's first
 * NIC. */
PREFETCH_FUNCTION void fetch_sender(const struct rail_group *rail_group, uint32_t endpoint) {
    const struct network *network = rail_group->network;
    uint32_t local = endpoint - rail_group->group * network->topology.endpoints_per_group;
    if (local >= network->topology.endpoints_per_group) return;
    __builtin_prefetch(&rail_group->nics[local], 1);
    __builtin_prefetch(&rail_group->outputs[network->tables.ports + local], 1);
    __builtin_prefetch(
        &rail_group->output_vcs[(size_t)(network->tables.ports + local) * network->vcs.per_port],
        1);
}

#define FETCH_DISTANCE 3

/* Prefetches for the first events of a bucket that has just been opened. */
PREFETCH_FUNCTION void fetch_first(const struct rail_group *rail_group) {
    for (size_t distance = 0; distance < FETCH_DISTANCE; distance++)
        fetch_ahead(rail_group, distance);
    fetch_message(rail_group);
}

#endif
