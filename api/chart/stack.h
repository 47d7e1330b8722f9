/*
 * Stacked bars and stacked profiles: how amounts divide into parts. Must not know what the parts
 * mean. All bars show the parts in one order, that of the legend, which has only the parts that are
 * drawn.
 */
#ifndef ANAX_API_STACK_H
#define ANAX_API_STACK_H

#include "api/chart/svg.h"
#include "api/chart/tooltips.h"

struct stack_bar {
    const char *label; /* left of the bar; NULL: none */
    const char *note;  /* right of it; NULL: none */
    const double *values;
};

struct stack {
    const char *name, *title;
    const char *axis; /* label of the axis */
    double max;       /* end of the axis; 0: the longest bar */
    double unit;      /* the axis shows values divided by it; 0: as they are */
    double label_max; /* largest width of labels; what is wider is cut; 0: 240 */
    bool counts;      /* values are whole numbers */
    const struct svg_key *parts;
    size_t part_count;
    const struct stack_bar *bars;
    size_t bar_count;
};

/* Adds a picture with a horizontal bar for each row. */
void stack_draw(struct text_buffer *text, const struct stack *stack);

/* Adds a picture with a single bar of shares, in percent, with the keys of its parts. */
void stack_draw_shares(struct text_buffer *text, const char *name, const char *title,
                       const char *axis, const struct svg_key *keys, const double *shares,
                       size_t count);

/* A profile: columns side by side, without gaps. */
struct stack_profile {
    const char *title, *across, *up; /* labels of the axes */
    const double *values;            /* [column * part_count + part] */
    size_t columns;
    double first, last; /* ends of the axis across, in numbers that are its ticks */
    /* Tooltips name a column by its numbers: the columns divide `count` numbers, from tip_first on,
     * as evenly as possible. */
    const char *tip_label; /* what the numbers are: "rank" */
    double tip_first, count;
    double max;  /* end of the axis upwards; 0: the highest column */
    double unit; /* what 1 on the axis upwards is in values */
    const char *unit_name;
};

/* Where the columns of a profile are drawn; `max` is the amount at the top. */
struct stack_place {
    double left, width, top, height, max;
};

/* Begins the grid of tooltips with the values of a profile; tooltip_grid_end ends it. */
void stack_areas_begin(struct text_buffer *text, const struct stack_profile *profile,
                       const struct stack_place *place, const struct svg_key *parts,
                       size_t part_count, struct tooltip_axis across);

/* Adds the columns of a profile as areas, without axes. */
void stack_draw_areas(struct text_buffer *text, const char *name, const struct svg_key *parts,
                      size_t part_count, const struct stack_profile *profile,
                      const struct stack_place *place);

/* Adds pictures of the same parts above each other, with one legend. */
void stack_draw_profiles(struct text_buffer *text, const char *name, const char *title,
                         const struct svg_key *parts, size_t part_count,
                         const struct stack_profile *profiles, size_t count);

#endif
