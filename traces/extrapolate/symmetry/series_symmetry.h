/*
 * Roles by symmetry, the part that several files share. Private to the traces room.
 *
 * series_symmetry.c  divides the steps of roles by the dimensions that they cross, and checks that
 *                    what a rank does along a dimension depends on its class there alone
 * series_infer.c     makes the steps of a role that no program has
 * series_sources.c    lists for each step of a role what was found in all programs
 */
#ifndef ANAX_TRACES_SERIES_SYMMETRY_H
#define ANAX_TRACES_SERIES_SYMMETRY_H

#include "traces/extrapolate/series.h"

enum { SERIES_ANCHORS = SERIES_DIMENSIONS }; /* steps that cross no dimension or several */

/* The steps of a role, and which of them cross which dimension. */
struct symmetry_pattern {
    uint32_t key;
    uint32_t classes[SERIES_DIMENSIONS]; /* where its ranks stand in each dimension */
    uint32_t *symbols;
    uint32_t count;
    uint32_t *steps[SERIES_DIMENSIONS + 1]; /* [dimension]: numbers of the steps that cross it */
    uint32_t step_counts[SERIES_DIMENSIONS + 1];
    uint32_t source; /* of an inferred pattern: the one that it was made from */
    bool is_inferred;
};

struct symmetry {
    struct series *series;
    uint32_t grid, dimensions;
    bool is_shared;                    /* the dimensions are alike; false: each has its own rule */
    struct symmetry_pattern *patterns; /* those of the series come first */
    size_t count, capacity, seen_count;
    uint64_t *normals; /* [symbol]: hash without the name of the dimension */
    size_t normal_count, normal_capacity;
};

/* Part of the steps along a dimension that stands at one place among the other steps, in two
 * patterns that differ in the class of this dimension only. */
struct symmetry_range {
    uint32_t first, end;             /* in the left pattern */
    uint32_t other_first, other_end; /* in the right one */
    uint32_t before, behind;         /* steps that are equal at its begin and at its end */
};

/* series_symmetry.c */
status_code symmetry_divide(struct symmetry *symmetry, struct symmetry_pattern *pattern,
                            struct status *status);

/* Frees what symmetry_divide has made. */
void symmetry_free(struct symmetry_pattern *pattern);
/* Finds the normal forms of all symbols. */
status_code symmetry_normals(struct symmetry *symmetry, struct status *status);
/* Returns the normal form of a step of a pattern. */
static inline uint64_t symmetry_normal(const struct symmetry *symmetry,
                                       const struct symmetry_pattern *pattern, uint32_t dimension,
                                       uint32_t i) {
    return symmetry->normals[pattern->symbols[pattern->steps[dimension][i]]];
}
/* Returns whether two patterns do the same along a dimension each. */
bool symmetry_is_same(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      uint32_t dimension, const struct symmetry_pattern *right, uint32_t other);
/* Returns whether two patterns of the series have the classes `from` and `to` in a dimension, and
 * equal classes in all others. */
bool symmetry_is_pair(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      const struct symmetry_pattern *right, uint32_t dimension, uint32_t from,
                      uint32_t to);
/* Finds the segment of a pair around step i along the dimension. Returns false if the pair has none
 * there. */
bool symmetry_segment(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      const struct symmetry_pattern *right, uint32_t dimension, uint32_t i,
                      struct symmetry_range *segment);

/* series_infer.c */
/* Makes the pattern of these classes from the patterns of the series without number `left_out`
 * (SIZE_MAX: from all). Sets *made to whether it could. */
status_code symmetry_infer(struct symmetry *symmetry, const uint32_t classes[SERIES_DIMENSIONS],
                           size_t left_out, struct symmetry_pattern *pattern, bool *made,
                           struct status *status);

/* series_sources.c */
/* Takes the samples of a role from all ranks of the series. */
status_code series_sources_take(const struct symmetry *symmetry,
                                const struct symmetry_pattern *pattern, struct series_role *role,
                                struct status *status);

#endif
