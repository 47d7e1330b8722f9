/*
 * Finds the laws of all steps: of each role, or of all roles together. Unless a comment says
 * otherwise, functions with a status return STATUS_MEMORY, and no other error. Where *laws is set,
 * the caller frees laws->laws, which is NULL if nothing was found. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_LAWS_H
#define ANAX_TRACES_SERIES_LAWS_H

#include "traces/extrapolate/laws/series_law.h"

/* series_laws.c */
/* Finds the laws of all steps of the roles that the new program has. STATUS_INPUT: a value has no
 * law, several laws that differ in the new program, or a law that only one program shows; or the
 * laws of computation fail (law_whole_check). Sets series->outcome. */
status_code series_laws_find(struct series *series, struct status *status);
/* Looks for a law of each group of samples, by `levels` (struct series_value_law). Sets *found to
 * whether all groups have one. fit: fits laws instead of looking for exact ones. */
status_code series_laws_try(struct series *series, const struct series_law_data *wanted,
                            uint32_t levels, struct series_value_law *laws, bool fit, bool *found,
                            struct status *status);
/* Returns the name of a kind of value, for reports. */
const char *series_value_name(series_value_kind what);

/* series_rounds.c */
/* Looks for a law of computation in the first iteration of each round, and another one in all
 * others, in the loop at a level. A round has ceil(log2 P), floor(log2 P) or P - 1 iterations. Then
 * looks for one law of all rounds, if all ranks have equally many of them. */
status_code series_laws_try_rounds(struct series *series, const struct series_law_data *data,
                                   uint32_t level, struct series_value_law *laws, bool *found,
                                   struct status *status);
/* Says that a law and its alternatives have the rounds in which they were looked for. */
void series_rounds_mark(const struct series_law_data *data, struct series_law *law,
                        struct series_alternatives *alternatives);
/* Drops laws if some of them are open, and sets *found to false then. */
void series_laws_drop_open(struct series_value_law *laws, bool *found);

/* series_common.c */
/* Looks for one law of the sizes of a call along both dimensions of a plane, in all iterations, and
 * then for one in each iteration of a loop. */
status_code series_common_by_other_dimension(struct series *series,
                                             const struct series_law_data *data,
                                             struct series_value_law *laws, bool *found,
                                             struct status *status);
/* Looks for a law of a size that holds in all roles by a grid: of a message at the ends and inside
 * (law_find_ends), of messages to one neighbour (law_find_by_neighbour), or along both dimensions.
 */
status_code series_common_find(struct series *series, const struct series_law_data *data,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Replaces laws of a size that their samples do not decide (law_check_shared_extent) by those of
 * series_common_find, if there are any. If constants stay, or replace them, sets shares_extent.
 * shown_by: the step with the samples that the laws were found in. */
status_code series_common_replace(struct series *series, const struct series_law_data *data,
                                  const struct series_role_step *shown_by,
                                  struct series_value_law *laws, struct status *status);

/* series_rare.c */
/* Replaces constant computation in a role that one program alone has by laws of the computation
 * before the same calls in other roles, whose laws must have been found. */
status_code series_rare_replace(struct series *series, struct series_role *role,
                                struct status *status);

/* Fits a value of a role that few programs have to the samples of all roles (pool), unless a fit to
 * the role's own samples has less than half the error: a call may follow other computation in other
 * roles. */
status_code series_rare_fit(struct series *series, const struct series_law_data *data,
                            const struct series_role_step *pool, struct series_value_law *laws,
                            struct status *status);

/* series_keep_law.c */
/* If a law uses a grid, sets series->grids.used of this grid. */
void series_law_mark_grid(struct series *series, const struct series_law *law);
/* Copies the alternatives of a law to those of the series, and notes their numbers in the law. */
status_code series_alternative_keep(struct series *series,
                                    const struct series_alternative *alternatives, uint32_t count,
                                    struct series_law *law, struct status *status);

/* law_by_neighbour.c */
/* Frees the messages that were sorted by their neighbours. */
void series_neighbour_messages_forget(struct series *series);

/* series_pools.c */
struct series_pooled_law;
/* Frees the laws that searches in pools have found. */
void series_pooled_forget(struct series *series);
/* Returns what an earlier search in the pool of a value has found; NULL: there was none. */
const struct series_pooled_law *series_pooled_find(const struct series *series,
                                                   const struct series_law_data *data);
/* Sets *found to whether that search has found a law, and *laws to it. */
status_code series_pooled_take(const struct series_pooled_law *known, series_value_kind what,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Keeps what a search in the pool of a value has found. law: NULL: no law fits. */
status_code series_pooled_keep(struct series *series, const struct series_law_data *data,
                               const struct series_law *law, struct status *status);

#endif
