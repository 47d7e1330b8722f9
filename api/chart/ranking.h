/*
 * Rankings: a row for each candidate, with its mean, an interval, and its single values. Must not
 * know what is compared.
 */
#ifndef ANAX_API_RANKING_H
#define ANAX_API_RANKING_H

#include "api/chart/svg.h"

struct ranking_row {
    const char *label, *note; /* left and right of the row */
    double mean, low, high;   /* low and high NAN: no interval */
    const double *values;
    size_t value_count;
    bool is_baseline, is_quiet; /* is_quiet: drawn in grey and with a hatch */
};

struct ranking {
    const char *name, *title, *axis;
    double unit;         /* what 1 on the axis is in values */
    bool begins_at_zero; /* draw bars from 0 on; otherwise the axis has the range of the values, and
                          * there are no bars */
    const struct ranking_row *rows;
    size_t count;
};

/* Adds the picture as SVG. */
void ranking_draw(struct text_buffer *text, const struct ranking *ranking);

#endif
