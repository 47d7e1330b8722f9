/*
 * How long the minimal routes of a machine with failures are, over all pairs of nodes that work: in
 * the mean over the links between two groups, and where there is none, over the third groups by
 * which packets go as often as they do (routing_link_of_message). See docs/model.md, 12.1.
 *
 * Knows wirings and paths inside groups, no policy.
 */
#ifndef ANAX_NETWORK_MINIMAL_ROUTES_H
#define ANAX_NETWORK_MINIMAL_ROUTES_H

#include "network/topology/topology.h"

struct minimal_routes {
    __uint128_t millionths; /* sum of the hops over ordered pairs of routers that work */
    uint32_t most;          /* hops of the longest route */
};

/* Errors: STATUS_MEMORY. */
status_code minimal_routes_find(struct minimal_routes *routes, const struct topology *topology,
                                struct status *status);

#endif
