/* The report about conjectures on global connected components. */
#ifndef ANAX_API_REPORT_CONJECTURES_H
#define ANAX_API_REPORT_CONJECTURES_H

#include "api/table/tables_analysis.h"

/* Gives the verdicts as text and as JSON; both are NULL where memory is short. STATUS_RUN, with
 * both, if a conjecture does not hold. */
status_code report_conjectures(const struct tables_verdict *verdicts, size_t count, char **text,
                               char **json, struct status *status);

#endif
