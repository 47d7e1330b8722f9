/* Draws a heat map: its cells as shapes or, if they are many, as pixels; the axes, the scale, and a
 * grid of tooltips with the values. */
#include "api/chart/heat_map.h"

#include "api/chart/raster.h"
#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS_AS_SHAPES = 600, PIXELS = 512 };

static const char *const level_colours[HEAT_MAP_LEVELS + 1] = {
    "#e4eef7", "#c9def0", "#a5cbe6", "#7ab2da", "#4f98cb",
    "#2c7bb8", "#135e9f", "#084483", "#062a5c", "#ffffff"};

double heat_map_largest(const double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] > largest) largest = values[i];
    return largest;
}

const char *heat_map_colour(size_t level) {
    return level_colours[level < HEAT_MAP_LEVELS ? level : HEAT_MAP_LEVELS - 1];
}

/* Returns the level of a value; HEAT_MAP_LEVELS: it has none. */
static size_t level_of(const struct heat_map *map, double value) {
    if (!isfinite(value)) return HEAT_MAP_LEVELS;
    if (!(map->max > map->min) || value <= map->min) return 0;
    const double share = (value - map->min) / (map->max - map->min);
    const size_t level = (size_t)(fmin(share, 1) * HEAT_MAP_LEVELS);
    return level < HEAT_MAP_LEVELS ? level : HEAT_MAP_LEVELS - 1;
}

/* Adds the cells of one level as one path, runs of cells in a row as one rectangle. */
static void add_level(struct text_buffer *text, const struct heat_map *map, size_t level) {
    bool begun = false;
    for (size_t row = 0; row < map->rows; row++) {
        for (size_t column = 0, end; column < map->columns; column = end) {
            const double *values = map->values + row * map->columns;
            end = column + 1;
            if (level_of(map, values[column]) != level) continue;
            while (end < map->columns && level_of(map, values[end]) == level)
                end++;
            if (!begun) text_add(text, "<path fill='%s' d='", heat_map_colour(level));
            begun = true;
            text_add(text, "M%zu %zuh%zuv1h-%zuz", column, row, end - column, end - column);
        }
    }
    if (begun) text_add(text, "'/>\n");
}

/* Adds white lines behind each column and row. */
static void add_gaps(struct text_buffer *text, const struct heat_map *map) {
    text_add(text, "<path fill='#fff' d='");
    for (size_t i = 0; i < map->columns; i++)
        text_add(text, "M%zu.88 0h.12v%zuh-.12z", i, map->rows);
    for (size_t i = 0; i < map->rows; i++)
        text_add(text, "M0 %zu.88h%zuv.12h-%zuz", i, map->columns, map->columns);
    text_add(text, "'/>\n");
}

static void add_shapes(struct text_buffer *text, const struct heat_map *map, const double at[4]) {
    text_add(text, "<g transform='translate(");
    svg_number(text, at[0]);
    text_add(text, " ");
    svg_number(text, at[1]);
    text_add(text, ") scale(%.5f %.5f)'%s>\n", at[2] / (double)map->columns,
             at[3] / (double)map->rows, map->has_gaps ? "" : " shape-rendering='crispEdges'");
    for (size_t level = 0; level < HEAT_MAP_LEVELS; level++)
        add_level(text, map, level);
    if (map->has_gaps) add_gaps(text, map);
    text_add(text, "</g>\n");
}

/* Adds the cells as pixels. Each cell has several, because some viewers blur the edges of pixels.
 */
static void add_pixels(struct text_buffer *text, const struct heat_map *map, const double at[4]) {
    const size_t across = 1 + PIXELS / map->columns, down = 1 + PIXELS / 2 / map->rows;
    struct raster raster =
        raster_new(map->columns * across, map->rows * down, level_colours, HEAT_MAP_LEVELS + 1);
    for (size_t i = 0; raster.pixels != NULL && i < raster.width * raster.height; i++) {
        const size_t row = i / raster.width / down, column = i % raster.width / across;
        raster.pixels[i] = (uint8_t)level_of(map, map->values[row * map->columns + column]);
    }
    raster_draw(text, &raster, at[0], at[1], at[2], at[3]);
    raster_free(&raster);
}

/* Adds ticks at round numbers along the axis across. */
static void add_ticks(struct text_buffer *text, const struct heat_map *map, const double at[4]) {
    const double step = svg_tick_step(map->across_max, 5), bottom = at[1] + at[3];
    for (int i = 0; i * step <= map->across_max * (1 + 1e-9); i++) {
        const double x = at[0] + at[2] * i * step / map->across_max;
        char label[32];
        snprintf(label, sizeof label, "%g", i * step);
        svg_line(text, x, bottom, x, bottom + 4, SVG_QUIET, 1);
        svg_text(text, x, bottom + 15, SVG_MIDDLE, label);
    }
}

/* Adds the numbers of some rows or columns along an axis. */
static void add_numbers(struct text_buffer *text, const struct heat_map *map, const double at[4],
                        bool down) {
    const size_t count = down ? map->row_numbers : map->column_numbers;
    const size_t first = down ? map->first_row : map->first_column;
    const double length = down ? at[3] : at[2];
    for (size_t i = 0; !down && map->column_names != NULL && i < map->columns; i++)
        svg_text(text, at[0] + length * ((double)i + 0.5) / (double)map->columns,
                 at[1] + at[3] + 14, SVG_MIDDLE, map->column_names[i]);
    if (!down && map->column_names != NULL) return;
    const double step = fmax(1, svg_tick_step((double)count, 5));
    for (double i = 0; i < (double)count; i += step) {
        const double along = length * (i + 0.5) / (double)count;
        char label[32];
        snprintf(label, sizeof label, "%.0f", (double)first + i);
        if (down)
            svg_text(text, at[0] - 5, at[1] + along + 4, SVG_END, label);
        else
            svg_text(text, at[0] + along, at[1] + at[3] + 14, SVG_MIDDLE, label);
    }
}

/* Returns how far below the top the middle of the upward label is. If numbers are so wide that they
 * reach the label, it stands between two numbers. */
static double label_place(const struct heat_map *map, double height) {
    enum { FREE = 10000 };
    const double count = (double)map->row_numbers, step = svg_tick_step(count, 5);
    if (map->row_numbers <= FREE) return height / 2;
    return height * ((floor(count / 2 / step) + 0.5) * step + 0.5) / count;
}

/* Writes a value of the scale: three digits, but thousands in full. */
static void value_label(const struct heat_map *map, double value, char *label, size_t size) {
    value *= map->scale_factor > 0 ? map->scale_factor : 1;
    snprintf(label, size, fabs(value) >= 1000 && fabs(value) < 1e7 ? "%.0f" : "%.3g", value);
}

/* The values of a map, as far as they are numbers. */
struct spread {
    double min, max; /* max < min: there is none */
    bool is_everywhere;
};

static struct spread spread_of(const struct heat_map *map) {
    struct spread spread = {HUGE_VAL, -HUGE_VAL, true};
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (isfinite(map->values[i])) {
            spread.min = fmin(spread.min, map->values[i]);
            spread.max = fmax(spread.max, map->values[i]);
        } else {
            spread.is_everywhere = false;
        }
    }
    return spread;
}

/* Draws the only value of a map beside its colour. */
static void draw_only_value(struct text_buffer *text, const struct heat_map *map,
                            const struct spread *spread, double x, double y, double width) {
    const double side = fmin(width / HEAT_MAP_LEVELS, 20);
    char value[32], label[96];
    svg_box(text, "", x, y, side, 10,
            (struct svg_fill){heat_map_colour(level_of(map, spread->max)), SVG_PLAIN});
    value_label(map, spread->max, value, sizeof value);
    snprintf(label, sizeof label, "%s: %s", map->scale, value);
    svg_small_text(text, x + side + 6, y + 9, SVG_START, label);
    svg_small_text(text, x + side + 6, y + 22, SVG_START,
                   spread->is_everywhere ? "everywhere" : "in each coloured cell");
}

static void draw_scale(struct text_buffer *text, const struct heat_map *map, double x, double y,
                       double width) {
    const struct spread spread = spread_of(map);
    char label[48];
    if (spread.max < spread.min) {
        svg_small_text(text, x, y + 9, SVG_START, "no values");
        return;
    }
    if (!(spread.max > spread.min) || !(map->max > map->min)) {
        draw_only_value(text, map, &spread, x, y, width);
        return;
    }
    for (size_t level = 0; level < HEAT_MAP_LEVELS; level++)
        svg_box(text, "", x + width * (double)level / HEAT_MAP_LEVELS, y, width / HEAT_MAP_LEVELS,
                10, (struct svg_fill){heat_map_colour(level), SVG_PLAIN});
    value_label(map, map->min, label, sizeof label);
    svg_small_text(text, x, y + 22, SVG_START, label);
    value_label(map, map->max, label, sizeof label);
    svg_small_text(text, x + width, y + 22, SVG_END, label);
    svg_small_text(text, x + width / 2, y + 22, SVG_MIDDLE, map->scale);
}

/* Returns how many numbers of an axis a cell has: `given`, or if that is 0 an equal share. */
static size_t span_of(size_t numbers, size_t cells, size_t given) {
    return given > 0 ? given : (numbers + cells - 1) / cells;
}

/* Begins the grid of tooltips, and returns true, unless the map has no scale: its values then have
 * no unit, and no tooltips. */
static bool begin_grid(struct text_buffer *text, const struct heat_map *map, const double at[4]) {
    const bool is_time = map->across_max > 0;
    const struct tooltip_grid grid = {
        .title = map->title,
        .unit = map->scale != NULL ? map->scale : "",
        .x = at[0],
        .y = at[1],
        .width = at[2],
        .height = at[3],
        .rows = map->rows,
        .columns = map->columns,
        .part_count = 1,
        .values = map->values,
        .max = heat_map_largest(map->values, map->rows * map->columns),
        .factor = map->scale_factor,
        .across = {.label = map->across,
                   .first = (double)map->first_column,
                   .count = is_time ? map->across_max : (double)map->column_numbers,
                   .span =
                       is_time ? 0 : span_of(map->column_numbers, map->columns, map->cell_columns),
                   .names = map->column_names},
        .up = {.label = map->up,
               .first = (double)map->first_row,
               .count = (double)map->row_numbers,
               .span = span_of(map->row_numbers, map->rows, map->cell_rows)}};
    if (map->scale != NULL) tooltip_grid_begin(text, &grid);
    return map->scale != NULL;
}

void heat_map_draw(struct text_buffer *text, const struct heat_map *map, double x, double y,
                   double width, double height) {
    const double at[] = {x, y, width, height};
    tooltip_view_begin(text, map->title, x - HEAT_MAP_LEFT, y - HEAT_MAP_ABOVE,
                       width + HEAT_MAP_LEFT + HEAT_MAP_RIGHT,
                       height + HEAT_MAP_ABOVE + HEAT_MAP_BELOW);
    svg_bold_text(text, x, y - 9, SVG_START, map->title);
    const bool has_grid = begin_grid(text, map, at), zooms = map->column_names == NULL && has_grid;
    if (zooms) tooltip_frame_begin(text);
    if (!map->has_gaps && map->rows * map->columns > CELLS_AS_SHAPES)
        add_pixels(text, map, at);
    else
        add_shapes(text, map, at);
    if (zooms) tooltip_frame_end(text);
    text_add(text,
             "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' "
             "stroke='" SVG_QUIET "'/>\n",
             x, y, width, height);
    tooltip_ticks_begin(text, 'y');
    add_numbers(text, map, at, true);
    tooltip_ticks_end(text);
    tooltip_ticks_begin(text, 'x');
    if (map->across_max > 0)
        add_ticks(text, map, at);
    else
        add_numbers(text, map, at, false);
    tooltip_ticks_end(text);
    if (has_grid) tooltip_grid_end(text);
    if (!map->hides_up) svg_upward_text(text, x - 34, y + label_place(map, height), map->up);
    svg_small_text(text, x + width / 2, y + height + 29, SVG_MIDDLE, map->across);
    if (map->scale != NULL) draw_scale(text, map, x, y + height + 40, width);
    tooltip_view_end(text);
}
