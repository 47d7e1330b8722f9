/*
 * Results as tables. Each table and its columns are described once, and the CSV tables, the JSON,
 * the data of the public interface and the manual page follow from the description.
 *
 * A row is a struct of the table's own, and a column has the offset of its value in this struct.
 * Knows how values look; must not know what they mean.
 *
 * Invariant: a table has the same columns in CSV, in JSON and as data, in the same order, whatever
 * the result. An absent value is null in JSON and an empty cell in CSV.
 */
#ifndef ANAX_API_TABLE_H
#define ANAX_API_TABLE_H

#include "api/api.h"

#include <stddef.h>
#include <stdio.h>

/* The type of a column's value in a row. */
typedef enum table_kind {
    TABLE_COUNT32,         /* uint32_t */
    TABLE_COUNT,           /* uint64_t; below 2^63 */
    TABLE_INTEGER,         /* int64_t, or TABLE_NONE */
    TABLE_MILLIONTHS,      /* int64_t, or TABLE_NONE: a decimal of six places */
    TABLE_TRUTH,           /* int64_t: 1, 0 or TABLE_NONE */
    TABLE_SUM,             /* wide */
    TABLE_BALANCE,         /* signed_wide, or TABLE_NO_BALANCE */
    TABLE_LONG_MILLIONTHS, /* signed_wide: a decimal of six places */
    TABLE_WORD,            /* const char *, or NULL: one of anax's own names */
    TABLE_TEXT,            /* const char *, or NULL: any bytes, in quotes in CSV */
    TABLE_VALUES /* const char *const *: a text for each of the source's value_names, each a column
                  */
} table_kind;

/* How the texts and pages of reports write a column in the tables that they show. */
typedef enum table_look {
    TABLE_AS_NUMBER,
    TABLE_AS_SIZE, /* of bytes, with a prefix: "12.5 MB" */
    TABLE_AS_SHARE /* of a time in ps, as a percentage of the time that the report names */
} table_look;

#define TABLE_NONE       INT64_MIN
#define TABLE_NO_BALANCE (-((signed_wide)1 << 126))

struct table_column {
    const char *name;
    const char *unit; /* "ps", "bytes", ...; "" for counts, names and shares */
    const char *help; /* one sentence without its full stop */
    table_kind kind;
    unsigned group; /* bit of a group of columns that tables can leave out; 0: in every table */
    size_t offset;  /* offset of the value in the row */
    size_t index;   /* TABLE_VALUES: index in value_names */
    const char *heading; /* above the column in texts and pages; NULL: they do not show it */
    table_look look;
};

/* The macros below define a column for a member of a row's struct. The kind follows from the
 * member's type. */
#define TABLE_MEMBER(row, member) (((const struct row *)NULL)->member)
#define TABLE_KIND_OF(value)                                                                       \
    _Generic((value),                                                                              \
        uint32_t: TABLE_COUNT32,                                                                   \
        uint64_t: TABLE_COUNT,                                                                     \
        int64_t: TABLE_INTEGER,                                                                    \
        wide: TABLE_SUM,                                                                           \
        signed_wide: TABLE_BALANCE,                                                                \
        const char *: TABLE_TEXT,                                                                  \
        const char *const *: TABLE_VALUES)
/* Kinds that are written differently from the default of their type; another type of member is a
 * compile-time error. */
#define TABLE_INTEGER_AS(value, kind) _Generic((value), int64_t : (kind))
#define TABLE_TEXT_AS(value, kind)    _Generic((value), const char * : (kind))
#define TABLE_BALANCE_AS(value, kind) _Generic((value), signed_wide : (kind))

#define TABLE_ENTRY(group, kind, row, member, name, unit, help)                                    \
    { name, unit, help, kind, group, offsetof(struct row, member), 0, NULL, TABLE_AS_NUMBER }
#define TABLE_GROUPED(group, row, member, name, unit, help)                                        \
    TABLE_ENTRY(group, TABLE_KIND_OF(TABLE_MEMBER(row, member)), row, member, name, unit, help)
#define TABLE_COLUMN(row, member, name, unit, help) TABLE_GROUPED(0, row, member, name, unit, help)
/* A column that texts and pages show. */
#define TABLE_SHOWN(heading, look, row, member, name, unit, help)                                  \
    {                                                                                              \
        name, unit, help, TABLE_KIND_OF(TABLE_MEMBER(row, member)), 0,                             \
            offsetof(struct row, member), 0, heading, look                                         \
    }
#define TABLE_NUMBER(group, kind, row, member, name, unit, help)                                   \
    TABLE_ENTRY(group, TABLE_INTEGER_AS(TABLE_MEMBER(row, member), kind), row, member, name, unit, \
                help)
#define TABLE_GROUPED_NAME(group, row, member, name, help)                                         \
    TABLE_ENTRY(group, TABLE_TEXT_AS(TABLE_MEMBER(row, member), TABLE_WORD), row, member, name,    \
                "", help)
#define TABLE_SHARE(row, member, name, unit, help)                                                 \
    TABLE_NUMBER(0, TABLE_MILLIONTHS, row, member, name, unit, help)
#define TABLE_LONG_SHARE(row, member, name, unit, help)                                            \
    TABLE_ENTRY(0, TABLE_BALANCE_AS(TABLE_MEMBER(row, member), TABLE_LONG_MILLIONTHS), row,        \
                member, name, unit, help)
#define TABLE_FLAG(row, member, name, help)                                                        \
    TABLE_NUMBER(0, TABLE_TRUTH, row, member, name, "", help)
#define TABLE_NAME(row, member, name, help) TABLE_GROUPED_NAME(0, row, member, name, help)

/* The data that rows are made from; members that a result does not have are NULL. */
struct table_source {
    const anax_config *config; /* of a comparison: the baseline's */
    anax_scope scope;
    const struct program *program;
    bool has_storage; /* of a trace: its settings give the machine I/O nodes */
    const struct replay_result *replay;
    const struct api_run *run;              /* of a replay or of traffic */
    const anax_replay_result *result;       /* of a replay */
    const anax_traffic_result *traffic;     /* of traffic */
    const struct candidate_set *candidates; /* of a comparison, a search, or traffic with several */
    const struct anax_comparison *comparison;
    const struct anax_search *search;
    const struct anax_placement *placement;
    const struct anax_diff *diff;
    const struct anax_calibration *calibration;
    const struct anax_extrapolation *extrapolation;
    const struct program_totals *totals; /* of the program */
    const struct region_time *regions;   /* of the program, as recorded */
    uint32_t region_count;
    const struct tables_rival *rivals;
    size_t rival_count;
    const struct tables_verdict *verdicts;
    size_t verdict_count;
    const anax_bisection *const *bisections;
    size_t bisection_count;
    const anax_topology *const *machines;
    size_t machine_count;
    const char *const *value_names; /* names of the columns of TABLE_VALUES */
    size_t value_count;
};

/* Receives the rows of a table one by one. take returns false if it wants no more rows. */
struct table_sink {
    bool (*take)(void *context, const void *row);
    void *context;
};

/* Hands a row to a sink. Returns false if it wants no more. */
static inline bool table_add(const struct table_sink *sink, const void *row) {
    return sink->take(sink->context, row);
}

typedef enum table_form {
    TABLE_KEYS,   /* one row, whose columns are keys of the result itself */
    TABLE_OBJECT, /* one row or none: an object */
    TABLE_MAP,    /* an object with a key for each row: the first column; the second is its value */
    TABLE_TEXTS,  /* an array with the first column of each row, a text */
    TABLE_ARRAY,  /* an array with an object for each row; and NAME.csv if it has a file */
    TABLE_FILE    /* NAME.csv alone: too large for JSON */
} table_form;

/* When a result has a table. In other results there is no key and no file. */
struct table_condition {
    bool (*holds)(const struct table_source *source);
    const char *text; /* goes on from "only": "with a single point" */
};

struct table {
    const char *name;
    const char *inside; /* name, without its last word, and table whose object has it in JSON as a
                           member of that last word; NULL: a member of the result */
    table_form form;
    bool has_file; /* NAME.csv is written */
    const struct table_column *columns;
    size_t column_count;
    unsigned left_out; /* bits of the groups of columns that the table leaves out */
    const struct table_condition *condition; /* NULL: every result has the table */
    status_code (*visit)(const struct table_source *source, const struct table_sink *sink,
                         struct status *status);
    const char *help; /* meaning of one row, without a full stop */
};

/* Returns whether a result has the table. */
static inline bool table_is_there(const struct table *table, const struct table_source *source) {
    return table->condition == NULL || table->condition->holds(source);
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
/* Returns the table of a schema by its name; NULL: there is none. */
const struct table *table_find(const struct table_schema *schema, const char *name);

/* Lists the columns of a table for a source; the caller frees *columns. source NULL: the columns of
 * no particular result, with TABLE_VALUES as one column. */
status_code table_columns_of(struct table_column **columns, size_t *count,
                             const struct table *table, const struct table_source *source,
                             struct status *status);

/* The value of a cell. */
struct table_cell {
    bool is_none;
    signed_wide integer; /* value of all kinds of numbers but TABLE_SUM */
    wide sum;            /* value of TABLE_COUNT32, TABLE_COUNT and TABLE_SUM */
    const char *text;    /* value of TABLE_WORD, TABLE_TEXT and TABLE_VALUES */
};
/* Returns the value of a column in a row, which texts borrow from. */
struct table_cell table_cell_of(const struct table_column *column, const void *row);

/* Writes the table as CSV: a line of names, then a line for each row. */
status_code table_write_csv(const struct table *table, const struct table_source *source,
                            FILE *file, struct status *status);
/* Writes all tables of a schema that have a file into a new folder, `path`. */
status_code table_write_files(const struct table_schema *schema, const struct table_source *source,
                              const char *path, struct status *status);

struct json_object;
/* Puts one table into a JSON object. */
void table_put_json(struct json_object *object, const struct table *table,
                    const struct table_source *source);
/* Returns a whole result as JSON, which the caller frees; NULL: out of memory. */
char *table_json(const struct table_schema *schema, const struct table_source *source);

/* Copies a table into arrays; see anax_table. The caller frees *data. */
status_code table_collect(anax_table **data, const struct table_schema *schema, const char *name,
                          const struct table_source *source, struct status *status);

/* ---- values of rows ---- */

/* Returns numerator · 10^6 / denominator, rounded down; TABLE_NONE if the denominator is 0. */
int64_t table_ratio(wide numerator, wide denominator);
/* Returns the value if count is above 0, otherwise TABLE_NONE. */
static inline int64_t table_of(uint64_t count, int64_t value) {
    return count > 0 ? value : TABLE_NONE;
}
/* Writes a value as 16 hexadecimal digits; returns text. */
const char *table_hash(uint64_t value, char text[17]);

#endif
