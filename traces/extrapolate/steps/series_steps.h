/*
 * Divides the operations of ranks into steps, and divides loops and calls once more if no rule
 * gives their partners. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_STEPS_H
#define ANAX_TRACES_SERIES_STEPS_H

#include "traces/extrapolate/series.h"

/* series_steps.c */
/* Takes the steps of all ranks of all programs, by series->assumptions, and folds them into loops.
 * Free them with series_steps_forget, also after errors. STATUS_INPUT: something cannot be
 * extrapolated, such as one-sided communication; the text says where. STATUS_MEMORY. */
status_code series_steps_take(struct series *series, struct status *status);
/* Frees the steps and symbols of the series. */
void series_steps_forget(struct series *series);
/* Sets *symbol to the index of the symbol with this content, which may be new. STATUS_MEMORY. */
status_code series_symbol_intern(struct series *series, const struct series_step_content *content,
                                 uint32_t *symbol, struct status *status);
/* Returns how many words a part of a symbol has: a message, collective or wait. words: its first.
 */
static inline size_t series_part_words(const struct series *series, const int64_t *words) {
    const size_t crossed = series->grids.symmetric > 0 ? 1 : 0;
    const int64_t kind = series_head_kind(words[0]);
    if (kind == OPERATION_COLLECTIVE) return 4;
    if (kind == OPERATION_WAIT) return (words[1] == SERIES_WAIT_FOR_LIST ? 3 : 2) + crossed;
    return (series->assumptions.tags_are_values ? 2 : 3) + crossed;
}
/* Returns the number of event records that a collective with these flags has in a trace: of its
 * begin and its end, or of its request alone (its completion is a record of the wait). */
static inline int series_collective_records(unsigned flags) {
    return (flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0 ? 2 : 1;
}
/* Returns the name of a region, by its index in the series. */
const char *series_region_name(const struct series *series, uint32_t region);
/* Returns the name of the call of a symbol. */
const char *series_symbol_name(const struct series *series, uint32_t symbol);

/* series_splits.c */
/* Divides the loop, or the call, in which the last search found no rule for a partner or a tag
 * (series->outcome.lacking_step). Sets *found to whether there is a division by which laws give all
 * values there. STATUS_MEMORY. */
status_code series_splits_find(struct series *series, bool *found, struct status *status);

/* series_classes.c */
/* Divides the steps of a symbol by the sizes of their messages, and folds all ranks once more. Sets
 * *found to whether they are divided: all programs have equally many sizes, from 2 to 8.
 * STATUS_MEMORY. */
status_code series_classes_divide(struct series *series, uint32_t symbol, bool *found,
                                  struct status *status);

/* series_receives.c */
/* Sets series->steps.receives_follow. STATUS_MEMORY. */
status_code series_receives_check(struct series *series, struct status *status);
/* Returns whether a rank of the series gives some rank 5 % more or less than the mean in one
 * MPI_Alltoallv or MPI_Alltoallw. */
bool series_rows_are_unequal(const struct series *series);

#endif
