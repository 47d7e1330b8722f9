/*
 * Allocation in routers.
 */
#ifndef ANAX_NETWORK_ROUTER_H
#define ANAX_NETWORK_ROUTER_H

#include "network/engine/state.h"

/* Routes and allocates everything that is marked in a domain, until nothing is. */
void router_allocate(struct network_domain *domain);

/* The input-first separable allocator of one router, for crossbars with busy inputs. */
void separable_allocate(struct network_domain *domain, uint32_t router);

#endif
