/*
 * Plans of places in columns and rows, seen from above, with axes in units of length. Must not know
 * what stands there.
 *
 * A plan of few places draws each line between two places by itself, along rows and columns; lines
 * that share a way run side by side. A plan of many places draws the value of each place as the
 * darkness of its box, and the number of lines between neighbours as the width of a band.
 */
#ifndef ANAX_API_SITE_PLAN_H
#define ANAX_API_SITE_PLAN_H

#include "api/chart/svg.h"

#include <stdbool.h>

enum { PLAN_ACROSS = 64, PLAN_LINES = 120, PLAN_LINES_ACROSS = 16 };

struct site_plan_place {
    size_t column, row;  /* below the plan's columns and rows */
    bool is_empty;       /* nothing stands there */
    double label;        /* its number, where there is room */
    double value;        /* NAN: none */
    double right, below; /* lines to the next place of the row, and of the column */
};

/* Lines between two places: along the row of the first, then along the column of the second. */
struct site_plan_line {
    size_t first, second; /* places, in the order of the plan */
    double count;
    bool is_dashed;
    const char *tip; /* its tooltip */
};

struct site_plan {
    const char *name, *title;
    const char *place;        /* what a place is: "cabinet" */
    const char *value;        /* label of the scale, with its unit */
    const char *lines;        /* what lines are: "cables" */
    const char *plain_label;  /* what a line without dashes is: "electrical cables" */
    const char *dashed_label; /* what a dashed line is */
    const struct site_plan_place *places;
    size_t count, columns, rows;
    size_t side;             /* columns and rows of things that share a place */
    double pitch_x, pitch_y; /* in metres, between neighbouring places; above 0 */
};

/* Draws a whole picture of boxes and bands. */
void site_plan_draw_bands(struct text_buffer *text, const struct site_plan *plan);

/* Draws a whole picture of boxes and up to PLAN_LINES lines, for plans of up to PLAN_LINES_ACROSS
 * columns and rows. */
void site_plan_draw_lines(struct text_buffer *text, const struct site_plan *plan,
                          const struct site_plan_line *lines, size_t count);

/* Where the places of a plan are in its picture: site_plan.c. */
struct site_plan_frame {
    double left, top, width, height;
    double first_x, first_y; /* middle of the first place */
    double cell_x, cell_y;   /* distance of neighbouring places */
};
enum { PLAN_LEFT = 64, PLAN_TOP = 34, PLAN_BELOW = 44 };

/* Draws the title, a frame, and axes in metres left of it and below it. */
void site_plan_draw_frame(struct text_buffer *text, const struct site_plan *plan,
                          const struct site_plan_frame *frame);

#endif
