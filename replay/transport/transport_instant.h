/*
 * A transport that takes no time: every message arrives when it is sent.
 */
#ifndef ANAX_REPLAY_TRANSPORT_INSTANT_H
#define ANAX_REPLAY_TRANSPORT_INSTANT_H

#include "replay/transport/transport.h"

struct instant_event;

struct transport_instant {
    struct transport transport;
    const struct network_config *network_config; /* gives the domain of each node; not owned */
    /* Called for every message as it is sent; NULL: not called. */
    void (*watch)(void *context, const struct network_message *message);
    void *watch_context;
    struct instant_event *events; /* ring buffer, owned */
    size_t capacity;              /* a power of two, or 0 */
    size_t first;
    size_t count;
    bool failed; /* out of memory */
};

/* Initialises a transport without messages. `network_config` must outlive it. transport_run on it
 * returns STATUS_OK or STATUS_MEMORY, and can be called again. */
void transport_instant_init(struct transport_instant *instant,
                            const struct network_config *network_config);

/* Frees what transport_instant_init has made. */
void transport_instant_clear(struct transport_instant *instant);

#endif
