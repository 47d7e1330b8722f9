/*
 * Tooltips of pictures: titles of marks, and grids, which hold the numbers behind dense pictures.
 * Browsers show the titles; the script of pages shows both, and zooms into grids. Must not know
 * what the values mean, and draws nothing.
 */
#ifndef ANAX_API_TOOLTIPS_H
#define ANAX_API_TOOLTIPS_H

#include "api/chart/svg.h"

/* Begins a mark, whose tooltip is the formatted text; it may have several lines. */
void tooltip_begin(struct text_buffer *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a mark. */
void tooltip_end(struct text_buffer *text);

/* How tooltips give the place of a cell along an axis. */
struct tooltip_axis {
    const char *label;        /* empty: tooltips leave this axis out */
    double first;             /* number at the beginning of the axis */
    double count;             /* how many numbers the axis has; its length, if it is continuous */
    size_t span;              /* how many numbers a cell has; 0: the axis is continuous */
    bool shared;              /* cells divide the numbers as evenly as possible; span is ignored */
    const char *const *names; /* names of cells, instead of numbers; NULL: none */
};

struct tooltip_grid {
    const char *title, *unit;
    double x, y, width, height;
    size_t rows, columns, part_count;
    const char *const *parts; /* [part_count]; NULL: there is one, without a name */
    const double *values;     /* [(row * columns + column) * part_count + part]; NAN: none */
    double max;               /* values are from 0 to this */
    double factor;            /* tooltips show values times this */
    struct tooltip_axis across, up;
};

/* Begins the group of shapes that a grid belongs to. */
void tooltip_grid_begin(struct text_buffer *text, const struct tooltip_grid *grid);

/* Ends the group of a grid. */
void tooltip_grid_end(struct text_buffer *text);

/* Begins the shapes of a grid that readers can zoom into. */
void tooltip_frame_begin(struct text_buffer *text);

/* Ends the shapes that readers can zoom into. */
void tooltip_frame_end(struct text_buffer *text);

/* Begins the ticks of an axis, 'x' or 'y', which zooming replaces. */
void tooltip_ticks_begin(struct text_buffer *text, char axis);

/* Ends the ticks of an axis. */
void tooltip_ticks_end(struct text_buffer *text);

/* Begins a view: one of several parts of a picture, each of which can be shown alone. */
void tooltip_view_begin(struct text_buffer *text, const char *name, double x, double y,
                        double width, double height);

/* Ends a view. */
void tooltip_view_end(struct text_buffer *text);

#endif
