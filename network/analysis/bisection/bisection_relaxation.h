/*
 * Lower bounds for balanced cuts: a semidefinite relaxation with triangle inequalities, in
 * integers.
 *
 * A cut gives every vertex i a sign x_i. With weights w and balance numbers s it has
 *
 *     2·cut = constant - sum over i<j of w_ij·x_i·x_j,    sum of s_i·x_i = 0.
 *
 * The relaxation puts unit vectors for the signs and dot products X_ij for x_i·x_j, and demands
 * ±X_ij ±X_ik ±X_jk >= -1 (an even number of minus signs) of chosen triples: true of all signs, not
 * of all vectors. Its dual is climbed by a first-order method whose only task is to find good
 * multipliers; what is claimed follows from them by an exact check (bisection_proof.h), so neither
 * rounding nor a poor climb can make a bound wrong. docs/bisection.md has the derivation.
 *
 * Knows weights and numbers only: neither links nor trees. Invariant: same input, same bound.
 */
#ifndef ANAX_NETWORK_BISECTION_RELAXATION_H
#define ANAX_NETWORK_BISECTION_RELAXATION_H

#include "core/map.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RELAXATION_ONE_BITS = 24,   /* of vectors and dot products: 1.0 is 2^24 */
    RELAXATION_WEIGHT_BITS = 20 /* the largest weight is scaled to at most 2^20 */
};

/* Signs of the products (ab, ac, bc) in the inequality number 0 … 3. */
extern const int8_t relaxation_signs[4][3];

struct relaxation_triangle {
    uint16_t a, b, c; /* a < b < c */
    uint16_t form;    /* which of relaxation_signs */
    int32_t current;  /* multiplier of the climb, scaled like weights */
    int32_t average;  /* its running mean, which bounds are computed from */
};

struct bisection_triangle {
    uint64_t key; /* 0: the entry is free */
};

static inline bool triangle_is_used(const struct bisection_triangle *entry) {
    return entry->key != 0;
}
MAP_DEFINE(triangle, struct bisection_triangle, uint64_t, map_hash_of_word, map_is_same_word,
           triangle_is_used)

struct relaxation {
    /* The problem, set by the caller before relaxation_begin. */
    uint32_t size;    /* vertices */
    int32_t *weight;  /* [i·size + j], symmetric, 0 on the diagonal */
    int32_t *balance; /* s_i */
    int64_t constant; /* in units of weights */
    int64_t scale;  /* Z: scaled weight = weight·Z; one for all problems that share multipliers */
    int64_t degree; /* about the largest sum of a vertex' weights: sets the pace */
    struct relaxation_triangle *triangles;
    size_t triangle_count, triangle_capacity;
    int32_t *vectors; /* [i·rank + k]: to start from, then of the current multipliers */

    /* The climb. */
    uint32_t rank;               /* dimensions of the vectors, a multiple of 8 */
    int64_t penalty;             /* P: P·s_i·s_j is added to the products' factors; see docs */
    uint64_t steps;              /* made so far */
    int32_t *steady;             /* vectors of the average multipliers */
    int32_t *factor;             /* [i·size + j]: scaled factors of X_ij */
    int32_t *products;           /* X_ij of the last step */
    int32_t *mean_products;      /* their running mean: what is separated */
    int64_t *lengths;            /* u_i */
    int64_t *rows;               /* memory of the proof: row sums … */
    int32_t *lower;              /* … and the factor */
    struct triangle_map present; /* the triangles, by triangle_key */
    uint32_t capacity;           /* vertices there is memory for */
};

/* Memory for problems of up to `size` vertices. */
status_code relaxation_new(struct relaxation *relaxation, uint32_t size, struct status *status);
void relaxation_free(struct relaxation *relaxation);

/* Dimensions of the vectors for a number of vertices. */
uint32_t relaxation_rank(uint32_t size);

/* Starts a climb from the triangles and, unless cold, the vectors given. */
void relaxation_begin(struct relaxation *relaxation, bool cold);

/* Climbs for `steps` steps. */
void relaxation_climb(struct relaxation *relaxation, uint32_t steps);

/* A proven bound from the average multipliers: every balanced cut has 4·scale·cut >= the result. */
int64_t relaxation_bound(struct relaxation *relaxation);

/* Drops triangles that do not matter and adds the most violated ones. */
status_code relaxation_separate(struct relaxation *relaxation, struct status *status);

#endif
