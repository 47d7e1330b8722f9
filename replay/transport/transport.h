/*
 * The one interface between the replay and the network that carries its messages.
 *
 * A transport takes messages and timers, simulates them, and reports to its sink. The transports
 * are the packet-level network (transport_packet.c), a transport that takes no time
 * (transport_instant.c), the idle network (transport_idle.c), and the network of the
 * tests (tests/support). network_config_domain_of_node divides the nodes into domains. Each event
 * is reported with the index of its domain. Several threads may simulate different domains at the
 * same time, so the sink may only change the state of that domain.
 *
 * Must not know: ranks' states, matching, MPI.
 */
#ifndef ANAX_REPLAY_TRANSPORT_H
#define ANAX_REPLAY_TRANSPORT_H

#include "network/network.h"

/* The functions to which a transport reports. now_ps: simulated time of the event, in picoseconds.
 * Reports of messages come before timers of the same domain and time, except those of the instant
 * transport. The packet-level network orders them further, see network_sink. */
struct transport_sink {
    void *context;
    /* The last byte of a message has arrived. domain: the domain of its destination node. */
    void (*delivered)(void *context, uint32_t domain, int64_t now_ps,
                      const struct network_delivery *delivery);
    /* The last byte of a message with notify_sent has left its NIC. domain: the domain of its
     * source node. */
    void (*sent)(void *context, uint32_t domain, int64_t now_ps,
                 const struct network_cookie *cookie);
    /* A timer set by transport_set_timer has expired. */
    void (*timer)(void *context, uint32_t domain, int64_t now_ps, uint32_t rank);
    /* Returns whether no event of the replay is left, as seen at now_ps. Only a transport that
     * carries other traffic too calls this function. */
    bool (*is_over)(void *context, int64_t now_ps);
};

struct transport;

struct transport_functions {
    void (*send)(struct transport *transport, uint32_t domain, int64_t ready_ps,
                 const struct network_message *message);
    void (*set_timer)(struct transport *transport, uint32_t domain, int64_t at_ps, uint32_t rank);
    /* Gives the next message of a domain a label; NULL: the transport keeps none. */
    void (*label)(struct transport *transport, uint32_t domain, const struct network_label *label);
    int64_t (*zero_load_ps)(const struct transport *transport,
                            const struct network_message *message);
    status_code (*run)(struct transport *transport, const struct network_run_options *options,
                       struct status *status);
    uint64_t (*digest)(const struct transport *transport);
    /* Returns the number of the process that simulates a domain; NULL if there is one process. */
    unsigned (*process_of)(const struct transport *transport, uint32_t domain);
    /* Fills in *parts for the message of the current report, which took time_ps from ready to
     * delivered or, if `sent`, until its last byte had left its NIC. NULL: the transport does not
     * know the parts. The time on an idle network then counts as latency of global channels, and
     * the rest as waiting in NICs. */
    void (*parts)(struct transport *transport, uint32_t domain,
                  const struct network_delivery *message, bool sent, int64_t time_ps,
                  struct network_time_parts *parts);
    /* Fills in only memory_ps, size_dependent_ps, memory_size_dependent_ps, hops and routers, which
     * takes less time; NULL: `parts` is called instead. */
    void (*path)(struct transport *transport, uint32_t domain,
                 const struct network_delivery *message, bool sent, int64_t time_ps,
                 struct network_time_parts *parts);
};

/* The first member of the struct of each kind of transport. */
struct transport {
    const struct transport_functions *functions;
    struct processes *processes; /* the processes that simulate together; NULL: this one alone */
    struct transport_sink sink;  /* set before the first message or timer */
};

/* Returns the number of the process that simulates a domain. */
static inline unsigned transport_process_of(const struct transport *transport, uint32_t domain) {
    return transport->processes != NULL ? transport->functions->process_of(transport, domain) : 0;
}
/* Returns whether this process simulates a domain. */
static inline bool transport_is_here(const struct transport *transport, uint32_t domain) {
    return transport_process_of(transport, domain) == processes_number(transport->processes);
}

/* Hands a message to its source node's NIC at ready_ps. domain: the domain of the source node.
 * ready_ps must not be before the domain's current time. */
static inline void transport_send(struct transport *transport, uint32_t domain, int64_t ready_ps,
                                  const struct network_message *message) {
    transport->functions->send(transport, domain, ready_ps, message);
}

/* Gives the next message of a domain a label, if the transport keeps labels. */
static inline void transport_set_next_label(struct transport *transport, uint32_t domain,
                                            const struct network_label *label) {
    if (transport->functions->label != NULL) transport->functions->label(transport, domain, label);
}

/* Sets a timer: sink.timer is called for the rank at at_ps, which must not be before the domain's
 * current time. */
static inline void transport_set_timer(struct transport *transport, uint32_t domain, int64_t at_ps,
                                       uint32_t rank) {
    transport->functions->set_timer(transport, domain, at_ps, rank);
}

/* Returns the time in ps from ready to delivered of a message on an otherwise idle network. */
static inline int64_t transport_zero_load_ps(const struct transport *transport,
                                             const struct network_message *message) {
    return transport->functions->zero_load_ps(transport, message);
}

/* Simulates until no message and no timer is left. Returns the errors of network_run. */
static inline status_code transport_run(struct transport *transport,
                                        const struct network_run_options *options,
                                        struct status *status) {
    return transport->functions->run(transport, options, status);
}

/* Fills in what the time of the message of the current report consists of: see `parts` above. */
static inline void transport_fill_parts(struct transport *transport, uint32_t domain,
                                        const struct network_delivery *message, bool sent,
                                        int64_t time_ps, struct network_time_parts *parts) {
    if (transport->functions->parts != NULL) {
        transport->functions->parts(transport, domain, message, sent, time_ps, parts);
        return;
    }
    *parts = (struct network_time_parts){0};
    int64_t idle_ps = message->zero_load_ps < time_ps ? message->zero_load_ps : time_ps;
    parts->latency_ps[NETWORK_GLOBAL] = idle_ps;
    parts->nic_waiting_ps = time_ps - idle_ps;
}

/* Fills in only memory_ps, size_dependent_ps, memory_size_dependent_ps, hops and routers, as
 * network_fill_path_parts does. */
static inline void transport_fill_path(struct transport *transport, uint32_t domain,
                                       const struct network_delivery *message, bool sent,
                                       int64_t time_ps, struct network_time_parts *parts) {
    if (transport->functions->path != NULL)
        transport->functions->path(transport, domain, message, sent, time_ps, parts);
    else
        transport_fill_parts(transport, domain, message, sent, time_ps, parts);
}

/* Returns a digest over all deliveries so far. Equal runs have equal digests. */
static inline uint64_t transport_digest(const struct transport *transport) {
    return transport->functions->digest(transport);
}

#endif
