/*
 * Results as tables: one description of each output table and its columns, from which the CSV
 * tables, the JSON, the data of the public interface and the manual page follow.
 *
 * A row is a struct of the table's own, and a column says where in it the value is. Knows how
 * values look; must not know what they mean.
 *
 * Invariant: a table has the same columns in CSV, in JSON and as data, in the same order, whatever
 * the result. A value that there is not is null in JSON and an empty cell.
 */
#ifndef ANAX_API_TABLE_H
#define ANAX_API_TABLE_H

#include "api/api.h"

#include <stddef.h>
#include <stdio.h>

/* What is at a column's place in a row. */
typedef enum table_kind {
    TABLE_COUNT32,    /* uint32_t */
    TABLE_COUNT,      /* uint64_t; below 2^63 */
    TABLE_INTEGER,    /* int64_t, or TABLE_NONE */
    TABLE_MILLIONTHS, /* int64_t, or TABLE_NONE: a decimal of six places */
    TABLE_TRUTH,      /* int64_t: 1, 0 or TABLE_NONE */
    TABLE_SUM,        /* wide */
    TABLE_WORD,       /* const char *, or NULL: one of anax's own names */
    TABLE_TEXT,       /* const char *, or NULL: any bytes, in quotes in CSV */
    TABLE_VALUES      /* const char *const *: as many columns of texts as the source names */
} table_kind;

#define TABLE_NONE INT64_MIN

struct table_column {
    const char *name;
    const char *unit; /* "ps", "bytes", ...; "" of counts, names and shares */
    const char *help; /* one sentence without its full stop */
    table_kind kind;
    unsigned group; /* tables can leave out the columns of a group; 0: part of any table */
    size_t offset;  /* in the row */
    size_t index;   /* TABLE_VALUES: which one */
};

/* A column of a struct's member, of a kind that fits the member. */
#define TABLE_MEMBER(row, member) (((const struct row *)NULL)->member)
#define TABLE_KIND_OF(value)                                                                       \
    _Generic((value),                                                                              \
        uint32_t: TABLE_COUNT32,                                                                   \
        uint64_t: TABLE_COUNT,                                                                     \
        int64_t: TABLE_INTEGER,                                                                    \
        wide: TABLE_SUM,                                                                           \
        const char *: TABLE_TEXT,                                                                  \
        const char *const *: TABLE_VALUES)
/* Kinds that look otherwise than others of their type; any other type is an error. */
#define TABLE_INTEGER_AS(value, kind) _Generic((value), int64_t : (kind))
#define TABLE_TEXT_AS(value, kind)    _Generic((value), const char * : (kind))

#define TABLE_ENTRY(group, kind, row, member, name, unit, help)                                    \
    { name, unit, help, kind, group, offsetof(struct row, member), 0 }
#define TABLE_GROUPED(group, row, member, name, unit, help)                                        \
    TABLE_ENTRY(group, TABLE_KIND_OF(TABLE_MEMBER(row, member)), row, member, name, unit, help)
#define TABLE_COLUMN(row, member, name, unit, help) TABLE_GROUPED(0, row, member, name, unit, help)
#define TABLE_NUMBER(group, kind, row, member, name, unit, help)                                   \
    TABLE_ENTRY(group, TABLE_INTEGER_AS(TABLE_MEMBER(row, member), kind), row, member, name, unit, \
                help)
#define TABLE_GROUPED_NAME(group, row, member, name, help)                                         \
    TABLE_ENTRY(group, TABLE_TEXT_AS(TABLE_MEMBER(row, member), TABLE_WORD), row, member, name,    \
                "", help)
#define TABLE_SHARE(row, member, name, unit, help)                                                 \
    TABLE_NUMBER(0, TABLE_MILLIONTHS, row, member, name, unit, help)
#define TABLE_FLAG(row, member, name, help)                                                        \
    TABLE_NUMBER(0, TABLE_TRUTH, row, member, name, "", help)
#define TABLE_NAME(row, member, name, help) TABLE_GROUPED_NAME(0, row, member, name, help)

/* All that rows can be made from; what a result does not have is NULL. */
struct table_source {
    const anax_config *config; /* of a comparison the baseline's */
    anax_scope scope;
    const struct program *program;
    const struct replay_result *replay;
    const anax_result *result;
    const struct anax_comparison *comparison;
    const struct anax_placement *placement;
    const anax_topology *const *machines;
    size_t machine_count;
    const char *const *value_names; /* columns of TABLE_VALUES */
    size_t value_count;
};

/* Takes the rows of a table one by one; false: it wants no more. */
struct table_sink {
    bool (*take)(void *context, const void *row);
    void *context;
};

static inline bool table_add(const struct table_sink *sink, const void *row) {
    return sink->take(sink->context, row);
}

typedef enum table_form {
    TABLE_KEYS,   /* one row, whose values are keys of the result itself */
    TABLE_OBJECT, /* one row or none: an object */
    TABLE_MAP,    /* an object with a key for each row: the first column; the second is its value */
    TABLE_ARRAY,  /* an array with an object for each row; and NAME.csv if it has a file */
    TABLE_FILE    /* NAME.csv alone: too large for JSON */
} table_form;

struct table {
    const char *name;
    table_form form;
    bool has_file; /* NAME.csv is written */
    const struct table_column *columns;
    size_t column_count;
    unsigned left_out; /* groups of columns */
    /* NULL: always there; a table that is not there has no key and no file. */
    bool (*is_there)(const struct table_source *source);
    status_code (*visit)(const struct table_source *source, const struct table_sink *sink,
                         struct status *status);
    const char *help; /* what one row is, without a full stop */
};

static inline bool table_is_there(const struct table *table, const struct table_source *source) {
    return table->is_there == NULL || table->is_there(source);
}

#define TABLE_LIST(list) .columns = (list), .column_count = sizeof(list) / sizeof *(list)

/* All tables of one kind of result. */
struct table_schema {
    const char *name;                  /* "replay" */
    const char *schema;                /* "anax.replay/2" */
    const struct table *const *tables; /* NULL-terminated */
};

/* Every kind of result; NULL-terminated. */
const struct table_schema *const *table_schemas(void);
/* NULL: there is none of that name. */
const struct table *table_find(const struct table_schema *schema, const char *name);

/* The columns of a table for a source, to be freed. source NULL: for none, TABLE_VALUES as one
 * column. */
status_code table_columns_of(struct table_column **columns, size_t *count,
                             const struct table *table, const struct table_source *source,
                             struct status *status);

/* What is in a cell. */
struct table_cell {
    bool is_none;
    int64_t integer;  /* of TABLE_COUNT32 to TABLE_TRUTH */
    wide sum;         /* of TABLE_COUNT32, TABLE_COUNT and TABLE_SUM */
    const char *text; /* of TABLE_WORD, TABLE_TEXT and TABLE_VALUES */
};
struct table_cell table_cell_of(const struct table_column *column, const void *row);

/* Writes the table as CSV: a line of names, then a line for each row. */
status_code table_write_csv(const struct table *table, const struct table_source *source,
                            FILE *file, struct status *status);
/* All tables of a schema that have a file, into a new folder. */
status_code table_write_files(const struct table_schema *schema, const struct table_source *source,
                              const char *folder, struct status *status);

/* Puts one table into an object. */
struct json_object;
void table_put_json(struct json_object *object, const struct table *table,
                    const struct table_source *source);
/* A whole result; NULL when out of memory. */
char *table_json(const struct table_schema *schema, const struct table_source *source);

/* A table as data; see anax_table. */
status_code table_collect(anax_table **data, const struct table_schema *schema, const char *name,
                          const struct table_source *source, struct status *status);

/* ---- values of rows ---- */

/* numerator · 10^6 / denominator, rounded down; TABLE_NONE of a denominator 0. */
int64_t table_ratio(wide numerator, wide denominator);
/* A value, or TABLE_NONE when there is none of them. */
static inline int64_t table_of(uint64_t count, int64_t value) {
    return count > 0 ? value : TABLE_NONE;
}
/* 16 hexadecimal digits; returns text. */
const char *table_hash(uint64_t value, char text[17]);

#endif
