/*
 * The results of an extrapolation: the new program, and the report on what was found. Private to
 * the extrapolation. Reports are those of series->findings.report.
 */
#ifndef ANAX_TRACES_SERIES_OUTPUT_H
#define ANAX_TRACES_SERIES_OUTPUT_H

#include "traces/extrapolate/series.h"

/* series_size.c */
/* STATUS_INPUT: the new program does not fit in memory, by an estimate of its number of operations.
 */
status_code series_size_check(const struct series *series, struct status *status);

/* series_write.c */
/* Writes the program of the wanted number of ranks. threads: 0: one for each processor. The caller
 * frees *program, which is NULL after an error. Scales the fits of computation if the law of the
 * whole computation does (law_whole_find). STATUS_INPUT: the program does not fit in memory, a law
 * gives a rank no value that it can have, or a send or receive has no partner. STATUS_MEMORY. */
status_code series_write(struct series *series, unsigned threads, struct program **program,
                         struct status *status);

/* series_report.c */
/* Adds all findings about the series and the new program to the report. STATUS_MEMORY. */
status_code series_report_fill(struct series *series, const struct program *program,
                               struct status *status);

/* series_report_computation.c */
/* Adds the findings about the computation of all steps together. STATUS_MEMORY. */
status_code series_report_computation(struct series *series, struct status *status);
/* Adds the finding about waits, if ranks of the new program wait longer for each other at
 * collectives than those of all programs. If all computation follows exact laws, these say how long
 * ranks wait, and there is no finding. For a series that is divided, call it with the whole
 * programs. STATUS_MEMORY. */
status_code series_report_waits(struct series *series, const struct program *program,
                                struct status *status);

#endif
