/*
 * Tables: results as data. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_TABLE_H
#define ANAX_TABLE_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table of a result: the values of its JSON or CSV, in an array for each column. A table is a
 * copy and outlives the result. `anax list tables`, or anax_list for the family "tables", names the
 * tables of every kind of result ("replay.ranks"), and anax-json(5) describes their columns.
 * anax_replay_result_table and the functions like it copy a table of a result. Their argument is
 * the table's name without the kind: "ranks" for replay.ranks. The time of each rank:
 *
 *     anax_table *ranks = NULL;
 *     if (anax_replay_result_table(&ranks, result, "ranks", &error) == ANAX_OK) {
 *         const anax_column *time = anax_table_find(ranks, "time_ps");
 *         for (size_t i = 0; i < anax_table_row_count(ranks); i++)
 *             printf("rank %zu: %lld ps\n", i, (long long)time->integers[i]);
 *     }
 *     anax_table_free(ranks);
 */
typedef struct anax_table anax_table;

/* Frees a table with its columns; NULL is allowed. */
ANAX_API void anax_table_free(anax_table *table);

/* Creates a table without rows that has the columns of the table called `name`. A column called
 * SETTING stands for those that a result names after the factors of its plan. `name` has the kind
 * of result, as in the list of tables: "replay.ranks". ANAX_ERROR_USAGE: there is no such table. */
ANAX_API anax_code anax_table_outline(anax_table **table, const char *name, anax_error *error);

/* The type of a column's values. Later versions may add types at the end. */
typedef enum anax_column_type {
    ANAX_COLUMN_INTEGER, /* int64_t */
    ANAX_COLUMN_TRUTH,   /* int64_t: 1 or 0 */
    ANAX_COLUMN_NUMBER,  /* double */
    ANAX_COLUMN_SUM,     /* anax_sum */
    ANAX_COLUMN_TEXT     /* NUL-terminated, any bytes but 0 */
} anax_column_type;

/* The absent value of integers and truths, such as a mean of nothing. */
#define ANAX_ABSENT_INTEGER INT64_MIN

/* A column. Only the library makes columns; later versions may add members. */
typedef struct anax_column {
    const char *name; /* with its unit at the end: "busy_ps" */
    /* "ps", "bytes", "bytes/s", "s", "m" or "dollars"; "" for counts, shares, names and so on */
    const char *unit;
    const char *description; /* one sentence without its full stop */
    anax_column_type type;
    /* One value for each row, in the array of the column's type; the other arrays are NULL. */
    const int64_t *integers;  /* ANAX_COLUMN_INTEGER and ANAX_COLUMN_TRUTH; ANAX_ABSENT_INTEGER:
                                 there is no value */
    const double *numbers;    /* ANAX_COLUMN_NUMBER; NaN: there is no value */
    const anax_sum *sums;     /* ANAX_COLUMN_SUM; every row has a value */
    const char *const *texts; /* ANAX_COLUMN_TEXT; NULL: there is no value */
} anax_column;

/* Returns the number of rows, which is the length of every column's array. */
ANAX_API size_t anax_table_row_count(const anax_table *table);

/* Returns the number of columns. */
ANAX_API size_t anax_table_column_count(const anax_table *table);

/* Returns a column by its number, from 0; NULL: there is none. It lives as long as the table. */
ANAX_API const anax_column *anax_table_column(const anax_table *table, size_t column);

/* Returns the column of a name; NULL: there is none. It lives as long as the table. */
ANAX_API const anax_column *anax_table_find(const anax_table *table, const char *name);

#ifdef __cplusplus
}
#endif

#endif
