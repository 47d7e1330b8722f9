/*
 * A transport that takes no time: every message arrives when it is sent.
 */
#ifndef ANAX_REPLAY_TRANSPORT_INSTANT_H
#define ANAX_REPLAY_TRANSPORT_INSTANT_H

#include "replay/transport.h"

typedef struct instant_event instant_event;

typedef struct transport_instant {
    transport transport;
    const network_config *machine; /* which node belongs to which domain */
    /* Told of every message; NULL: nobody. */
    void (*watch)(void *context, const network_message *message);
    void *watch_context;
    instant_event *events; /* a ring */
    size_t capacity;       /* a power of two, or 0 */
    size_t first;
    size_t count;
    bool failed; /* out of memory */
} transport_instant;

/* machine must live as long. Running it gives STATUS_OK or STATUS_MEMORY; it can be run again. */
void transport_instant_init(transport_instant *instant, const network_config *machine);
void transport_instant_clear(transport_instant *instant);

#endif
