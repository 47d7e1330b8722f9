/*
 * Folds the steps of ranks into loops, and unites the loops of several ranks into one shape. A node
 * is a step, or a loop of nodes. A shape is nodes without the trips of their loops. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_SHAPE_H
#define ANAX_TRACES_SERIES_SHAPE_H

#include "traces/extrapolate/series.h"

/* series_fold.c */
/* Folds the steps of a rank into loops. Replaces the nodes that the rank has. STATUS_MEMORY. */
status_code series_fold(struct series_rank *rank, struct status *status);
/* Folds the steps of all ranks of a program, with series->config->threads threads. STATUS_MEMORY.
 */
status_code series_fold_ranks(const struct series *series, const struct series_program *from,
                              struct status *status);

/* Appends nodes to those of a rank, and sets *first to the index of the first one. STATUS_MEMORY.
 */
status_code series_keep_nodes(struct series_rank *rank, const struct series_node *nodes,
                              size_t count, uint32_t *first, struct status *status);

/* series_shape.c */
/* Returns whether the nodes of a rank fit a shape. */
bool series_shape_has(const struct series_shape_node *shape, const struct series_rank *rank);
/* Changes a shape so that the nodes of a rank fit it, too: a part of the shape may become a loop.
 * Returns false, and leaves the shape as it is, if there is no such change, or if memory is short
 * (STATUS_MEMORY in *status). */
bool series_shape_unite(struct series_shape_node *shape, const struct series_rank *rank,
                        struct status *status);
/* Folds the steps of a rank in another way, so that its nodes fit a shape. Returns false, and
 * leaves the nodes, if the steps do not fit it, or if memory is short (STATUS_MEMORY in *status).
 */
bool series_shape_parse(const struct series_shape_node *shape, struct series_rank *rank,
                        struct status *status);
/* Appends the shape of `count` nodes of a rank from number `first` on. Free the shape with
 * series_shape_free, also after errors. STATUS_MEMORY. */
status_code series_shape_copy(struct series_shape_node *shape, const struct series_rank *rank,
                              uint32_t first, uint32_t count, struct status *status);

/* Frees the nodes of a shape, which is empty afterwards. */
void series_shape_free(struct series_shape_node *shape);
/* The state of a walk through the steps of a rank along a shape. The caller sets rank, context and
 * visit. */
struct series_shape_walk {
    const struct series_rank *rank;
    size_t steps;                 /* number of steps before the current one */
    uint32_t depth;               /* number of loops around the node; of a loop, with itself */
    uint32_t index[SERIES_DEPTH]; /* current iteration of each of these loops */
    uint32_t trips[SERIES_DEPTH];
    void *context;
    /* Called for each step, and for each loop before its first iteration. */
    status_code (*visit)(const struct series_shape_walk *walk, const struct series_shape_node *node,
                         struct status *status);
};
/* Walks. Ends with the first error of visit. STATUS_INPUT: the nodes of the rank do not fit the
 * shape. */
status_code series_shape_walk(struct series_shape_walk *walk, const struct series_shape_node *shape,
                              struct status *status);

#endif
