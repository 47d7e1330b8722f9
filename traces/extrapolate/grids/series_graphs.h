/*
 * Graph topologies: the lists of neighbours of the new program. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_GRAPHS_H
#define ANAX_TRACES_SERIES_GRAPHS_H

#include "traces/extrapolate/series.h"

/* The graph of the new program. */
struct series_graph {
    uint32_t *numbers; /* as in a struct program_topology */
    uint64_t count;
    bool is_uncertain; /* other laws fit the series as well, and differ in the new program */
};

/* Makes the graph of a communicator of all ranks in the new program. own: [program]: its graph.
 * Sets *found to whether all neighbours follow laws, and all edges of the new graph have both ends.
 * The caller frees *made with series_graph_free. STATUS_MEMORY. */
status_code series_graph_find(const struct series *series,
                              const struct program_topology *const *own, struct series_graph *made,
                              bool *found, struct status *status);
void series_graph_free(struct series_graph *made);

#endif
