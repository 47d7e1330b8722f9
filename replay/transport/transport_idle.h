/*
 * A network without contention as a transport: every message takes no time, or its time on the idle
 * packet-level network. Reports come in the order of their times, on one thread.
 */
#ifndef ANAX_REPLAY_TRANSPORT_IDLE_H
#define ANAX_REPLAY_TRANSPORT_IDLE_H

#include "replay/transport/transport.h"

struct idle_event;

struct transport_idle {
    struct transport transport;
    const struct network_config *machine;
    const struct network *network; /* gives the times of messages; NULL: they take none */
    struct idle_event *heap;
    size_t count;
    size_t capacity;
    uint64_t sequence;
    bool failed; /* out of memory */
};

/* The caller ends with transport_idle_clear. Machine and network must outlive it. */
void transport_idle_init(struct transport_idle *idle, const struct network_config *machine,
                         const struct network *network);
void transport_idle_clear(struct transport_idle *idle);

#endif
