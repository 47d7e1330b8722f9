/*
 * Graph topologies of a series. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_GRAPHS_H
#define ANAX_TRACES_SERIES_GRAPHS_H

#include "traces/extrapolate/series.h"

/* The graph of the new program. */
struct series_graph {
    uint32_t *numbers; /* as in a struct program_topology */
    uint64_t count;
    bool is_uncertain; /* other rules fit the series as well */
};

/* Finds the graph of a communicator of all ranks. own: the graphs of the programs. The caller frees
 * it with series_graph_free. Sets *found to false if neighbours follow no rule. */
status_code series_graph_find(const struct series *series,
                              const struct program_topology *const *own, struct series_graph *made,
                              bool *found, struct status *status);
void series_graph_free(struct series_graph *made);

#endif
