/*
 * Features: what a value may depend on, such as an extent of a grid or the logarithm of the number
 * of ranks. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_LAW_FEATURES_H
#define ANAX_TRACES_LAW_FEATURES_H

#include "traces/extrapolate/laws/series_law.h"

/* Returns the number of features. */
uint32_t law_feature_rows(void);
/* Returns whether a feature is about a dimension of a grid. */
bool law_feature_needs_grid(uint32_t row);
/* Returns whether a feature is about the number of an iteration. */
bool law_feature_needs_level(uint32_t row);
/* Returns how many divisors a feature has; 0: it has none. */
uint32_t law_feature_divisors(uint32_t row);
/* How features come in the order of preference. */
typedef enum law_feature_rank {
    LAW_FEATURE_PLAIN,
    LAW_FEATURE_ROUNDED, /* to a whole number */
    LAW_FEATURE_STEP,    /* a step every so many ranks, two features in one, or blocks of rounds and
                            trees */
    LAW_FEATURE_ALTERNATIVE /* too rare to be taken, but what another law is held against */
} law_feature_rank;
/* Returns where a feature comes in the order of preference. */
law_feature_rank law_feature_rank_of(uint32_t row);
/* Returns whether a law of a feature may add a number to it. */
bool law_feature_may_have_offset(uint32_t row);
/* The next functions return what kind of value a feature has. */
bool law_feature_is_of_stages(uint32_t row);  /* a count, which is not multiplied */
bool law_feature_is_logarithm(uint32_t row);  /* log2 P or that of an extent, rounded */
bool law_feature_is_a_case(uint32_t row);     /* 0 or 1 */
bool law_feature_is_of_blocks(uint32_t row);  /* of the iterations that belong to a coordinate */
bool law_feature_is_inverse(uint32_t row);    /* the inverse of an extent */
bool law_feature_is_extent(uint32_t row);     /* an extent of a grid, or its inverse */
bool law_feature_is_face(uint32_t row);       /* an extent divided by the number of ranks */
bool law_feature_is_of_program(uint32_t row); /* the same for all ranks of a program */
/* Returns how many iterations there are from one case to the next; 0: they are no such cases. */
int64_t law_feature_period(uint32_t row, uint32_t ranks);
/* Sets the feature's value as a fraction. Returns false if the place has no exact value. */
bool law_feature_value(const struct series *series, const struct series_feature *feature,
                       const struct series_place *place, int64_t *over, int64_t *under);
/* Writes a feature, for reports. */
void law_feature_text(const struct series *series, const struct series_feature *feature, char *text,
                      size_t size);

#endif
