/* Writes tables as CSV files (RFC 4180), a line for each row, and all tables of a result into a
 * folder. */
#include "api/table/table.h"
#include "api/text/csv.h"
#include "core/files/output_folder.h"

#include <stdlib.h>

struct csv_writer {
    FILE *file;
    const struct table_column *columns;
    size_t count;
};

static void write_whole(FILE *file, signed_wide value) {
    char digits[WIDE_TEXT_BYTES];
    fprintf(file, "%s%s", value < 0 ? "-" : "", wide_text(wide_magnitude(value), digits));
}

static void write_decimal(FILE *file, signed_wide millionths) {
    char digits[WIDE_TEXT_BYTES];
    const wide size = wide_magnitude(millionths);
    fprintf(file, "%s%s.%06u", millionths < 0 ? "-" : "", wide_text(size / 1000000u, digits),
            (unsigned)(size % 1000000u));
}

static void write_cell(FILE *file, const struct table_column *column, const void *row) {
    struct table_cell cell = table_cell_of(column, row);
    char digits[WIDE_TEXT_BYTES];
    if (cell.is_none) return;
    switch (column->kind) {
    case TABLE_COUNT32:
    case TABLE_COUNT:
    case TABLE_SUM:
        fputs(wide_text(cell.sum, digits), file);
        break;
    case TABLE_INTEGER:
    case TABLE_TRUTH:
    case TABLE_BALANCE:
        write_whole(file, cell.integer);
        break;
    case TABLE_MILLIONTHS:
    case TABLE_LONG_MILLIONTHS:
        write_decimal(file, cell.integer);
        break;
    case TABLE_WORD:
        csv_write_name(file, cell.text);
        break;
    case TABLE_TEXT:
    case TABLE_VALUES:
        csv_write_quoted(file, cell.text);
        break;
    }
}

static bool write_row(void *context, const void *row) {
    const struct csv_writer *writer = context;
    for (size_t i = 0; i < writer->count; i++) {
        if (i > 0) fputc(',', writer->file);
        write_cell(writer->file, &writer->columns[i], row);
    }
    fputc('\n', writer->file);
    return ferror(writer->file) == 0;
}

status_code table_write_csv(const struct table *table, const struct table_source *source,
                            FILE *file, struct status *status) {
    struct table_column *columns = NULL;
    size_t count = 0;
    FORWARD_IF_ERROR(table_columns_of(&columns, &count, table, source, status));
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", columns[i].name);
    fputc('\n', file);
    struct csv_writer writer = {file, columns, count};
    const struct table_sink sink = {write_row, &writer};
    status_code code = table->visit(source, &sink, status);
    free(columns);
    return code;
}

static status_code write_file(const struct output_folder *folder, const struct table *table,
                              const struct table_source *source, struct status *status) {
    FILE *file = NULL;
    char name[64];
    snprintf(name, sizeof name, "%s.csv", table->name);
    FORWARD_IF_ERROR(output_folder_open(folder, name, &file, status));
    status_code written = table_write_csv(table, source, file, status);
    status_code closed =
        output_folder_close(folder, name, file, written == STATUS_OK ? status : NULL);
    return written != STATUS_OK ? written : closed;
}

status_code table_write_files(const struct table_schema *schema, const struct table_source *source,
                              const char *path, struct status *status) {
    struct output_folder folder;
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    status_code code = STATUS_OK;
    for (const struct table *const *table = schema->tables; *table != NULL; table++)
        if (code == STATUS_OK && (*table)->has_file && table_is_there(*table, source))
            code = write_file(&folder, *table, source, status);
    return output_folder_finish(&folder, code, status);
}
