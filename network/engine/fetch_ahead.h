/*
 * Prefetches the data that the next events touch, because a group's state has mostly left the
 * cache between two windows. These functions change no state.
 */
#ifndef ANAX_NETWORK_FETCH_AHEAD_H
#define ANAX_NETWORK_FETCH_AHEAD_H

#include "core/base/prefetch.h"
#include "network/engine/events.h"
#include "network/engine/state.h"

/* Prefetches the input VC and the packet of the free event `distance` events ahead, as if it
 * were an arrival. For other kinds of events the prefetch is useless but harmless. */
PREFETCH_FUNCTION void fetch_ahead(const struct network_domain *domain, size_t distance) {
    uint64_t ahead = event_queue_ahead(&domain->events, distance);
    __builtin_prefetch(&domain->input_vcs[NETWORK_WHERE(ahead)], 1);
    __builtin_prefetch(&domain->packets.items[NETWORK_WHAT(ahead)], 1);
}

/* Prefetches the message of the next keyed event, as if it were a delivery. */
PREFETCH_FUNCTION void fetch_message(const struct network_domain *domain) {
    const struct event_record *next = event_queue_next_keyed(&domain->events);
    if (next == NULL || domain->messages.capacity == 0) return;
    const char *message = (const char *)&domain->messages.items[next->extra];
    __builtin_prefetch(message);
    __builtin_prefetch(message + sizeof(struct network_message_record) - 1);
}

/* Prefetches what a message from an endpoint touches first, if the number is that of a node's first
 * NIC. */
PREFETCH_FUNCTION void fetch_sender(const struct network_domain *domain, uint32_t endpoint) {
    const struct network *network = domain->network;
    uint32_t local = endpoint - domain->group * network->topology.endpoints_per_group;
    if (local >= network->topology.endpoints_per_group) return;
    __builtin_prefetch(&domain->nics[local], 1);
    __builtin_prefetch(&domain->outputs[network->tables.ports + local], 1);
    __builtin_prefetch(
        &domain->output_vcs[(size_t)(network->tables.ports + local) * network->vcs.per_port], 1);
}

#define FETCH_DISTANCE 3

/* Prefetches for the first events of a bucket that has just been opened. */
PREFETCH_FUNCTION void fetch_first(const struct network_domain *domain) {
    for (size_t distance = 0; distance < FETCH_DISTANCE; distance++)
        fetch_ahead(domain, distance);
    fetch_message(domain);
}

#endif
