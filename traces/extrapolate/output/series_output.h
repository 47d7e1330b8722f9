/*
 * The results of an extrapolation: the new program, and the report on what was found. Private to
 * the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_OUTPUT_H
#define ANAX_TRACES_SERIES_OUTPUT_H

#include "traces/extrapolate/series.h"

/* series_size.c */
/* Returns about how many operations the new program will have. */
wide series_operations(const struct series *series);

/* series_write.c */
/* Writes the program of the wanted number of ranks. */
status_code series_write(struct series *series, unsigned threads, struct program **program,
                         struct status *status);

/* series_report.c: adds all findings to the report. */
status_code series_report_fill(struct series *series, const struct program *program,
                               struct status *status);

/* series_report_computation.c: adds those about the whole computation. */
status_code series_report_computation(struct series *series, const struct program *program,
                                      struct status *status);

#endif
