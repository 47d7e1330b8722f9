/*
 * A chart as an SVG text: axes, linear or logarithmic, with ticks; series as lines, marks or both,
 * told apart by colours that colour-blind readers can tell apart; a legend. Must not know what is
 * drawn.
 */
#ifndef ANAX_API_CHART_H
#define ANAX_API_CHART_H

#include "api/report/text_buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct chart_axis {
    const char *label;
    double least, most; /* of what is shown; least > 0 if logarithmic */
    double base;        /* of a logarithmic axis: ticks at its powers; 0: linear */
    /* The text of a tick; NULL: as a number. */
    void (*tick)(double value, char *text, size_t size);
};

struct chart_series {
    const char *label;
    const double *x, *y;
    size_t count;
    size_t style; /* colour and mark; series of one style belong together */
    bool line;
    bool marks; /* hollow ones */
};

struct chart {
    const char *title;
    struct chart_axis x, y;
    const struct chart_series *series;
    size_t count;
};

/* Points that are not on the axes are left out. */
void chart_draw(struct text_buffer *text, const struct chart *chart);

/* Widens an axis to hold values. Of a logarithmic one those that are not positive are left out. */
void chart_axis_hold(struct chart_axis *axis, const double *values, size_t count);

#endif
