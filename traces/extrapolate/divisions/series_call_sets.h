/*
 * Series whose calls are divided into two call sets. Private to the extrapolation. See
 * series_call_sets.c.
 */
#ifndef ANAX_TRACES_SERIES_CALL_SETS_H
#define ANAX_TRACES_SERIES_CALL_SETS_H

#include "traces/extrapolate/series.h"

/* extrapolate.c */
/* Does what traces_extrapolate does, for the programs of one part of a divided series. depth: how
 * often a series was divided to get this one. The caller frees *program and the report, also after
 * errors. */
status_code series_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, uint32_t depth,
                               struct status *status);

/* series_call_sets.c */
/* Looks for two call sets, extrapolates each of them alone, and joins the two new programs. Adds
 * the findings to the report. The caller frees *program. Sets *found to whether there are such call
 * sets; if there are none, *status stays. STATUS_MEMORY, STATUS_STOPPED. */
status_code series_call_sets_find(struct series *series, struct program **program, bool *found,
                                  struct status *status);
#endif
