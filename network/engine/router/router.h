/*
 * Allocation in routers.
 */
#ifndef ANAX_NETWORK_ROUTER_H
#define ANAX_NETWORK_ROUTER_H

#include "network/engine/state/state.h"

/* Routes the packets of `unrouted` and runs the allocators of `due_allocators` in a rail group
 * until both are empty. */
void router_allocate(struct rail_group *rail_group, const struct network_hop_features *features);

/* Allocates all outputs of one router together, by the input-first separable allocator or by
 * vc_allocation.h. Routers use it if their crossbar is not ideal, if the policy routes in transit,
 * or if they allocate VCs first. */
void separable_allocate(struct rail_group *rail_group, const struct network_hop_features *features,
                        uint32_t router);

#endif
