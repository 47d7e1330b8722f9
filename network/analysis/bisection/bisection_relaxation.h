/*
 * Lower bounds for balanced cuts: a semidefinite relaxation with triangle inequalities, in
 * integers.
 *
 * A cut gives every vertex i a sign x_i. With weights w and balance numbers s it has
 *
 *     2·cut = constant - sum over i<j of w_ij·x_i·x_j,    sum of s_i·x_i = 0.
 *
 * The relaxation replaces the signs by unit vectors and x_i·x_j by dot products X_ij. It demands
 * ±X_ij ±X_ik ±X_jk >= -1 (an even number of minus signs) of chosen triples, which holds for all
 * signs but not for all vectors. A first-order method climbs the dual problem; its only task is to
 * find good multipliers. The bound follows from the multipliers by an exact check
 * (bisection_proof.h), so neither rounding nor a poor climb can make a bound wrong.
 * docs/bisection.md has the derivation.
 *
 * Knows weights and numbers only, neither links nor trees. Invariant: equal inputs give equal
 * bounds.
 */
#ifndef ANAX_NETWORK_BISECTION_RELAXATION_H
#define ANAX_NETWORK_BISECTION_RELAXATION_H

#include "core/base/status.h"
#include "core/memory/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RELAXATION_ONE_BITS = 24,   /* of vectors and dot products: 2^24 stands for 1.0 */
    RELAXATION_WEIGHT_BITS = 20 /* the largest weight is scaled to at most 2^20 */
};

/* Signs of the products (ab, ac, bc) in the four forms of the inequality. */
extern const int8_t relaxation_signs[4][3];

struct bisection_relaxation_triangle {
    uint16_t a, b, c; /* a < b < c */
    uint16_t form;    /* index in relaxation_signs */
    int32_t current;  /* multiplier of the climb, scaled like weights */
    int32_t average;  /* running mean of current, from which bounds are computed */
};

struct bisection_triangle {
    uint64_t key; /* 0: the entry is free */
};

static inline bool bisection_triangle_is_used(const struct bisection_triangle *entry) {
    return entry->key != 0;
}
MAP_DEFINE(triangle, struct bisection_triangle, uint64_t, map_hash_of_word, map_is_same_word,
           bisection_triangle_is_used)

struct bisection_relaxation {
    /* The problem, set by the caller before bisection_relaxation_begin. */
    uint32_t size;    /* number of vertices */
    int32_t *weight;  /* [i·size + j], symmetric, 0 on the diagonal */
    int32_t *balance; /* s_i */
    int64_t constant; /* in units of weights */
    int64_t scale; /* Z: scaled weight = weight·Z; equal for all problems that share multipliers */
    int64_t degree; /* about the largest sum of one vertex's weights; sets the pace of the climb */
    struct bisection_relaxation_triangle *triangles;
    size_t triangle_count, triangle_capacity;
    int32_t *vectors; /* [i·rank + k]: initial vectors, then those of the current multipliers */

    /* The climb. */
    uint32_t rank;   /* dimensions of the vectors, a multiple of 8 */
    int64_t penalty; /* P: P·s_i·s_j is added to the factors of X_ij; see docs/bisection.md */
    uint64_t steps;  /* steps made so far */
    int32_t *average_vectors; /* vectors of the average multipliers */
    int32_t *factor;          /* [i·size + j]: scaled factors of X_ij */
    int32_t *products;        /* X_ij after the last step */
    int32_t *mean_products;   /* running means of products, in which violations are sought */
    int64_t *lengths; /* u_i, lengths of the directions before they were made unit vectors */
    int64_t *rows;    /* working memory of the proof: row sums */
    int32_t *lower;   /* working memory of the proof: the rounded factor */
    struct triangle_map present; /* keys of the triangles, by triangle_key */
    uint32_t capacity;           /* vertices for which memory was allocated */
};

/* Allocates memory for problems of up to `size` vertices. The caller frees it with
 * bisection_relaxation_free. Errors: STATUS_MEMORY. */
status_code bisection_relaxation_new(struct bisection_relaxation *relaxation, uint32_t size,
                                     struct status *status);

/* Frees what bisection_relaxation_new has made. */
void bisection_relaxation_free(struct bisection_relaxation *relaxation);

/* Returns the number of dimensions of the vectors for a number of vertices. */
uint32_t bisection_relaxation_rank(uint32_t size);

/* Begins a climb from the given triangles and vectors; if cold, from random vectors. */
void bisection_relaxation_begin(struct bisection_relaxation *relaxation, bool cold);

/* Climbs by `steps` steps. */
void bisection_relaxation_climb(struct bisection_relaxation *relaxation, uint32_t steps);

/* Computes a proven bound from the average multipliers: 4·scale·cut >= the result for every
 * balanced cut. */
int64_t bisection_relaxation_bound(struct bisection_relaxation *relaxation);

/* Drops triangles that have no effect, and adds the most violated ones. Errors: STATUS_MEMORY. */
status_code bisection_relaxation_separate(struct bisection_relaxation *relaxation,
                                          struct status *status);

#endif
