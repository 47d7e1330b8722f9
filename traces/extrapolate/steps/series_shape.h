/*
 * Folds the steps of ranks into loops, and unites the loops of several ranks into one shape.
 * Private to the traces room.
 */
#ifndef ANAX_TRACES_SERIES_SHAPE_H
#define ANAX_TRACES_SERIES_SHAPE_H

#include "traces/extrapolate/series.h"

/* series_fold.c */
/* Folds the steps of a rank into loops, in place of those that it has. */
status_code series_fold(struct series_rank *rank, struct status *status);
/* Folds the steps of all ranks of a program, on all threads of the series. */
status_code series_fold_ranks(const struct series *series, const struct series_program *from,
                              struct status *status);

/* Appends nodes to those of a rank. Returns the index of the first one in *first. STATUS_MEMORY. */
status_code series_keep_nodes(struct series_rank *rank, const struct series_node *nodes,
                              size_t count, uint32_t *first, struct status *status);

/* series_shape.c */
/* Returns whether the nodes of a rank have a shape as it is. */
bool series_shape_has(const struct series_shape_node *shape, const struct series_rank *rank);
/* Unites a shape with the nodes of a rank. Returns false and leaves the shape if they differ. */
bool series_shape_unite(struct series_shape_node *shape, const struct series_rank *rank,
                        struct status *status);
/* Folds the steps of a rank along a shape that does not fit as they are folded. Returns false if
 * they have another shape. */
bool series_shape_parse(const struct series_shape_node *shape, struct series_rank *rank,
                        struct status *status);
/* Appends the shape of `count` nodes of a rank from `first` on. */
status_code series_shape_copy(struct series_shape_node *shape, const struct series_rank *rank,
                              uint32_t first, uint32_t count, struct status *status);

/* Frees what series_shape_copy has made. */
void series_shape_free(struct series_shape_node *shape);
/* Walks through a rank along a shape. Calls visit for each step, and for each loop before its first
 * iteration; steps counts the steps so far. */
struct series_shape_walk {
    const struct series_rank *rank;
    size_t steps;
    uint32_t depth;
    uint32_t index[SERIES_DEPTH];
    uint32_t trips[SERIES_DEPTH];
    void *context;
    status_code (*visit)(const struct series_shape_walk *walk, const struct series_shape_node *node,
                         struct status *status);
};
status_code series_shape_walk(struct series_shape_walk *walk, const struct series_shape_node *shape,
                              struct status *status);

#endif
