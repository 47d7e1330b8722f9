/*
 * Points in a plane where less is better on both axes, with the Pareto front as a line: the points
 * that no other point beats, with their intervals. Must not know what the axes mean; the caller
 * finds the front.
 */
#ifndef ANAX_API_PARETO_H
#define ANAX_API_PARETO_H

#include "api/chart/svg.h"

struct pareto_point {
    double x, y;
    double low, high; /* interval of y, drawn for points of the front; NAN: none */
    size_t label;     /* a number beside the point; 0: none */
    bool is_front;
};

struct pareto {
    const char *name, *title;
    const char *across, *up;           /* labels of the axes */
    const struct pareto_point *points; /* those of the front in the order of x */
    size_t count;
};

/* Adds the picture as SVG. */
void pareto_draw(struct text_buffer *text, const struct pareto *pareto);

#endif
