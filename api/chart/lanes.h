/*
 * Lanes, one below another, with one axis across: boxes in a lane, and slanted lines from one lane
 * to another. Must not know what they mean.
 */
#ifndef ANAX_API_LANES_H
#define ANAX_API_LANES_H

#include "api/chart/svg.h"

struct lanes_box {
    size_t lane;
    size_t from_lane; /* equal to lane: a box; otherwise a line from this lane to `lane` */
    double from, to;  /* on the axis across */
    size_t key;       /* number of its key in the legend */
};

struct lanes {
    const char *name, *title;
    const char *across;        /* label of the axis across */
    double min, max;           /* its ends */
    const char *const *labels; /* [lane] */
    size_t lane_count;
    const struct svg_key *keys;
    size_t key_count;
    const struct lanes_box *boxes;
    size_t box_count;
};

/* Adds the picture as SVG. */
void lanes_draw(struct text_buffer *text, const struct lanes *lanes);

#endif
