/*
 * Trials: communicators that a library makes only to time alternatives. Private to the
 * extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_TRIALS_H
#define ANAX_TRACES_SERIES_TRIALS_H

#include "traces/extrapolate/series.h"

/* Sets *count to the largest number of trials of a rank of the largest program. Only trials count
 * in which the rank also made and freed another communicator. STATUS_MEMORY. */
status_code series_trials_count(const struct series *series, uint32_t *count,
                                struct status *status);

#endif
