/*
 * Bisection bandwidths as a picture, with one curve over alpha for each arrangement, as in Belka et
 * al. 2017, Figures 6 to 9. Knows results only.
 *
 * Dashed curves are upper bounds that are not proven.
 */
#include "api/report/bisection_report.h"
#include "api/report/text_buffer.h"
#include "core/plural.h"

enum { WIDTH = 680, HEIGHT = 420, LEFT = 60, RIGHT = 170, TOP = 34, BOTTOM = 50, COLOURS = 8 };

/* Okabe and Ito's palette, whose colours colour-blind readers can tell apart. */
static const char *const colours[COLOURS] = {"#000000", "#e69f00", "#56b4e9", "#009e73",
                                             "#d55e00", "#0072b2", "#cc79a7", "#7f7f7f"};

struct frame {
    double alpha_most, value_most;
};

static double lowest_at(const anax_bisection *bisection, double alpha) {
    double lowest = 0;
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        double value = (double)line->local_links + alpha * (double)line->global_links;
        if (i == 0 || value < lowest) lowest = value;
    }
    return lowest;
}

static double alpha_of(const struct bisection_point *point) {
    return (double)point->numerator / (double)point->denominator;
}

/* Returns the ranges of the axes: alpha to a quarter beyond the last corner of any curve, and both
 * axes to at least 1. */
static struct frame frame_of(const anax_bisection *const *list, size_t count) {
    struct frame frame = {1, 1};
    for (size_t i = 0; i < count; i++) {
        const struct bisection_result *result = &list[i]->result;
        if (result->line_count < 2) continue;
        double last = 1.25 * alpha_of(&result->points[result->line_count - 1]);
        if (last > frame.alpha_most) frame.alpha_most = last;
    }
    for (size_t i = 0; i < count; i++) {
        double value = 1.05 * lowest_at(list[i], frame.alpha_most);
        if (value > frame.value_most) frame.value_most = value;
    }
    return frame;
}

static double across(const struct frame *frame, double alpha) {
    return LEFT + (WIDTH - LEFT - RIGHT) * alpha / frame->alpha_most;
}

static double up(const struct frame *frame, double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / frame->value_most;
}

/* Returns the step of ticks: 1, 2 or 5 times a power of ten, for five to twelve ticks. */
static double tick_step(double most) {
    double step = 0.001;
    while (most / step > 12) {
        if (most / (2 * step) <= 12) return 2 * step;
        if (most / (5 * step) <= 12) return 5 * step;
        step *= 10;
    }
    return step;
}

static void draw_axes(struct text_buffer *text, const struct frame *frame) {
    text_add(text, "<path d='M%d %d V%d H%d' fill='none' stroke='#000'/>\n", LEFT, TOP,
             HEIGHT - BOTTOM, WIDTH - RIGHT);
    const double alpha_step = tick_step(frame->alpha_most);
    for (int i = 0; i * alpha_step <= frame->alpha_most; i++)
        text_add(text,
                 "<path d='M%.1f %d v5' stroke='#000'/><text x='%.1f' y='%d' "
                 "text-anchor='middle'>%g</text>\n",
                 across(frame, i * alpha_step), HEIGHT - BOTTOM, across(frame, i * alpha_step),
                 HEIGHT - BOTTOM + 19, i * alpha_step);
    const double value_step = tick_step(frame->value_most);
    for (int i = 0; i * value_step <= frame->value_most; i++)
        text_add(text,
                 "<path d='M%d %.1f h-5' stroke='#000'/><text x='%d' y='%.1f' "
                 "text-anchor='end'>%g</text>\n",
                 LEFT, up(frame, i * value_step), LEFT - 9, up(frame, i * value_step) + 4,
                 i * value_step);
    text_add(text,
             "<text x='%d' y='%d' text-anchor='middle'>alpha (bandwidth of a global / a local "
             "link)</text>\n",
             (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    text_add(text,
             "<text transform='translate(14 %d) rotate(-90)' text-anchor='middle'>bisection "
             "bandwidth (local links)</text>\n",
             (TOP + HEIGHT - BOTTOM) / 2);
}

static void draw_curve(struct text_buffer *text, const struct frame *frame,
                       const anax_bisection *bisection, size_t number) {
    const struct bisection_result *result = &bisection->result;
    const char *colour = colours[number % COLOURS], *dash = result->proven ? "" : "6 3";
    /* later curves are thinner, so that coinciding curves stay visible */
    double width = number < 5 ? 6.0 - (double)number : 1.2;
    text_add(text,
             "<polyline fill='none' stroke='%s' stroke-width='%.1f' stroke-dasharray='%s' "
             "points='",
             colour, width, dash);
    for (size_t i = 0; i < result->line_count; i++) {
        double alpha = alpha_of(&result->points[i]);
        text_add(text, "%.2f,%.2f ", across(frame, alpha), up(frame, lowest_at(bisection, alpha)));
    }
    text_add(text, "%.2f,%.2f'/>\n", across(frame, frame->alpha_most),
             up(frame, lowest_at(bisection, frame->alpha_most)));
    int y = TOP + 14 + 20 * (int)number;
    text_add(text,
             "<path d='M%d %d h24' stroke='%s' stroke-width='%.1f' stroke-dasharray='%s'/><text "
             "x='%d' y='%d'>%s</text>\n",
             WIDTH - RIGHT + 14, y - 4, colour, width, dash, WIDTH - RIGHT + 44, y,
             bisection_arrangement(bisection));
}

char *report_bisection_svg(const anax_bisection *const *list, size_t count) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct network_config *network = &list[0]->config->network;
    struct frame frame = frame_of(list, count);
    text_add(&text,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
             "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
             "fill='#fff'/>\n",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
    text_add(&text,
             "<text x='%d' y='20'>Dragonfly of a = %d, h = %d, %d group%s: %d switches</text>\n",
             LEFT, (int)network->routers_per_group, (int)network->globals_per_router,
             (int)network->groups, plural((uint64_t)network->groups), (int)list[0]->switches);
    draw_axes(&text, &frame);
    for (size_t i = 0; i < count; i++)
        draw_curve(&text, &frame, list[i], i);
    text_add(&text, "</svg>\n");
    return text_take(&text);
}
