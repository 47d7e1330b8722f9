/* Draws one row for each candidate on an axis that includes all values and intervals. */
#include "api/chart/ranking.h"

#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PITCH = 26, BAR = 14, TOP = 10, AXIS = 42, LABEL_MAX = 280 };

struct ranking_place {
    double left, width, bottom, min, max;
};

static void include_value(struct ranking_place *place, double value) {
    if (!isfinite(value)) return;
    place->min = fmin(place->min, value);
    place->max = fmax(place->max, value);
}

static struct ranking_place place_of(const struct ranking *ranking) {
    struct ranking_place place = {.min = HUGE_VAL, .max = -HUGE_VAL};
    double label = 0, note = 0;
    for (size_t i = 0; i < ranking->count; i++) {
        const struct ranking_row *row = &ranking->rows[i];
        label = fmax(label, svg_text_width(row->label) + 12);
        note = fmax(note, svg_text_width(row->note) + 12);
        include_value(&place, row->mean);
        include_value(&place, row->low);
        include_value(&place, row->high);
        for (size_t k = 0; k < row->value_count; k++)
            include_value(&place, row->values[k]);
    }
    if (!(place.max >= place.min)) place.min = 0, place.max = 1;
    const double margin =
        place.max > place.min ? 0.04 * (place.max - place.min) : 0.01 * fabs(place.max) + 1e-9;
    place.min = ranking->begins_at_zero ? 0 : place.min - margin;
    place.max += margin;
    place.left = fmin(label, LABEL_MAX) + 8;
    place.width = SVG_WIDTH - place.left - note - 16;
    place.bottom = TOP + PITCH * (double)ranking->count;
    return place;
}

static double across(const struct ranking_place *place, double value) {
    return place->left + place->width * (value - place->min) / (place->max - place->min);
}

static void draw_axis(struct text_buffer *text, const struct ranking *ranking,
                      const struct ranking_place *place) {
    const struct svg_axis axis = {.left = place->left,
                                  .width = place->width,
                                  .top = TOP,
                                  .bottom = place->bottom,
                                  .min = place->min / ranking->unit,
                                  .max = place->max / ranking->unit,
                                  .ticks = 6,
                                  .title = ranking->axis};
    svg_axis_below(text, &axis);
}

static void draw_row(struct text_buffer *text, const struct ranking *ranking,
                     const struct ranking_place *place, const struct ranking_row *row, double y) {
    const struct svg_fill fill = row->is_baseline ? (struct svg_fill){"#e69f00", SVG_DOTTED}
                                 : row->is_quiet  ? (struct svg_fill){"#cccccc", SVG_RISING}
                                                  : (struct svg_fill){"#56b4e9", SVG_PLAIN};
    char *label = svg_truncate_label(row->label, place->left - 14);
    if (label == NULL) text->failed = true;
    if (label != NULL) svg_text(text, place->left - 8, y + 4, SVG_END, label);
    free(label);
    svg_text(text, place->left + place->width + 10, y + 4, SVG_START, row->note);
    char interval[96] = "";
    if (isfinite(row->low) && isfinite(row->high))
        snprintf(interval, sizeof interval, "\n95 %% interval: %.6g to %.6g",
                 row->low / ranking->unit, row->high / ranking->unit);
    tooltip_begin(text, "%s\n%s: %.6g%s", row->label, ranking->axis, row->mean / ranking->unit,
                  interval);
    if (ranking->begins_at_zero && row->mean > 0)
        svg_box(text, ranking->name, place->left, y - BAR / 2.0,
                across(place, row->mean) - place->left, BAR, fill);
    for (size_t i = 0; i < row->value_count; i++) {
        text_add(text, "<circle cx='");
        svg_number(text, across(place, row->values[i]));
        text_add(text, "' cy='");
        svg_number(text, y);
        text_add(text, "' r='3' fill='#fff' fill-opacity='.6' stroke='" SVG_INK "'/>\n");
    }
    if (isfinite(row->low) && isfinite(row->high)) {
        const double low = across(place, row->low), high = across(place, row->high);
        svg_line(text, low, y, high, y, SVG_INK, 1.5);
        svg_line(text, low, y - 5, low, y + 5, SVG_INK, 1.5);
        svg_line(text, high, y - 5, high, y + 5, SVG_INK, 1.5);
    }
    if (!ranking->begins_at_zero && isfinite(row->mean))
        svg_line(text, across(place, row->mean), y - 8, across(place, row->mean), y + 8,
                 row->is_quiet ? "#595959" : "#d55e00", 2.5);
    tooltip_end(text);
}

void ranking_draw(struct text_buffer *text, const struct ranking *ranking) {
    const struct ranking_place place = place_of(ranking);
    svg_begin(text, ranking->name, SVG_WIDTH, place.bottom + AXIS, ranking->title);
    draw_axis(text, ranking, &place);
    for (size_t i = 0; i < ranking->count; i++)
        draw_row(text, ranking, &place, &ranking->rows[i], TOP + PITCH * ((double)i + 0.5));
    for (size_t i = 0; i < ranking->count; i++) {
        if (!ranking->rows[i].is_baseline || !isfinite(ranking->rows[i].mean)) continue;
        const double x = across(&place, ranking->rows[i].mean);
        svg_dashed_line(text, x, TOP, x, place.bottom, SVG_INK);
    }
    svg_end(text);
}
