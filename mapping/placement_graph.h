/*
 * Traffic as a symmetric graph of the bytes that two ranks exchange in both directions. Must not
 * know nodes.
 *
 * Invariant: the neighbours of a rank are in ascending order and do not include the rank itself.
 * Ranks u and v name each other with equal weights. Memory is proportional to the pairs that
 * exchange messages.
 */
#ifndef ANAX_MAPPING_PLACEMENT_GRAPH_H
#define ANAX_MAPPING_PLACEMENT_GRAPH_H

#include "mapping/placement.h"

struct placement_graph {
    uint32_t rank_count;
    size_t *first; /* rank_count + 1 indices in neighbours and weights */
    uint32_t *neighbours;
    wide *weights; /* bytes in both directions; number of messages if all of a pair's are empty */
    wide *degree;  /* sum of the weights of each rank */
};

/* Makes the graph of a traffic. STATUS_MEMORY: the graph is then freed already. */
status_code placement_graph_new(struct placement_graph *graph,
                                const struct placement_traffic *traffic, struct status *status);

/* Frees what placement_graph_new has made. */
void placement_graph_free(struct placement_graph *graph);

/* Replaces node_of_rank by block placement if that has less traffic between groups, or equal
 * traffic between groups and less between routers, or equal traffic there and less between nodes.
 * Block placement can win against a heuristic if neighbouring ranks exchange most. The nodes that
 * are not taken must have room for all ranks. */
status_code placement_graph_fall_back_to_block(const struct placement_graph *graph,
                                               const struct placement_request *request,
                                               uint32_t *node_of_rank, struct status *status);

/* Sorts edges by (from, to) and merges edges of equal pairs. Returns the number of edges left. */
size_t placement_edges_merge(struct placement_edge *edges, size_t count);

#endif
