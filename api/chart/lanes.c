/* Draws the axis, then the boxes of all lanes, and last the lines from lane to lane. Each of them
 * has a tooltip. */
#include "api/chart/lanes.h"

#include "api/chart/tooltips.h"

#include <math.h>
#include <stdio.h>

enum { PITCH = 26, BOX = 16, TOP = 8, AXIS = 44, MARGIN = 14 };

struct lanes_place {
    double left, width, bottom;
};

static double across(const struct lanes *lanes, const struct lanes_place *place, double value) {
    const double range = lanes->max - lanes->min;
    return place->left + place->width * (range > 0 ? (value - lanes->min) / range : 0);
}

static double middle_of(size_t lane) {
    return TOP + PITCH * ((double)lane + 0.5);
}

static void draw_axis(struct text_buffer *text, const struct lanes *lanes,
                      const struct lanes_place *place) {
    const struct svg_axis axis = {.left = place->left,
                                  .width = place->width,
                                  .top = TOP,
                                  .bottom = place->bottom,
                                  .min = lanes->min,
                                  .max = lanes->max,
                                  .ticks = 7,
                                  .title = lanes->across};
    svg_axis_below(text, &axis);
    for (size_t i = 0; i < lanes->lane_count; i++) {
        svg_line(text, place->left, middle_of(i), place->left + place->width, middle_of(i),
                 SVG_GRID, 1);
        svg_text(text, place->left - 8, middle_of(i) + 4, SVG_END, lanes->labels[i]);
    }
}

/* Draws a line from lane to lane, with a point at its end. */
static void draw_line(struct text_buffer *text, const struct lanes *lanes,
                      const struct lanes_place *place, const struct lanes_box *box) {
    const char *colour = lanes->keys[box->key].fill.colour;
    const double to[] = {across(lanes, place, box->to), middle_of(box->lane)};
    svg_line(text, across(lanes, place, box->from), middle_of(box->from_lane), to[0], to[1], colour,
             2.5);
    text_add(text, "<circle cx='");
    svg_number(text, to[0]);
    text_add(text, "' cy='");
    svg_number(text, to[1]);
    text_add(text, "' r='3.5' fill='%s'/>\n", colour);
}

static void begin_tip(struct text_buffer *text, const struct lanes *lanes,
                      const struct lanes_box *box) {
    const bool moves = box->lane != box->from_lane;
    tooltip_begin(text, "%s%s%s\n%s\n%s: %.7g to %.7g", lanes->labels[box->from_lane],
                  moves ? " to " : "", moves ? lanes->labels[box->lane] : "",
                  lanes->keys[box->key].label, lanes->across, box->from, box->to);
}

void lanes_draw(struct text_buffer *text, const struct lanes *lanes) {
    double label = 0;
    for (size_t i = 0; i < lanes->lane_count; i++)
        label = fmax(label, svg_text_width(lanes->labels[i]));
    const struct lanes_place place = {label + 2.0 * MARGIN, SVG_WIDTH - label - 3.0 * MARGIN,
                                      TOP + PITCH * (double)lanes->lane_count};
    const double legend = place.bottom + AXIS;
    svg_begin(text, lanes->name, SVG_WIDTH,
              legend + svg_legend_height(SVG_WIDTH - 24, lanes->keys, lanes->key_count) + 4,
              lanes->title);
    draw_axis(text, lanes, &place);
    for (size_t i = 0; i < lanes->box_count; i++) {
        const struct lanes_box *box = &lanes->boxes[i];
        const double x = across(lanes, &place, box->from);
        if (box->lane != box->from_lane) continue;
        begin_tip(text, lanes, box);
        svg_box(text, lanes->name, x, middle_of(box->lane) - BOX / 2.0,
                fmax(1, across(lanes, &place, box->to) - x), BOX, lanes->keys[box->key].fill);
        tooltip_end(text);
    }
    for (size_t i = 0; i < lanes->box_count; i++) {
        if (lanes->boxes[i].lane == lanes->boxes[i].from_lane) continue;
        begin_tip(text, lanes, &lanes->boxes[i]);
        draw_line(text, lanes, &place, &lanes->boxes[i]);
        tooltip_end(text);
    }
    svg_legend(text, lanes->name, 12, legend, SVG_WIDTH - 24, lanes->keys, lanes->key_count);
    svg_end(text);
}
