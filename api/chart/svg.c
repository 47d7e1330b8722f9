/* Writes SVG elements: the frame with its hatches, texts, lines, boxes and areas, legends, and axes
 * with round ticks. Also estimates how wide a text will be. */
#include "api/chart/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const anchors[] = {"", " text-anchor='middle'", " text-anchor='end'"};

void svg_escape(struct text_buffer *text, const char *label) {
    struct text_buffer shown = TEXT_BUFFER_INIT;
    text_add_name(&shown, label, 0);
    char *name = text_take(&shown);
    if (name == NULL) text->failed = true;
    for (const char *at = name; at != NULL && *at != '\0'; at++) {
        const size_t plain = strcspn(at, "&<>'\"");
        text_add(text, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '\0') break;
        text_add(text, "%s",
                 *at == '&'    ? "&amp;"
                 : *at == '<'  ? "&lt;"
                 : *at == '>'  ? "&gt;"
                 : *at == '\'' ? "&#39;"
                               : "&quot;");
    }
    free(name);
}

void svg_number(struct text_buffer *text, double value) {
    const long tenths = isfinite(value) && fabs(value) < 1e7 ? lround(value * 10) : 0;
    const long size = labs(tenths);
    text_add(text, "%s%ld", tenths < 0 ? "-" : "", size / 10);
    if (size % 10 != 0) text_add(text, ".%ld", size % 10);
}

static void numbers(struct text_buffer *text, const char *const names[4], const double values[4]) {
    for (size_t i = 0; i < 4; i++) {
        text_add(text, " %s='", names[i]);
        svg_number(text, values[i]);
        text_add(text, "'");
    }
}

static void hatches(struct text_buffer *text, const char *name) {
    static const char *const paths[SVG_HATCHES] = {NULL, "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
                                                   "M-1 -1L7 7M-1 5L1 7M5 -1L7 1", NULL};
    text_add(text, "<defs>");
    for (int i = SVG_RISING; i < SVG_HATCHES; i++) {
        text_add(text, "<pattern id='%s-%d' width='6' height='6' patternUnits='userSpaceOnUse'>",
                 name, i);
        if (paths[i] != NULL)
            text_add(text, "<path d='%s' stroke='#000' stroke-opacity='.55'/>", paths[i]);
        else
            text_add(text, "<circle cx='3' cy='3' r='1.1' fill='#000' fill-opacity='.6'/>");
        text_add(text, "</pattern>");
    }
    text_add(text, "</defs>\n");
}

void svg_begin(struct text_buffer *text, const char *name, double width, double height,
               const char *title) {
    static const char *const sizes[] = {"width", "height"};
    text_add(text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ");
    svg_number(text, width);
    text_add(text, " ");
    svg_number(text, height);
    text_add(text, "'");
    for (size_t i = 0; i < 2; i++) {
        text_add(text, " %s='", sizes[i]);
        svg_number(text, i == 0 ? width : height);
        text_add(text, "'");
    }
    text_add(text,
             " role='img' aria-labelledby='%s-t' font-family='DejaVu Sans,Verdana,Arial,sans-serif'"
             " font-size='%d' fill='" SVG_INK "'>\n<title id='%s-t'>",
             name, SVG_FONT, name);
    svg_escape(text, title);
    text_add(text, "</title>\n<rect width='100%%' height='100%%' fill='#fff'/>\n");
    hatches(text, name);
}

void svg_end(struct text_buffer *text) {
    text_add(text, "</svg>\n");
}

static void text_at(struct text_buffer *text, double x, double y, svg_anchor anchor,
                    const char *more, const char *label) {
    text_add(text, "<text x='");
    svg_number(text, x);
    text_add(text, "' y='");
    svg_number(text, y);
    text_add(text, "'%s%s>", anchors[anchor], more);
    svg_escape(text, label);
    text_add(text, "</text>\n");
}

void svg_text(struct text_buffer *text, double x, double y, svg_anchor anchor, const char *label) {
    text_at(text, x, y, anchor, "", label);
}

void svg_small_text(struct text_buffer *text, double x, double y, svg_anchor anchor,
                    const char *label) {
    text_at(text, x, y, anchor, " font-size='11' fill='" SVG_QUIET "'", label);
}

void svg_text_on_grid(struct text_buffer *text, double x, double y, svg_anchor anchor,
                      const char *label) {
    text_at(text, x, y, anchor, " stroke='#fff' stroke-width='4' paint-order='stroke'", label);
}

void svg_quiet_begin(struct text_buffer *text, const char *name) {
    text_add(text, "<g");
    if (name != NULL) text_add(text, " class='%s'", name);
    text_add(text, " font-size='11' fill='" SVG_QUIET "'>\n");
}

void svg_quiet_end(struct text_buffer *text) {
    text_add(text, "</g>\n");
}

void svg_bold_text(struct text_buffer *text, double x, double y, svg_anchor anchor,
                   const char *label) {
    text_at(text, x, y, anchor, " font-weight='bold'", label);
}

void svg_upward_text(struct text_buffer *text, double x, double y, const char *label) {
    if (*label == '\0') return; /* readers of the screen would stop at it */
    text_add(text, "<g transform='rotate(-90 ");
    svg_number(text, x);
    text_add(text, " ");
    svg_number(text, y);
    text_add(text, ")'>");
    svg_small_text(text, x, y, SVG_MIDDLE, label);
    text_add(text, "</g>\n");
}

double svg_text_width(const char *label) {
    return 7.2 * (double)text_name_width(label);
}

char *svg_truncate_label(const char *label, double width) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const double fitting = width / 7.2;
    text_add_cut_name(&text, label, fitting < 8 ? 8 : (size_t)fitting);
    char *cut = text_take(&text);
    for (size_t end = cut != NULL ? strlen(cut) : 0; end > 0 && cut[end - 1] == ' '; end--)
        cut[end - 1] = '\0'; /* the name is filled with blanks */
    return cut;
}

static void line(struct text_buffer *text, const double ends[4], const char *colour, double width,
                 const char *more) {
    static const char *const names[] = {"x1", "y1", "x2", "y2"};
    text_add(text, "<line");
    numbers(text, names, ends);
    text_add(text, " stroke='%s' stroke-width='", colour);
    svg_number(text, width);
    text_add(text, "'%s/>\n", more);
}

void svg_line(struct text_buffer *text, double x1, double y1, double x2, double y2,
              const char *colour, double width) {
    line(text, (const double[]){x1, y1, x2, y2}, colour, width, "");
}

void svg_dashed_line(struct text_buffer *text, double x1, double y1, double x2, double y2,
                     const char *colour) {
    line(text, (const double[]){x1, y1, x2, y2}, colour, 1, " stroke-dasharray='5 3'");
}

void svg_box(struct text_buffer *text, const char *name, double x, double y, double width,
             double height, struct svg_fill fill) {
    static const char *const names[] = {"x", "y", "width", "height"};
    const double values[] = {x, y, width, height};
    text_add(text, "<rect");
    numbers(text, names, values);
    text_add(text, " fill='%s'/>\n", fill.colour);
    if (fill.hatch == SVG_PLAIN) return;
    text_add(text, "<rect");
    numbers(text, names, values);
    text_add(text, " fill='url(#%s-%d)'/>\n", name, (int)fill.hatch);
}

void svg_area(struct text_buffer *text, const char *name, const char *outline,
              struct svg_fill fill) {
    if (fill.hatch == SVG_PLAIN) {
        text_add(text, "<path d='%s' fill='%s'/>\n", outline, fill.colour);
        return;
    }
    const size_t place = text->length; /* no other area of the picture has it */
    text_add(text, "<g fill='%s'><path id='%s-a%zu' d='%s'/></g>\n", fill.colour, name, place,
             outline);
    text_add(text, "<use href='#%s-a%zu' fill='url(#%s-%d)'/>\n", name, place, name,
             (int)fill.hatch);
}

struct svg_fill svg_fill_of(size_t number) {
    static const char *const colours[] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                          "#0072b2", "#d55e00", "#f0e442", "#999999"};
    const size_t count = sizeof colours / sizeof *colours;
    return (struct svg_fill){colours[number % count], (svg_hatch)(number / count % SVG_HATCHES)};
}

static double key_width(const struct svg_key *key) {
    return 34 + svg_text_width(key->label);
}

static double walk_legend(struct text_buffer *text, const char *name, double x, double y,
                          double width, const struct svg_key *keys, size_t count) {
    double across = 0, down = 0;
    for (size_t i = 0; i < count; i++) {
        if (across > 0 && across + key_width(&keys[i]) > width) {
            across = 0;
            down += SVG_LEGEND_ROW;
        }
        if (text != NULL) {
            svg_box(text, name, x + across, y + down + 2, 14, 12, keys[i].fill);
            svg_text(text, x + across + 19, y + down + 12, SVG_START, keys[i].label);
        }
        across += key_width(&keys[i]);
    }
    return count > 0 ? down + SVG_LEGEND_ROW : 0;
}

double svg_legend(struct text_buffer *text, const char *name, double x, double y, double width,
                  const struct svg_key *keys, size_t count) {
    return walk_legend(text, name, x, y, width, keys, count);
}

double svg_legend_height(double width, const struct svg_key *keys, size_t count) {
    return walk_legend(NULL, "", 0, 0, width, keys, count);
}

double svg_tick_step(double max, size_t ticks) {
    if (!(max > 0)) return 1;
    double step = pow(10, floor(log10(max / (double)ticks)));
    if (max / step > 5 * (double)ticks)
        step *= 10;
    else if (max / step > 2 * (double)ticks)
        step *= 5;
    else if (max / step > (double)ticks)
        step *= 2;
    return step;
}

void svg_axis_below(struct text_buffer *text, const struct svg_axis *axis) {
    const double range = axis->max - axis->min, step = svg_tick_step(range, axis->ticks);
    svg_quiet_begin(text, NULL);
    for (double tick = ceil(axis->min / step - 1e-9) * step; tick <= axis->max + step * 1e-9;
         tick += step) {
        const double share = range > 0 ? (tick - axis->min) / range : 0;
        const double x = axis->left + axis->width * share;
        char label[32];
        snprintf(label, sizeof label, "%.6g", fabs(tick) < step / 2 ? 0 : tick);
        svg_line(text, x, axis->top, x, axis->bottom, SVG_GRID, 1);
        svg_text(text, x, axis->bottom + 15, SVG_MIDDLE, label);
    }
    svg_quiet_end(text);
    svg_small_text(text, axis->left + axis->width / 2, axis->bottom + 32, SVG_MIDDLE, axis->title);
}
