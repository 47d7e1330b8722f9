/* Finds tables by name, lists their columns, and reads the cell of a row by the offset of its
 * column. */
#include "api/table/table.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <string.h>

const struct table *table_find(const struct table_schema *schema, const char *name) {
    for (const struct table *const *table = schema->tables; *table != NULL; table++)
        if (strcmp((*table)->name, name) == 0) return *table;
    return NULL;
}

status_code table_columns_of(struct table_column **columns, size_t *count,
                             const struct table *table, const struct table_source *source,
                             struct status *status) {
    const size_t values = source != NULL ? source->value_count : 1;
    *count = 0;
    *columns = memory_new(table->column_count + values, sizeof **columns);
    RETURN_ERROR_IF(*columns == NULL, status, STATUS_MEMORY, "out of memory for the table %s",
                    table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        if ((column->group & table->left_out) != 0) continue;
        if (column->kind != TABLE_VALUES || source == NULL) {
            (*columns)[(*count)++] = *column;
            continue;
        }
        for (size_t k = 0; k < source->value_count; k++) {
            struct table_column *value = &(*columns)[(*count)++];
            *value = *column;
            value->name = source->value_names[k];
            value->index = k;
        }
    }
    return STATUS_OK;
}

struct table_cell table_cell_of(const struct table_column *column, const void *row) {
    const void *at = (const char *)row + column->offset;
    struct table_cell cell = {0};
    switch (column->kind) {
    case TABLE_COUNT32:
        cell.integer = *(const uint32_t *)at;
        cell.sum = *(const uint32_t *)at;
        break;
    case TABLE_COUNT:
        cell.integer = *(const uint64_t *)at;
        cell.sum = *(const uint64_t *)at;
        break;
    case TABLE_INTEGER:
    case TABLE_MILLIONTHS:
    case TABLE_TRUTH:
        cell.integer = *(const int64_t *)at;
        cell.is_none = cell.integer == TABLE_NONE;
        break;
    case TABLE_SUM:
        cell.sum = *(const wide *)at;
        break;
    case TABLE_BALANCE:
    case TABLE_LONG_MILLIONTHS:
        cell.integer = *(const signed_wide *)at;
        cell.is_none = cell.integer == TABLE_NO_BALANCE;
        break;
    case TABLE_WORD:
    case TABLE_TEXT:
        cell.text = *(const char *const *)at;
        cell.is_none = cell.text == NULL;
        break;
    case TABLE_VALUES:
        cell.text = (*(const char *const *const *)at)[column->index];
        break;
    }
    return cell;
}

int64_t table_ratio(wide numerator, wide denominator) {
    if (denominator == 0) return TABLE_NONE;
    wide millionths = numerator * 1000000u / denominator;
    return millionths < INT64_MAX ? (int64_t)millionths : INT64_MAX;
}

const char *table_hash(uint64_t value, char text[17]) {
    snprintf(text, 17, "%016" PRIx64, value);
    return text;
}
