/*
 * Lists of findings (struct extrapolate_finding). The functions return STATUS_MEMORY, and no other
 * error. Private to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_FINDINGS_H
#define ANAX_TRACES_SERIES_FINDINGS_H

#include "traces/extrapolate/series.h"

/* series_findings.c */
/* Adds a finding with copies of its texts to the report of a series. subject: a static text. If the
 * report has a finding that differs at most in the ranks and values of examples, adds `count` to
 * it. */
status_code series_report_add(struct series *series, const char *subject, const char *where,
                              const char *law, const char *fit, uint64_t count, bool uncertain,
                              struct status *status);
/* Sets what the report of a series says about the programs of the series and about the new program.
 */
status_code series_report_programs(const struct series *series, const struct program *program,
                                   struct status *status);
/* Appends a finding with copies of its texts to a report. */
status_code series_finding_add(struct extrapolate_report *report,
                               const struct extrapolate_finding *texts, struct status *status);
/* Moves the findings of the report `of`, of a part of a divided series, to another report. Those
 * that this report has already stay in `of`. */
status_code series_findings_move(struct extrapolate_report *report, struct extrapolate_report *of,
                                 struct status *status);

/* series_meetings.c */
/* Reports if two partners of a rank are one rank in the new program, and no rank of the series has
 * such partners. */
status_code series_meetings_report(struct series *series, struct status *status);

#endif
