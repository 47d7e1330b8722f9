/* Tables of comparisons, and of diffs of two results. */
#ifndef ANAX_API_TABLES_COMPARE_H
#define ANAX_API_TABLES_COMPARE_H

#include "api/table/table.h"

/* tables_compare.c */
extern const struct table table_compare_traces;

/* tables_winners.c */
extern const struct table table_winners, table_compare_links;

/* tables_diff.c */
extern const struct table_schema tables_diff;

#endif
