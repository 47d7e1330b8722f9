/*
 * Roles by symmetry: grids whose dimensions are alike, programs with two of these dimensions
 * exchanged, and the tags of the messages along each dimension. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_VIEWS_H
#define ANAX_TRACES_SERIES_VIEWS_H

#include "traces/extrapolate/series.h"

/* series_symmetry.c */
/* Looks for roles by symmetry in the symmetric grid, and takes their samples. */
status_code series_symmetry_find(struct series *series, bool *found, struct status *status);
/* series_views.c */
/* Makes the views of the programs for a grid. */
status_code series_views_make(struct series *series, uint32_t grid, struct status *status);
/* Returns the number of the view in which two dimensions are exchanged; 0: they are the same. */
uint8_t series_view_of(uint32_t dimension, uint32_t other);

/* Frees what series_views_make has made. */
void series_views_free(struct series *series);
/* Returns the number of a rank in a view of its program. */
uint32_t series_view_rank(const struct series *series, uint32_t program, uint8_t view,
                          uint32_t rank);
/* Ranks the grids by how many messages cross one dimension by one step. Returns how many grids are
 * worth a try, at most `most`. */
uint32_t series_views_grids(const struct series *series, uint32_t *grids, uint32_t most);

/* series_tags.c */
/* Finds the tags of the dimensions of the symmetric grid. Returns whether all have as many, and not
 * the same. */
bool series_tags_find(struct series *series);
/* Returns the word of a tag in a symbol. */
int64_t series_tag_word(const struct series *series, uint8_t crossed, int32_t tag);
/* Returns the tag of a word. */
int64_t series_tag_of(const struct series *series, int64_t crossed, int64_t word);

#endif
