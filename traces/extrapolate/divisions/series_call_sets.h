/*
 * Series whose calls are of two kinds that follow each other. Private to the traces room. See
 * series_call_sets.c.
 */
#ifndef ANAX_TRACES_SERIES_CALL_SETS_H
#define ANAX_TRACES_SERIES_CALL_SETS_H

#include "traces/extrapolate/series.h"

/* extrapolate.c */
/* Does what traces_extrapolate does. depth: how often the programs were divided into call sets. */
status_code series_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, uint32_t depth,
                               struct status *status);

/* series_call_sets.c */
/* Looks for two call sets, extrapolates each of them, and puts the new programs together. Adds the
 * findings to the report. Sets *found to whether there are such call sets; otherwise *status stays.
 */
status_code series_call_sets_find(struct series *series, struct program **program, bool *found,
                                  struct status *status);
#endif
