/*
 * Samples: the values that the ranks of all programs have at each step of a role. Private to the
 * extrapolation. Functions with a status return STATUS_MEMORY, and STATUS_INPUT only where their
 * comment says so.
 */
#ifndef ANAX_TRACES_SERIES_SAMPLES_H
#define ANAX_TRACES_SERIES_SAMPLES_H

#include "traces/extrapolate/series.h"

/* series_samples.c */
/* Lists the steps and loops of a role's shape, without samples. STATUS_INPUT: loops are in more
 * than SERIES_DEPTH levels. */
status_code series_samples_number(const struct series *series, struct series_role *role,
                                  struct status *status);
/* Lists the steps and loops of all roles, with their samples. STATUS_INPUT: as above; there are too
 * many samples; or a rank does not fit the shape of its role. */
status_code series_samples_take(struct series *series, struct status *status);

/* Returns whether the trips of the loop at a level around a step are a multiple of a number in all
 * samples. */
bool series_trips_are_multiples(const struct series_role_step *step, uint32_t level,
                                uint32_t number);

/* Frees the steps and loops of a role, with their samples and laws. */
void series_samples_free(struct series_role *role);

/* series_pools.c */
/* Sets *pool to a step with the samples of the same call, or of loops of the same calls, in all
 * roles, by programs. The series keeps these samples until series_pools_forget. */
status_code series_samples_pool(struct series *series, const struct series_role_step *step,
                                bool is_loop, struct series_role_step *pool, struct status *status);
/* Frees the samples that were pooled. */
void series_pools_forget(struct series *series);
/* Sets *both to a step with the samples of two steps, by programs. The caller frees both->samples,
 * but not after an error. */
status_code series_samples_join(const struct series *series, const struct series_role_step *step,
                                const struct series_role_step *other, struct series_role_step *both,
                                struct status *status);
/* Sets *all to a step with the samples of step `number` of all roles, by programs; without samples
 * if the roles do not all make the same call there. The caller frees all->samples. */
status_code series_samples_join_roles(const struct series *series, const struct series_role *role,
                                      size_t number, struct series_role_step *all,
                                      struct status *status);

/* series_balance.c */
/* How the measured computation of a rank differs from that of the other ranks of its role. */
struct series_balance {
    uint32_t rank,
        ranks;      /* the rank, and the number of ranks, of the largest program of the role */
    wide own, mean; /* computation of the rank, and mean of the role, in picoseconds */
};
/* Sets *balance to the rank of a role that differs most from the mean, if it differs by more than
 * 10 % and the role has 1 % of the measured computation or more; otherwise balance->ranks is 0. */
status_code series_balance_find(const struct series *series, const struct series_role *role,
                                struct series_balance *balance, struct status *status);

#endif
