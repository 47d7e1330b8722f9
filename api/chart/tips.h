/*
 * What a reader is told about a place in a picture: titles of marks, and the numbers behind dense
 * pictures. Browsers show the titles; the script of pages shows both, and zooms into grids. Must
 * not know what the values mean, and draws nothing.
 */
#ifndef ANAX_API_TIPS_H
#define ANAX_API_TIPS_H

#include "api/chart/svg.h"

/* Shapes between tip_begin and tip_end are a mark, whose title is the formatted text of several
 * lines. */
void tip_begin(struct text_buffer *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tip_end(struct text_buffer *text);

struct tip_axis {
    const char *label; /* empty: the axis is not told */
    double first;
    double count;             /* numbers of the axis, or its length */
    size_t span;              /* numbers of a cell; 0: the axis is continuous */
    bool shared;              /* cells share the numbers as evenly as they can; not span */
    const char *const *names; /* of cells, instead of numbers; NULL: none */
};

struct tip_grid {
    const char *title, *unit;
    double x, y, width, height;
    size_t rows, columns, part_count;
    const char *const *parts; /* [part_count]; NULL: there is one, without a name */
    const double *values;     /* [(row * columns + column) * part_count + part]; NAN: none */
    double most;              /* values are from 0 to this */
    double factor;            /* of the values as they are told */
    struct tip_axis across, up;
};

/* Begins what the grid is about. It may have a frame, between tip_frame and tip_frame_end, which
 * zooms, and ticks of the axis 'x' or 'y', between tip_ticks and tip_ticks_end. */
void tip_grid_begin(struct text_buffer *text, const struct tip_grid *grid);
void tip_grid_end(struct text_buffer *text);
void tip_frame(struct text_buffer *text);
void tip_frame_end(struct text_buffer *text);
void tip_ticks(struct text_buffer *text, char axis);
void tip_ticks_end(struct text_buffer *text);

/* Shapes between them are a view: one of several in a picture, which can be seen alone. */
void tip_view(struct text_buffer *text, const char *name, double x, double y, double width,
              double height);
void tip_view_end(struct text_buffer *text);

#endif
