/*
 * The idle network as a transport: every message takes no time, or its time on the idle
 * packet-level network. Reports come in the order of their times, on one thread.
 */
#ifndef ANAX_REPLAY_TRANSPORT_IDLE_H
#define ANAX_REPLAY_TRANSPORT_IDLE_H

#include "replay/transport/transport.h"

struct idle_state;

struct transport_idle {
    struct transport transport;
    const struct network_config *network_config;
    const struct network *network; /* gives the times of messages; NULL: they take none */
    struct idle_state *state;
};

/* Makes the transport. The caller ends with transport_idle_clear, also after an error. Machine and
 * network must outlive it. STATUS_MEMORY. */
status_code transport_idle_new(struct transport_idle *idle,
                               const struct network_config *network_config,
                               const struct network *network, struct status *status);

/* Frees what transport_idle_new has made. */
void transport_idle_clear(struct transport_idle *idle);

#endif
