/* Draws a cloud of points: logarithmic or linear axes that its values give, the front as a
 * staircase, and numbers at points, which near points share. */
#include "api/chart/pareto.h"

#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 74, TOP = 12, WIDTH = SVG_WIDTH - LEFT - 24, HEIGHT = 330, BOTTOM = 44 };

static const char front_colour[] = "#d55e00", other_colour[] = "#595959";

struct pareto_axis {
    double min, max;
    bool is_log;
};

enum { LOG_FROM = 20 }; /* an axis whose values differ by this factor is logarithmic */

static void include_value(struct pareto_axis *axis, double value) {
    if (!isfinite(value)) return;
    axis->min = fmin(axis->min, value);
    axis->max = fmax(axis->max, value);
}

/* Widens an axis a little beyond its values, but not below 0. */
static void widen_axis(struct pareto_axis *axis) {
    if (!(axis->max >= axis->min)) *axis = (struct pareto_axis){0, 1, false};
    if (axis->min > 0 && axis->max >= LOG_FROM * axis->min) {
        axis->is_log = true;
        axis->min /= 1.3;
        axis->max *= 1.3;
        return;
    }
    const double margin =
        axis->max > axis->min ? 0.07 * (axis->max - axis->min) : 0.05 * fabs(axis->max) + 1e-9;
    axis->min = axis->min >= 0 ? fmax(0, axis->min - margin) : axis->min - margin;
    axis->max += margin;
}

struct pareto_place {
    struct pareto_axis x, y;
};

/* Returns the position of a value along an axis, 0 to 1. */
static double along(const struct pareto_axis *axis, double value) {
    if (axis->is_log) return log(fmax(value, axis->min) / axis->min) / log(axis->max / axis->min);
    return (value - axis->min) / (axis->max - axis->min);
}

static double across(const struct pareto_place *place, double x) {
    return LEFT + WIDTH * along(&place->x, x);
}

static double up(const struct pareto_place *place, double y) {
    return TOP + HEIGHT * (1 - along(&place->y, y));
}

/* Draws a tick of an axis, as a line through the picture with its value. */
static void draw_tick(struct text_buffer *text, const struct pareto_place *place, bool is_across,
                      double tick) {
    char label[32];
    snprintf(label, sizeof label, "%.7g", tick);
    if (is_across) {
        svg_line(text, across(place, tick), TOP, across(place, tick), TOP + HEIGHT, SVG_GRID, 1);
        svg_small_text(text, across(place, tick), TOP + HEIGHT + 16, SVG_MIDDLE, label);
    } else {
        svg_line(text, LEFT, up(place, tick), LEFT + WIDTH, up(place, tick), SVG_GRID, 1);
        svg_small_text(text, LEFT - 6, up(place, tick) + 4, SVG_END, label);
    }
}

/* Draws ticks at 1, 2 and 5 times powers of 10; of many decades at the powers alone. */
static void draw_log_ticks(struct text_buffer *text, const struct pareto_place *place,
                           bool is_across) {
    static const double steps[] = {1, 2, 5};
    const struct pareto_axis *axis = is_across ? &place->x : &place->y;
    const int first = (int)floor(log10(axis->min)), last = (int)floor(log10(axis->max));
    for (int decade = first; decade <= last; decade++)
        for (size_t i = 0; i < (last - first > 4 ? 1 : 3); i++) {
            const double tick = steps[i] * pow(10, decade);
            if (tick >= axis->min && tick <= axis->max) draw_tick(text, place, is_across, tick);
        }
}

static void draw_axis(struct text_buffer *text, const struct pareto_place *place, bool is_across) {
    const struct pareto_axis *axis = is_across ? &place->x : &place->y;
    const double step = svg_tick_step(axis->max - axis->min, is_across ? 7 : 6);
    if (axis->is_log) {
        draw_log_ticks(text, place, is_across);
        return;
    }
    for (double tick = ceil(axis->min / step - 1e-9) * step; tick <= axis->max; tick += step)
        draw_tick(text, place, is_across, fabs(tick) < step / 2 ? 0 : tick);
}

/* Draws the front as a staircase: from each point to the right, until the next point is better. */
static void draw_edge(struct text_buffer *text, const struct pareto *pareto,
                      const struct pareto_place *place) {
    bool begun = false;
    for (size_t i = 0; i < pareto->count; i++) {
        const struct pareto_point *point = &pareto->points[i];
        if (!point->is_front) continue;
        if (!begun)
            text_add(text, "<path fill='none' stroke='%s' stroke-width='1.6' d='M%.1f %d",
                     front_colour, across(place, point->x), TOP);
        else
            text_add(text, "H%.1f", across(place, point->x));
        text_add(text, "V%.1f", up(place, point->y));
        begun = true;
    }
    if (begun) text_add(text, "H%d'/>\n", LEFT + WIDTH);
}

static void draw_point(struct text_buffer *text, const struct pareto_point *point,
                       const struct pareto_place *place) {
    const double x = across(place, point->x), y = up(place, point->y);
    const char *colour = point->is_front ? front_colour : other_colour;
    if (point->is_front && isfinite(point->low) && isfinite(point->high)) {
        const double low = up(place, point->low), high = up(place, point->high);
        svg_line(text, x, low, x, high, colour, 1.2);
        svg_line(text, x - 4, low, x + 4, low, colour, 1.2);
        svg_line(text, x - 4, high, x + 4, high, colour, 1.2);
    }
    text_add(text,
             point->is_front
                 ? "<path d='M%.1f %.1fm-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z' "
                   "fill='%s' stroke='%s'/>\n"
                 : "<path d='M%.1f %.1fm0 -4l4 4l-4 4l-4 -4z' fill='%s' stroke='%s'/>\n",
             x, y, point->is_front ? colour : "#ffffff", colour);
}

/* Draws the numbers of points. Points so near to each other that their numbers would overlap share
 * a label. */
static void draw_numbers(struct text_buffer *text, const struct pareto *pareto,
                         const struct pareto_place *place) {
    enum { NEAR = 14 };
    for (size_t i = 0, next; i < pareto->count; i = next) {
        const struct pareto_point *first = &pareto->points[i];
        const double x = across(place, first->x), y = up(place, first->y);
        size_t last = first->label;
        for (next = i + 1; first->label > 0 && next < pareto->count; next++) {
            const struct pareto_point *point = &pareto->points[next];
            if (point->label == 0) continue;
            if (fabs(across(place, point->x) - x) > NEAR || fabs(up(place, point->y) - y) > NEAR)
                break;
            last = point->label;
        }
        if (first->label == 0) continue;
        char label[48];
        if (last == first->label)
            snprintf(label, sizeof label, "%zu", last);
        else
            snprintf(label, sizeof label, last == first->label + 1 ? "%zu, %zu" : "%zu to %zu",
                     first->label, last);
        svg_text_on_grid(text, x + 8, y - 7, SVG_START, label);
    }
}

static void draw_point_with_tip(struct text_buffer *text, const struct pareto *pareto,
                                size_t number, const struct pareto_place *place) {
    const struct pareto_point *point = &pareto->points[number];
    char interval[96] = "";
    if (isfinite(point->low) && isfinite(point->high))
        snprintf(interval, sizeof interval, "\n95 %% interval: %.6g to %.6g", point->low,
                 point->high);
    tooltip_begin(text, "%s: %.7g\n%s: %.6g%s", pareto->across, point->x, pareto->up, point->y,
                  interval);
    draw_point(text, point, place);
    tooltip_end(text);
}

void pareto_draw(struct text_buffer *text, const struct pareto *pareto) {
    struct pareto_place place = {{HUGE_VAL, -HUGE_VAL, false}, {HUGE_VAL, -HUGE_VAL, false}};
    for (size_t i = 0; i < pareto->count; i++) {
        include_value(&place.x, pareto->points[i].x);
        include_value(&place.y, pareto->points[i].y);
        if (!pareto->points[i].is_front) continue;
        include_value(&place.y, pareto->points[i].low);
        include_value(&place.y, pareto->points[i].high);
    }
    widen_axis(&place.x);
    widen_axis(&place.y);
    svg_begin(text, pareto->name, SVG_WIDTH, TOP + HEIGHT + BOTTOM, pareto->title);
    draw_axis(text, &place, true);
    draw_axis(text, &place, false);
    svg_line(text, LEFT, TOP, LEFT, TOP + HEIGHT, SVG_INK, 1);
    svg_line(text, LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT, SVG_INK, 1);
    svg_small_text(text, LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, SVG_MIDDLE, pareto->across);
    svg_upward_text(text, 14, TOP + HEIGHT / 2.0, pareto->up);
    draw_edge(text, pareto, &place);
    for (int front = 0; front < 2; front++) /* the front on top */
        for (size_t i = 0; i < pareto->count; i++)
            if (pareto->points[i].is_front == (front == 1))
                draw_point_with_tip(text, pareto, i, &place);
    draw_numbers(text, pareto, &place);
    svg_end(text);
}
