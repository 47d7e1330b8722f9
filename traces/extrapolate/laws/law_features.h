/*
 * Features: what a value may depend on, such as an extent of a grid or the logarithm of the number
 * of ranks. A row is the number of a feature in the table of law_features.c. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_LAW_FEATURES_H
#define ANAX_TRACES_LAW_FEATURES_H

#include "traces/extrapolate/laws/series_law.h"

/* Returns the number of rows. */
uint32_t law_feature_rows(void);
/* Returns whether a feature depends on a dimension of a grid. */
bool law_feature_needs_grid(uint32_t row);
/* Returns whether a feature depends on the iteration of a loop. */
bool law_feature_needs_level(uint32_t row);
/* Returns how many divisors or radices a feature may have (series_feature.divisor); 0: it has none.
 */
uint32_t law_feature_divisors(uint32_t row);
/* The place of a feature in the order of preference; docs/extrapolate-rules.md, "Order of
 * preference", calls LAW_FEATURE_STEP features with steps. */
typedef enum law_feature_rank {
    LAW_FEATURE_PLAIN,
    LAW_FEATURE_ROUNDED,    /* rounded to a whole number */
    LAW_FEATURE_STEP,       /* with steps: it changes only at some numbers of ranks or iterations */
    LAW_FEATURE_ALTERNATIVE /* too rare to be taken; only an alternative of other laws */
} law_feature_rank;
/* Returns the place of a feature in the order of preference. */
law_feature_rank law_feature_rank_of(uint32_t row);
/* Returns whether a law of a feature may have an offset (a in (a + b feature) / d). */
bool law_feature_may_have_offset(uint32_t row);
/* The next functions return whether a feature is of this kind. */
bool law_feature_is_of_stages(uint32_t row); /* 1 + ... + log2 P, a number of stages: b must be 1 */
bool law_feature_is_logarithm(uint32_t row); /* log2 of P or of an extent, rounded */
bool law_feature_is_a_case(uint32_t row);    /* 1 in some iterations, and 0 in all others */
bool law_feature_is_of_blocks(uint32_t row); /* how many iterations belong to a coordinate */
bool law_feature_is_inverse(uint32_t row);   /* the inverse of an extent */
bool law_feature_is_extent(uint32_t row);    /* an extent of a grid, or its inverse */
bool law_feature_is_face(uint32_t row);      /* an extent divided by the number of ranks */
bool law_feature_is_of_program(uint32_t row); /* the same for all ranks of a program */
/* Returns after how many iterations the case of a feature comes again; 0: it is not one that comes
 * again. */
int64_t law_feature_period(uint32_t row, uint32_t ranks);
/* Sets the value of a feature at a place to the fraction *over / *under. Returns false if it has no
 * exact value there, such as the square root of 8. */
bool law_feature_value(const struct series *series, const struct series_feature *feature,
                       const struct series_place *place, int64_t *over, int64_t *under);
/* Writes a feature, for reports. */
void law_feature_text(const struct series *series, const struct series_feature *feature, char *text,
                      size_t size);

#endif
