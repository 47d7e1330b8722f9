/*
 * Weak or strong scaling of a series: told by the caller, or found in the computation of its ranks.
 * Private to the traces room.
 */
#ifndef ANAX_TRACES_SCALING_H
#define ANAX_TRACES_SCALING_H

#include "traces/extrapolate/traces_extrapolate.h"

/* STATUS_INPUT: the caller has told one scaling, and the series has the other. */
status_code scaling_check(const struct program *const *programs, uint32_t program_count,
                          const struct extrapolate_config *config, struct status *status);

/* Reports the scaling. It is uncertain if the new program does not follow what the caller has told.
 */
status_code scaling_report(struct extrapolate_report *report, const struct program *const *programs,
                           uint32_t program_count, const struct extrapolate_config *config,
                           const struct program *made, struct status *status);

#endif
