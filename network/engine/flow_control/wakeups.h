/*
 * Wake-ups: when an output allocates, or the router that allocates all its outputs together.
 */
#ifndef ANAX_NETWORK_WAKEUPS_H
#define ANAX_NETWORK_WAKEUPS_H

#include "network/engine/state/state.h"

/* Wakes an output or NIC at time_ps. Does nothing if a wake-up at that time or earlier is already
 * set. */
void wakeup_set(struct rail_group *rail_group, uint32_t output, int64_t time_ps);

/* Makes the allocator of an output, or a NIC, due at now_ps. */
void wakeup_make_due(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t output);

#endif
