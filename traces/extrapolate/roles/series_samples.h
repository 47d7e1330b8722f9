/*
 * Samples: what the ranks of all programs have at each step of a role. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_SAMPLES_H
#define ANAX_TRACES_SERIES_SAMPLES_H

#include "traces/extrapolate/series.h"

/* series_samples.c */
/* Numbers the steps and loops of a role's shape. */
status_code series_samples_number(const struct series *series, struct series_role *role,
                                  struct status *status);
/* Takes the samples of all steps. */
status_code series_samples_take(struct series *series, struct status *status);

/* Returns whether all samples are of ranks whose iterations of the loop at a level are a multiple
 * of a number. */
bool series_trips_are_multiples(const struct series_role_step *step, uint32_t level,
                                uint32_t number);

/* Frees the steps and loops of a role, with their samples and laws. */
void series_samples_free(struct series_role *role);

/* series_pools.c */
/* Sets *pool to the samples of the same call, or of loops of the same calls, in all roles. The
 * series keeps them until series_pools_forget. */
status_code series_samples_pool(struct series *series, const struct series_role_step *step,
                                bool is_loop, struct series_role_step *pool, struct status *status);
/* Frees the samples that were pooled. */
void series_pools_forget(struct series *series);
/* Collects the samples of two steps, by programs. The caller frees them. */
status_code series_samples_join(const struct series *series, const struct series_role_step *step,
                                const struct series_role_step *other, struct series_role_step *both,
                                struct status *status);
/* Collects the samples of the step of this number in all roles, by programs. The caller frees them.
 * There are none if the roles do not make the same call there. */
status_code series_samples_join_roles(const struct series *series, const struct series_role *role,
                                      size_t number, struct series_role_step *all,
                                      struct status *status);

/* series_balance.c */
/* What a rank computes by measured times, beside the ranks of its role. */
struct series_balance {
    uint32_t rank, ranks; /* of the largest program with the role */
    wide own, mean;       /* picoseconds */
};
/* Finds the rank of a role that differs most from the mean. Returns STATUS_OK also if there is
 * none; then balance->ranks is 0. */
status_code series_balance_find(const struct series *series, const struct series_role *role,
                                struct series_balance *balance, struct status *status);

#endif
