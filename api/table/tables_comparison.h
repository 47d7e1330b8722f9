/* The tables of comparisons that have files of their own. */
#ifndef ANAX_API_TABLES_COMPARISON_H
#define ANAX_API_TABLES_COMPARISON_H

#include "api/table/table.h"

/* tables_winners.c */
extern const struct table table_winners, table_compare_links;

#endif
