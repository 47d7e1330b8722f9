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
/* Frees a table. */
void csv_close(struct csv_table *table);

/* "" where there is no such column, which is reported. */
const char *csv_text(const struct csv_table *table, size_t row, const char *column);
/* Whether there is such a column. */
bool csv_has(const struct csv_table *table, const char *column);
/* A whole number of 0 or more. */
whole csv_whole(const struct csv_table *table, size_t row, const char *column);
/* A decimal of 0 or more, in millionths. */
whole csv_millionths(const struct csv_table *table, size_t row, const char *column);

/* The cell is what `what` says; an empty one for nothing. */
void csv_equals(const struct csv_table *table, size_t row, const char *column, whole value,
                const char *what);
/* Whether the cell is the value under a key of the same name: a null is an empty cell, true is 1.
 */
bool csv_is(const struct csv_table *table, size_t row, const char *column,
            const struct place *object);
/* The table folder/name says what an array of objects says: its columns are the keys, in the same
 * order, and each cell is the value under its key. */
void csv_rows(const struct place *array, const char *folder, const char *name);

#endif
