/*
 * Congestion control at endpoints, the part of routers: the last router of a packet counts what
 * waits there for each of its endpoints. When that is too much, the port to the endpoint is
 * congested until enough has left. Meanwhile the router sends a notice to the source of every
 * packet that arrives for it: until when to send nothing to that endpoint. The sources get times
 * one after the other, no faster than the port drains. The part of NICs is in nic_windows.h.
 *
 * This file knows input VCs and packets, but neither NICs nor messages. All packets that arrive in
 * the same instant are counted before any source gets a notice, in the order of their sources.
 */
#ifndef ANAX_NETWORK_CONGESTION_H
#define ANAX_NETWORK_CONGESTION_H

#include "network/engine/state/state.h"

struct congestion_port {
    uint64_t queued_bytes; /* in the input VCs of its router, headers included */
    int64_t turn_ps;       /* when the source that gets the next notice may send again */
    bool is_congested;
};

struct congestion {
    struct congestion_port *ports; /* [endpoint] */
    uint32_t *arrived;             /* packets that have arrived at their last routers at now_ps */
    size_t count, capacity;
};

/* Returns the state of a rail group, which congestion_free frees; NULL: out of memory. */
struct congestion *congestion_new(const struct network *network);

/* Frees what congestion_new has made. */
void congestion_free(struct congestion *congestion);

/* Counts a packet that arrives in an input VC at now_ps, if the router is its last one. */
void congestion_count_arrival(struct rail_group *rail_group, uint32_t port_vc,
                              uint32_t packet_index);
/* Takes a packet that leaves an input VC out of the count. */
void congestion_count_departure(struct rail_group *rail_group, const struct network_input_vc *from,
                                const struct network_packet *packet);
/* Sends notices to sources, after all arrivals at now_ps and before anything leaves. */
void congestion_settle(struct rail_group *rail_group);

#endif
