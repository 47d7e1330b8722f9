/* Draws three strips over one axis: the rows as pixels with hatches, the sums of their cells as
 * stacked areas, and the lines with a legend of their own. Grids of tooltips hold the values. */
#include "api/chart/strips.h"

#include "api/chart/raster.h"
#include "api/chart/stack.h"
#include "api/chart/tooltips.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 62, WIDTH = SVG_WIDTH - LEFT - 16, TITLE = 22, TICKS = 30, STRIP = 96 };
enum { ROWS_MAX = 384, ROW_MAX = 24, SHARP = 2 }; /* SHARP: pixels for a unit of the picture */
enum { TALL = 8 * SHARP };     /* pixels of rows that have white lines between them */
enum { HATCH = 1, FIRST = 2 }; /* colours of the pixels: of hatches, and of the first part */

static double height_of_rows(const struct strips *strips) {
    return fmin(ROWS_MAX, ROW_MAX * (double)strips->row_count);
}

/* Returns whether a pixel is on the hatch of a fill, which looks like that of shapes. */
static bool is_hatched(svg_hatch hatch, size_t x, size_t y) {
    enum { PERIOD = 6 * SHARP };
    switch (hatch) {
    case SVG_RISING:
        return (x + y) % PERIOD < SHARP;
    case SVG_FALLING:
        return (x + (PERIOD - 1) * y) % PERIOD < SHARP;
    case SVG_DOTTED:
        return x % PERIOD / SHARP % 3 == 1 && y % PERIOD / SHARP % 3 == 1;
    default:
        return false;
    }
}

/* Fills a cell of width x height pixels from below, the first part first. */
static void fill_cell(struct raster *raster, const struct strips *strips, const double *shares,
                      const size_t at[2], size_t width, size_t height) {
    double sum = 0;
    size_t filled = 0;
    for (size_t part = 0; part < strips->part_count; part++) {
        sum += shares[part];
        const size_t end = (size_t)lround(fmin(1, sum) * (double)height);
        for (; filled < end; filled++)
            for (size_t i = 0; i < width; i++) {
                const size_t x = at[0] + i, y = at[1] + height - 1 - filled;
                const bool dark = is_hatched(strips->parts[part].fill.hatch, x, y);
                raster->pixels[y * raster->width + x] = (uint8_t)(dark ? HATCH : part + FIRST);
            }
    }
}

/* Returns where cell number `cell` begins if `cells` cells divide a length in pixels. */
static size_t edge_of(size_t cell, size_t cells, size_t length) {
    return (cell * length + cells / 2) / cells;
}

/* The picture has SHARP pixels for each unit, whatever the number of cells: hatches of another
 * width than the screen's pixels would show a pattern of their own. */
static void draw_rows(struct text_buffer *text, const struct strips *strips, double top) {
    const char *colours[RASTER_COLOURS] = {"#ffffff", "#404040"};
    const double height = height_of_rows(strips);
    const size_t wide = (size_t)SHARP * WIDTH, high = (size_t)lround(SHARP * height);
    const size_t gap = high / strips->row_count > TALL
                           ? SHARP
                           : 0; /* a white line between rows, wide enough for screens */
    for (size_t i = 0; i < strips->part_count; i++)
        colours[i + FIRST] = strips->parts[i].fill.colour;
    struct raster raster = raster_new(wide, high, colours, strips->part_count + FIRST);
    for (size_t row = 0; row < strips->row_count && raster.pixels != NULL; row++)
        for (size_t column = 0; column < strips->columns; column++) {
            const size_t x = edge_of(column, strips->columns, wide);
            const size_t y = edge_of(row, strips->row_count, high);
            fill_cell(&raster, strips,
                      strips->rows + (row * strips->columns + column) * strips->part_count,
                      (const size_t[]){x, y}, edge_of(column + 1, strips->columns, wide) - x,
                      edge_of(row + 1, strips->row_count, high) - y - gap);
        }
    tooltip_frame_begin(text);
    raster_draw(text, &raster, LEFT, top, WIDTH, height);
    tooltip_frame_end(text);
    raster_free(&raster);
    tooltip_ticks_begin(text, 'y');
    const double step = fmax(1, svg_tick_step((double)strips->numbers, 8));
    for (double i = 0; i < (double)strips->numbers; i += step) {
        char label[32];
        snprintf(label, sizeof label, "%.0f", i);
        svg_text(text, LEFT - 6, top + height * (i + 0.5) / (double)strips->numbers + 4, SVG_END,
                 label);
    }
    tooltip_ticks_end(text);
}

/* Draws lines from the top of a strip to its bottom, and their numbers below. */
static void draw_ticks(struct text_buffer *text, const struct strips *strips, double top,
                       double bottom) {
    const double step = svg_tick_step(strips->max, 8);
    tooltip_ticks_begin(text, 'x');
    for (int i = 0; i * step <= strips->max * (1 + 1e-9); i++) {
        const double x = LEFT + WIDTH * i * step / strips->max;
        char label[32];
        snprintf(label, sizeof label, "%g", i * step);
        svg_line(text, x, top, x, bottom + 4, SVG_GRID, 1);
        svg_text(text, x, bottom + 15, SVG_MIDDLE, label);
    }
    tooltip_ticks_end(text);
}

/* Draws the axis upwards of a strip, which begins with 0. */
static void draw_scale(struct text_buffer *text, const char *label, double top, double max) {
    const double step = svg_tick_step(max, 5);
    svg_quiet_begin(text, NULL);
    for (int i = 0; i * step <= max * (1 + 1e-9); i++) {
        const double y = top + STRIP - STRIP * i * step / max;
        char number[32];
        snprintf(number, sizeof number, "%g", i * step);
        svg_line(text, LEFT, y, LEFT + WIDTH, y, SVG_GRID, 1);
        svg_text(text, LEFT - 6, y + 4, SVG_END, number);
    }
    svg_quiet_end(text);
    svg_upward_text(text, 14, top + STRIP / 2.0, label);
}

static void begin_line(struct text_buffer *text, const struct strips_line *line) {
    text_add(text, "<path fill='none' stroke='%s' stroke-width='1.6'", line->colour);
    if (line->dashes != NULL) text_add(text, " stroke-dasharray='%s'", line->dashes);
    text_add(text, " d='M");
}

static void draw_line(struct text_buffer *text, const struct strips *strips,
                      const struct strips_line *line, double top, double max) {
    double before = 0;
    begin_line(text, line);
    for (size_t i = 0; i < strips->columns; i++) {
        const double y = top + STRIP * (1 - fmin(1, line->values[i] / max));
        if (i > 0 && lround(y * 10) == lround(before * 10)) continue;
        if (i > 0) text_add(text, "H");
        svg_number(text, LEFT + WIDTH * (double)i / (double)strips->columns);
        text_add(text, i > 0 ? "V" : " ");
        svg_number(text, y);
        before = y;
    }
    text_add(text, "H%d'/>\n", LEFT + WIDTH);
}

/* Draws the lines with a legend at the right of their title. */
static void draw_lines(struct text_buffer *text, const struct strips *strips, double top) {
    double max = 0, x = LEFT + WIDTH;
    for (size_t i = 0; i < strips->line_count; i++)
        for (size_t column = 0; column < strips->columns; column++)
            max = fmax(max, strips->lines[i].values[column]);
    if (!(max > 0)) max = 1;
    draw_scale(text, strips->lines_label, top, max);
    tooltip_frame_begin(text);
    for (size_t i = strips->line_count; i-- > 0;)
        draw_line(text, strips, &strips->lines[i], top, max);
    tooltip_frame_end(text);
    for (size_t i = strips->line_count; i-- > 0;) {
        const struct strips_line *line = &strips->lines[i];
        x -= svg_text_width(line->label) + 6;
        svg_text(text, x, top - 8, SVG_START, line->label);
        x -= 32;
        begin_line(text, line);
        svg_number(text, x);
        text_add(text, " %.1fh26'/>\n", top - 12);
        x -= 10;
    }
}

/* Begins the grid of tooltips of a strip: values from 0 to `max`, shown in percent of `max`.
 * place: top and height of the strip. */
static void begin_grid(struct text_buffer *text, const struct strips *strips, const char *title,
                       const double place[2], size_t rows, const char *const *names,
                       size_t part_count, const double *values, double max) {
    const struct tooltip_grid grid = {.title = title,
                                      .unit = "%",
                                      .x = LEFT,
                                      .y = place[0],
                                      .width = WIDTH,
                                      .height = place[1],
                                      .rows = rows,
                                      .columns = strips->columns,
                                      .parts = names,
                                      .part_count = part_count,
                                      .values = values,
                                      .max = max,
                                      .factor = 100 / max,
                                      .across = {.label = strips->across, .count = strips->max},
                                      .up = {.label = rows > 1 ? strips->rows_label : "",
                                             .count = (double)strips->numbers,
                                             .span = strips->row_numbers}};
    tooltip_grid_begin(text, &grid);
}

static void draw_lines_with_tips(struct text_buffer *text, const struct strips *strips,
                                 double top) {
    const size_t count = strips->line_count;
    const char *names[RASTER_COLOURS] = {NULL};
    double *values = memory_new(strips->columns * count, sizeof *values);
    if (values == NULL) text->failed = true;
    for (size_t i = 0; i < count; i++) {
        names[i] = strips->lines[i].label;
        for (size_t column = 0; column < strips->columns && values != NULL; column++)
            values[column * count + i] = strips->lines[i].values[column];
    }
    if (values != NULL)
        begin_grid(text, strips, strips->lines_title, (const double[]){top, STRIP}, 1, names, count,
                   values, 100);
    draw_ticks(text, strips, top, top + STRIP);
    draw_lines(text, strips, top);
    tooltip_grid_end(text);
    free(values);
}

/* Lists the parts that there are; returns how many. */
static size_t keys_of(const struct strips *strips, struct svg_key *keys) {
    size_t count = 0;
    for (size_t part = 0; part < strips->part_count; part++) {
        double sum = 0;
        for (size_t i = 0; i < strips->columns; i++)
            sum += strips->sums[i * strips->part_count + part];
        if (sum > 0) keys[count++] = strips->parts[part];
    }
    return count;
}

void strips_draw(struct text_buffer *text, const struct strips *strips) {
    const double rows = TITLE, after = rows + height_of_rows(strips);
    const double sums = after + TICKS + TITLE, lines = sums + STRIP + TICKS + TITLE;
    const double bottom = strips->line_count > 0 ? lines + STRIP : sums + STRIP;
    const double legend = bottom + TICKS + 10;
    const char *names[RASTER_COLOURS];
    struct svg_key keys[RASTER_COLOURS];
    const size_t key_count = keys_of(strips, keys);
    const struct stack_profile profile = {.values = strips->sums, .columns = strips->columns};
    const struct stack_place place = {LEFT, WIDTH, sums, STRIP, 100};
    svg_begin(text, strips->name, SVG_WIDTH,
              legend + svg_legend_height(SVG_WIDTH - 24, keys, key_count) + 4, strips->title);
    for (size_t i = 0; i < strips->part_count; i++)
        names[i] = strips->parts[i].label;
    svg_bold_text(text, LEFT, rows - 8, SVG_START, strips->rows_title);
    begin_grid(text, strips, strips->rows_title, (const double[]){rows, height_of_rows(strips)},
               strips->row_count, names, strips->part_count, strips->rows, 1);
    draw_ticks(text, strips, after, after);
    draw_rows(text, strips, rows);
    tooltip_grid_end(text);
    svg_upward_text(text, 14, (rows + after) / 2, strips->rows_label);
    svg_bold_text(text, LEFT, sums - 8, SVG_START, strips->sum_title);
    begin_grid(text, strips, strips->sum_title, (const double[]){sums, STRIP}, 1, names,
               strips->part_count, strips->sums, 100);
    draw_ticks(text, strips, sums, sums + STRIP);
    draw_scale(text, strips->sum_label, sums, 100);
    tooltip_frame_begin(text);
    stack_draw_areas(text, strips->name, strips->parts, strips->part_count, &profile, &place);
    tooltip_frame_end(text);
    tooltip_grid_end(text);
    if (strips->line_count > 0) {
        svg_bold_text(text, LEFT, lines - 8, SVG_START, strips->lines_title);
        draw_lines_with_tips(text, strips, lines);
    }
    svg_small_text(text, LEFT + WIDTH / 2.0, bottom + 30, SVG_MIDDLE, strips->across);
    svg_legend(text, strips->name, 12, legend, SVG_WIDTH - 24, keys, key_count);
    svg_end(text);
}
