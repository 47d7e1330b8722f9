/* Draws a chart in this order: the axes with their ticks, the series, and the legend, or labels at
 * the ends of lines that are moved apart where they would overlap. */
#include "api/chart/chart.h"

#include "api/chart/svg.h"
#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 760, LEFT = 70, RIGHT = 230, TOP = 34, PLOT = 340, BOTTOM = 50, STYLES = 8 };
enum { RIGHT_MAX = 330 }; /* right of a plot whose labels need more room than RIGHT */
enum { LEGEND_ROW = 18, LABEL_ROW = 15, LABELS = PLOT / LABEL_ROW, TICKS = 64 };
enum { LABEL_GAP = 10, LABEL_LINE = 30 }; /* before a label: a gap, and a piece of its line */

/* Okabe and Ito's palette, whose colours colour-blind readers can tell apart. */
static const char *const colours[STYLES] = {"#000000", "#e69f00", "#56b4e9", "#009e73",
                                            "#d55e00", "#0072b2", "#cc79a7", "#7f7f7f"};

void chart_axis_include(struct chart_axis *axis, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]) || (axis->base > 0 && values[i] <= 0)) continue;
        const bool first = axis->min == 0 && axis->max == 0;
        if (first || values[i] < axis->min) axis->min = values[i];
        if (first || values[i] > axis->max) axis->max = values[i];
    }
}

/* Returns the position of a value along an axis, 0 to 1. */
static double position_on_axis(const struct chart_axis *axis, double value) {
    if (!(axis->max > axis->min)) return 0.5;
    if (axis->base > 0) return log(value / axis->min) / log(axis->max / axis->min);
    return (value - axis->min) / (axis->max - axis->min);
}

static bool shows(const struct chart_axis *axis, double value) {
    return isfinite(value) && value >= axis->min && value <= axis->max &&
           (axis->base == 0 || value > 0);
}

/* Whether labels stand beside the ends of their lines. */
static bool has_labels_at_lines(const struct chart *chart) {
    return chart->labels_at_lines && chart->count <= LABELS;
}

/* Returns where labels begin, with the gap before them. */
static double label_left(const struct chart *chart) {
    return LABEL_GAP + (has_labels_at_lines(chart) ? LABEL_ROW : 0) + LABEL_LINE;
}

/* Returns where the plot ends: at the same place in most pictures, farther left for long labels. */
static double plot_end(const struct chart *chart) {
    double right = RIGHT;
    for (size_t i = 0; i < chart->count; i++)
        if (chart->series[i].label != NULL)
            right = fmax(right, label_left(chart) + svg_text_width(chart->series[i].label));
    return WIDTH - fmin(ceil(right), RIGHT_MAX);
}

static double across(const struct chart *chart, double x) {
    return LEFT + (plot_end(chart) - LEFT) * position_on_axis(&chart->x, x);
}

static double up(const struct chart *chart, double y) {
    return TOP + PLOT * (1 - position_on_axis(&chart->y, y));
}

static void text_at(struct text_buffer *text, double x, double y, const char *anchor,
                    const char *label) {
    text_add(text, "<text x='%.1f' y='%.1f' text-anchor='%s'>", x, y, anchor);
    svg_escape(text, label);
    text_add(text, "</text>\n");
}

/* Adds the linear ticks of an axis. */
static size_t linear_ticks(const struct chart_axis *axis, double ticks[TICKS]) {
    const double range = axis->max - axis->min;
    double step = pow(10, floor(log10(range / 4)));
    size_t count = 0;
    if (range / step > 20)
        step *= 5;
    else if (range / step > 10)
        step *= 2;
    if (axis->whole) step = fmax(1, step);
    const double first = ceil(axis->min / step - 1e-9) * step + 0.0; /* not -0 */
    for (double value = first; value <= axis->max * (1 + 1e-9) && count < TICKS; value += step)
        ticks[count++] = value;
    return count;
}

/* Finds the ticks of an axis; returns how many. Logarithmic axes have powers of their base, at most
 * 14; if fewer than three of them fit, numbers that begin with 1, 2 or 5; and linear ticks if fewer
 * than three of those fit. */
static size_t find_ticks(const struct chart_axis *axis, double ticks[TICKS]) {
    static const double digits[] = {1, 2, 5};
    enum { FEW = 3, POWERS = 13 };
    if (!(axis->base > 0)) return linear_ticks(axis, ticks);
    double step = axis->base;
    size_t count = 0;
    while (log(axis->max / axis->min) / log(step) > POWERS)
        step *= axis->base;
    const double first = pow(step, ceil(log(axis->min) / log(step) - 1e-9));
    for (double value = first; value <= axis->max * (1 + 1e-9) && count < TICKS; value *= step)
        ticks[count++] = value;
    if (count >= FEW || axis->tick != NULL) return count;
    count = 0;
    for (double power = floor(log10(axis->min)); power <= log10(axis->max); power++)
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
            const double value = digits[i] * pow(10, power);
            if (shows(axis, value) && count < TICKS) ticks[count++] = value;
        }
    return count >= FEW ? count : linear_ticks(axis, ticks);
}

static void draw_ticks(struct text_buffer *text, const struct chart *chart, bool horizontal) {
    const struct chart_axis *axis = horizontal ? &chart->x : &chart->y;
    double ticks[TICKS];
    if (!(axis->max > axis->min)) return;
    const size_t count = find_ticks(axis, ticks);
    svg_quiet_begin(text, NULL);
    for (size_t i = 0; i < count; i++) {
        char label[32];
        if (axis->tick != NULL)
            axis->tick(ticks[i], label, sizeof label);
        else
            snprintf(label, sizeof label, "%g", ticks[i]);
        if (horizontal) {
            text_add(text, "<path stroke='#ddd' d='M%.1f %dv%d'/>\n", across(chart, ticks[i]), TOP,
                     PLOT);
            svg_text(text, across(chart, ticks[i]), TOP + PLOT + 17, SVG_MIDDLE, label);
        } else {
            text_add(text, "<path stroke='#ddd' d='M%d %.1fH%.0f'/>\n", LEFT, up(chart, ticks[i]),
                     plot_end(chart));
            svg_text(text, LEFT - 7, up(chart, ticks[i]) + 4, SVG_END, label);
        }
    }
    svg_quiet_end(text);
}

static void draw_axes(struct text_buffer *text, const struct chart *chart) {
    draw_ticks(text, chart, true);
    draw_ticks(text, chart, false);
    text_add(text, "<path stroke='#000' d='M%d %dv%dM%d %dH%.0f'/>\n", LEFT, TOP, PLOT, LEFT,
             TOP + PLOT, plot_end(chart));
    svg_small_text(text, (LEFT + plot_end(chart)) / 2.0, TOP + PLOT + 38, SVG_MIDDLE,
                   chart->x.label);
    svg_upward_text(text, 16, TOP + PLOT / 2.0, chart->y.label);
    svg_bold_text(text, LEFT, 20, SVG_START, chart->title);
}

/* Marks of neighbouring styles have different shapes, for readers who do not see the colours. */
static void draw_mark(struct text_buffer *text, double x, double y,
                      const struct chart_series *series) {
    static const char *const shapes[] = {"m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z",
                                         "m-3 -3h6v6h-6z", "m0 -4l3.8 6.6h-7.6z",
                                         "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z"};
    const char *colour = colours[series->style % STYLES];
    text_add(text, "<path d='M%.1f %.1f%s' fill='%s' stroke='%s'/>\n", x, y,
             shapes[series->style % (sizeof shapes / sizeof *shapes)],
             series->is_filled ? colour : "#fff", colour);
}

/* Begins a line of a series, without its path. */
static void begin_line(struct text_buffer *text, const struct chart_series *series) {
    text_add(text, "<path fill='none' stroke='%s' stroke-width='%.1f'%s d='",
             colours[series->style % STYLES], series->width > 0 ? series->width : 1.6,
             series->is_dashed ? " stroke-dasharray='6 3'" : "");
}

static void draw_line(struct text_buffer *text, const struct chart *chart,
                      const struct chart_series *series) {
    const struct chart_axis *axis = &chart->y;
    bool begun = false, ended = false;
    begin_line(text, series);
    for (size_t i = 0; i < series->count && !ended; i++) {
        const double value = series->y[i];
        if (isnan(value)) begun = false;
        if (isnan(value) || !shows(&chart->x, series->x[i])) continue;
        if (!series->is_clipped && !shows(axis, value)) continue;
        ended = value > axis->max && !series->is_stepped;
        const double x = across(chart, series->x[i]);
        const double y = up(chart, fmin(fmax(value, axis->min), axis->max));
        if (begun && series->is_stepped)
            text_add(text, "H%.1fV%.1f", x, y);
        else
            text_add(text, "%c%.1f %.1f", begun ? 'L' : 'M', x, y);
        begun = true;
    }
    text_add(text, "'/>\n");
}

/* Finds the last point of a series that is drawn, or the lower end of the axes. */
static void last_point(const struct chart *chart, const struct chart_series *series, double *x,
                       double *y) {
    *x = plot_end(chart);
    *y = TOP + PLOT;
    for (size_t i = series->count; i-- > 0;) {
        if (!shows(&chart->x, series->x[i]) || !shows(&chart->y, series->y[i])) continue;
        *x = across(chart, series->x[i]);
        *y = up(chart, series->y[i]);
        return;
    }
}

/* Finds how high each label stands: at the end of its line, or as near to it as the labels above
 * and the lower end of the axes let it. */
static void place_labels(const struct chart *chart, double heights[LABELS]) {
    size_t order[LABELS], count = 0;
    double x, lowest = TOP + PLOT;
    for (size_t i = 0; i < chart->count; i++) {
        size_t place = count;
        if (chart->series[i].label == NULL) continue;
        last_point(chart, &chart->series[i], &x, &heights[i]);
        for (; place > 0 && heights[order[place - 1]] > heights[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
        count++;
    }
    for (size_t i = 1; i < count; i++)
        heights[order[i]] = fmax(heights[order[i]], heights[order[i - 1]] + LABEL_ROW);
    for (size_t i = count; i-- > 0; lowest = heights[order[i]] - LABEL_ROW)
        heights[order[i]] = fmin(heights[order[i]], lowest);
}

/* Draws the label of a series at the height y, with a piece of its line and a mark. */
static void draw_label(struct text_buffer *text, const struct chart *chart,
                       const struct chart_series *series, double y) {
    double x = plot_end(chart) + LABEL_GAP, end_x, end_y;
    if (has_labels_at_lines(chart)) {
        last_point(chart, series, &end_x, &end_y);
        x += LABEL_ROW;
        text_add(text, "<path stroke='#999' d='M%.1f %.1fL%.1f %.1f'/>\n", end_x, end_y, x - 2, y);
    }
    if (series->has_line) {
        begin_line(text, series);
        text_add(text, "M%.0f %.0fh24'/>\n", x, y);
    }
    if (series->has_marks) draw_mark(text, x + 12, y, series);
    char *label = svg_truncate_label(series->label, WIDTH - x - LABEL_LINE);
    if (label == NULL) text->failed = true;
    if (label != NULL) text_at(text, x + LABEL_LINE, y + 4, "start", label);
    free(label);
}

static void draw_series(struct text_buffer *text, const struct chart *chart,
                        const struct chart_series *series) {
    if (series->has_line && series->label != NULL) tooltip_begin(text, "%s", series->label);
    if (series->has_line) draw_line(text, chart, series);
    if (series->has_line && series->label != NULL) tooltip_end(text);
    for (size_t i = 0; i < series->count && series->has_marks; i++)
        if (shows(&chart->x, series->x[i]) && shows(&chart->y, series->y[i])) {
            tooltip_begin(text, "%s%s%s: %.6g\n%s: %.6g",
                          series->label != NULL ? series->label : "",
                          series->label != NULL ? "\n" : "", chart->x.label, series->x[i],
                          chart->y.label, series->y[i]);
            draw_mark(text, across(chart, series->x[i]), up(chart, series->y[i]), series);
            tooltip_end(text);
        }
}

static void draw_labels(struct text_buffer *text, const struct chart *chart) {
    double heights[LABELS], below = TOP + 8;
    if (has_labels_at_lines(chart)) place_labels(chart, heights);
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].label == NULL) continue;
        draw_label(text, chart, &chart->series[i], has_labels_at_lines(chart) ? heights[i] : below);
        below += LEGEND_ROW;
    }
}

void chart_draw(struct text_buffer *text, const struct chart *chart) {
    const int plot = TOP + PLOT + BOTTOM;
    const int legend =
        has_labels_at_lines(chart) ? plot : TOP + LEGEND_ROW * (int)chart->count + 10;
    const int height = legend > plot ? legend : plot;
    text_add(
        text,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
        "role='img' font-family='DejaVu Sans,Verdana,Arial,sans-serif' font-size='12'>\n<title>",
        WIDTH, height, WIDTH, height);
    svg_escape(text, chart->title);
    text_add(text, "</title>\n<rect width='100%%' height='100%%' fill='#fff'/>\n");
    draw_axes(text, chart);
    draw_labels(text, chart);
    for (size_t i = 0; i < chart->count; i++)
        draw_series(text, chart, &chart->series[i]);
    text_add(text, "</svg>\n");
}
