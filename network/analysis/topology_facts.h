/*
 * What can be said of a machine's topology without simulating it: distances, numbers of paths,
 * global connected components. Whole numbers only: averages are sums over counts.
 *
 * Hops are channels between routers: a packet from one router's node to another node of the same
 * router takes 0.
 */
#ifndef ANAX_NETWORK_TOPOLOGY_FACTS_H
#define ANAX_NETWORK_TOPOLOGY_FACTS_H

#include "network/analysis/global_components.h"
#include "network/topology/topology.h"

#include <stdint.h>

enum { TOPOLOGY_HOPS_MOST = 3 * TOPOLOGY_LOCAL_HOPS_MOST + 2 };

/* Pairs of groups that so many links join. */
struct topology_link_spread {
    uint32_t links;
    uint64_t pairs;
};

struct topology_facts {
    uint64_t nodes;
    uint64_t routers;
    uint64_t local_links;
    uint64_t global_links;
    uint64_t free_globals;   /* global ports without a link */
    uint64_t failed_routers; /* which are counted above, unlike failed links */
    uint64_t failed_locals;
    uint64_t failed_globals;
    uint32_t virtual_radix; /* of a group seen as one router: a·(p + h) */

    /* Ordered pairs of routers by the hops of their shortest paths, and of minimal routes (local,
     * global, local; of several links to a group each router counts all alike, so that the sum is
     * over pairs and links, see minimal_millionths). */
    bool distances_known; /* false: so large a machine that counting would take minutes */
    uint64_t pairs_at[TOPOLOGY_HOPS_MOST + 1]; /* [0]: a router with itself */
    uint32_t diameter;
    uint32_t minimal_diameter;
    uint64_t node_pairs;            /* ordered, of different nodes that work */
    __uint128_t shortest_sum;       /* hops over all node pairs: of shortest paths … */
    __uint128_t minimal_millionths; /* … and millionths of them of minimal routes, in the mean over
                                       the links (minimal_routes.h) */

    struct topology_link_spread *spread; /* links per pair of groups, ascending; owned */
    uint32_t spread_count;

    /* Paths by way of a third group, over pairs of different groups: by all pairs of links. */
    __uint128_t detour_sum;  /* over ordered pairs of groups */
    bool detour_range_known; /* machines of many groups with an uneven spread: not counted */
    uint64_t detours_least;
    uint64_t detours_most;

    struct global_components components;
};

/* What all rails of a machine have, and what of them has failed. */
struct topology_parts {
    uint64_t local_links; /* that work */
    uint64_t global_links;
    uint64_t free_globals;
    uint64_t failed_routers;
    uint64_t failed_locals;
    uint64_t failed_globals;
};

/* Of a configuration that has been checked. Errors: those of topology_of_rail. */
status_code topology_parts_count(struct topology_parts *parts, const struct network_config *config,
                                 struct status *status);

/* Errors: STATUS_MEMORY. */
status_code topology_facts_find(struct topology_facts *facts, const struct topology *topology,
                                struct status *status);
void topology_facts_free(struct topology_facts *facts);

#endif
