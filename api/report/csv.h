/*
 * Texts in CSV tables (RFC 4180), which are UTF-8: names and paths are bytes of any kind. Knows
 * nothing else.
 */
#ifndef ANAX_API_CSV_H
#define ANAX_API_CSV_H

#include <stdio.h>

/* In quotes; quotes in it are doubled, a byte that is part of no character becomes a "?". */
void csv_write_quoted(FILE *file, const char *text);

/* In quotes only if it would not be one field without them. */
void csv_write_name(FILE *file, const char *name);

#endif
