/*
 * Weak or strong scaling of a series: told by the caller, or found in the computation of its ranks.
 * Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SCALING_H
#define ANAX_TRACES_SCALING_H

#include "traces/extrapolate/series.h"

/* STATUS_INPUT: the caller has told one scaling, and the series has the other one. */
status_code scaling_check(const struct series *series, struct status *status);

/* Adds the scaling to the report. made: the new program. The finding is uncertain if a rank of the
 * new program computes 25 % more or less than the told scaling gives, or, if all programs follow a
 * scaling that was found exactly, 1 %. STATUS_MEMORY. */
status_code scaling_report(struct series *series, const struct program *made,
                           struct status *status);

#endif
