/*
 * The tree of partial cuts: which switches are on the side of switch 0, which are not, which are
 * free. One node's bound, and where to branch. Knows one pair of weights; must not know lines.
 *
 * Invariant: evaluating a node depends on the node alone, so trees are the same for any number of
 * threads.
 */
#ifndef ANAX_NETWORK_BISECTION_TREE_H
#define ANAX_NETWORK_BISECTION_TREE_H

#include "network/analysis/bisection/bisection_relaxation.h"
#include "network/analysis/bisection/bisection_search.h"

/* Is there a bisecting cut cheaper than `target`? */
struct tree_problem {
    const struct bisection_graph *graph;
    uint32_t vertices; /* switches, and one without links if they are odd in number */
    struct bisection_weights weights;
    int64_t target; /* value of a known cut */
    int64_t step;   /* all cuts' values are target plus multiples of this */
    int64_t scale, degree;
};

/* weights: not both 0; target: the value of a cut. */
void tree_problem_set(struct tree_problem *problem, const struct bisection_graph *graph,
                      const struct bisection_weights *weights, int64_t target);

/* What a node's children start from; shared by both. Triangles name vertices, not places in a
 * relaxation. */
struct tree_warmth {
    uint32_t users;
    int64_t penalty;
    int32_t *vectors;
    struct relaxation_triangle *triangles;
    size_t triangle_count;
};

/* Gives back shares; the last one frees it. NULL is allowed. */
void tree_warmth_release(struct tree_warmth *warmth, uint32_t shares);

enum tree_side { TREE_FREE, TREE_SAME, TREE_OPPOSITE }; /* as switch 0 */

struct tree_node {
    uint32_t problem; /* the owner's number of it */
    uint32_t depth;
    int64_t bound;              /* no cut below the node is cheaper */
    uint8_t *fixed;             /* enum tree_side of each vertex */
    struct tree_warmth *warmth; /* NULL at the root */
};

struct tree_outcome {
    bool closed; /* nothing below the node is cheaper than the target */
    bool found;  /* … but for the cut in `side` of the worker; closed is set too */
    int64_t bound;
    uint32_t branch;            /* a free vertex, if not closed */
    struct tree_warmth *warmth; /* for the children, if not closed; NULL: stopped */
};

/* A worker's memory. */
struct tree_worker {
    struct relaxation relaxation;
    uint32_t *vertex; /* [place]: free vertices from place 1 on */
    uint32_t *place;  /* [vertex]: 0 for fixed ones */
    uint8_t *fixed;
    uint8_t *best;
};

status_code tree_worker_new(struct tree_worker *worker, uint32_t vertices, struct status *status);
void tree_worker_free(struct tree_worker *worker);

/* side: room for a cut, side[0] = 0. */
status_code tree_evaluate(struct tree_worker *worker, const struct tree_problem *problem,
                          const struct tree_node *node, bool (*stop)(void *), void *context,
                          struct tree_outcome *outcome, uint8_t *side, struct status *status);

#endif
