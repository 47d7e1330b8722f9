/*
 * Heat maps: a value for each pair of a row and a column, as the darkness of a cell, with a scale
 * below. Must not know what the values mean.
 *
 * Maps of many cells are drawn as pixels. Amounts have one hue, whose darkness grows with the
 * amount. Pairs without a value stay white; the scale begins with a colour that is not white.
 */
#ifndef ANAX_API_HEAT_MAP_H
#define ANAX_API_HEAT_MAP_H

#include "api/chart/svg.h"

enum { HEAT_MAP_LEVELS = 9 };

struct heat_map {
    const char *title;       /* above the map */
    const char *across, *up; /* labels of the axes */
    bool hides_up;           /* `up` is not drawn, because the map to the left shows it */
    const char *scale;       /* label of the scale; NULL: there is none */
    const double *values;    /* [row * columns + column]; NAN: no value */
    size_t rows, columns;
    double min, max;                    /* ends of the scale; equal: all values are equal */
    double scale_factor;                /* factor of the numbers on the scale; 100: percent */
    size_t first_row, first_column;     /* numbers of the first row and column */
    size_t row_numbers, column_numbers; /* how many numbers the axes have */
    const char *const *column_names;    /* [columns], instead of numbers; NULL: numbers */
    bool has_gaps;                      /* cells have gaps between them; for maps of few cells */
    double across_max; /* the axis across goes from 0 to this number; 0: column numbers */
    size_t cell_rows, cell_columns; /* how many numbers a cell has; 0: an equal share of them */
};

/* Adds a map whose cells begin at (x, y) and fill width x height. Its title is above, its labels
 * are to the left and below, and its scale is below them. Row 0 is at the top. */
void heat_map_draw(struct text_buffer *text, const struct heat_map *map, double x, double y,
                   double width, double height);

/* Room that the labels of a map need around its cells. */
enum { HEAT_MAP_LEFT = 46, HEAT_MAP_RIGHT = 14, HEAT_MAP_ABOVE = 24, HEAT_MAP_BELOW = 78 };

/* Returns the largest value of a map; 0 if there is none. */
double heat_map_largest(const double *values, size_t count);

/* Returns the colour of a level, from 0 to HEAT_MAP_LEVELS - 1, as #rrggbb. */
const char *heat_map_colour(size_t level);

#endif
