/*
 * Times of messages on an idle network.
 */
#ifndef ANAX_NETWORK_ZERO_LOAD_H
#define ANAX_NETWORK_ZERO_LOAD_H

#include "network/engine/state.h"

/* Returns the time from ready to delivered of a message between two endpoints on an idle network,
 * by the minimal path of the message with that sequence number at its source, in a virtual network.
 * Stripes use all endpoints of the two nodes. At most NETWORK_TIME_LIMIT_PS. */
int64_t zero_load_ps(const struct network *network, uint32_t source, uint32_t destination,
                     uint64_t size_bytes, uint32_t sequence, uint32_t virtual_network);
/* Returns the time of a packet without bytes on an idle network, by the minimal path in the
 * domain's rail of a message with that sequence number: latencies and routers only. */
int64_t zero_load_path_latency_ps(const struct network_domain *domain, uint32_t source,
                                  uint32_t destination, uint32_t sequence);

#endif
