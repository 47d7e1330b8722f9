/* Reads tables of results as data. A test that asks for what there is not fails. */
#ifndef ANAX_TESTS_TABLE_WORLD_H
#define ANAX_TESTS_TABLE_WORLD_H

#include <anax/anax.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline anax_table *table_of(const anax_replay_result *result, const char *name) {
    anax_table *table = NULL;
    anax_error error = ANAX_ERROR_INIT;
    if (anax_replay_result_table(&table, result, name, &error) != ANAX_OK)
        fail_msg("%s", error.text);
    return table;
}

static inline const anax_column *column_of(const anax_table *table, const char *name) {
    const anax_column *column = anax_table_find(table, name);
    if (column == NULL) fail_msg("no column %s", name);
    return column;
}

static inline int64_t integer_of(const anax_table *table, size_t row, const char *name) {
    const anax_column *column = column_of(table, name);
    assert_non_null(column->integers);
    assert_true(row < anax_table_row_count(table));
    return column->integers[row];
}

static inline const char *text_of(const anax_table *table, size_t row, const char *name) {
    const anax_column *column = column_of(table, name);
    assert_non_null(column->texts);
    assert_true(row < anax_table_row_count(table));
    return column->texts[row];
}

static inline anax_sum sum_of(const anax_table *table, size_t row, const char *name) {
    const anax_column *column = column_of(table, name);
    assert_non_null(column->sums);
    assert_true(row < anax_table_row_count(table));
    return column->sums[row];
}

static inline int64_t time_of(const anax_replay_result *result) {
    int64_t time_ps = -1;
    assert_int_equal(anax_replay_result_time_ps(&time_ps, result, NULL), ANAX_OK);
    return time_ps;
}

#endif
