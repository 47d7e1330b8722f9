/*
 * What carries the messages of a replay: the one interface between the replay and a network.
 *
 * A transport takes messages and timers, simulates them, and reports to its sink. Its members are
 * the packet-level network (transport_packet.c), a transport that takes no time
 * (transport_instant.c), and the contention-free network of the tests (tests/support). Nodes are
 * divided into domains as network_config_domain_of_node says; what happens in one domain is
 * reported with that domain's index, and only there may the sink change that domain's state, since
 * domains may run at once on several threads.
 *
 * Must not know: ranks' states, matching, MPI.
 */
#ifndef ANAX_REPLAY_TRANSPORT_H
#define ANAX_REPLAY_TRANSPORT_H

#include "network/network.h"

/* Where a transport reports to. now_ps: simulated time of the event, in picoseconds. The order of
 * the reports in a domain is that of network_sink. */
struct transport_sink {
    void *context;
    /* The last byte of a message has arrived; domain: its destination node's. */
    void (*delivered)(void *context, uint32_t domain, int64_t now_ps,
                      const struct network_delivery *delivery);
    /* The last byte of a message with notify_sent has left its NIC; domain: its source node's. */
    void (*sent)(void *context, uint32_t domain, int64_t now_ps,
                 const struct network_cookie *cookie);
    /* A timer set by transport_timer. */
    void (*timer)(void *context, uint32_t domain, int64_t now_ps, uint32_t rank);
    /* Whether nothing of the replay is left to happen, as seen at now_ps: a transport that carries
     * other traffic too asks this. */
    bool (*over)(void *context, int64_t now_ps);
};

struct transport;

struct transport_functions {
    void (*send)(struct transport *transport, uint32_t domain, int64_t ready_ps,
                 const struct network_message *message);
    void (*timer)(struct transport *transport, uint32_t domain, int64_t at_ps, uint32_t rank);
    int64_t (*zero_load_ps)(const struct transport *transport, uint32_t source_node,
                            uint32_t destination_node, uint64_t size_bytes);
    status_code (*run)(struct transport *transport, const struct network_run_options *options,
                       struct status *status);
    uint64_t (*digest)(const struct transport *transport);
};

/* The first member of each transport's own struct. */
struct transport {
    const struct transport_functions *functions;
    struct transport_sink sink; /* set before the first message or timer */
};

/* Hands a message to its source node's NIC at ready_ps. domain: the source node's; ready_ps: not
 * before that domain's current time. */
static inline void transport_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                                  const struct network_message *message) {
    transport->functions->send(transport, domain, ready_ps, message);
}

/* Calls sink.timer for the rank at at_ps, not before the domain's current time. */
static inline void transport_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                                   uint32_t rank) {
    transport->functions->timer(transport, domain, at_ps, rank);
}

/* Time of a message from ready to delivered when nothing else is carried. */
static inline int64_t transport_zero_load_ps(const struct transport *transport,
                                             uint32_t source_node, uint32_t destination_node,
                                             uint64_t size_bytes) {
    return transport->functions->zero_load_ps(transport, source_node, destination_node, size_bytes);
}

/* Reports until no message and no timer is left. Errors are those of network_run. */
static inline status_code transport_run(struct transport *transport,
                                        const struct network_run_options *options,
                                        struct status *status) {
    return transport->functions->run(transport, options, status);
}

/* Over all deliveries so far: equal runs have equal digests. */
static inline uint64_t transport_digest(const struct transport *transport) {
    return transport->functions->digest(transport);
}

#endif
