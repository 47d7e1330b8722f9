/* Splits a table in CSV into its columns, and finds cells by row and column. */
#include "tests/support/check/check_csv.h"

#include "tests/support/check/check_file.h"

#include <stdlib.h>
#include <string.h>

/* Cuts one cell off at *at, which moves to what follows; quotes are taken away. Returns whether it
 * is the last one of its line. */
static bool cut_cell(char **at, char **cell) {
    char *from = *at, *to = from;
    bool quoted = *from == '"';
    *cell = to;
    if (quoted) from++;
    for (; *from != '\0' && (quoted || (*from != ',' && *from != '\n')); from++) {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                quoted = false;
                continue;
            }
            from++;
        }
        *to++ = *from;
    }
    bool last = *from != ',';
    *at = from + (*from != '\0');
    *to = '\0';
    return last;
}

static bool add_cell(struct csv_table *table, size_t count, char *cell) {
    if ((count & (count - 1)) == 0) {
        char **cells = realloc(table->cells, (count > 0 ? 2 * count : 1) * sizeof *cells);
        if (cells == NULL) return false;
        table->cells = cells;
    }
    table->cells[count] = cell;
    return true;
}

bool csv_open(struct csv_table *table, struct check *check, const char *folder, const char *name) {
    char path[4096];
    *table = (struct csv_table){.check = check};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(table->name, sizeof table->name, "%s", name);
    size_t size;
    table->text = file_read(path, &size);
    if (!check_that(check, table->text != NULL, "%s cannot be read", name)) return false;
    char *at = table->text, *cell;
    for (size_t count = 0, line = 0; *at != '\0';) {
        bool last = cut_cell(&at, &cell);
        if (!add_cell(table, count++, cell)) return check_that(check, false, "out of memory");
        line++;
        if (!last) continue;
        if (table->columns == 0) table->columns = line;
        if (!check_that(check, line == table->columns, "%s: %zu cells in row %zu of %zu columns",
                        name, line, table->rows, table->columns))
            return false;
        table->rows++;
        line = 0;
    }
    if (!check_that(check, table->rows > 0, "%s is empty", name)) return false;
    table->rows--;
    return true;
}

void csv_close(struct csv_table *table) {
    free(table->text);
    free(table->cells);
    *table = (struct csv_table){0};
}

static size_t column_of(const struct csv_table *table, const char *column) {
    size_t i = 0;
    while (i < table->columns && strcmp(table->cells[i], column) != 0)
        i++;
    return i;
}

bool csv_has(const struct csv_table *table, const char *column) {
    return column_of(table, column) < table->columns;
}

const char *csv_text(const struct csv_table *table, size_t row, const char *column) {
    size_t found = column_of(table, column);
    if (!check_that(table->check, found < table->columns, "%s: no column %s", table->name, column))
        return "";
    return table->cells[(row + 1) * table->columns + found];
}

whole csv_whole(const struct csv_table *table, size_t row, const char *column) {
    const char *text = csv_text(table, row, column);
    whole value = 0;
    bool good = whole_read(text, &value) && value >= 0;
    check_that(table->check, good, "%s: row %zu: %s: `%s` is no whole number of 0 or more",
               table->name, row + 1, column, text);
    return good ? value : 0;
}

/* "0.301311" as 301311. */
static bool read_decimal(const char *text, whole *millionths) {
    char digits[64];
    const char *point = strchr(text, '.');
    if (point == NULL || strlen(point) > 7 || strlen(text) > 40) return false;
    snprintf(digits, sizeof digits, "%.*s%s%.*s", (int)(point - text), text, point + 1,
             (int)(7 - strlen(point)), "000000");
    return whole_read(digits, millionths);
}

whole csv_millionths(const struct csv_table *table, size_t row, const char *column) {
    const char *text = csv_text(table, row, column);
    whole value = 0;
    bool good = read_decimal(text, &value) && value >= 0;
    check_that(table->check, good, "%s: row %zu: %s: `%s` is no decimal number of 0 or more",
               table->name, row + 1, column, text);
    return good ? value : 0;
}

void csv_equals(const struct csv_table *table, size_t row, const char *column, whole value,
                const char *what) {
    const char *text = csv_text(table, row, column);
    whole is = 0;
    check_that(table->check, whole_read(text, &is) && is == value,
               "%s: row %zu: %s: `%s`, but %s is %s", table->name, row + 1, column, text, what,
               whole_text(value));
}

bool csv_is(const struct csv_table *table, size_t row, const char *column,
            const struct place *object) {
    const char *text = csv_text(table, row, column);
    const char *inside = place_figure(object, column);
    whole cell, member;
    return strcmp(text, inside) == 0 ||
           (read_decimal(text, &cell) && read_decimal(inside, &member) && cell == member);
}

/* The columns are the keys. */
static bool same_names(const struct csv_table *table, const struct place *object) {
    bool same = check_that(table->check, table->columns == place_keys(object),
                           "%s: %zu columns, but %zu keys in JSON", table->name, table->columns,
                           place_keys(object));
    for (size_t i = 0; same && i < table->columns; i++)
        same = check_that(table->check, strcmp(table->cells[i], place_key_at(object, i)) == 0,
                          "%s: column %s, but the key %s in JSON", table->name, table->cells[i],
                          place_key_at(object, i));
    return same;
}

void csv_rows(const struct place *array, const char *folder, const char *name) {
    struct csv_table table;
    if (csv_open(&table, array->check, folder, name)) {
        size_t count = place_count(array);
        check_that(array->check, table.rows == count, "%s: %zu rows, but %zu in JSON", name,
                   table.rows, count);
        for (size_t i = 0; i < count && i < table.rows; i++) {
            struct place item = place_item(array, i);
            if (!same_names(&table, &item)) break;
            for (size_t k = 0; k < table.columns; k++)
                check_that(array->check, csv_is(&table, i, table.cells[k], &item),
                           "%s: row %zu: %s: `%s`, but `%s` in JSON", name, i + 1, table.cells[k],
                           csv_text(&table, i, table.cells[k]),
                           place_figure(&item, table.cells[k]));
        }
    }
    csv_close(&table);
}
