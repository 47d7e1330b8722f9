/*
 * Divides what ranks do into steps, and calls and loops further where no rule gives their partners.
 * Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_STEPS_H
#define ANAX_TRACES_SERIES_STEPS_H

#include "traces/extrapolate/series.h"

/* series_steps.c */
/* Takes the steps of all ranks of all programs. */
status_code series_steps_take(struct series *series, struct status *status);
/* Frees the steps. */
void series_steps_forget(struct series *series);
/* Finds the symbol of a content, or makes a new one. */
status_code series_symbol_intern(struct series *series, const struct series_step_content *content,
                                 uint32_t *symbol, struct status *status);
/* Returns how many words a message, collective or wait of a symbol has. */
static inline size_t series_part_words(const struct series *series, const int64_t *words) {
    const size_t crossed = series->grids.symmetric > 0 ? 1 : 0;
    const int64_t kind = words[0] & 0xFF;
    if (kind == OPERATION_COLLECTIVE) return 4;
    if (kind == OPERATION_WAIT) return (words[1] == SERIES_WAIT_FOR_LIST ? 3 : 2) + crossed;
    return (series->assumptions.tags_are_values ? 2 : 3) + crossed;
}
/* Returns the name of a region, by its index in the series. */
const char *series_region_name(const struct series *series, uint32_t region);
/* Returns the name of the call of a symbol. */
const char *series_symbol_name(const struct series *series, uint32_t symbol);

/* series_splits.c */
/* Divides the loop, or the call, in which the last search found no rule for a partner or a tag.
 * Sets *found to whether there is a division. */
status_code series_splits_find(struct series *series, bool *found, struct status *status);

/* series_classes.c */
/* Divides the steps of a symbol by the sizes of their messages, and folds all ranks anew. Sets
 * *found to whether all programs have equally many sizes, from 2 to 8. */
status_code series_classes_divide(struct series *series, uint32_t symbol, bool *found,
                                  struct status *status);

/* series_receives.c: sets series->steps.receives_follow. */
status_code series_receives_check(struct series *series, struct status *status);
/* Returns whether some rank of the series sends messages of unequal sizes in one MPI_Alltoallv. */
bool series_rows_are_unequal(const struct series *series);

#endif
