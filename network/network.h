/*
 * The packet-level dragonfly: messages in, deliveries out.
 *
 * Knows nodes and bytes; must not know ranks, MPI or traces. A domain is one dragonfly group: its
 * routers in all rails, its NICs and whatever the user of the network keeps at its nodes. Domains
 * run at once on several threads; all functions that take a network_domain may be called only from
 * inside a callback for that domain (or before network_run), and touch only that domain.
 *
 * Callbacks are called in the total order (time, kind, entity, key) within a domain; results do not
 * depend on the number of threads.
 */
#ifndef ANAX_NETWORK_NETWORK_H
#define ANAX_NETWORK_NETWORK_H

#include "core/status.h"
#include "core/wide.h"
#include "network/network_config.h"

#include <stdbool.h>
#include <stdint.h>

struct network;
struct network_domain;

/* What comes back with a delivery, unchanged. */
struct network_cookie {
    uint64_t word[3];
};

struct network_message {
    uint32_t source_node;      /* of the domain in whose callback the message is sent */
    uint32_t destination_node; /* equal to source_node: the memory model, no network */
    uint64_t size_bytes;       /* payload; 0 is a packet of header only */
    bool notify_sent;          /* call sink.sent once its last byte has left the source NIC */
    struct network_cookie cookie;
};

struct network_delivery {
    uint32_t source_node;
    uint32_t destination_node;
    uint64_t size_bytes;
    int64_t ready_ps;     /* when it was handed to the source NIC */
    int64_t zero_load_ps; /* closed form for this message on an idle network, minimal path */
    uint32_t routers;     /* passed by its last packet; 0 within a node */
    bool minimal;         /* all its packets took minimal paths */
    struct network_cookie cookie;
};

/* Where the network's feedback goes. now_ps is the simulated time of the event. Deliveries and
 * sents at the same time come before timers; among equals by node, then source node and order of
 * sending; timers by entity, then data. */
struct network_sink {
    void *context;
    /* The callbacks of a domain commute (synthetic traffic): simultaneous timers come in any order,
     * their data has 32 bits, and deliveries are reported as soon as they are certain, with now_ps
     * in the future. Saves the sorting, and an event per delivery. */
    bool unordered;
    /* The last byte of a message has arrived at its destination node (in that node's domain). */
    void (*delivered)(void *context, struct network_domain *domain, int64_t now_ps,
                      const struct network_delivery *delivery);
    /* The last byte has left the source NIC (in the source node's domain). */
    void (*sent)(void *context, struct network_domain *domain, int64_t now_ps, uint32_t source_node,
                 const struct network_cookie *cookie);
    /* A timer set by network_timer. */
    void (*timer)(void *context, struct network_domain *domain, int64_t now_ps, uint32_t entity,
                  uint64_t data);
};

/* The machine is built for config (checked first); STATUS_USAGE tells all that is wrong with it. */
status_code network_new(struct network **network, const struct network_config *config,
                        uint64_t seed, const struct network_sink *sink, struct status *status);
void network_free(struct network *network); /* NULL allowed */

uint32_t network_node_count(const struct network *network);
/* Whether the node's router works; other nodes must not send or be sent to. */
bool network_node_works(const struct network *network, uint32_t node);
uint32_t network_working_nodes(const struct network *network);
uint32_t network_rail_count(const struct network *network);
uint32_t network_domain_count(const struct network *network);
struct network_domain *network_domain_at(struct network *network, uint32_t index);
struct network_domain *network_domain_of_node(struct network *network, uint32_t node);
uint32_t network_domain_index(const struct network_domain *domain);

/* Hands a message to its source NIC at ready_ps (>= the current time of the domain). */
void network_send(struct network_domain *domain, int64_t ready_ps,
                  const struct network_message *message);

/* Calls sink.timer(entity, data) at at_ps (>= the current time of the domain). */
void network_timer(struct network_domain *domain, int64_t at_ps, uint32_t entity, uint64_t data);

/* How many messages wait at a node's source NIC, the one that is being sent included. */
uint32_t network_waiting(const struct network_domain *domain, uint32_t node);

/* Drops the messages of the domain's nodes of which nothing was sent yet; returns how many. They
 * count as never handed in. Messages handed in for a time to come are not among them: call it when
 * there are none. */
uint64_t network_abandon(struct network_domain *domain);

/* Time of a message on the idle network by its minimal path, from ready to delivered; docs/model.md
 * gives the equation. At most NETWORK_TIME_LIMIT_PS. */
int64_t network_zero_load_ps(const struct network *network, uint32_t source_node,
                             uint32_t destination_node, uint64_t size_bytes);

struct network_run_options {
    unsigned threads; /* >= 1; 0: as many as help */
    /* No message that will be sent is smaller than this, and none of several packets leaves a
     * smaller rest: allows longer windows, changes no result. 0 is always right. */
    uint64_t smallest_message_bytes;
    /* Called now and then from the calling thread; simulated time so far. NULL: never. Return
     * false to stop the run (STATUS_RUN). */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
};

/* No event is handled at this time or later, so that sums of two times that were handled, or of one
 * and any of the network's own times, can be formed: 26 days. */
#define NETWORK_TIME_LIMIT_PS (INT64_MAX / 4)

/* Runs until no event is left. STATUS_RUN: deadlock, starvation or a broken conservation law, with
 * a report of where packets are stuck, or events beyond NETWORK_TIME_LIMIT_PS; STATUS_MEMORY. */
status_code network_run(struct network *network, const struct network_run_options *options,
                        struct status *status);

#define NETWORK_LATENCY_BINS 2048

struct network_totals {
    uint64_t messages;        /* delivered through the network (not memory) */
    uint64_t memory_messages; /* delivered within a node */
    uint64_t packets;         /* delivered */
    uint64_t packet_hops;     /* packets forwarded by routers, ejection included */
    wide bytes;               /* payload delivered through the network */
    uint64_t minimal_packets; /* delivered packets that took a minimal path */
    uint64_t escapes;         /* times that packets went into the escape ring */
    uint64_t router_hops[16]; /* delivered packets by routers passed, last bin: that many or more */
    wide latency_sum_ps;      /* of messages through the network, ready to delivered */
    int64_t latency_max_ps;
    uint64_t latency_histogram[NETWORK_LATENCY_BINS]; /* see network_latency_bin */
    uint64_t events;
    uint64_t windows;
    unsigned threads; /* used */
    uint64_t digest;  /* over all deliveries and the totals: equal runs, equal digest */
};

void network_totals_of(const struct network *network, struct network_totals *totals);

/* Histogram bins of latencies: 32 per factor of two; lower bound of a bin in ps. Percentile:
 * latency in ps that the given millionths of all messages do not exceed, interpolated within a bin
 * (so it is right to 3 %); 0 if there are none. */
unsigned network_latency_bin(int64_t latency_ps);
int64_t network_latency_bin_floor(unsigned bin);
int64_t network_latency_percentile(const struct network_totals *totals, int64_t millionths);

/* What went over one direction of a channel. Its bytes do not wrap: packets are at most 2 MiB, so
 * 2^64 bytes are 2^43 packets, and the one thread that a channel belongs to takes weeks for them.
 */
struct network_link_counts {
    uint64_t packets;
    uint64_t bytes; /* headers included */
    int64_t busy_ps;
    int64_t stalled_ps; /* idle though a packet waited for it, for lack of credits */
    /* Of channels from nodes, while measuring: what left the injection buffer, granted an output.
     */
    uint64_t injected_packets;
    uint64_t injected_bytes;
};

/* What the engine keeps for each output beside what flow control needs. Whoever adds a figure about
 * links adds it here and lets the engine count it: network_link has a copy. */
struct network_link_figures {
    int64_t stalled_ps; /* idle though a packet waited for it, for lack of credits */
};

/* One direction of a channel, as counted over the run. */
struct network_link {
    network_level level;
    uint32_t rail;
    bool injection;       /* terminal only: node to router; else router to node */
    uint32_t source;      /* router number, rail by rail; injection: node number */
    uint32_t destination; /* router number; ejection: node number */
    uint32_t source_group;
    uint32_t destination_group;
    uint32_t port; /* of the source router */
    uint64_t packets;
    uint64_t bytes; /* headers included */
    int64_t busy_ps;
    struct network_link_figures figures;
    struct network_link_counts measured; /* between network_measure_begin and network_measure_end */
};

/* What a domain's outputs and NICs do from the one call (of a timer) to the other, at least, is
 * counted in network_link.measured: the packets that they take in between, and the time in between
 * that their channels are busy or stalled. Both are called once. */
void network_measure_begin(struct network_domain *domain);
void network_measure_end(struct network_domain *domain);

/* Calls visit for every link, in a fixed order. */
void network_visit_links(const struct network *network,
                         void (*visit)(void *context, const struct network_link *link),
                         void *context);

#endif
