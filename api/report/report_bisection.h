/* The writers of the texts of bisections. */
#ifndef ANAX_API_REPORT_BISECTION_H
#define ANAX_API_REPORT_BISECTION_H

#include "api/results/bisection_numbers.h"

/* Returns several bisections as text, which the caller frees; NULL: out of memory. */
char *report_bisection_text(const anax_bisection *const *list, size_t count);

/* Returns several bisections as JSON, which the caller frees; NULL: out of memory. */
char *report_bisection_json(const anax_bisection *const *list, size_t count);

/* Returns several bisections as a picture, which the caller frees; NULL: out of memory. */
char *report_bisection_svg(const anax_bisection *const *list, size_t count);

#endif
