/*
 * Bars on both sides of zero: amounts that grow or shrink. Must not know what the amounts mean.
 */
#ifndef ANAX_API_SIGNED_BARS_H
#define ANAX_API_SIGNED_BARS_H

#include "api/chart/svg.h"

struct signed_bar {
    const char *label, *note; /* left and right of the bar */
    double value;
};

struct signed_bars {
    const char *name, *title;
    const char *axis;          /* label of the axis */
    const char *above, *below; /* what bars to the right and to the left of zero mean */
    double unit;               /* what 1 on the axis is in values */
    const struct signed_bar *bars;
    size_t count;
};

/* Adds the picture as SVG. */
void signed_bars_draw(struct text_buffer *text, const struct signed_bars *bars);

#endif
