/*
 * Texts in CSV tables (RFC 4180). The tables are UTF-8, while names and paths may be any bytes.
 * Knows nothing else.
 */
#ifndef ANAX_API_CSV_H
#define ANAX_API_CSV_H

#include <stdio.h>

/* Writes a text in quotes. Quotes in the text are doubled, and a byte that is not part of a UTF-8
 * character becomes a "?". */
void csv_write_quoted(FILE *file, const char *text);

/* Writes a name: unquoted if it is ASCII without blanks, commas and quotes; otherwise in quotes. */
void csv_write_name(FILE *file, const char *name);

#endif
