/* The writers of the texts of an extrapolation. Knows results only. */
#ifndef ANAX_API_REPORT_EXTRAPOLATION_H
#define ANAX_API_REPORT_EXTRAPOLATION_H

#include "api/results/extrapolation_numbers.h"

/* Returns the rules and laws for people; NULL: out of memory. The caller frees the text. */
char *report_extrapolation_text(const anax_extrapolation *extrapolation);
/* Returns the uncertain findings, one per line; NULL: out of memory. The caller frees the text. */
char *report_extrapolation_warnings(const anax_extrapolation *extrapolation);

#endif
