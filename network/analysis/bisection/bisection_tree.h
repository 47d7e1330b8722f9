/*
 * The tree of partial cuts: a node says which routers are on the side of router 0, which are on
 * the other side, and which are free. This module evaluates one node: its bound, and the router by
 * which to branch. Knows one pair of weights; must not know lines.
 *
 * Invariant: the result of a node depends on the node alone, so trees are equal for any number of
 * threads.
 */
#ifndef ANAX_NETWORK_BISECTION_TREE_H
#define ANAX_NETWORK_BISECTION_TREE_H

#include "network/analysis/bisection/bisection_relaxation.h"
#include "network/analysis/bisection/bisection_search.h"

/* The question whether there is a bisecting cut with a value below `target`. */
struct bisection_tree_problem {
    const struct bisection_graph *graph;
    uint32_t vertices; /* routers, plus one vertex without links if their number is odd */
    struct bisection_weights weights;
    int64_t target; /* value of a known cut */
    int64_t step;   /* the values of all cuts differ from target by multiples of this */
    int64_t scale;  /* factor of the weights in relaxations */
    int64_t degree; /* the largest sum of the weights of a vertex's links */
};

/* Sets up a problem. The weights are not both 0; target is the value of a cut. */
void bisection_tree_problem_set(struct bisection_tree_problem *problem,
                                const struct bisection_graph *graph,
                                const struct bisection_weights *weights, int64_t target);

/* A warm start: where the climbs of a node's two children begin. The children share it. Triangles
 * are in terms of vertices, not of positions in a relaxation. */
struct bisection_tree_warm_start {
    uint32_t users;
    int64_t penalty;
    int32_t *vectors; /* [vertex][component]: the rank of the relaxation, for each vertex */
    struct bisection_relaxation_triangle *triangles;
    size_t triangle_count;
};

/* Gives back shares of a warm start; the last share frees it. NULL is allowed. */
void bisection_tree_warm_start_release(struct bisection_tree_warm_start *warm_start,
                                       uint32_t shares);

/* On which side of a cut a node has a vertex: on none yet, on the side of router 0, or on the other
 * side. */
enum bisection_tree_side { BISECTION_TREE_FREE, BISECTION_TREE_SAME, BISECTION_TREE_OPPOSITE };

struct bisection_tree_node {
    uint32_t problem; /* the caller's number of the problem */
    uint32_t depth;
    int64_t bound;  /* every cut below the node has at least this value */
    uint8_t *fixed; /* enum bisection_tree_side of each vertex */
    struct bisection_tree_warm_start *warm_start; /* NULL for the root */
};

struct bisection_tree_outcome {
    bool closed;     /* no cut below the node has a value below the target, except a `found` one */
    bool found;      /* the cut in `side` has one; closed is also set */
    int64_t bound;   /* every cut below the node has at least this value */
    uint32_t branch; /* a free vertex, set if not closed */
    struct bisection_tree_warm_start
        *warm_start; /* for the children, set if not closed; NULL: stopped */
};

/* The working memory of one thread. */
struct bisection_tree_worker {
    struct bisection_relaxation relaxation;
    uint32_t *vertex;   /* [position]: vertex; positions from 1 on are free vertices */
    uint32_t *position; /* [vertex]: position; 0 for fixed vertices */
    uint8_t *fixed;
    uint8_t *best;
};

/* Makes a worker for problems of up to `vertices` vertices. STATUS_MEMORY. */
status_code bisection_tree_worker_new(struct bisection_tree_worker *worker, uint32_t vertices,
                                      struct status *status);

/* Frees what bisection_tree_worker_new has made. */
void bisection_tree_worker_free(struct bisection_tree_worker *worker);

/* Evaluates a node. If it finds a cut, writes it to `side`, which has room for one entry per
 * router, with side[0] = 0. If `stop` (NULL: never) returns true, the outcome is not closed and has
 * no warm start. Errors: STATUS_MEMORY. */
status_code bisection_tree_evaluate(struct bisection_tree_worker *worker,
                                    const struct bisection_tree_problem *problem,
                                    const struct bisection_tree_node *node, bool (*stop)(void *),
                                    void *context, struct bisection_tree_outcome *outcome,
                                    uint8_t *side, struct status *status);

#endif
