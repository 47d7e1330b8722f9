/* Puts tables into JSON objects: as an array of rows, as one object, or as the keys of the result
 * itself. */
#include "api/json/json_build.h"
#include "api/table/table.h"

#include <stdlib.h>
#include <string.h>

struct json_writer {
    struct json_object *container;
    table_form form;
    const struct table_column *columns;
    size_t count;
};

static void put_cell(struct json_object *object, const char *key, const struct table_column *column,
                     const void *row) {
    struct table_cell cell = table_cell_of(column, row);
    if (cell.is_none) {
        json_put_null(object, key);
        return;
    }
    switch (column->kind) {
    case TABLE_COUNT32:
    case TABLE_COUNT:
    case TABLE_SUM:
        json_put_sum(object, key, cell.sum);
        break;
    case TABLE_INTEGER:
        json_put_int(object, key, (int64_t)cell.integer);
        break;
    case TABLE_BALANCE:
        json_put_balance(object, key, cell.integer);
        break;
    case TABLE_MILLIONTHS:
    case TABLE_LONG_MILLIONTHS:
        json_put_millionths(object, key, cell.integer);
        break;
    case TABLE_TRUTH:
        json_put_bool(object, key, cell.integer != 0);
        break;
    case TABLE_WORD:
    case TABLE_TEXT:
    case TABLE_VALUES:
        json_put_text(object, key, cell.text);
        break;
    }
}

static bool put_row(void *context, const void *row) {
    const struct json_writer *writer = context;
    if (writer->form == TABLE_MAP) {
        struct table_cell key = table_cell_of(&writer->columns[0], row);
        put_cell(writer->container, key.text, &writer->columns[1], row);
        return true;
    }
    if (writer->form == TABLE_TEXTS) {
        json_append_text(writer->container, table_cell_of(&writer->columns[0], row).text);
        return true;
    }
    struct json_object *object =
        writer->form == TABLE_ARRAY ? json_append_object(writer->container) : writer->container;
    for (size_t i = 0; i < writer->count; i++)
        put_cell(object, writer->columns[i].name, &writer->columns[i], row);
    return true;
}

void table_put_json(struct json_object *object, const struct table *table,
                    const struct table_source *source) {
    struct table_column *columns = NULL;
    size_t count = 0;
    if (table->form == TABLE_FILE || !table_is_there(table, source)) return;
    if (table_columns_of(&columns, &count, table, source, NULL) != STATUS_OK) {
        json_give_up(object);
        return;
    }
    const char *name = table->name;
    if (table->inside != NULL) {
        name += strlen(table->inside) + 1;
        object = json_object_object_get(object, table->inside);
    }
    struct json_writer writer = {object, table->form, columns, count};
    if (table->form == TABLE_ARRAY || table->form == TABLE_TEXTS)
        writer.container = json_put_array(object, name);
    else if (table->form != TABLE_KEYS)
        writer.container = json_put_object(object, name);
    const struct table_sink sink = {put_row, &writer};
    if (table->visit(source, &sink, NULL) != STATUS_OK) json_give_up(object);
    free(columns);
}

char *table_json(const struct table_schema *schema, const struct table_source *source) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    json_put_text(object, "schema", schema->schema);
    json_put_text(object, "version", anax_version());
    for (const struct table *const *table = schema->tables; *table != NULL; table++)
        table_put_json(object, *table, source);
    return json_finish(object);
}
