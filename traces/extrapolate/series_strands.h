/*
 * Series whose calls are of two kinds that follow each other. Private to the traces room. See
 * series_strands.c.
 */
#ifndef ANAX_TRACES_SERIES_STRANDS_H
#define ANAX_TRACES_SERIES_STRANDS_H

#include "traces/extrapolate/series.h"

/* extrapolate.c */
/* Does what traces_extrapolate does. depth: how often the programs were divided into strands. */
status_code series_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, uint32_t depth,
                               struct status *status);

/* series_strands.c */
/* Looks for two strands, extrapolates each of them, and puts the new programs together. Adds the
 * findings to the report. Sets *found to whether there are such strands; otherwise *status stays.
 */
status_code series_strands_find(struct series *series, struct program **program, bool *found,
                                struct status *status);

#endif
