/*
 * Tables as data: a table of the public interface is a copy of all rows, with an array for each
 * column.
 *
 * Invariant: a table owns its texts, so it outlives the result.
 */
#include "api/table/table.h"
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct own_text {
    struct own_text *next;
    char text[];
};

/* An array of cells with its capacity. */
struct cells {
    void *array;
    size_t capacity;
};

struct anax_table {
    anax_column *columns;
    struct cells *cells; /* [column] */
    struct table_column *from;
    size_t column_count;
    size_t row_count;
    struct own_text *texts;
    struct status *status; /* set while rows are added */
};

static anax_column_type type_of(table_kind kind) {
    switch (kind) {
    case TABLE_MILLIONTHS:
    case TABLE_LONG_MILLIONTHS:
    case TABLE_BALANCE: /* integers and sums cannot hold it */
        return ANAX_COLUMN_NUMBER;
    case TABLE_TRUTH:
        return ANAX_COLUMN_TRUTH;
    case TABLE_SUM:
        return ANAX_COLUMN_SUM;
    case TABLE_WORD:
    case TABLE_TEXT:
    case TABLE_VALUES:
        return ANAX_COLUMN_TEXT;
    case TABLE_COUNT32:
    case TABLE_COUNT:
    case TABLE_INTEGER:
        break;
    }
    return ANAX_COLUMN_INTEGER;
}

static size_t size_of(anax_column_type type) {
    switch (type) {
    case ANAX_COLUMN_NUMBER:
        return sizeof(double);
    case ANAX_COLUMN_SUM:
        return sizeof(anax_sum);
    case ANAX_COLUMN_TEXT:
        return sizeof(char *);
    case ANAX_COLUMN_INTEGER:
    case ANAX_COLUMN_TRUTH:
        break;
    }
    return sizeof(int64_t);
}

/* Sets *to to a copy of a text, or to `before`, the copy in the row before (NULL: none), if it is
 * equal. */
static status_code keep_text(struct anax_table *table, const char **to, const char *before,
                             const char *text, struct status *status) {
    const bool is_equal = text != NULL && before != NULL && strcmp(before, text) == 0;
    *to = is_equal ? before : NULL;
    if (text == NULL || is_equal) return STATUS_OK;
    const size_t size = strlen(text) + 1;
    struct own_text *own = malloc(sizeof *own + size);
    RETURN_ERROR_IF(own == NULL, status, STATUS_MEMORY, "out of memory for a table");
    memcpy(own->text, text, size);
    own->next = table->texts;
    table->texts = own;
    *to = own->text;
    return STATUS_OK;
}

static status_code keep_cell(struct anax_table *table, size_t i, const void *row,
                             struct status *status) {
    const anax_column_type type = table->columns[i].type;
    struct cells *cells = &table->cells[i];
    const size_t at = table->row_count;
    FORWARD_IF_ERROR(memory_grow(&cells->array, &cells->capacity, at + 1, size_of(type), status));
    struct table_cell cell = table_cell_of(&table->from[i], row);
    const char **texts;
    switch (type) {
    case ANAX_COLUMN_INTEGER:
    case ANAX_COLUMN_TRUTH:
        ((int64_t *)cells->array)[at] = cell.is_none ? ANAX_ABSENT_INTEGER : (int64_t)cell.integer;
        break;
    case ANAX_COLUMN_NUMBER:
        ((double *)cells->array)[at] =
            cell.is_none ? (double)NAN
                         : (double)cell.integer / (table->from[i].kind == TABLE_BALANCE ? 1 : 1e6);
        break;
    case ANAX_COLUMN_SUM:
        ((anax_sum *)cells->array)[at] = api_sum(cell.sum);
        break;
    case ANAX_COLUMN_TEXT:
        texts = cells->array;
        return keep_text(table, &texts[at], at > 0 ? texts[at - 1] : NULL, cell.text, status);
    }
    return STATUS_OK;
}

static bool keep_row(void *context, const void *row) {
    struct anax_table *table = context;
    for (size_t i = 0; i < table->column_count; i++)
        if (keep_cell(table, i, row, table->status) != STATUS_OK) return false;
    table->row_count++;
    return true;
}

/* Sets the names and types of the columns; source NULL: of no result. */
static status_code define_columns(struct anax_table *table, const struct table *from,
                                  const struct table_source *source, struct status *status) {
    FORWARD_IF_ERROR(table_columns_of(&table->from, &table->column_count, from, source, status));
    table->columns = memory_new(table->column_count, sizeof *table->columns);
    table->cells = memory_new(table->column_count, sizeof *table->cells);
    RETURN_ERROR_IF(table->columns == NULL || table->cells == NULL, status, STATUS_MEMORY,
                    "out of memory for the table %s", from->name);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->from[i];
        anax_column *to = &table->columns[i];
        *to = (anax_column){.name = column->name,
                            .unit = column->unit,
                            .description = column->help,
                            .type = type_of(column->kind)};
        if (column->kind != TABLE_VALUES) continue;
        const char *name = NULL;
        FORWARD_IF_ERROR(keep_text(table, &name, NULL, column->name, status));
        to->name = name;
    }
    return STATUS_OK;
}

static void finish_table(struct anax_table *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        anax_column *column = &table->columns[i];
        const void *array = table->cells[i].array;
        switch (column->type) {
        case ANAX_COLUMN_INTEGER:
        case ANAX_COLUMN_TRUTH:
            column->integers = array;
            break;
        case ANAX_COLUMN_NUMBER:
            column->numbers = array;
            break;
        case ANAX_COLUMN_SUM:
            column->sums = array;
            break;
        case ANAX_COLUMN_TEXT:
            column->texts = array;
            break;
        }
    }
}

static status_code no_such_table(const struct table_schema *schema, const char *name,
                                 struct status *status) {
    struct nearest_name search = nearest_name_begin(name);
    for (const struct table *const *table = schema->tables; *table != NULL; table++)
        nearest_name_offer(&search, (*table)->name);
    status_set(status, STATUS_USAGE, "%s has no table `%s`%s%s%s; its tables are", schema->name,
               name, search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "");
    for (const struct table *const *table = schema->tables; *table != NULL; table++)
        status_append(status, "  %-17s %s", (*table)->name, (*table)->help);
    return STATUS_USAGE;
}

status_code table_collect(anax_table **data, const struct table_schema *schema, const char *name,
                          const struct table_source *source, struct status *status) {
    const struct table *table = table_find(schema, name);
    *data = NULL;
    if (table == NULL) return no_such_table(schema, name, status);
    RETURN_ERROR_IF(source != NULL && !table_is_there(table, source), status, STATUS_STATE,
                    "this %s has no table `%s`: %s%s", schema->name, name,
                    source->run != NULL && !source->run->completed
                        ? "the run did not finish, so there are no figures"
                        : "there is one only ",
                    source->run != NULL && !source->run->completed ? "" : table->condition->text);
    *data = memory_new(1, sizeof **data);
    RETURN_ERROR_IF(*data == NULL, status, STATUS_MEMORY, "out of memory for a table");
    status_code code = define_columns(*data, table, source, status);
    if (code == STATUS_OK && source != NULL) {
        struct status kept = STATUS_INIT;
        const struct table_sink sink = {keep_row, *data};
        (*data)->status = &kept;
        code = table->visit(source, &sink, status);
        if (code == STATUS_OK && kept.code != STATUS_OK)
            code = status_set(status, STATUS_MEMORY, "out of memory for the table %s", name);
        status_clear(&kept);
    }
    if (code == STATUS_OK) {
        finish_table(*data);
    } else {
        anax_table_free(*data);
        *data = NULL;
    }
    return code;
}

/* ---- the public interface ---- */

anax_code anax_table_outline(anax_table **table, const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_schema *const *schema = table_schemas();
    const size_t length = strcspn(name, ".");
    *table = NULL;
    while (*schema != NULL &&
           (strlen((*schema)->name) != length || strncmp((*schema)->name, name, length) != 0))
        schema++;
    if (*schema == NULL || name[length] == '\0')
        status_set(&status, STATUS_USAGE, "there is no table `%s`; `anax list tables` names them",
                   name);
    else
        table_collect(table, *schema, name + length + 1, NULL, &status);
    return api_return(&status, error);
}

void anax_table_free(anax_table *table) {
    if (table == NULL) return;
    for (size_t i = 0; table->cells != NULL && i < table->column_count; i++)
        free(table->cells[i].array);
    for (struct own_text *text = table->texts, *next; text != NULL; text = next) {
        next = text->next;
        free(text);
    }
    free(table->cells);
    free(table->columns);
    free(table->from);
    free(table);
}

size_t anax_table_row_count(const anax_table *table) {
    return table->row_count;
}

size_t anax_table_column_count(const anax_table *table) {
    return table->column_count;
}

const anax_column *anax_table_column(const anax_table *table, size_t column) {
    return column < table->column_count ? &table->columns[column] : NULL;
}

const anax_column *anax_table_find(const anax_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
    return NULL;
}
