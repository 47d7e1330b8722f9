/*
 * Allocation in routers.
 */
#ifndef ANAX_NETWORK_ROUTER_H
#define ANAX_NETWORK_ROUTER_H

#include "network/engine/state.h"

/* Routes the packets of `unrouted` and runs the allocators of `due` in a domain until both are
 * empty. */
void router_allocate(struct network_domain *domain, const struct network_hop_features *features);

/* Runs the input-first separable allocator of one router. Routers use it if their crossbar is
 * not ideal, or if the policy routes in transit. */
void separable_allocate(struct network_domain *domain, const struct network_hop_features *features,
                        uint32_t router);

#endif
