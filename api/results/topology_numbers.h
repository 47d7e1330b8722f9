/* The object behind anax_topology, and numbers that follow from it. */
#ifndef ANAX_API_TOPOLOGY_NUMBERS_H
#define ANAX_API_TOPOLOGY_NUMBERS_H

#include "api/api.h"
#include "network/analysis/floor_cables.h"
#include "network/analysis/topology_facts.h"
#include "network/topology/topology.h"

struct anax_topology {
    anax_config *config;      /* a copy */
    struct topology topology; /* tables of the first rail */
    struct topology_facts facts;
    struct topology_counts counts;
    struct floor_bill bill;
    struct floor_cables floor; /* of the first rail, without failures */
};

/* Returns the sum of the cables of all levels. */
struct floor_cable_bill topology_numbers_cables(const anax_topology *machine);

/* Returns the count for all rails from the count of one rail. */
uint64_t topology_numbers_of_rails(const anax_topology *machine, uint64_t count);

/* Returns the number of nodes of a machine. */
uint64_t topology_numbers_nodes(const anax_topology *machine);

/* Returns the bandwidth of all global links over that of all nodes, in one direction, in
 * millionths; 0 for a machine of one group. */
int64_t topology_numbers_global_share(const anax_topology *machine);

#endif
