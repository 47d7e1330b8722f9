/*
 * Weak or strong scaling of a series: told by the caller, or found in the computation of its ranks.
 * Private to the traces room.
 */
#ifndef ANAX_TRACES_SCALING_H
#define ANAX_TRACES_SCALING_H

#include "traces/extrapolate/series.h"

/* STATUS_INPUT: the caller has told one scaling, and the series has the other. */
status_code scaling_check(const struct series *series, struct status *status);

/* Adds the scaling to the report. It is uncertain if the new program does not follow what the
 * caller has told. */
status_code scaling_report(struct series *series, const struct program *made,
                           struct status *status);

#endif
