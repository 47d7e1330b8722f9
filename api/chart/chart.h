/*
 * A chart as an SVG text. It has linear or logarithmic axes with ticks, series as lines, marks or
 * both, and a legend. Colour-blind readers can tell the colours of the series apart. Must not know
 * what the series mean.
 */
#ifndef ANAX_API_CHART_H
#define ANAX_API_CHART_H

#include "api/text/text_buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct chart_axis {
    const char *label;
    double min, max; /* range of the axis; min > 0 if logarithmic */
    double base;     /* base of a logarithmic axis, whose ticks are powers of it; 0: linear */
    /* Writes the label of a tick; NULL: labels are numbers. */
    void (*tick)(double value, char *text, size_t size);
    bool whole; /* ticks are whole numbers */
};

struct chart_series {
    const char *label; /* NULL: marks that belong to another series */
    const double *x;
    const double *y; /* NAN: a gap in the line */
    size_t count;
    size_t style; /* colour and mark; related series share a style */
    bool has_line;
    bool is_stepped; /* the line keeps each value up to the next point */
    bool is_dashed;  /* the line is dashed */
    bool is_clipped; /* the line ends at the edge of the axis where values leave it */
    double width;    /* of the line; 0: the usual width */
    bool has_marks;  /* draw marks */
    bool is_filled;  /* marks are filled, not hollow */
};

struct chart {
    const char *title;
    struct chart_axis x, y;
    const struct chart_series *series;
    size_t count;
    bool labels_at_lines; /* labels stand beside the ends of lines, if there is room for all */
};

/* Adds the chart to the text. Points outside the axes are left out, except in a clipped line. */
void chart_draw(struct text_buffer *text, const struct chart *chart);

/* Widens an axis to include values. A logarithmic axis ignores values that are not positive. */
void chart_axis_include(struct chart_axis *axis, const double *values, size_t count);

#endif
