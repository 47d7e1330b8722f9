/* Congestion over time: how busy and how stalled the channels of each group are in each time bin.
 */
#include "api/chart/heat_map.h"
#include "api/page/bin_columns.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 128, ROWS_MAX = 64, TABLE_ROWS = 32, KINDS = 2, GROUPS_MAX = 1 << 20 };

static const char *const kinds[KINDS] = {"global", "local"};

struct congestion {
    struct bin_columns bins;
    size_t groups, groups_per_row, rows;
    double *channels;       /* [kind * rows + row] */
    double *busy, *stalled; /* [(kind * rows + row) * columns + column], shares; NAN: idle */
    bool *seen;             /* [kind * groups + group]: its channels are counted */
};

static bool new_cells(struct congestion *cells) {
    const size_t count = KINDS * cells->rows * cells->bins.columns;
    cells->channels = memory_new(KINDS * cells->rows, sizeof *cells->channels);
    cells->busy = memory_new(count, sizeof *cells->busy);
    cells->stalled = memory_new(count, sizeof *cells->stalled);
    cells->seen = memory_new(KINDS * cells->groups, sizeof *cells->seen);
    return cells->channels != NULL && cells->busy != NULL && cells->stalled != NULL &&
           cells->seen != NULL;
}

static void free_cells(struct congestion *cells) {
    free(cells->channels);
    free(cells->busy);
    free(cells->stalled);
    free(cells->seen);
}

static void read_cells(struct congestion *cells, struct json_object *list) {
    const size_t columns = cells->bins.columns;
    for (size_t i = 0; i < page_value_count(list); i++) {
        struct json_object *bin = page_value_at(list, i);
        const size_t group = page_value_size(bin, "group", cells->groups - 1);
        const size_t column = bin_columns_at(&cells->bins, bin);
        for (size_t kind = 0; kind < KINDS && column < columns; kind++) {
            const size_t row = kind * cells->rows + group / cells->groups_per_row;
            if (strcmp(page_value_text(bin, "kind"), kinds[kind]) != 0) continue;
            if (!cells->seen[kind * cells->groups + group])
                cells->channels[row] += fmax(0, page_value_number(bin, "channels"));
            cells->seen[kind * cells->groups + group] = true;
            cells->busy[row * columns + column] += fmax(0, page_value_number(bin, "busy_ps"));
            cells->stalled[row * columns + column] += fmax(0, page_value_number(bin, "stalled_ps"));
        }
    }
    for (size_t i = 0; i < KINDS * cells->rows * columns; i++) {
        const double time_ps = cells->channels[i / columns] * cells->bins.width_ps;
        const bool idle = !(cells->busy[i] + cells->stalled[i] > 0);
        cells->busy[i] = idle ? (double)NAN : cells->busy[i] / time_ps;
        cells->stalled[i] = idle ? (double)NAN : cells->stalled[i] / time_ps;
    }
}

/* Returns the cell of a kind with the largest value in some columns. */
static size_t largest_cell(const struct congestion *cells, const double *values, size_t kind,
                           size_t from, size_t to) {
    const size_t columns = cells->bins.columns;
    size_t best = kind * cells->rows * columns + from;
    for (size_t row = kind * cells->rows; row < (kind + 1) * cells->rows; row++)
        for (size_t i = row * columns + from; i < row * columns + to; i++)
            if (values[i] > values[best] || isnan(values[best])) best = i;
    return best;
}

static bool has_kind(const struct congestion *cells, size_t kind) {
    for (size_t row = 0; row < cells->rows; row++)
        if (cells->channels[kind * cells->rows + row] > 0) return true;
    return false;
}

/* Returns the kind with the busiest cell; if both are equally busy, global. */
static size_t busiest_kind(const struct congestion *cells) {
    const size_t columns = cells->bins.columns;
    const double global = cells->busy[largest_cell(cells, cells->busy, 0, 0, columns)];
    const double local = cells->busy[largest_cell(cells, cells->busy, 1, 0, columns)];
    return isnan(global) || local > global ? 1 : 0;
}

static void draw_kind(struct text_buffer *svg, const struct congestion *cells, size_t kind,
                      const char *across, double across_max, double top, double height) {
    enum { WIDTH = 310, PITCH = 376 };
    static const char *const titles[KINDS][2] = {
        {"Global channels: busy", "Global channels: stalled"},
        {"Local channels: busy", "Local channels: stalled"}};
    const size_t first = kind * cells->rows * cells->bins.columns;
    const double *values[] = {cells->busy + first, cells->stalled + first};
    for (size_t i = 0; i < 2; i++) {
        const struct heat_map map = {
            .title = titles[kind][i],
            .across = across,
            .up = "group",
            .hides_up = i > 0,
            .scale = "% of the time",
            .values = values[i],
            .rows = cells->rows,
            .columns = cells->bins.columns,
            .max = heat_map_largest(values[i], cells->rows * cells->bins.columns),
            .scale_factor = 100,
            .row_numbers = cells->groups,
            .cell_rows = cells->groups_per_row,
            .across_max = across_max,
        };
        heat_map_draw(svg, &map, HEAT_MAP_LEFT + PITCH * (double)i, top, WIDTH, height);
    }
}

/* Writes which groups a cell is of. */
static const char *groups_text(char text[VALUES_TEXT], const struct congestion *cells,
                               size_t cell) {
    const size_t first = cell / cells->bins.columns % cells->rows * cells->groups_per_row;
    const size_t after = first + cells->groups_per_row,
                 last = after < cells->groups ? after : cells->groups;
    if (last == first + 1)
        snprintf(text, VALUES_TEXT, "group %zu", first);
    else
        snprintf(text, VALUES_TEXT, "groups %zu to %zu", first, last - 1);
    return text;
}

static void draw(struct page *page, const struct congestion *cells) {
    const double max_ps = cells->bins.width_ps * (double)cells->bins.columns;
    const double height = fmax(60, fmin(230, 14 * (double)cells->rows));
    const double each = HEAT_MAP_ABOVE + height + HEAT_MAP_BELOW;
    const size_t columns = cells->bins.columns;
    char across[48], busy[VALUES_TEXT], stalled[VALUES_TEXT], from[VALUES_TEXT], to[VALUES_TEXT];
    char groups[VALUES_TEXT];
    size_t drawn = 0;
    double unit;
    snprintf(across, sizeof across, "simulated time (%s)", page_value_unit(max_ps, &unit));
    struct text_buffer svg = TEXT_BUFFER_INIT;
    svg_begin(&svg, "congestion", SVG_WIDTH,
              each * (double)(has_kind(cells, 0) + has_kind(cells, 1)),
              "Load of the channels of each group over time");
    for (size_t i = 0; i < KINDS; i++)
        if (has_kind(cells, i))
            draw_kind(&svg, cells, i, across, max_ps / unit,
                      HEAT_MAP_ABOVE + each * (double)drawn++, height);
    svg_end(&svg);
    const size_t kind = busiest_kind(cells);
    const size_t best = largest_cell(cells, cells->busy, kind, 0, columns);
    const double at_ps = (double)(best % columns) * cells->bins.width_ps;
    page_picture(page, "congestion", &svg,
                 "The %s channels from %s are busiest, from %s to %s: for %s of that "
                 "time, and stalled for %s of it. Cells without traffic are white.%s",
                 kinds[kind], groups_text(groups, cells, best), page_value_time(from, at_ps),
                 page_value_time(to, at_ps + cells->bins.width_ps),
                 page_value_percent(busy, cells->busy[best]),
                 page_value_percent(stalled, cells->stalled[best]),
                 cells->groups_per_row > 1 ? " Neighbouring groups share a row." : "");
}

/* Adds a table of the busiest group of each stretch of time. */
static void add_table(struct page *page, const struct congestion *cells) {
    const size_t columns = cells->bins.columns, step = (columns + TABLE_ROWS - 1) / TABLE_ROWS;
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: the busiest group over time",
                 cells->groups_per_row > 1 ? "#from|#to|channels|#groups from|#busy|#stalled"
                                           : "#from|#to|channels|#group|#busy|#stalled");
    for (size_t from = 0; from < columns; from += step)
        for (size_t kind = 0; kind < KINDS; kind++) {
            const size_t to = from + step < columns ? from + step : columns;
            const size_t cell = largest_cell(cells, cells->busy, kind, from, to);
            if (!isfinite(cells->busy[cell])) continue;
            page_cell(page, "%s",
                      page_value_time(text, (double)(cell % columns) * cells->bins.width_ps));
            page_cell(page, "%s",
                      page_value_time(text, (double)(cell % columns + 1) * cells->bins.width_ps));
            page_cell(page, "%s", kinds[kind]);
            page_cell(page, "%zu", cell / columns % cells->rows * cells->groups_per_row);
            page_cell(page, "%s", page_value_percent(text, cells->busy[cell]));
            page_cell(page, "%s", page_value_percent(text, cells->stalled[cell]));
        }
    page_numbers_end(page);
}

void page_congestion(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "channel_bins");
    struct json_object *machine = page_value_object(result, "machine");
    struct congestion cells = {.bins = bin_columns_make(list, COLUMNS),
                               .groups = page_value_size(machine, "groups", GROUPS_MAX)};
    if (cells.bins.columns == 0 || cells.groups == 0) return;
    cells.groups_per_row = (cells.groups + ROWS_MAX - 1) / ROWS_MAX;
    cells.rows = (cells.groups + cells.groups_per_row - 1) / cells.groups_per_row;
    if (new_cells(&cells)) {
        read_cells(&cells, list);
        if (has_kind(&cells, 0) || has_kind(&cells, 1)) {
            page_section(page, "congestion", "Congestion over time");
            draw(page, &cells);
            add_table(page, &cells);
        }
    } else {
        page->failed = true;
    }
    free_cells(&cells);
}
