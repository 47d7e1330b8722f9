/*
 * Roles by symmetry: what series_symmetry.c, series_infer.c and series_sources.c share. Private to
 * these files; series_symmetry.c states the assumption.
 *
 * series_symmetry.c  divides the steps of roles by the dimensions that they cross, and checks that
 *                    the steps of a rank along a dimension depend only on its class there
 * series_infer.c     makes the steps of a role that no program has
 * series_sources.c   takes the samples of each step of a role
 *
 * The functions with a status return STATUS_MEMORY, and no other error unless their comment says
 * so.
 */
#ifndef ANAX_TRACES_SERIES_SYMMETRY_H
#define ANAX_TRACES_SERIES_SYMMETRY_H

#include "traces/extrapolate/series.h"

/* Anchors are the steps that cross no dimension, or several. In arrays of dimensions they come
 * after the last dimension. */
enum { SERIES_ANCHORS = SERIES_DIMENSIONS };

/* The steps of a role, and which of them cross which dimension. */
struct symmetry_pattern {
    uint32_t key; /* of the role */
    uint32_t
        classes[SERIES_DIMENSIONS]; /* of its ranks, in each dimension: "low", "extent 2", ... */
    uint32_t *symbols;              /* [step] */
    uint32_t count;                 /* of the steps */
    /* [dimension or SERIES_ANCHORS]: the numbers of the steps that cross it, in their order. "Step
     * i along a dimension" is number i of these. */
    uint32_t *steps[SERIES_DIMENSIONS + 1];
    uint32_t step_counts[SERIES_DIMENSIONS + 1];
    bool is_inferred;
    uint32_t source; /* of an inferred pattern: the pattern that it was made from */
};

/* The search for roles by symmetry in one grid. */
struct symmetry {
    struct series *series;
    uint32_t grid, dimensions;
    bool is_shared; /* a class means the same in all dimensions; false: each has its own rule */
    struct symmetry_pattern *patterns; /* the seen_count patterns of the series come first */
    size_t count, capacity, seen_count;
    /* [symbol]: its normal form, a hash of its words in which all dimensions are equal. */
    uint64_t *normals;
    size_t normal_count, normal_capacity;
};

/* The steps along a dimension that are at one place among the other steps, in two patterns that
 * differ only in the class of this dimension. Numbers are those of steps along the dimension. */
struct symmetry_range {
    uint32_t first, end;             /* in the left pattern: first to end - 1 */
    uint32_t other_first, other_end; /* in the right pattern */
    uint32_t before, behind;         /* how many steps are equal from the begin, and from the end */
};

/* series_symmetry.c */
/* Sets the steps of a pattern along each dimension, by its symbols. The caller frees them with
 * symmetry_free, also after errors. */
status_code symmetry_divide(struct symmetry *symmetry, struct symmetry_pattern *pattern,
                            struct status *status);

/* Frees the symbols and the steps of a pattern, and makes it empty. */
void symmetry_free(struct symmetry_pattern *pattern);
/* Sets the normal forms of the symbols that have none yet. */
status_code symmetry_normals(struct symmetry *symmetry, struct status *status);
/* Returns the normal form of step i of a pattern along a dimension. */
static inline uint64_t symmetry_normal(const struct symmetry *symmetry,
                                       const struct symmetry_pattern *pattern, uint32_t dimension,
                                       uint32_t i) {
    return symmetry->normals[pattern->symbols[pattern->steps[dimension][i]]];
}
/* Returns whether the left pattern has the same steps along `dimension` as the right pattern along
 * `other`, by their normal forms. */
bool symmetry_is_same(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      uint32_t dimension, const struct symmetry_pattern *right, uint32_t other);
/* Returns whether two patterns are a pair: the left one has the class `from` in a dimension, the
 * right one the class `to`, and both have equal classes in all other dimensions. */
bool symmetry_is_pair(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                      const struct symmetry_pattern *right, uint32_t dimension, uint32_t from,
                      uint32_t to);
/* Sets *range to the steps of a pair at the place of step i of the left pattern along the
 * dimension. Returns false if the right pattern has no step at this place. */
bool symmetry_range_find(const struct symmetry *symmetry, const struct symmetry_pattern *left,
                         const struct symmetry_pattern *right, uint32_t dimension, uint32_t i,
                         struct symmetry_range *range);

/* series_infer.c */
/* Makes the pattern with these classes from the patterns of the series but number `left_out`
 * (SIZE_MAX: from all). Sets *made to whether these patterns say it, and do not contradict each
 * other. The caller frees *pattern with symmetry_free. */
status_code symmetry_infer(struct symmetry *symmetry, const uint32_t classes[SERIES_DIMENSIONS],
                           size_t left_out, struct symmetry_pattern *pattern, bool *made,
                           struct status *status);

/* series_sources.c */
/* Takes the samples of a role with this pattern from all ranks of the series, whatever their roles.
 * role->folded and role->shape must be set. STATUS_INPUT: there are too many samples. */
status_code series_sources_take(const struct symmetry *symmetry,
                                const struct symmetry_pattern *pattern, struct series_role *role,
                                struct status *status);

#endif
