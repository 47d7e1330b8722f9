/*
 * Trials: communicators that a library makes only to time alternatives. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_TRIALS_H
#define ANAX_TRACES_SERIES_TRIALS_H

#include "traces/extrapolate/series.h"

/* Counts the trials of a rank of the largest program in which it made and freed communicators, and
 * others meanwhile, without any message: the most that a rank has. */
status_code series_trials_count(const struct series *series, uint32_t *count,
                                struct status *status);

#endif
