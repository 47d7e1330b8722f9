/* CSV tables without quotes, as anax writes them. */
#include "bench/fidelity/fidelity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0, capacity = 0;
    while (file != NULL) {
        if (capacity - length < 2) {
            capacity = capacity * 2 + 65536;
            char *moved = realloc(text, capacity);
            if (moved == NULL) break;
            text = moved;
        }
        size_t got = fread(text + length, 1, capacity - length - 1, file);
        length += got;
        text[length] = '\0';
        if (got == 0) {
            fclose(file);
            return text;
        }
    }
    fprintf(stderr, "fidelity: %s: %s\n", path, strerror(errno));
    if (file != NULL) fclose(file);
    free(text);
    return NULL;
}

static size_t count_of(const char *text, char sought, bool one_line) {
    size_t count = 0;
    for (; *text != '\0' && !(one_line && *text == '\n'); text++)
        count += *text == sought;
    return count;
}

bool table_read(struct table *table, const char *path) {
    *table = (struct table){.text = read_file(path)};
    if (table->text == NULL) return false;
    table->columns = count_of(table->text, ',', true) + 1;
    size_t lines = count_of(table->text, '\n', false);
    table->cells = calloc(table->columns * (lines + 1), sizeof *table->cells);
    if (table->cells == NULL) return false;
    char *rest = table->text;
    for (size_t line = 0; line < lines; line++) {
        char *cells = strsep(&rest, "\n");
        if (count_of(cells, ',', false) + 1 != table->columns) {
            fprintf(stderr, "fidelity: %s:%zu: not as many cells as in the header\n", path,
                    line + 1);
            return false;
        }
        for (size_t i = 0; i < table->columns; i++)
            table->cells[line * table->columns + i] = strsep(&cells, ",");
    }
    table->rows = lines > 0 ? lines - 1 : 0;
    return true;
}

void table_free(struct table *table) {
    free(table->cells);
    free(table->text);
    *table = (struct table){0};
}

const char *table_text(const struct table *table, size_t row, const char *column) {
    for (size_t i = 0; i < table->columns && table->cells != NULL; i++)
        if (strcmp(table->cells[i], column) == 0)
            return table->cells[(row + 1) * table->columns + i];
    return NULL;
}

double table_number(const struct table *table, size_t row, const char *column) {
    const char *text = table_text(table, row, column);
    return text == NULL || *text == '\0' ? NAN : strtod(text, NULL);
}
