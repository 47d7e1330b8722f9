/*
 * Finds the laws of all steps: of each role, or of all roles together. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_LAWS_H
#define ANAX_TRACES_SERIES_LAWS_H

#include "traces/extrapolate/laws/series_law.h"

/* series_laws.c */
/* Finds the laws of all steps of all roles. */
status_code series_laws_find(struct series *series, struct status *status);
/* Finds the laws of all groups of iterations. Sets *found to whether all have one. fit: fits them.
 */
status_code series_laws_try(struct series *series, const struct series_law_data *wanted,
                            uint32_t levels, struct series_value_law *laws, bool fit, bool *found,
                            struct status *status);
/* Returns the name of a kind of value, for reports. */
const char *series_value_name(series_value_kind what);

/* series_rounds.c */
/* Looks for laws of the first iteration of each round, as many as are log2 P or P - 1, and of all
 * others, in a loop on this level. */
status_code series_laws_try_rounds(struct series *series, const struct series_law_data *data,
                                   uint32_t level, struct series_value_law *laws, bool *found,
                                   struct status *status);

/* series_common.c */
/* Looks for the law that sizes along two dimensions have in common: in all iterations, and then in
 * those of one loop. */
status_code series_common_by_other_dimension(struct series *series,
                                             const struct series_law_data *data,
                                             struct series_value_law *laws, bool *found,
                                             struct status *status);
/* Looks for the law of a size in all roles in a grid, or along two dimensions of one. */
status_code series_common_find(struct series *series, const struct series_law_data *data,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Replaces laws of a size that their samples do not decide (law_check_shared_extent) by a law that
 * all roles have in common, if there is one. Constants are uncertain then. */
status_code series_common_replace(struct series *series, const struct series_law_data *data,
                                  const struct series_role_step *shown_by,
                                  struct series_value_law *laws, struct status *status);

/* series_rare.c */
/* Gives the computation of a role that one program alone has the laws of other roles with the same
 * calls. The laws of these were found. */
status_code series_rare_replace(struct series *series, struct series_role *role,
                                struct status *status);

/* series_keep_law.c */
/* Records that a law uses a grid. */
void series_law_mark_grid(struct series *series, const struct series_law *law);
/* Keeps alternatives of a law. */
status_code series_alternative_keep(struct series *series,
                                    const struct series_alternative *alternatives, uint32_t count,
                                    struct series_law *law, struct status *status);

/* law_by_neighbour.c */
/* Frees the messages that were sorted by their neighbours. */
void series_sides_forget(struct series *series);
/* Frees what searches for laws in pooled samples found. */
void series_pooled_forget(struct series *series);

/* series_pools.c */
struct series_pooled_law;
/* Returns what is known of a value of a call in all roles. NULL: nothing. */
const struct series_pooled_law *series_pooled_find(const struct series *series,
                                                   const struct series_law_data *data);
/* Sets *found to whether a law is known, and *laws to it. The caller frees laws->laws. */
status_code series_pooled_take(const struct series_pooled_law *known, series_value_kind what,
                               struct series_value_law *laws, bool *found, struct status *status);
/* Keeps what a search in the samples of all roles found. law: NULL if no law fits. */
status_code series_pooled_keep(struct series *series, const struct series_law_data *data,
                               const struct series_law *law, struct status *status);

#endif
