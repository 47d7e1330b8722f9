/*
 * The lengths of the minimal routes of a machine with failures, over all pairs of routers that
 * work. A length is the mean over the links between two groups. If no link joins the groups, it is
 * the mean over third groups, weighted by how often routing_link_of_message chooses them. See
 * docs/model.md, 12.1.
 *
 * Knows wirings and paths inside groups, but no routing policy.
 */
#ifndef ANAX_NETWORK_MINIMAL_ROUTES_H
#define ANAX_NETWORK_MINIMAL_ROUTES_H

#include "network/topology/topology.h"

struct minimal_routes {
    __uint128_t millionths; /* millionths of hops, over ordered pairs of routers that work */
    uint32_t max;           /* hops of the longest route */
};

/* Computes the lengths for a topology with failures. Errors: STATUS_MEMORY. */
status_code minimal_routes_find(struct minimal_routes *routes, const struct topology *topology,
                                struct status *status);

#endif
