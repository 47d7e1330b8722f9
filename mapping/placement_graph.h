/*
 * Who exchanges how much with whom, whoever sends: traffic as a symmetric graph for the placements
 * that look at it. Must not know nodes.
 *
 * Invariant: neighbours of a rank ascend, none is the rank itself, and u names v with the weight
 * with which v names u. Memory follows the pairs that exchange anything.
 */
#ifndef ANAX_MAPPING_PLACEMENT_GRAPH_H
#define ANAX_MAPPING_PLACEMENT_GRAPH_H

#include "mapping/placement.h"

struct placement_graph {
    uint32_t rank_count;
    size_t *first; /* rank_count + 1 entries into neighbours and weights */
    uint32_t *neighbours;
    wide *weights; /* bytes both ways; where all messages are empty, their number */
    wide *degree;  /* per rank: all its weights */
};

status_code placement_graph_new(struct placement_graph *graph,
                                const struct placement_traffic *traffic, struct status *status);
void placement_graph_free(struct placement_graph *graph);

/* Heuristics may lose to the simplest placement, where ranks are numbered along their traffic: puts
 * block in place of node_of_rank if less would go between groups then; of equals, between routers,
 * and between nodes. */
status_code placement_graph_or_block(const struct placement_graph *graph,
                                     const struct placement_request *request,
                                     uint32_t *node_of_rank, struct status *status);

/* Sorts edges by (from, to) and adds up those of the same pair; returns how many are left. */
size_t placement_edges_merge(struct placement_edge *edges, size_t count);

#endif
