/* Draws stacked bars, one below another, and stacked profiles, whose columns stand side by side and
 * join into areas. */
#include "api/chart/stack.h"

#include "api/chart/tooltips.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BAR = 22, PITCH = 32, TOP = 8, AXIS = 40, LEFT_MAX = 240, PROFILE = 170, GUTTER = 56 };

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] > 0) sum += values[i];
    return sum;
}

/* ---- bars ---- */

static double longest(const struct stack *stack) {
    double max = stack->max;
    for (size_t i = 0; i < stack->bar_count; i++) {
        const double sum = sum_of(stack->bars[i].values, stack->part_count);
        if (stack->max == 0 && sum > max) max = sum;
    }
    return max > 0 ? max : 1;
}

static void widest(const struct stack *stack, double *label, double *note) {
    *label = *note = 0;
    for (size_t i = 0; i < stack->bar_count; i++) {
        const struct stack_bar *bar = &stack->bars[i];
        if (bar->label != NULL) *label = fmax(*label, svg_text_width(bar->label) + 10);
        if (bar->note != NULL) *note = fmax(*note, svg_text_width(bar->note) + 10);
    }
    *label = fmin(*label, stack->label_max > 0 ? stack->label_max : LEFT_MAX);
}

/* Returns the distance of the axis' ticks, whose last number is most. */
static double tick_step(const struct stack *stack, double max) {
    const double step = svg_tick_step(max, 8);
    return stack->counts ? fmax(1, step) : step;
}

/* Returns the width that the notes right of the bars need, and half of the axis' last number. */
static double room_right(const struct stack *stack, double note) {
    const double max = longest(stack) / (stack->unit > 0 ? stack->unit : 1);
    const double step = tick_step(stack, max);
    char label[32];
    snprintf(label, sizeof label, "%g", floor(max / step * (1 + 1e-9)) * step);
    return fmax(note + 14, svg_text_width(label) * SVG_SMALL / SVG_FONT / 2 + 4);
}

static void draw_axis(struct text_buffer *text, const struct stack *stack, double left,
                      double width, double bottom) {
    const double unit = stack->unit > 0 ? stack->unit : 1, max = longest(stack) / unit;
    const double step = tick_step(stack, max);
    svg_quiet_begin(text, NULL);
    for (int i = 0; i * step <= max * (1 + 1e-9); i++) {
        const double x = left + width * i * step / max;
        char label[32];
        snprintf(label, sizeof label, "%g", i * step);
        svg_line(text, x, TOP, x, bottom, SVG_GRID, 1);
        svg_text(text, x, bottom + 15, SVG_MIDDLE, label);
    }
    svg_quiet_end(text);
    svg_small_text(text, left + width / 2, bottom + 31, SVG_MIDDLE, stack->axis);
}

static void draw_bar(struct text_buffer *text, const struct stack *stack,
                     const struct stack_bar *bar, const double place[3]) {
    const double left = place[0], width = place[1], y = place[2], scale = width / longest(stack);
    double x = left;
    for (size_t i = 0; i < stack->part_count; i++) {
        if (!(bar->values[i] > 0)) continue;
        const double wide = bar->values[i] * scale;
        tooltip_begin(text, "%s%s%s\n%s: %.6g", bar->label != NULL ? bar->label : "",
                      bar->label != NULL ? "\n" : "", stack->parts[i].label, stack->axis,
                      bar->values[i] / (stack->unit > 0 ? stack->unit : 1));
        svg_box(text, stack->name, x, y, wide > 1.5 ? wide - 0.5 : wide, BAR, stack->parts[i].fill);
        tooltip_end(text);
        x += wide;
    }
    if (bar->note != NULL) svg_text_on_grid(text, x + 6, y + 15, SVG_START, bar->note);
    if (bar->label == NULL) return;
    char *label = svg_truncate_label(bar->label, left - 10);
    if (label == NULL) text->failed = true;
    if (label != NULL) svg_text(text, left - 8, y + 15, SVG_END, label);
    free(label);
}

/* Lists the parts that a bar has; returns how many. */
static size_t keys_of_bars(struct svg_key *keys, const struct stack *stack) {
    size_t count = 0;
    for (size_t i = 0; i < stack->part_count && keys != NULL; i++) {
        bool has = false;
        for (size_t k = 0; k < stack->bar_count; k++)
            has = has || stack->bars[k].values[i] > 0;
        if (has) keys[count++] = stack->parts[i];
    }
    return count;
}

void stack_draw(struct text_buffer *text, const struct stack *stack) {
    struct svg_key *keys = memory_new(stack->part_count, sizeof *keys);
    const size_t key_count = keys_of_bars(keys, stack);
    if (keys == NULL) text->failed = true;
    double label, note;
    widest(stack, &label, &note);
    const double left = label + 12, width = SVG_WIDTH - left - room_right(stack, note);
    const double bottom = TOP + PITCH * (double)stack->bar_count, legend = bottom + AXIS;
    svg_begin(text, stack->name, SVG_WIDTH,
              legend + svg_legend_height(SVG_WIDTH - 24, keys, key_count) + 4, stack->title);
    draw_axis(text, stack, left, width, bottom);
    for (size_t i = 0; i < stack->bar_count; i++)
        draw_bar(text, stack, &stack->bars[i],
                 (const double[]){left, width, TOP + PITCH * (double)i + (PITCH - BAR) / 2.0});
    svg_legend(text, stack->name, 12, legend, SVG_WIDTH - 24, keys, key_count);
    svg_end(text);
    free(keys);
}

/* ---- profiles ---- */

static double highest(const struct stack_profile *profile, size_t part_count) {
    double max = profile->max;
    for (size_t i = 0; i < profile->columns && profile->max == 0; i++)
        max = fmax(max, sum_of(profile->values + i * part_count, part_count));
    return max > 0 ? max : 1;
}

static double height_below(const struct stack_profile *profile, size_t column, size_t part,
                           size_t part_count) {
    return sum_of(profile->values + column * part_count, part);
}

/* Adds an outline along the tops of the first `part` parts, in steps: one step for equal
 * neighbours. Steps are relative, which takes fewer bytes. */
static void add_steps(struct text_buffer *text, const struct stack_profile *profile,
                      const struct stack_place *place, size_t part, size_t part_count) {
    const double scale = place->height / place->max;
    double left = 0, before = 0; /* the last point, as it was written: in tenths */
    for (size_t column = 0; column < profile->columns; column++) {
        const double height = scale * height_below(profile, column, part, part_count);
        const double y = round(10 * (place->top + place->height - height));
        const double x =
            round(10 * (place->left + place->width * (double)column / (double)profile->columns));
        if (column > 0 && lround(y) == lround(before)) continue;
        text_add(text, "%s", column > 0 ? "h" : "M");
        svg_number(text, (x - left) / 10);
        text_add(text, "%s", column > 0 ? "v" : " ");
        svg_number(text, (y - before) / 10);
        left = x;
        before = y;
    }
    text_add(text, "H");
    svg_number(text, place->left + place->width);
    text_add(text, "V");
    svg_number(text, place->top + place->height);
    text_add(text, "H");
    svg_number(text, place->left);
    text_add(text, "Z");
}

void stack_draw_areas(struct text_buffer *text, const char *name, const struct svg_key *parts,
                      size_t part_count, const struct stack_profile *profile,
                      const struct stack_place *place) {
    /* From the back to the front: each area goes down to the axis, so that no seams show. */
    for (size_t i = part_count; i-- > 0;) {
        double sum = 0;
        for (size_t column = 0; column < profile->columns; column++)
            sum += profile->values[column * part_count + i];
        if (!(sum > 0)) continue;
        struct text_buffer outline = TEXT_BUFFER_INIT;
        add_steps(&outline, profile, place, i + 1, part_count);
        char *path = text_take(&outline);
        if (path == NULL) text->failed = true;
        if (path != NULL) svg_area(text, name, path, parts[i].fill);
        free(path);
    }
}

static void draw_ends(struct text_buffer *text, const struct stack_profile *profile,
                      const struct stack_place *place) {
    const double bottom = place->top + place->height;
    char label[32];
    snprintf(label, sizeof label, "%.0f", profile->first);
    svg_small_text(text, place->left, bottom + 15, SVG_START, label);
    snprintf(label, sizeof label, "%.0f", profile->last);
    svg_small_text(text, place->left + place->width, bottom + 15, SVG_END, label);
    svg_small_text(text, place->left + place->width / 2, bottom + 15, SVG_MIDDLE, profile->across);
    svg_line(text, place->left, bottom, place->left + place->width, bottom, SVG_INK, 1);
}

void stack_areas_begin(struct text_buffer *text, const struct stack_profile *profile,
                       const struct stack_place *place, const struct svg_key *parts,
                       size_t part_count, struct tooltip_axis across) {
    const char **names = memory_new(part_count, sizeof *names);
    double max = 0;
    if (names == NULL) text->failed = true;
    for (size_t i = 0; i < part_count && names != NULL; i++)
        names[i] = parts[i].label;
    for (size_t i = 0; i < profile->columns * part_count; i++)
        max = fmax(max, profile->values[i]);
    const struct tooltip_grid grid = {.title = profile->title,
                                      .unit = profile->unit_name,
                                      .x = place->left,
                                      .y = place->top,
                                      .width = place->width,
                                      .height = place->height,
                                      .rows = 1,
                                      .columns = profile->columns,
                                      .part_count = part_count,
                                      .parts = names,
                                      .values = profile->values,
                                      .max = max,
                                      .factor = profile->unit > 0 ? 1 / profile->unit : 1,
                                      .across = across,
                                      .up = {.label = ""}};
    if (names != NULL) tooltip_grid_begin(text, &grid);
    free(names);
}

static void draw_profile(struct text_buffer *text, const char *name, const struct svg_key *parts,
                         size_t part_count, const struct stack_profile *profile, double top) {
    const double unit = profile->unit > 0 ? profile->unit : 1;
    const struct tooltip_axis across = {.label = profile->tip_label,
                                        .first = profile->tip_first,
                                        .count = profile->count,
                                        .shared = true};
    const double max = highest(profile, part_count), step = svg_tick_step(max / unit, 5);
    const struct stack_place place = {GUTTER, SVG_WIDTH - GUTTER - 14, top + 22, PROFILE, max};
    svg_bold_text(text, place.left, top + 12, SVG_START, profile->title);
    for (int i = 0; i * step <= max / unit * (1 + 1e-9); i++) {
        char label[32];
        const double y = place.top + PROFILE - PROFILE * i * step * unit / max;
        snprintf(label, sizeof label, "%g", i * step);
        svg_line(text, place.left, y, place.left + place.width, y, SVG_GRID, 1);
        svg_small_text(text, place.left - 6, y + 4, SVG_END, label);
    }
    svg_upward_text(text, 14, place.top + PROFILE / 2.0, profile->up);
    stack_areas_begin(text, profile, &place, parts, part_count, across);
    stack_draw_areas(text, name, parts, part_count, profile, &place);
    tooltip_grid_end(text);
    draw_ends(text, profile, &place);
}

/* Lists the parts that a profile has; returns how many. */
static size_t keys_of(struct svg_key *keys, const struct svg_key *parts, size_t part_count,
                      const struct stack_profile *profile) {
    size_t count = 0;
    for (size_t i = 0; i < part_count && keys != NULL; i++) {
        bool has = false;
        for (size_t column = 0; column < profile->columns; column++)
            has = has || profile->values[column * part_count + i] > 0;
        if (has) keys[count++] = parts[i];
    }
    return count;
}

void stack_draw_profiles(struct text_buffer *text, const char *name, const char *title,
                         const struct svg_key *parts, size_t part_count,
                         const struct stack_profile *profiles, size_t count) {
    enum { EACH = PROFILE + 54 };
    struct svg_key *keys = memory_new(part_count, sizeof *keys);
    const size_t key_count = keys_of(keys, parts, part_count, profiles);
    if (keys == NULL) text->failed = true;
    const double legend = TOP + EACH * (double)count;
    svg_begin(text, name, SVG_WIDTH,
              legend + svg_legend_height(SVG_WIDTH - 24, keys, key_count) + 4, title);
    for (size_t i = 0; i < count; i++) {
        const double top = TOP + EACH * (double)i;
        tooltip_view_begin(text, profiles[i].title, 0, top, SVG_WIDTH, EACH);
        draw_profile(text, name, parts, part_count, &profiles[i], top);
        tooltip_view_end(text);
    }
    text_add(text, "<g data-legend='%.0f'>\n", legend);
    svg_legend(text, name, 12, legend, SVG_WIDTH - 24, keys, key_count);
    text_add(text, "</g>\n");
    svg_end(text);
    free(keys);
}

void stack_draw_shares(struct text_buffer *text, const char *name, const char *title,
                       const char *axis, const struct svg_key *keys, const double *shares,
                       size_t count) {
    enum { PERCENT = 100 };
    const struct stack_bar bar = {.values = shares};
    const struct stack stack = {.name = name,
                                .title = title,
                                .axis = axis,
                                .max = PERCENT,
                                .parts = keys,
                                .part_count = count,
                                .bars = &bar,
                                .bar_count = 1};
    stack_draw(text, &stack);
}
