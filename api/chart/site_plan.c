/*
 * Draws plans of many places: the value of each place as the darkness of its box, and lines between
 * neighbours as bands. Also draws the frame and the axes of all plans, those of site_plan_lines.c
 * included.
 */
#include "api/chart/site_plan.h"

#include "api/chart/heat_map.h"
#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>

static const char band_colour[] = "#e69f00";

/* ---- axes ---- */

static void draw_ticks(struct text_buffer *text, const struct site_plan_frame *frame, double pitch,
                       size_t places, bool down) {
    const double max = pitch * ((double)places - 1), cell = down ? frame->cell_y : frame->cell_x;
    const double bottom = frame->top + frame->height;
    const double step = fmax(svg_tick_step(max, 6), 0.001);
    svg_quiet_begin(text, NULL);
    for (size_t i = 0; (double)i * step <= max * (1 + 1e-9) && i < 64; i++) {
        const double at = (double)i * step / pitch * cell;
        char label[32];
        snprintf(label, sizeof label, "%.6g", (double)i * step);
        if (down) {
            const double y = frame->first_y + at;
            svg_line(text, frame->left - 4, y, frame->left, y, SVG_QUIET, 1);
            svg_text(text, frame->left - 7, y + 4, SVG_END, label);
        } else {
            const double x = frame->first_x + at;
            svg_line(text, x, bottom, x, bottom + 4, SVG_QUIET, 1);
            svg_text(text, x, bottom + 15, SVG_MIDDLE, label);
        }
    }
    svg_quiet_end(text);
}

void site_plan_draw_frame(struct text_buffer *text, const struct site_plan *plan,
                          const struct site_plan_frame *frame) {
    char label[96];
    svg_bold_text(text, frame->left, 18, SVG_START, plan->title);
    text_add(text,
             "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' "
             "stroke='" SVG_QUIET "'/>\n",
             frame->left, frame->top, frame->width, frame->height);
    draw_ticks(text, frame, plan->pitch_x, plan->columns, false);
    draw_ticks(text, frame, plan->pitch_y, plan->rows, true);
    snprintf(label, sizeof label, "along a row (m), from %s 0", plan->place);
    svg_small_text(text, frame->left + fmax(frame->width / 2, svg_text_width(label) / 2 - 40),
                   frame->top + frame->height + 32, SVG_MIDDLE, label);
    svg_upward_text(text, 18, frame->top + fmax(frame->height / 2, 60), "across rows (m)");
}

/* ---- bands ---- */

enum { WIDTH_MAX = 640, HEIGHT_MAX = 480, CELL_MAX = 110, LEGEND = 56 };

enum {
    PLACES_WITH_TIPS = 100, /* most places of a plan whose places have tooltips and numbers */
    BAND_CELL = 8,          /* least distance of places that leaves room for bands */
    NUMBERED = 28           /* least side of boxes that leaves room for numbers */
};

struct sides {
    double x, y;   /* of boxes */
    double widest; /* width of the widest band; 0: there are none */
};

/* Scales both directions alike. If one pitch is more than RATIO_MAX times the other, widens the
 * smaller one. */
static struct site_plan_frame frame_of(const struct site_plan *plan) {
    enum { RATIO_MAX = 4 };
    const double across = (double)plan->columns, down = (double)plan->rows;
    const double scale =
        fmin(fmin(WIDTH_MAX / (across * plan->pitch_x), HEIGHT_MAX / (down * plan->pitch_y)),
             CELL_MAX / fmax(plan->pitch_x, plan->pitch_y));
    struct site_plan_frame frame = {.left = PLAN_LEFT,
                                    .top = PLAN_TOP,
                                    .cell_x = scale * plan->pitch_x,
                                    .cell_y = scale * plan->pitch_y};
    frame.cell_x = fmax(frame.cell_x, fmin(frame.cell_y / RATIO_MAX, WIDTH_MAX / across));
    frame.cell_y = fmax(frame.cell_y, fmin(frame.cell_x / RATIO_MAX, HEIGHT_MAX / down));
    frame.width = frame.cell_x * across;
    frame.height = frame.cell_y * down;
    frame.first_x = frame.left + frame.cell_x / 2;
    frame.first_y = frame.top + frame.cell_y / 2;
    return frame;
}

/* Returns the sides of boxes. In narrow cells boxes fill the cell, and there are no bands. */
static struct sides sides_of(const struct site_plan_frame *frame) {
    const double cell = fmin(frame->cell_x, frame->cell_y);
    if (cell < BAND_CELL) return (struct sides){frame->cell_x, frame->cell_y, 0};
    return (struct sides){0.58 * cell, 0.58 * cell, fmin(0.46 * cell, 22)};
}

/* The ranges of a plan's values and bands. */
struct spread {
    double min, max; /* max < min: there are none */
    double widest;   /* most lines of a band */
};

static struct spread spread_of(const struct site_plan *plan) {
    struct spread spread = {HUGE_VAL, -HUGE_VAL, 0};
    for (size_t i = 0; i < plan->count; i++) {
        const struct site_plan_place *place = &plan->places[i];
        spread.widest = fmax(spread.widest, fmax(place->right, place->below));
        if (!isfinite(place->value)) continue;
        spread.min = fmin(spread.min, place->value);
        spread.max = fmax(spread.max, place->value);
    }
    return spread;
}

/* Returns the level of a value; HEAT_MAP_LEVELS: it is none. */
static size_t level_of(const struct spread *spread, double value) {
    if (!isfinite(value)) return HEAT_MAP_LEVELS;
    if (!(spread->max > spread->min)) return HEAT_MAP_LEVELS / 2;
    const double share = (value - spread->min) / (spread->max - spread->min);
    const size_t level = (size_t)(share * HEAT_MAP_LEVELS);
    return level < HEAT_MAP_LEVELS ? level : HEAT_MAP_LEVELS - 1;
}

static void add_band(struct text_buffer *text, const struct site_plan_frame *frame,
                     const struct site_plan_place *place, bool down, double width) {
    const double x = frame->first_x + frame->cell_x * (double)place->column;
    const double y = frame->first_y + frame->cell_y * (double)place->row;
    if (down)
        text_add(text, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x - width / 2, y, width, frame->cell_y,
                 width);
    else
        text_add(text, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, y - width / 2, frame->cell_x, width,
                 frame->cell_x);
}

/* Draws the bands: each with a tooltip if they are few, and as one path if they are many. */
static void draw_bands(struct text_buffer *text, const struct site_plan *plan,
                       const struct site_plan_frame *frame, const struct spread *spread,
                       double widest, bool has_tips) {
    if (!has_tips) text_add(text, "<path fill='%s' d='", band_colour);
    for (size_t i = 0; i < plan->count * 2; i++) {
        const struct site_plan_place *place = &plan->places[i / 2];
        const bool down = i % 2 == 1;
        const double count = down ? place->below : place->right;
        if (!(count > 0)) continue;
        if (has_tips) {
            tooltip_begin(text, "from %s %.0f %s\n%.0f %s", plan->place, place->label,
                          down ? "across the rows" : "along the row", count, plan->lines);
            text_add(text, "<path fill='%s' d='", band_colour);
        }
        add_band(text, frame, place, down, fmax(0.4, widest * count / spread->widest));
        if (has_tips) {
            text_add(text, "'/>\n");
            tooltip_end(text);
        }
    }
    if (!has_tips) text_add(text, "'/>\n");
}

static void add_box(struct text_buffer *text, const struct site_plan_frame *frame,
                    const struct site_plan_place *place, const struct sides *sides) {
    text_add(text, "M%.1f %.1fh%.1fv%.1fh-%.1fz",
             frame->first_x + frame->cell_x * (double)place->column - sides->x / 2,
             frame->first_y + frame->cell_y * (double)place->row - sides->y / 2, sides->x, sides->y,
             sides->x);
}

static void begin_boxes(struct text_buffer *text, size_t level) {
    text_add(text, "<path fill='%s' stroke='" SVG_QUIET "' stroke-width='.5' d='",
             level < HEAT_MAP_LEVELS ? heat_map_colour(level) : "#fff");
}

/* Adds the boxes of a level as one path. */
static void add_level(struct text_buffer *text, const struct site_plan *plan,
                      const struct site_plan_frame *frame, const struct spread *spread,
                      size_t level, const struct sides *sides) {
    bool begun = false;
    for (size_t i = 0; i < plan->count; i++) {
        const struct site_plan_place *place = &plan->places[i];
        if (place->is_empty || level_of(spread, place->value) != level) continue;
        if (!begun) begin_boxes(text, level);
        begun = true;
        add_box(text, frame, place, sides);
    }
    if (begun) text_add(text, "'/>\n");
}

/* Adds a box with its tooltip, and its number if there is room. */
static void add_box_with_tip(struct text_buffer *text, const struct site_plan *plan,
                             const struct site_plan_frame *frame,
                             const struct site_plan_place *place, size_t level,
                             const struct sides *sides) {
    char number[32];
    if (isfinite(place->value))
        tooltip_begin(text, "%s %.0f\n%s: %.1f", plan->place, place->label, plan->value,
                      place->value);
    else
        tooltip_begin(text, "%s %.0f", plan->place, place->label);
    begin_boxes(text, level);
    add_box(text, frame, place, sides);
    text_add(text, "'/>\n");
    if (sides->x >= NUMBERED) {
        const double x = frame->first_x + frame->cell_x * (double)place->column;
        const double y = frame->first_y + frame->cell_y * (double)place->row;
        snprintf(number, sizeof number, "%.0f", place->label);
        const double wide = svg_text_width(number) + 5;
        svg_box(text, "", x - wide / 2, y - 7, wide, 14, (struct svg_fill){"#fff", SVG_PLAIN});
        svg_text(text, x, y + 4, SVG_MIDDLE, number);
    }
    tooltip_end(text);
}

static void draw_boxes(struct text_buffer *text, const struct site_plan *plan,
                       const struct site_plan_frame *frame, const struct spread *spread,
                       const struct sides *sides, bool has_tips) {
    for (size_t level = 0; level <= HEAT_MAP_LEVELS && !has_tips; level++)
        add_level(text, plan, frame, spread, level, sides);
    for (size_t i = 0; i < plan->count && has_tips; i++)
        if (!plan->places[i].is_empty)
            add_box_with_tip(text, plan, frame, &plan->places[i],
                             level_of(spread, plan->places[i].value), sides);
}

/* Draws the scale of values, and beside it two bands with their numbers of lines: the widest, and
 * one of half its width. */
static void draw_legend(struct text_buffer *text, const struct site_plan *plan,
                        const struct spread *spread, double widest, double y) {
    enum { WIDTH = 260, BANDS = PLAN_LEFT + WIDTH + 70 };
    char label[96];
    if (spread->max > spread->min) {
        for (size_t level = 0; level < HEAT_MAP_LEVELS; level++)
            svg_box(text, "", PLAN_LEFT + (double)WIDTH * (double)level / HEAT_MAP_LEVELS, y,
                    (double)WIDTH / HEAT_MAP_LEVELS, 10,
                    (struct svg_fill){heat_map_colour(level), SVG_PLAIN});
        snprintf(label, sizeof label, "%.1f", spread->min);
        svg_small_text(text, PLAN_LEFT, y + 22, SVG_START, label);
        snprintf(label, sizeof label, "%.1f", spread->max);
        svg_small_text(text, PLAN_LEFT + WIDTH, y + 22, SVG_END, label);
        svg_small_text(text, PLAN_LEFT + WIDTH / 2.0, y + 22, SVG_MIDDLE, plan->value);
    } else if (spread->max >= spread->min) {
        svg_box(text, "", PLAN_LEFT, y, 20, 10,
                (struct svg_fill){heat_map_colour(level_of(spread, spread->max)), SVG_PLAIN});
        snprintf(label, sizeof label, "%s: %.1f everywhere", plan->value, spread->max);
        svg_small_text(text, PLAN_LEFT + 26, y + 9, SVG_START, label);
    }
    if (!(spread->widest > 0 && widest > 0)) return;
    for (int i = 0; i < 2; i++) {
        const double count = i == 0 ? spread->widest : ceil(spread->widest / 2);
        const double width = widest * count / spread->widest, middle = y + 5 + i * 24;
        svg_box(text, "", BANDS, middle - width / 2, 30, width,
                (struct svg_fill){band_colour, SVG_PLAIN});
        snprintf(label, sizeof label, "%.0f %s side by side", count, plan->lines);
        svg_small_text(text, BANDS + 38, middle + 4, SVG_START, label);
        if (spread->widest < 2) break;
    }
}

static void begin_grid(struct text_buffer *text, const struct site_plan *plan,
                       const struct site_plan_frame *frame, double max, double *values) {
    for (size_t i = 0; i < plan->columns * plan->rows; i++)
        values[i] = (double)NAN;
    for (size_t i = 0; i < plan->count; i++)
        values[plan->places[i].row * plan->columns + plan->places[i].column] =
            plan->places[i].value;
    const struct tooltip_grid grid = {
        .title = plan->title,
        .unit = plan->value,
        .x = frame->left,
        .y = frame->top,
        .width = frame->width,
        .height = frame->height,
        .rows = plan->rows,
        .columns = plan->columns,
        .part_count = 1,
        .values = values,
        .max = max,
        .factor = 1,
        .across = {.label = "column",
                   .count = (double)(plan->columns * plan->side),
                   .span = plan->side},
        .up = {.label = "row", .count = (double)(plan->rows * plan->side), .span = plan->side}};
    tooltip_grid_begin(text, &grid);
}

void site_plan_draw_bands(struct text_buffer *text, const struct site_plan *plan) {
    double values[PLAN_ACROSS * PLAN_ACROSS];
    const struct site_plan_frame frame = frame_of(plan);
    const struct spread spread = spread_of(plan);
    const struct sides sides = sides_of(&frame);
    svg_begin(text, plan->name, SVG_WIDTH, frame.top + frame.height + PLAN_BELOW + LEGEND,
              plan->title);
    site_plan_draw_frame(text, plan, &frame);
    const bool has_tips = plan->count <= PLACES_WITH_TIPS;
    if (!has_tips) begin_grid(text, plan, &frame, spread.max, values);
    if (sides.widest > 0) draw_bands(text, plan, &frame, &spread, sides.widest, has_tips);
    draw_boxes(text, plan, &frame, &spread, &sides, has_tips);
    if (!has_tips) tooltip_grid_end(text);
    draw_legend(text, plan, &spread, sides.widest, frame.top + frame.height + PLAN_BELOW + 6);
    svg_end(text);
}
