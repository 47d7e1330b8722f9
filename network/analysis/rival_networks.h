/*
 * The cost of networks of other topologies for one number of nodes: flattened butterfly, folded
 * Clos and 3-D torus compared with the dragonfly, as in Kim et al. 2008, section 5 (Figures 18 and
 * 19, Table 2). docs/model.md, chapter 12, describes how each is built and laid out.
 *
 * Knows no simulation. Invariant: all networks have full throughput under uniform traffic and
 * channels of one bandwidth, and one set of floor settings gives the prices of their cables.
 */
#ifndef ANAX_NETWORK_RIVAL_NETWORKS_H
#define ANAX_NETWORK_RIVAL_NETWORKS_H

#include "network/analysis/floor_plan.h"

#include <stdint.h>

enum { RIVAL_NODES_MIN = 1024, RIVAL_NODES_MAX = 65536 };

struct rival_network {
    uint64_t nodes;
    uint64_t routers;
    uint32_t radix; /* ports used by the widest router */
    uint32_t cabinets;
    uint32_t diameter;                /* hops between routers that have nodes, by minimal paths */
    uint32_t nonminimal_diameter;     /* the same by non-minimal paths; 0: there are none */
    struct floor_cable_bill terminal; /* node to router */
    struct floor_cable_bill local; /* between routers of a group, of dimension 1, or of a cabinet */
    struct floor_cable_bill global; /* other channels between routers */
    uint64_t router_bandwidth;      /* ports of all routers, in bandwidths of a channel */
    int64_t cable_price_microdollars;
    int64_t router_price_microdollars;
};

struct rival_kind {
    const char *name; /* NULL ends the table */
    const char *help;
    status_code (*make)(struct rival_network *made, const struct floor_config *floor,
                        uint32_t nodes, struct status *status);
};

/* Returns the table: two dragonflies, flattened butterfly, folded Clos and 3-D torus, in this
 * order. */
const struct rival_kind *rival_kinds(void);

/* Builds a network and computes its prices. nodes is a power of two from RIVAL_NODES_MIN to
 * RIVAL_NODES_MAX, else STATUS_USAGE. The floor's settings on groups and cabinets are not used:
 * 128 nodes share a cabinet. */
status_code rival_network_make(struct rival_network *made, const struct rival_kind *kind,
                               const struct floor_config *floor, int64_t bandwidth_bytes_per_s,
                               uint32_t nodes, struct status *status);

#endif
