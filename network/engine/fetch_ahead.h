/*
 * Brings what the next events touch into the cache: a group's state has mostly left it between two
 * windows. Changes nothing.
 */
#ifndef ANAX_NETWORK_FETCH_AHEAD_H
#define ANAX_NETWORK_FETCH_AHEAD_H

#include "network/engine/events.h"
#include "network/engine/state.h"

/* Brings what an arrival soon to be handled touches into the cache. What another event makes of the
 * same numbers does no harm. */
static inline void fetch_ahead(const struct network_domain *domain, size_t distance) {
    uint64_t ahead = event_queue_ahead(&domain->events, distance);
    __builtin_prefetch(&domain->input_vcs[NETWORK_WHERE(ahead)], 1);
    __builtin_prefetch(&domain->packets.items[NETWORK_WHAT(ahead)], 1);
}

/* The same for the next delivery. */
static inline void fetch_message(const struct network_domain *domain) {
    const struct event_record *next = event_queue_next_keyed(&domain->events);
    if (next == NULL || domain->messages.capacity == 0) return;
    const char *message = (const char *)&domain->messages.items[next->extra];
    __builtin_prefetch(message);
    __builtin_prefetch(message + sizeof(struct message) - 1);
}

#define FETCH_DISTANCE 3

/* The first ones of a bucket that has been opened. */
static inline void fetch_first(const struct network_domain *domain) {
    for (size_t distance = 0; distance < FETCH_DISTANCE; distance++)
        fetch_ahead(domain, distance);
    fetch_message(domain);
}

#endif
