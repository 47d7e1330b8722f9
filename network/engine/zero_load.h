/*
 * Times of messages on an idle network.
 */
#ifndef ANAX_NETWORK_ZERO_LOAD_H
#define ANAX_NETWORK_ZERO_LOAD_H

#include "network/engine/state/state.h"

/* The time of a message from the first packet's start at its NIC, for all messages whose paths have
 * the same types of channels in the same order. Most messages of a group have one of few such paths
 * and sizes. */
struct zero_load_time {
    uint64_t path; /* the types of its channels, 4 bits each, after a bit that is set; 0: the entry
                      is empty */
    uint64_t size_bytes;
    int64_t time_ps;
    uint32_t maximum_millionths; /* share of channels that the message may use */
    uint32_t rails;              /* rails that it may use */
};
#define ZERO_LOAD_TIMES_BITS 6u

/* Returns an empty table of 2^ZERO_LOAD_TIMES_BITS times; NULL: out of memory. The caller frees it.
 * With windows of NICs, times depend on more than the path, and there is no table. */
struct zero_load_time *zero_load_times_new(void);

/* Returns the time from ready to delivered of a message between two endpoints on an idle network,
 * by the minimal path of the message with that sequence number at its source, in a virtual network
 * (if packets choose links, network.link_choice: by the shortest path). Stripes use all endpoints
 * of the two nodes. times: those found before; NULL: no table. At most NETWORK_TIME_LIMIT_PS. */
int64_t zero_load_ps(const struct network *network, struct zero_load_time *times, uint32_t source,
                     uint32_t destination, uint64_t size_bytes, uint32_t sequence,
                     uint32_t virtual_network);
/* Returns the time of a packet without bytes on an idle network, by the minimal path in the rail of
 * a message with that sequence number, or by the shortest path if packets choose links: latencies
 * and routers only. */
int64_t zero_load_path_latency_ps(const struct rail_group *rail_group, uint32_t source,
                                  uint32_t destination, uint32_t sequence);

#endif
