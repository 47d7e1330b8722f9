/*
 * Facts about a machine's topology that need no simulation: distances, numbers of paths, and global
 * connected components. All are whole numbers: an average is given as a sum and a count.
 *
 * Hops are channels between routers: a packet between two nodes of one router takes 0 hops. Where
 * nodes have several NICs, each NIC counts for itself: all facts are about endpoints
 * (node_shape.h).
 */
#ifndef ANAX_NETWORK_TOPOLOGY_FACTS_H
#define ANAX_NETWORK_TOPOLOGY_FACTS_H

#include "network/analysis/global_components.h"
#include "network/topology/topology.h"

#include <stdint.h>

enum { TOPOLOGY_HOPS_MAX = 3 * TOPOLOGY_LOCAL_HOPS_MAX + 2 };

/* The number of pairs of groups that are joined by so many links. */
struct topology_link_spread {
    uint32_t links;
    uint64_t pairs;
};

struct topology_facts {
    uint64_t endpoints; /* terminal ports: NICs of nodes */
    uint64_t routers;
    uint64_t local_links;
    uint64_t global_links;
    uint64_t free_globals;   /* global ports without a link */
    uint64_t failed_routers; /* included in `routers`; failed links are not included in the links */
    uint64_t failed_locals;
    uint64_t failed_globals;
    uint32_t virtual_radix; /* ports of a group seen as one router: a·(p + h) */

    /* Ordered pairs of routers by the hops of their shortest paths, and sums of hops. Minimal
     * routes are local, global, local. If a group has several links to another, each route over one
     * of them has the same weight. */
    bool distances_known;                     /* false: not counted, for very large machines */
    uint64_t pairs_at[TOPOLOGY_HOPS_MAX + 1]; /* [0]: pairs of a router with itself */
    uint32_t diameter;
    uint32_t minimal_diameter;
    uint64_t endpoint_pairs;        /* ordered pairs of different endpoints that work */
    __uint128_t shortest_sum;       /* sum over all these pairs: hops of shortest paths */
    __uint128_t minimal_millionths; /* the same for minimal routes, in millionths of a hop */

    struct topology_link_spread *spread; /* links per pair of groups, ascending; owned */
    uint32_t spread_count;

    /* Paths between different groups through a third group: one for each combination of a link to
     * the third group and a link from it. */
    __uint128_t nonminimal_paths_sum; /* sum over ordered pairs of groups */
    bool nonminimal_range_known; /* false: not counted, for many groups with an uneven spread */
    uint64_t nonminimal_paths_min;
    uint64_t nonminimal_paths_max;

    struct global_components components;
};

/* The links of all rails of a machine, and what has failed. */
struct topology_counts {
    uint64_t local_links; /* links that work */
    uint64_t global_links;
    uint64_t free_globals;
    uint64_t failed_routers;
    uint64_t failed_locals;
    uint64_t failed_globals;
};

/* Counts the links and failures of a configuration that has been checked. Errors: those of
 * topology_new_of_rail.
 */
status_code topology_counts_find(struct topology_counts *counts,
                                 const struct network_config *config, struct status *status);

/* Finds the facts of a topology. The caller frees them with topology_facts_free. Errors:
 * STATUS_MEMORY. */
status_code topology_facts_find(struct topology_facts *facts, const struct topology *topology,
                                struct status *status);

/* Frees what topology_facts_find has made. */
void topology_facts_free(struct topology_facts *facts);

#endif
