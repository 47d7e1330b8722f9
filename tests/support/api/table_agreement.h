/*
 * Compares the tables of a result with its JSON, its CSV files and the outlines: the same columns
 * in the same order, the same values, and nothing besides.
 *
 * Header only. Must not look behind anax.h.
 */
#ifndef ANAX_TESTS_TABLE_AGREEMENT_H
#define ANAX_TESTS_TABLE_AGREEMENT_H

#include "tests/support/api/table_world.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A result of some kind, as the test sees it. */
struct table_subject {
    const char *kind;
    const void *result;
    anax_code (*table)(anax_table **table, const void *result, const char *name);
    struct json_object *json;
    const char *folder; /* of its CSV tables; NULL: it has none */
    const char *absent; /* names of the tables that it has not, with a blank before and after each;
                           NULL: those of a simple result */
    size_t tables;      /* that were looked at */
    size_t files;
};

/* ---- the tables of the kinds of results that several tests compare ---- */

static inline anax_code table_of_replay(anax_table **table, const void *result, const char *name) {
    return anax_replay_result_table(table, result, name, NULL);
}

static inline anax_code table_of_traffic(anax_table **table, const void *result, const char *name) {
    return anax_traffic_result_table(table, result, name, NULL);
}

static inline anax_code table_of_comparison(anax_table **table, const void *result,
                                            const char *name) {
    return anax_comparison_table(table, result, name, NULL);
}

static inline anax_code table_of_placement(anax_table **table, const void *result,
                                           const char *name) {
    return anax_placement_table(table, result, name, NULL);
}

static inline anax_code table_of_trace(anax_table **table, const void *trace, const char *name) {
    return anax_trace_table(table, trace, name, NULL);
}

/* ---- one value as it should look ---- */

static inline void table_cell_text(const anax_column *column, size_t row, char *text, size_t size) {
    char *digits = NULL;
    switch (column->type) {
    case ANAX_COLUMN_INTEGER:
    case ANAX_COLUMN_TRUTH:
        if (column->integers[row] == ANAX_ABSENT_INTEGER)
            snprintf(text, size, "null");
        else if (column->type == ANAX_COLUMN_TRUTH)
            snprintf(text, size, "%s", column->integers[row] != 0 ? "true" : "false");
        else
            snprintf(text, size, "%" PRId64, column->integers[row]);
        break;
    case ANAX_COLUMN_NUMBER:
        if (isnan(column->numbers[row]))
            snprintf(text, size, "null");
        else
            snprintf(text, size, "%.6f", column->numbers[row]);
        break;
    case ANAX_COLUMN_SUM:
        digits = anax_sum_text(column->sums[row]);
        snprintf(text, size, "%s", digits);
        anax_text_free(digits);
        break;
    case ANAX_COLUMN_TEXT:
        snprintf(text, size, "%s", column->texts[row] != NULL ? column->texts[row] : "null");
        break;
    }
}

static inline void table_same_in_json(const anax_column *column, size_t row,
                                      struct json_object *object) {
    struct json_object *value = NULL;
    char expected[4096], number[64];
    if (!json_object_object_get_ex(object, column->name, &value))
        fail_msg("no key %s", column->name);
    table_cell_text(column, row, expected, sizeof expected);
    const char *is = value != NULL ? json_object_get_string(value) : "null";
    if (column->type == ANAX_COLUMN_NUMBER && value != NULL) {
        snprintf(number, sizeof number, "%.6f", json_object_get_double(value));
        is = number;
    }
    assert_string_equal(is, expected);
}

/* The keys of an object are the columns, in their order; other keys may stand around them. */
static inline void table_same_keys(const anax_table *table, struct json_object *object,
                                   bool alone) {
    size_t found = 0, keys = 0;
    json_object_object_foreach(object, key, value) {
        (void)value;
        const anax_column *column = anax_table_column(table, found);
        keys++;
        if (column != NULL && strcmp(column->name, key) == 0) found++;
    }
    assert_int_equal(found, anax_table_column_count(table));
    if (alone) assert_int_equal(keys, found);
}

static inline void table_same_row(const anax_table *table, size_t row, struct json_object *object,
                                  bool alone) {
    table_same_keys(table, object, alone);
    for (size_t i = 0; i < anax_table_column_count(table); i++)
        table_same_in_json(anax_table_column(table, i), row, object);
}

static inline void table_check_json(const struct table_subject *subject, const anax_table *table,
                                    const char *name, const char *help) {
    struct json_object *value = NULL;
    char member[64], owner[64];
    bool there = json_object_object_get_ex(subject->json, name, &value);
    const char *inside = strstr(help, "in JSON the member ");
    if (inside != NULL) { /* of an object that is another table */
        assert_int_equal(sscanf(inside, "in JSON the member %63s of %63s", member, owner), 2);
        assert_false(there);
        assert_true(json_object_object_get_ex(subject->json, owner, &value));
        assert_true(json_object_object_get_ex(value, member, &value));
    }
    if (strstr(help, "(keys of the result itself") != NULL) {
        table_same_row(table, 0, subject->json, false);
    } else if (strstr(help, "(not in JSON") != NULL) {
        assert_false(there);
    } else if (strstr(help, "(an array of the first column") != NULL) {
        assert_int_equal(json_object_array_length(value), anax_table_row_count(table));
        for (size_t i = 0; i < anax_table_row_count(table); i++)
            assert_string_equal(json_object_get_string(json_object_array_get_idx(value, i)),
                                text_of(table, i, anax_table_column(table, 0)->name));
    } else if (strstr(help, "(an array") != NULL) {
        assert_int_equal(json_object_array_length(value), anax_table_row_count(table));
        for (size_t i = 0; i < anax_table_row_count(table); i++)
            table_same_row(table, i, json_object_array_get_idx(value, i), true);
    } else if (strstr(help, "(an object with a key for each row") != NULL) {
        assert_int_equal(json_object_object_length(value), anax_table_row_count(table));
        for (size_t i = 0; i < anax_table_row_count(table); i++) {
            char expected[4096];
            table_cell_text(anax_table_column(table, 1), i, expected, sizeof expected);
            assert_string_equal(
                json_object_get_string(json_object_object_get(value, text_of(table, i, "name"))),
                expected);
        }
    } else {
        assert_non_null(strstr(help, "(an object"));
        const bool has_members = strcmp(name, "critical_path") == 0; /* parts, steps, channels */
        assert_int_equal(anax_table_row_count(table), 1);
        table_same_row(table, 0, value, !has_members);
        if (has_members)
            assert_int_equal(json_object_object_length(value), anax_table_column_count(table) + 3);
    }
}

/* ---- CSV ---- */

/* The next cell of a line, without its quotes; moves on. */
static inline char *table_next_cell(char **line) {
    char *cell = *line, *end;
    if (*cell == '"') {
        end = strchr(++cell, '"');
        assert_non_null(end);
        *end++ = '\0';
    } else {
        end = cell + strcspn(cell, ",\n");
    }
    *line = *end == ',' ? end + 1 : end;
    if (*end == ',') *end = '\0';
    if (*end == '\n') {
        *end = '\0';
        *line = end;
    }
    return cell;
}

static inline void table_same_in_csv(const anax_column *column, size_t row, const char *cell) {
    char expected[4096];
    table_cell_text(column, row, expected, sizeof expected);
    if (strcmp(expected, "null") == 0) *expected = '\0';
    if (strcmp(expected, "true") == 0) strcpy(expected, "1");
    if (strcmp(expected, "false") == 0) strcpy(expected, "0");
    assert_string_equal(cell, expected);
}

static inline void table_check_csv(struct table_subject *subject, const anax_table *table,
                                   const char *name) {
    char path[256], *line = NULL;
    size_t size = 0, rows = 0;
    snprintf(path, sizeof path, "%s/%s.csv", subject->folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("no %s", path);
    assert_true(getline(&line, &size, file) > 0);
    char *at = line;
    for (size_t i = 0; i < anax_table_column_count(table); i++)
        assert_string_equal(table_next_cell(&at), anax_table_column(table, i)->name);
    assert_int_equal(*at, '\0');
    for (; getline(&line, &size, file) > 0; rows++) {
        at = line;
        for (size_t i = 0; i < anax_table_column_count(table); i++)
            table_same_in_csv(anax_table_column(table, i), rows, table_next_cell(&at));
        assert_int_equal(*at, '\0');
    }
    assert_int_equal(rows, anax_table_row_count(table));
    fclose(file);
    free(line);
    subject->files++;
}

/* ---- all tables of a result ---- */

/* The outline has the same columns, but one for all that are named after settings. */
static inline void table_same_as_outline(const anax_table *table, const char *name) {
    anax_table *outline = NULL;
    assert_int_equal(anax_table_outline(&outline, name, NULL), ANAX_OK);
    assert_int_equal(anax_table_row_count(outline), 0);
    size_t at = 0;
    for (size_t i = 0; i < anax_table_column_count(outline); i++) {
        const anax_column *column = anax_table_column(outline, i);
        assert_true(strlen(column->description) > 1);
        assert_null(strchr(column->description, '\n'));
        if (strcmp(column->name, "SETTING") == 0) {
            const anax_column *after = anax_table_column(outline, i + 1);
            while (at < anax_table_column_count(table) &&
                   (after == NULL || strcmp(anax_table_column(table, at)->name, after->name) != 0))
                at++;
            continue;
        }
        assert_string_equal(anax_table_column(table, at)->name, column->name);
        assert_string_equal(anax_table_column(table, at)->unit, column->unit);
        assert_int_equal(anax_table_column(table, at++)->type, column->type);
        const char *unit = strrchr(column->name, '_');
        if (strcmp(column->unit, "ps") == 0) assert_string_equal(unit, "_ps");
        if (unit != NULL && strcmp(unit, "_ps") == 0) assert_string_equal(column->unit, "ps");
        if (unit != NULL && strcmp(unit, "_bytes") == 0) assert_string_equal(column->unit, "bytes");
        assert_string_not_equal(column->name, "size_bytes"); /* the payload is called bytes */
    }
    assert_int_equal(at, anax_table_column_count(table));
    anax_table_free(outline);
}

static inline bool table_check_one(void *context, const anax_choice *choice) {
    struct table_subject *subject = context;
    const size_t length = strlen(subject->kind);
    if (strncmp(choice->name, subject->kind, length) != 0 || choice->name[length] != '.')
        return true;
    const char *name = choice->name + length + 1;
    anax_table *table = NULL;
    /* one class, one candidate, one seed; no background, search or explanation; nothing recorded;
     * no files of MPI-IO, no process topologies */
    static const char simple[] =
        " classes search background state_bins rank_bins channel_bins matrix"
        " link_flows link_waits longest_link_waits critical_path"
        " critical_path_parts critical_path_channels critical_path_steps"
        " job_critical_paths efficiency efficiency_regions"
        " efficiency_iterations sensitivity factors machines loads saturation"
        " machine_settings_changed io_nodes files topologies ";
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    const bool may_miss = strstr(subject->absent != NULL ? subject->absent : simple, word) != NULL;
    const anax_code code = subject->table(&table, subject->result, name);
    if (code == ANAX_OK && subject->absent != NULL && may_miss)
        fail_msg("the result has a table %s", choice->name);
    if (code != ANAX_OK) {
        if (!may_miss) fail_msg("the result has no table %s", choice->name);
        assert_int_equal(code, ANAX_ERROR_STATE);
        if (strstr(choice->help, "; only ") == NULL)
            fail_msg("the list of tables has no condition for %s", choice->name);
        assert_false(json_object_object_get_ex(subject->json, name, NULL));
        return true;
    }
    table_same_as_outline(table, choice->name);
    if (strcmp(name, "simulation") != 0) table_check_json(subject, table, name, choice->help);
    if (strstr(choice->help, ".csv") != NULL) table_check_csv(subject, table, name);
    subject->tables++;
    assert_null(anax_table_column(table, anax_table_column_count(table)));
    assert_null(anax_table_find(table, "no such column"));
    anax_table_free(table);
    return true;
}

/* Returns whether a key of the result itself is a column of a table, or the name of one. */
static inline bool table_has_key(const struct table_subject *subject, const char *key) {
    static const char *const tables[] = {"result", "trace"};
    char name[128];
    anax_table *table = NULL;
    snprintf(name, sizeof name, "%s.%s", subject->kind, key);
    bool found = anax_table_outline(&table, name, NULL) == ANAX_OK;
    anax_table_free(table);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !found; i++) {
        snprintf(name, sizeof name, "%s.%s", subject->kind, tables[i]);
        if (anax_table_outline(&table, name, NULL) != ANAX_OK) continue;
        found = anax_table_find(table, key) != NULL;
        anax_table_free(table);
    }
    return found;
}

/* All that the JSON has is in a table, but the two keys that say what it is. */
static inline void table_check_keys(const struct table_subject *subject) {
    json_object_object_foreach(subject->json, key, value) {
        (void)value;
        if (strcmp(key, "schema") != 0 && strcmp(key, "version") != 0 &&
            !table_has_key(subject, key))
            fail_msg("the key %s of %s is in no table", key, subject->kind);
    }
}

/* Checks all tables of a result against its JSON, which is freed, and its CSV files. tables, files:
 * how many there are. */
static inline void table_check_all(struct table_subject *subject, char *json, size_t tables,
                                   size_t files) {
    subject->json = json_tokener_parse(json);
    assert_non_null(subject->json);
    anax_text_free(json);
    table_check_keys(subject);
    assert_int_equal(anax_list("tables", NULL, table_check_one, subject, NULL), ANAX_OK);
    json_object_put(subject->json);
    assert_int_equal(subject->tables, tables);
    assert_int_equal(subject->files, files);
}

#endif
