/*
 * The times for which packets occupy a channel. Internal to network/.
 */
#ifndef ANAX_NETWORK_CHANNEL_TIMES_H
#define ANAX_NETWORK_CHANNEL_TIMES_H

#include "core/base/compiler_hints.h"
#include "network/engine/state/state.h"

/* Returns the serialisation time of bytes in picoseconds, rounded up. Source: docs/model.md, 1. */
static inline wide channel_serialisation_wide_ps(uint64_t bytes, int64_t bandwidth) {
    return ((wide)bytes * 1000000000000u + (uint64_t)bandwidth - 1) / (uint64_t)bandwidth;
}

/* Returns the serialisation time of a packet, a buffer or a phit, rounded up: at most 2^30 bytes
 * at 1 MB/s, 18 minutes. Most packets are full, and their times are known. */
HINT_RARE __attribute__((unused)) static int64_t channel_serialisation_ps(int64_t size_bytes,
                                                                          int64_t bandwidth) {
    uint64_t bytes = (uint64_t)size_bytes;
    if (bytes <= UINT64_C(18000000)) /* bytes · 10^12 fits into 64 bits */
        return (int64_t)((bytes * UINT64_C(1000000000000) + (uint64_t)bandwidth - 1) /
                         (uint64_t)bandwidth);
    return (int64_t)channel_serialisation_wide_ps(bytes, bandwidth);
}

/* Returns the serialisation time of a packet on a channel of the type. */
static inline int64_t channel_ps(const struct network *network, uint32_t type, uint32_t bytes) {
    return bytes == network->channels.full_packet_bytes
               ? network->channels.full_packet_ps[type]
               : channel_serialisation_ps(bytes, network->channels.bytes_per_s[type]);
}

/* Returns the serialisation time of a packet that a NIC injects, header included. */
static inline int64_t channel_injection_ps(const struct network *network, uint32_t bytes) {
    return bytes == network->channels.full_packet_bytes
               ? network->nics.injection_full_ps
               : channel_serialisation_ps(bytes, network->nics.injection_bytes_per_s);
}

#endif
