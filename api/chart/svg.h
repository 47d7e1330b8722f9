/*
 * The parts that pictures are made of: an SVG text with its frame, texts, shapes, hatches and
 * colours. All pictures share one style: the fonts, sizes and colours below. Must not know what a
 * picture shows.
 *
 * Pictures use presentation attributes and no style sheet, so that they look the same in a page
 * whose policy forbids styles, and in other programs. Colours are those of Okabe and Ito's palette,
 * which colour-blind readers can tell apart. Colour is never the only difference: areas also have
 * hatches, lines have marks, and the legend has the order of the drawing.
 */
#ifndef ANAX_API_SVG_H
#define ANAX_API_SVG_H

#include "api/text/text_buffer.h"

#include <stddef.h>

/* Sizes in units of the picture, which are pixels at 100 %. */
enum { SVG_WIDTH = 760, SVG_FONT = 12, SVG_SMALL = 11, SVG_LEGEND_ROW = 18 };

#define SVG_INK   "#1a1a1a"
#define SVG_QUIET "#595959" /* labels of axes: 7:1 on white */
#define SVG_GRID  "#dddddd"

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

typedef enum svg_hatch { SVG_PLAIN, SVG_RISING, SVG_FALLING, SVG_DOTTED, SVG_HATCHES } svg_hatch;

/* How an area looks. */
struct svg_fill {
    const char *colour;
    svg_hatch hatch;
};

/* Begins a picture. name: consists of letters, digits and hyphens, and differs from the names of
 * all other pictures of a page. title: the text that screen readers read out. */
void svg_begin(struct text_buffer *text, const char *name, double width, double height,
               const char *title);

/* Ends a picture. */
void svg_end(struct text_buffer *text);

/* Adds a text with the characters escaped that XML reserves; bytes that are no characters appear as
 * \xNN. */
void svg_escape(struct text_buffer *text, const char *label);
/* Adds a number with at most one decimal. */
void svg_number(struct text_buffer *text, double value);

/* Adds a text at a place, in the units of the picture. */
void svg_text(struct text_buffer *text, double x, double y, svg_anchor anchor, const char *label);
/* Adds a text with a white rim, so that lines of a grid do not run through it. */
void svg_text_on_grid(struct text_buffer *text, double x, double y, svg_anchor anchor,
                      const char *label);

/* Adds a small grey text. */
void svg_small_text(struct text_buffer *text, double x, double y, svg_anchor anchor,
                    const char *label);

/* Adds a bold text. */
void svg_bold_text(struct text_buffer *text, double x, double y, svg_anchor anchor,
                   const char *label);
/* Adds a text that reads upwards, centred on a point. */
void svg_upward_text(struct text_buffer *text, double x, double y, const char *label);

/* Begins a group in which texts of svg_text are small and grey. This takes fewer bytes than
 * svg_small_text for each text. name: class of the group; NULL: none. */
void svg_quiet_begin(struct text_buffer *text, const char *name);

/* Ends such a group. */
void svg_quiet_end(struct text_buffer *text);
/* Returns the approximate width of a text in the font of svg_text. */
double svg_text_width(const char *label);
/* Returns a copy of the label, with its middle left out if it is wider than `width`. The caller
 * frees it; NULL: out of memory. */
char *svg_truncate_label(const char *label, double width);

/* Adds a line. */
void svg_line(struct text_buffer *text, double x1, double y1, double x2, double y2,
              const char *colour, double width);
/* Adds a dashed line of width 1. */
void svg_dashed_line(struct text_buffer *text, double x1, double y1, double x2, double y2,
                     const char *colour);
/* Adds a rectangle. name: that of the picture, whose hatches it uses. */
void svg_box(struct text_buffer *text, const char *name, double x, double y, double width,
             double height, struct svg_fill fill);
/* Adds a path as an area; the outline is in the format of the attribute d. */
void svg_area(struct text_buffer *text, const char *name, const char *outline,
              struct svg_fill fill);

/* Returns the fill number `number` of a palette of different colours and hatches. */
struct svg_fill svg_fill_of(size_t number);

struct svg_key {
    const char *label;
    struct svg_fill fill;
};
/* Adds a legend from (x, y) on, in rows as wide as the picture. Returns the height that it takes.
 */
double svg_legend(struct text_buffer *text, const char *name, double x, double y, double width,
                  const struct svg_key *keys, size_t count);
/* Returns the height that svg_legend would take. */
double svg_legend_height(double width, const struct svg_key *keys, size_t count);

/* Returns the distance of ticks, a round number, of a linear axis from 0 to `max`; `ticks` is how
 * many there should be at most, about. */
double svg_tick_step(double max, size_t ticks);

/* A horizontal axis of values from least to most below a picture. */
struct svg_axis {
    double left, width, top, bottom; /* of the picture above it */
    double min, max;
    size_t ticks; /* how many ticks there should be at most, about */
    const char *title;
};

/* Draws its ticks as lines through the picture, their values and the title. */
void svg_axis_below(struct text_buffer *text, const struct svg_axis *axis);

#endif
