/*
 * Draws plans of few places.
 *
 * Each line leaves the lower side of its first place, runs in a lane below the row, then in a lane
 * right of a column, and enters the right side of its second place. Lines that share a part of a
 * row or column have different lanes, and different points at the sides of a place.
 */
#include "api/chart/site_plan.h"
#include "api/chart/tooltips.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 152, WIDTH = 640, BOX = 46, MARGIN = 22, LEGEND = 30 };
enum { PLACES = PLAN_LINES_ACROSS * PLAN_LINES_ACROSS };

static const char *const colours[] = {"#0072b2", "#d55e00"};

/* The lanes beside a row or a column: a bit for each place that a line passes. */
struct lanes {
    uint32_t used[PLAN_LINES];
    size_t count;
};

struct way {
    bool in_row, in_column; /* it has no part in a column, or in a row */
    size_t row_lane, column_lane;
    size_t first_point, second_point; /* at the sides of its places */
};

struct drawing {
    const struct site_plan *plan;
    const struct site_plan_line *lines;
    size_t count;
    struct site_plan_frame frame;
    struct lanes rows[PLAN_LINES_ACROSS], columns[PLAN_LINES_ACROSS];
    size_t below[PLACES], right[PLACES]; /* points at the sides of places */
    struct way ways[PLAN_LINES];
};

/* Returns the first lane in which all places of a line are free. There is one: there are as many
 * lanes as a plan has lines, and each of the other lines takes at most one. */
static size_t take_lane(struct lanes *lanes, size_t from, size_t to) {
    uint32_t passed = 0;
    for (size_t i = from < to ? from : to; i <= (from < to ? to : from); i++)
        passed |= (uint32_t)1 << i;
    size_t lane = 0;
    while ((lanes->used[lane] & passed) != 0)
        lane++;
    lanes->used[lane] |= passed;
    if (lane >= lanes->count) lanes->count = lane + 1;
    return lane;
}

static void find_way(struct drawing *drawing, size_t number) {
    const struct site_plan_line *line = &drawing->lines[number];
    const struct site_plan_place *one = &drawing->plan->places[line->first];
    const struct site_plan_place *two = &drawing->plan->places[line->second];
    struct way *way = &drawing->ways[number];
    way->in_row = one->row == two->row;
    way->in_column = one->column == two->column && !way->in_row;
    if (!way->in_column)
        way->row_lane = take_lane(&drawing->rows[one->row], one->column, two->column);
    if (!way->in_row)
        way->column_lane = take_lane(&drawing->columns[two->column], one->row, two->row);
    way->first_point =
        way->in_column ? drawing->right[line->first]++ : drawing->below[line->first]++;
    way->second_point =
        way->in_row ? drawing->below[line->second]++ : drawing->right[line->second]++;
}

static double middle_x(const struct drawing *drawing, const struct site_plan_place *place) {
    return drawing->frame.first_x + drawing->frame.cell_x * (double)place->column;
}

static double middle_y(const struct drawing *drawing, const struct site_plan_place *place) {
    return drawing->frame.first_y + drawing->frame.cell_y * (double)place->row;
}

/* Returns how far a lane is from the middle of its row or column. */
static double lane_at(const struct lanes *lanes, size_t lane, double cell) {
    enum { FREE = 8, STEP_MAX = 7 };
    const double step = fmin(STEP_MAX, (cell - BOX - 2 * FREE) / (double)lanes->count);
    return BOX / 2. + FREE + step * ((double)lane + 0.5);
}

/* Returns where a point at a side is, from its middle. */
static double point_at(size_t point, size_t points) {
    return BOX * (((double)point + 1) / ((double)points + 1) - 0.5);
}

static void draw_way(struct text_buffer *text, const struct drawing *drawing, size_t number,
                     double width) {
    const struct site_plan_line *line = &drawing->lines[number];
    const struct way *way = &drawing->ways[number];
    const struct site_plan_place *one = &drawing->plan->places[line->first];
    const struct site_plan_place *two = &drawing->plan->places[line->second];
    const double x1 = middle_x(drawing, one), y1 = middle_y(drawing, one);
    const double x2 = middle_x(drawing, two), y2 = middle_y(drawing, two);
    const double row = y1 + lane_at(&drawing->rows[one->row], way->row_lane, drawing->frame.cell_y);
    const double column =
        x2 + lane_at(&drawing->columns[two->column], way->column_lane, drawing->frame.cell_x);
    tooltip_begin(text, "%s", line->tip);
    text_add(text, "<path fill='none' stroke='%s' stroke-width='%.1f'%s d='",
             colours[line->is_dashed], width, line->is_dashed ? " stroke-dasharray='5 2'" : "");
    if (way->in_column) {
        const double from = y1 + point_at(way->first_point, drawing->right[line->first]);
        const double to = y2 + point_at(way->second_point, drawing->right[line->second]);
        text_add(text, "M%.1f %.1fH%.1fV%.1fH%.1f", x1 + BOX / 2., from, column, to, x2 + BOX / 2.);
    } else if (way->in_row) {
        const double from = x1 + point_at(way->first_point, drawing->below[line->first]);
        const double to = x2 + point_at(way->second_point, drawing->below[line->second]);
        text_add(text, "M%.1f %.1fV%.1fH%.1fV%.1f", from, y1 + BOX / 2., row, to, y2 + BOX / 2.);
    } else {
        const double from = x1 + point_at(way->first_point, drawing->below[line->first]);
        const double to = y2 + point_at(way->second_point, drawing->right[line->second]);
        text_add(text, "M%.1f %.1fV%.1fH%.1fV%.1fH%.1f", from, y1 + BOX / 2., row, column, to,
                 x2 + BOX / 2.);
    }
    text_add(text, "'/>\n");
    tooltip_end(text);
}

static void draw_boxes(struct text_buffer *text, const struct drawing *drawing) {
    char label[32];
    for (size_t i = 0; i < drawing->plan->count; i++) {
        const struct site_plan_place *place = &drawing->plan->places[i];
        if (place->is_empty) continue;
        const double x = middle_x(drawing, place), y = middle_y(drawing, place);
        text_add(text,
                 "<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='#e4eef7' "
                 "stroke='" SVG_QUIET "'/>\n",
                 x - BOX / 2., y - BOX / 2., BOX, BOX);
        snprintf(label, sizeof label, "%.0f", place->label);
        svg_bold_text(text, x, y + 4, SVG_MIDDLE, label);
    }
}

/* Returns the thickness of a line, which leaves room between lanes. */
static double thickness(const struct drawing *drawing, double count, double max) {
    size_t lanes = 1;
    for (size_t i = 0; i < PLAN_LINES_ACROSS; i++) {
        if (drawing->rows[i].count > lanes) lanes = drawing->rows[i].count;
        if (drawing->columns[i].count > lanes) lanes = drawing->columns[i].count;
    }
    const double room = fmin(drawing->frame.cell_x, drawing->frame.cell_y) - BOX - 16;
    const double thickest = fmax(0.8, fmin(2.2, 0.6 * room / (double)lanes));
    return fmax(0.6, thickest * count / max);
}

static void draw_legend(struct text_buffer *text, const struct site_plan *plan, const bool kinds[2],
                        double y) {
    double x = PLAN_LEFT;
    for (int i = 0; i < 2; i++) {
        const char *label = i == 0 ? plan->plain_label : plan->dashed_label;
        if (!kinds[i]) continue;
        text_add(text, "<path fill='none' stroke='%s' stroke-width='2'%s d='M%.1f %.1fh30'/>\n",
                 colours[i], i == 1 ? " stroke-dasharray='5 2'" : "", x, y);
        svg_text(text, x + 36, y + 4, SVG_START, label);
        x += 60 + svg_text_width(label);
    }
}

static struct site_plan_frame frame_of(const struct site_plan *plan) {
    const double across = (double)plan->columns, down = (double)plan->rows;
    const double ratio = fmin(1.4, fmax(1 / 1.4, plan->pitch_y / plan->pitch_x));
    struct site_plan_frame frame = {.left = PLAN_LEFT, .top = PLAN_TOP};
    frame.cell_x = fmin(CELL * fmin(1, 1 / ratio), WIDTH / across);
    frame.cell_y = fmin(CELL * fmin(1, ratio), WIDTH / down);
    frame.first_x = frame.left + MARGIN + BOX / 2. - 12;
    frame.first_y = frame.top + MARGIN + BOX / 2. - 12;
    return frame;
}

/* Returns the end of a frame: beyond the last of its rows or columns, and the lanes beside it. */
static double frame_end(double first, double cell, size_t places, const struct lanes *lanes) {
    const size_t last = lanes[places - 1].count;
    const double beyond = last > 0 ? lane_at(&lanes[places - 1], last - 1, cell) : BOX / 2.;
    return first + cell * ((double)places - 1) + beyond + 10;
}

void site_plan_draw_lines(struct text_buffer *text, const struct site_plan *plan,
                          const struct site_plan_line *lines, size_t count) {
    struct drawing drawing;
    memset(&drawing, 0, sizeof drawing);
    drawing.plan = plan;
    drawing.lines = lines;
    drawing.count = count < PLAN_LINES ? count : PLAN_LINES;
    drawing.frame = frame_of(plan);
    bool kinds[2] = {false, false};
    double max = 1;
    for (size_t i = 0; i < drawing.count; i++) {
        find_way(&drawing, i);
        kinds[lines[i].is_dashed] = true;
        max = fmax(max, lines[i].count);
    }
    struct site_plan_frame *frame = &drawing.frame;
    frame->width =
        frame_end(frame->first_x, frame->cell_x, plan->columns, drawing.columns) - frame->left;
    frame->height = frame_end(frame->first_y, frame->cell_y, plan->rows, drawing.rows) - frame->top;
    const double bottom = drawing.frame.top + drawing.frame.height + PLAN_BELOW;
    svg_begin(text, plan->name, SVG_WIDTH, bottom + LEGEND, plan->title);
    site_plan_draw_frame(text, plan, &drawing.frame);
    for (size_t i = 0; i < drawing.count; i++)
        draw_way(text, &drawing, i, thickness(&drawing, lines[i].count, max));
    draw_boxes(text, &drawing);
    draw_legend(text, plan, kinds, bottom + 10);
    svg_end(text);
}
