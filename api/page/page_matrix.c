/* The communication matrix: who sends how much to whom. */
#include "api/chart/heat_map.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 88, TABLE_ROWS = 40, PLACES_MAX = 1 << 26, FIGURES = 2 };

static const char *const keys[FIGURES] = {"bytes", "messages"};

struct matrix {
    struct json_object *result, *list;
    const char *by; /* what the places are */
    size_t places, of_row, rows;
    double *values[FIGURES]; /* [from * rows + to]; NAN: none */
    double sums[FIGURES];
};

static double figure_of(struct json_object *row, size_t figure) {
    return fmax(0, page_value_number(row, keys[figure]));
}

/* Returns the number of places: one beyond the last that sends or receives. */
static size_t count_places(struct json_object *list) {
    static const char *const ends[][2] = {{"source", "sources"}, {"destination", "destinations"}};
    size_t max = 0;
    for (size_t i = 0; i < page_value_count(list); i++)
        for (size_t k = 0; k < 2; k++) {
            const size_t end = page_value_size(page_value_at(list, i), ends[k][0], PLACES_MAX) +
                               page_value_size(page_value_at(list, i), ends[k][1], PLACES_MAX);
            if (end > max) max = end;
        }
    return max;
}

static bool new_matrix(struct matrix *matrix) {
    bool enough = true;
    for (size_t figure = 0; figure < FIGURES; figure++) {
        double *values = memory_new(matrix->rows * matrix->rows, sizeof *values);
        for (size_t i = 0; i < matrix->rows * matrix->rows && values != NULL; i++)
            values[i] = (double)NAN;
        matrix->values[figure] = values;
        enough = enough && values != NULL;
    }
    return enough;
}

static void read_matrix(struct matrix *matrix) {
    for (size_t i = 0; i < page_value_count(matrix->list); i++) {
        struct json_object *row = page_value_at(matrix->list, i);
        const size_t from = page_value_size(row, "source", matrix->places - 1) / matrix->of_row;
        const size_t to = page_value_size(row, "destination", matrix->places - 1) / matrix->of_row;
        for (size_t figure = 0; figure < FIGURES; figure++) {
            double *value = &matrix->values[figure][from * matrix->rows + to];
            *value = (isnan(*value) ? 0 : *value) + figure_of(row, figure);
            matrix->sums[figure] += figure_of(row, figure);
        }
    }
}

/* Returns the unit in which sizes up to `max` are best written. */
static const char *unit_of(double max, double *unit) {
    static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t i = 0;
    *unit = 1;
    for (; i + 1 < sizeof names / sizeof *names && max >= 1024 * *unit; i++)
        *unit *= 1024;
    return names[i];
}

/* Returns the row of the table with the largest figure among those not taken; NULL: none. */
static struct json_object *largest_row(const struct matrix *matrix, bool *taken) {
    size_t best = page_value_count(matrix->list);
    double max = -1;
    for (size_t i = 0; i < page_value_count(matrix->list); i++) {
        const double now = figure_of(page_value_at(matrix->list, i), 0);
        if (taken[i] || !(now > max)) continue;
        max = now;
        best = i;
    }
    if (best == page_value_count(matrix->list)) return NULL;
    taken[best] = true;
    return page_value_at(matrix->list, best);
}

/* Writes "rank 3", or "ranks 4-7" if a row of the table has several. */
static const char *place_text(char text[VALUES_TEXT + 24], const struct matrix *matrix,
                              struct json_object *row, const char *first, const char *count) {
    const double from = page_value_number(row, first), places = page_value_number(row, count);
    if (places > 1)
        snprintf(text, VALUES_TEXT + 24, "%.7ss %.0f-%.0f", matrix->by, from, from + places - 1);
    else if (strcmp(matrix->by, "rank") == 0)
        page_value_rank_name(text, matrix->result, from);
    else
        snprintf(text, VALUES_TEXT + 24, "%.7s %.0f", matrix->by, from);
    return text;
}

static void draw(struct page *page, const struct matrix *matrix, struct json_object *best) {
    enum { SIDE = 290, PITCH = 370 };
    static const char *const titles[FIGURES] = {"Bytes", "Messages"};
    char across[32], up[32], from[VALUES_TEXT + 24], to[VALUES_TEXT + 24], bytes[VALUES_TEXT],
        all[VALUES_TEXT];
    snprintf(across, sizeof across, "to %.7s", matrix->by);
    snprintf(up, sizeof up, "from %.7s", matrix->by);
    struct text_buffer svg = TEXT_BUFFER_INIT;
    svg_begin(&svg, "matrix", SVG_WIDTH, SIDE + HEAT_MAP_ABOVE + HEAT_MAP_BELOW,
              "Who sends to whom");
    for (size_t figure = 0; figure < FIGURES; figure++) {
        const double max = heat_map_largest(matrix->values[figure], matrix->rows * matrix->rows);
        double unit = 1;
        const char *name = figure == 0 ? unit_of(max, &unit) : "messages";
        const struct heat_map map = {.title = titles[figure],
                                     .across = across,
                                     .up = up,
                                     .hides_up = figure > 0,
                                     .scale = name,
                                     .values = matrix->values[figure],
                                     .rows = matrix->rows,
                                     .columns = matrix->rows,
                                     .max = max,
                                     .scale_factor = 1 / unit,
                                     .row_numbers = matrix->places,
                                     .column_numbers = matrix->places,
                                     .cell_rows = matrix->of_row,
                                     .cell_columns = matrix->of_row};
        heat_map_draw(&svg, &map, HEAT_MAP_LEFT + PITCH * (double)figure, HEAT_MAP_ABOVE, SIDE,
                      SIDE);
    }
    svg_end(&svg);
    page_picture(page, "matrix", &svg,
                 "Most goes from %s to %s: %s of %s in all. Messages of collectives count, too; "
                 "pairs that exchange nothing are white.%s",
                 place_text(from, matrix, best, "source", "sources"),
                 place_text(to, matrix, best, "destination", "destinations"),
                 page_value_bytes(bytes, figure_of(best, 0)),
                 page_value_bytes(all, matrix->sums[0]),
                 matrix->of_row > 1 ? " Neighbours share a cell." : "");
}

static void add_pair(struct page *page, const struct matrix *matrix, struct json_object *row) {
    char text[VALUES_TEXT + 24];
    page_cell(page, "%s", place_text(text, matrix, row, "source", "sources"));
    page_cell(page, "%s", place_text(text, matrix, row, "destination", "destinations"));
    page_cell(page, "%s", page_value_count_text(text, figure_of(row, 1)));
    page_cell(page, "%s", page_value_bytes(text, figure_of(row, 0)));
}

void page_matrix(struct page *page, struct json_object *result) {
    struct matrix matrix = {.result = result, .list = page_value_list(result, "matrix")};
    bool *taken = memory_new(page_value_count(matrix.list) + 1, sizeof *taken);
    matrix.places = count_places(matrix.list);
    matrix.by = page_value_text(page_value_at(matrix.list, 0), "by");
    if (taken == NULL) page->failed = true;
    if (matrix.places > 0 && taken != NULL) {
        /* a row of the picture has whole rows of the table */
        const size_t of_table =
            page_value_size(page_value_at(matrix.list, 0), "sources", PLACES_MAX);
        const size_t together = of_table > 0 ? of_table : 1;
        const size_t wanted = (matrix.places + CELLS - 1) / CELLS;
        matrix.of_row = (wanted + together - 1) / together * together;
        matrix.rows = (matrix.places + matrix.of_row - 1) / matrix.of_row;
        if (new_matrix(&matrix)) {
            read_matrix(&matrix);
            struct json_object *row = largest_row(&matrix, taken);
            page_section(page, "matrix", "Who sends to whom");
            draw(page, &matrix, row);
            page_numbers(page, "Numbers: the pairs with the most bytes",
                         "from|to|#messages|#bytes");
            for (size_t i = 0; i < TABLE_ROWS && row != NULL; i++) {
                add_pair(page, &matrix, row);
                row = largest_row(&matrix, taken);
            }
            page_numbers_end(page);
        } else {
            page->failed = true;
        }
    }
    for (size_t figure = 0; figure < FIGURES; figure++)
        free(matrix.values[figure]);
    free(taken);
}
