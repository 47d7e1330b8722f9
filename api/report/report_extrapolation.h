/* An extrapolation and its reports. Knows results only. */
#ifndef ANAX_API_REPORT_EXTRAPOLATION_H
#define ANAX_API_REPORT_EXTRAPOLATION_H

#include "api/api.h"
#include "traces/extrapolate/traces_extrapolate.h"

struct anax_extrapolation {
    anax_trace trace;
    struct extrapolate_report report;
};

/* Returns the rules and laws for people; NULL: out of memory. The caller frees the text. */
char *report_extrapolation_text(const anax_extrapolation *extrapolation);
/* Returns the uncertain findings, one per line; NULL: out of memory. The caller frees the text. */
char *report_extrapolation_warnings(const anax_extrapolation *extrapolation);

#endif
