/*
 * A transport that takes no time: every message arrives when it is sent.
 */
#ifndef ANAX_REPLAY_TRANSPORT_INSTANT_H
#define ANAX_REPLAY_TRANSPORT_INSTANT_H

#include "replay/transport/transport.h"

struct instant_event;

struct transport_instant {
    struct transport transport;
    const struct network_config *machine; /* which node belongs to which domain */
    /* Told of every message; NULL: nobody. */
    void (*watch)(void *context, const struct network_message *message);
    void *watch_context;
    struct instant_event *events; /* a ring */
    size_t capacity;              /* a power of two, or 0 */
    size_t first;
    size_t count;
    bool failed; /* out of memory */
};

/* machine must live as long. Running it gives STATUS_OK or STATUS_MEMORY; it can be run again. */
void transport_instant_init(struct transport_instant *instant,
                            const struct network_config *machine);
void transport_instant_clear(struct transport_instant *instant);

#endif
