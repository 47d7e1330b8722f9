/* Draws one bar for each amount, to the right of zero if it is positive and to the left if it is
 * negative, on an axis that includes all of them. */
#include "api/chart/signed_bars.h"

#include "api/chart/tooltips.h"

#include <math.h>
#include <stdlib.h>

enum { PITCH = 24, BAR = 14, ABOVE = 8, AXIS = 42, LABEL_MAX = 280 };

static const struct svg_fill fills[2] = {{"#d55e00", SVG_FALLING}, {"#56b4e9", SVG_PLAIN}};

static struct svg_axis axis_of(const struct signed_bars *bars, double top) {
    double label = 0, note = 0;
    struct svg_axis axis = {.top = top, .ticks = 6, .title = bars->axis};
    for (size_t i = 0; i < bars->count; i++) {
        label = fmax(label, svg_text_width(bars->bars[i].label) + 12);
        note = fmax(note, svg_text_width(bars->bars[i].note) + 12);
        if (!isfinite(bars->bars[i].value)) continue;
        axis.min = fmin(axis.min, bars->bars[i].value / bars->unit);
        axis.max = fmax(axis.max, bars->bars[i].value / bars->unit);
    }
    if (!(axis.max > axis.min)) axis.max = 1;
    axis.left = fmin(label, LABEL_MAX) + 8;
    axis.width = SVG_WIDTH - axis.left - note - 16;
    axis.bottom = top + PITCH * (double)bars->count;
    return axis;
}

static void draw_bar(struct text_buffer *text, const char *name, const struct svg_axis *axis,
                     double zero, double value, double y) {
    const double length = fabs(value) / (axis->max - axis->min) * axis->width;
    if (!(length > 0)) return;
    svg_box(text, name, value > 0 ? zero : zero - length, y - BAR / 2.0, length, BAR,
            fills[value < 0]);
}

void signed_bars_draw(struct text_buffer *text, const struct signed_bars *bars) {
    const struct svg_key keys[2] = {{bars->above, fills[0]}, {bars->below, fills[1]}};
    const double legend = svg_legend_height(SVG_WIDTH - 16, keys, 2);
    const struct svg_axis axis = axis_of(bars, ABOVE + legend + 8);
    const double zero = axis.left - axis.width * axis.min / (axis.max - axis.min);
    svg_begin(text, bars->name, SVG_WIDTH, axis.bottom + AXIS, bars->title);
    svg_legend(text, bars->name, axis.left, ABOVE, SVG_WIDTH - 16, keys, 2);
    svg_axis_below(text, &axis);
    for (size_t i = 0; i < bars->count; i++) {
        const struct signed_bar *bar = &bars->bars[i];
        const double y = axis.top + PITCH * ((double)i + 0.5);
        char *label = svg_truncate_label(bar->label, axis.left - 14);
        if (label == NULL) text->failed = true;
        if (label != NULL) svg_text(text, axis.left - 8, y + 4, SVG_END, label);
        free(label);
        svg_text(text, axis.left + axis.width + 10, y + 4, SVG_START, bar->note);
        tooltip_begin(text, "%s\n%s: %s", bar->label, bars->axis, bar->note);
        draw_bar(text, bars->name, &axis, zero, bar->value / bars->unit, y);
        tooltip_end(text);
    }
    svg_line(text, zero, axis.top, zero, axis.bottom, SVG_INK, 1);
    svg_end(text);
}
