/*
 * Roles by symmetry: the search for them, views, and tags by dimension. A view is a program with
 * two dimensions of a grid exchanged. Tags by dimension: the messages along each dimension have
 * tags of their own. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_VIEWS_H
#define ANAX_TRACES_SERIES_VIEWS_H

#include "traces/extrapolate/series.h"

/* series_symmetry.c */
/* Looks for roles by symmetry in the symmetric grid (series->grids.symmetric), by the rule
 * series->roles.rule. Sets *found to whether there are any. If so, makes the roles and takes their
 * samples. STATUS_INPUT: too many samples, or a role of the new program that no rule gives.
 * STATUS_MEMORY. */
status_code series_symmetry_find(struct series *series, bool *found, struct status *status);

/* series_views.c */
/* Makes the views of all programs for a grid, and frees those for another grid. Free them with
 * series_views_free, also after errors. STATUS_MEMORY. */
status_code series_views_make(struct series *series, uint32_t grid, struct status *status);
/* Returns the number of the view in which two dimensions are exchanged, from 1; 0: both are the
 * same dimension. */
uint8_t series_view_of(uint32_t dimension, uint32_t other);

/* Frees the views, and the values of samples in views. */
void series_views_free(struct series *series);
/* Returns the number that a rank of a program has in a view, from 1. */
uint32_t series_view_rank(const struct series *series, uint32_t program, uint8_t view,
                          uint32_t rank);
/* Lists the grids of several dimensions in which the most sends of the series go one step along one
 * dimension; all of them have equally many. Returns how many are in `grids`, at most `most`. */
uint32_t series_views_grids(const struct series *series, uint32_t *grids, uint32_t most);

/* series_tags.c */
/* Lists the tags of the messages along each dimension of the symmetric grid. Returns whether all
 * dimensions have equally many tags, at most SERIES_DIMENSION_TAGS, and some have different ones.
 */
bool series_tags_find(struct series *series);
/* Returns what stands for a tag in the words of a symbol: with tags by dimension, its number among
 * the tags of the one dimension that the message crosses (crossed: a set), otherwise the tag. */
int64_t series_tag_word(const struct series *series, uint8_t crossed, int32_t tag);
/* Returns the tag for such a word. crossed: the set, or SERIES_CROSSES_SEVERAL. */
int64_t series_tag_of(const struct series *series, int64_t crossed, int64_t word);

#endif
