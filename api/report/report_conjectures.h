/* The text about conjectures on global connected components. */
#ifndef ANAX_API_REPORT_CONJECTURES_H
#define ANAX_API_REPORT_CONJECTURES_H

#include "api/table/tables_analysis.h"

/* Returns a line for each verdict, which the caller frees; NULL: out of memory. */
char *report_conjectures_text(const struct tables_verdict *verdicts, size_t count);

#endif
