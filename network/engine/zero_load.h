/*
 * Times of messages on an idle network.
 */
#ifndef ANAX_NETWORK_ZERO_LOAD_H
#define ANAX_NETWORK_ZERO_LOAD_H

#include "network/engine/state.h"

/* Returns the time from ready to delivered of a message on an idle network, by the minimal path
 * of the message with that sequence number at its source, in a virtual network. At most
 * NETWORK_TIME_LIMIT_PS. */
int64_t zero_load_ps(const struct network *network, uint32_t source, uint32_t destination,
                     uint64_t size_bytes, uint32_t sequence, uint32_t virtual_network);

#endif
