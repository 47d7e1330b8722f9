/*
 * Lists of findings. Private to the traces room.
 */
#ifndef ANAX_TRACES_SERIES_FINDINGS_H
#define ANAX_TRACES_SERIES_FINDINGS_H

#include "traces/extrapolate/series.h"

/* Adds a finding to the report of a series. Counts findings that are equal but for examples as one.
 */
status_code series_report_add(struct series *series, const char *subject, const char *where,
                              const char *law, const char *fit, uint64_t count, bool uncertain,
                              struct status *status);
/* series_meetings.c */
/* Reports two partners of a rank that are one rank in the new program, if the series has no such
 * rank. */
status_code series_meetings_report(struct series *series, struct status *status);
/* series_findings.c */
/* Adds a finding with copies of its texts. */
status_code series_finding_add(struct extrapolate_report *report,
                               const struct extrapolate_finding *texts, struct status *status);
/* Moves the findings of a part of a series to a report, but those that it has. */
status_code series_findings_move(struct extrapolate_report *report, struct extrapolate_report *of,
                                 struct status *status);

#endif
