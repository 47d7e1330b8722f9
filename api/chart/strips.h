/*
 * Three strips, one below another, with one axis across: rows whose cells divide into parts, the
 * sums of the cells over all rows, and lines. Must not know what the parts and lines mean, nor that
 * the axis is time.
 *
 * Rows are drawn as pixels. The parts of a cell are stacked, the first of the legend at the bottom,
 * with the same hatches as shapes.
 */
#ifndef ANAX_API_STRIPS_H
#define ANAX_API_STRIPS_H

#include "api/chart/svg.h"

struct strips_line {
    const char *label;
    const double *values; /* [column], from 0 on */
    const char *colour;
    const char *dashes; /* of stroke-dasharray; NULL: none */
};

struct strips {
    const char *name, *title;
    const char *across; /* label of the axis across, which begins with 0 */
    double max;         /* end of the axis across */
    size_t columns;
    const struct svg_key *parts;
    size_t part_count; /* at most RASTER_COLOURS - 2 */
    const char *rows_title, *rows_label;
    const double *rows; /* [(row * columns + column) * part_count + part], shares of a cell */
    size_t row_count;
    size_t numbers;     /* the axis of rows is numbered from 0 to numbers - 1 */
    size_t row_numbers; /* how many of these numbers a row has */
    const char *sum_title, *sum_label;
    const double *sums; /* [column * part_count + part], percent */
    const char *lines_title, *lines_label;
    const struct strips_line *lines;
    size_t line_count; /* 0: no such strip */
};

/* Adds the picture as SVG. */
void strips_draw(struct text_buffer *text, const struct strips *strips);

#endif
