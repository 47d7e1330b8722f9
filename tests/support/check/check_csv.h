/* A table in CSV: its first line names the columns. */
#ifndef ANAX_TESTS_CHECK_CSV_H
#define ANAX_TESTS_CHECK_CSV_H

#include "tests/support/check/check_value.h"

struct csv_table {
    struct check *check;
    char name[64]; /* of the file, for messages */
    char *text;    /* all of it, cut into cells */
    char **cells;  /* the columns' names, then row by row */
    size_t columns;
    size_t rows;
};

/* Reads folder/name. False, and reported: it cannot be read, or its lines differ in length. To be
 * closed in any case. */
bool csv_open(struct csv_table *table, struct check *check, const char *folder, const char *name);
void csv_close(struct csv_table *table);

/* "" where there is no such column, which is reported. */
const char *csv_text(const struct csv_table *table, size_t row, const char *column);
bool csv_has(const struct csv_table *table, const char *column);
/* Whole numbers, and decimals in millionths, of 0 or more. */
whole csv_whole(const struct csv_table *table, size_t row, const char *column);
whole csv_millionths(const struct csv_table *table, size_t row, const char *column);

/* The cell is what `what` says; an empty one for nothing. */
void csv_equals(const struct csv_table *table, size_t row, const char *column, whole value,
                const char *what);
void csv_text_is(const struct csv_table *table, size_t row, const char *column, const char *text);
/* The cells of these columns, separated by commas, are the numbers under the keys of the same names
 * of an object; a null is an empty cell, true is 1. */
void csv_same(const struct csv_table *table, size_t row, const char *columns,
              const struct place *object);
/* The same for the table folder/name, whose rows are the items of an array. */
void csv_rows(const struct place *array, const char *folder, const char *name, const char *columns);

#endif
