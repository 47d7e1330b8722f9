/* Writes titles of marks, and grids of values. A grid codes each value as one or two characters and
 * shortens repetitions; page.js reads the code. */
#include "api/chart/tooltips.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The digits in which page.js reads values, and its codes for no value and for a repetition. */
static const char digits[] = "!#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                             "abcdefghijklmnopqrstuvwxyz{|";
enum { NONE = '~', AGAIN = '}', BASE = sizeof digits - 1, FINE_MAX = 1200 };

_Static_assert(BASE == 87, "page.js has this base, too");

void tooltip_begin(struct text_buffer *text, const char *format, ...) {
    enum { TITLE = 512 };
    char title[TITLE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title, sizeof title, format, arguments);
    va_end(arguments);
    text_add(text, "<g><title>");
    for (char *line = title, *rest; line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL) *rest++ = '\0';
        svg_escape(text, line);
        if (rest != NULL) text_add(text, "&#10;");
    }
    text_add(text, "</title>\n");
}

static void end_group(struct text_buffer *text) {
    text_add(text, "</g>\n");
}

void tooltip_end(struct text_buffer *text) {
    end_group(text);
}

static void add_attribute(struct text_buffer *text, const char *name, const char *value) {
    text_add(text, " data-%s='", name);
    svg_escape(text, value);
    text_add(text, "'");
}

static void add_axis(struct text_buffer *text, const char *name, const struct tooltip_axis *axis,
                     size_t cells) {
    char key[16];
    add_attribute(text, name, axis->label);
    text_add(text, " data-%s-range='%.9g %.9g %s%zu'", name, axis->first, axis->count,
             axis->shared ? "-" : "", axis->shared ? (size_t)1 : axis->span);
    if (axis->names == NULL) return;
    snprintf(key, sizeof key, "%s-names", name);
    text_add(text, " data-%s='", key);
    for (size_t i = 0; i < cells; i++) {
        if (i > 0) text_add(text, "|");
        svg_escape(text, axis->names[i]);
    }
    text_add(text, "'");
}

/* Returns the code of a value; -1: it has none. */
static long code_of(double value, double max, long full) {
    if (!isfinite(value)) return -1;
    return max > 0 ? lround(fmin(1, fmax(0, value / max)) * (double)full) : 0;
}

static void add_code(struct text_buffer *text, long code, bool fine) {
    char written[2] = {NONE, NONE};
    if (code >= 0 && fine) {
        written[0] = digits[code / BASE];
        written[1] = digits[code % BASE];
    } else if (code >= 0) {
        written[0] = digits[code];
    }
    text_add_bytes(text, written, code >= 0 && fine ? 2 : 1);
}

/* Adds a repetition of the code before, `times` times. */
static void add_again(struct text_buffer *text, long code, bool fine, size_t times) {
    while (times > 0) {
        const size_t now = times < BASE ? times : BASE;
        if (now <= (fine && code >= 0 ? 1 : 2)) {
            for (size_t i = 0; i < now; i++)
                add_code(text, code, fine);
        } else {
            text_add_bytes(text, (const char[]){AGAIN, digits[now - 1]}, 2);
        }
        times -= now;
    }
}

static void add_values(struct text_buffer *text, const struct tooltip_grid *grid, bool fine) {
    const size_t cells = grid->rows * grid->columns;
    const long full = fine ? BASE * BASE - 1 : BASE - 1;
    size_t times = 0;
    long before = -2;
    text_add(text, " data-values='");
    for (size_t i = 0; i < cells * grid->part_count; i++) {
        const double value = grid->values[i % cells * grid->part_count + i / cells];
        const long code = code_of(value, grid->max, full);
        if (code == before) {
            times++;
            continue;
        }
        add_again(text, before, fine, times);
        add_code(text, code, fine);
        before = code;
        times = 0;
    }
    add_again(text, before, fine, times);
    text_add(text, "'");
}

void tooltip_grid_begin(struct text_buffer *text, const struct tooltip_grid *grid) {
    const bool fine = grid->rows * grid->columns <= FINE_MAX;
    text_add(text, "<g data-grid='%.9g %.9g %.9g %.9g %zu %zu %d %.9g'", grid->x, grid->y,
             grid->width, grid->height, grid->rows, grid->columns, fine ? 2 : 1,
             grid->max * (grid->factor > 0 ? grid->factor : 1));
    add_attribute(text, "title", grid->title);
    add_attribute(text, "unit", grid->unit);
    text_add(text, " data-parts='");
    for (size_t i = 0; i < grid->part_count && grid->parts != NULL; i++) {
        if (i > 0) text_add(text, "|");
        svg_escape(text, grid->parts[i]);
    }
    text_add(text, "'");
    add_axis(text, "x", &grid->across, grid->columns);
    add_axis(text, "y", &grid->up, grid->rows);
    add_values(text, grid, fine);
    text_add(text, ">\n");
}

void tooltip_grid_end(struct text_buffer *text) {
    end_group(text);
}

void tooltip_frame_begin(struct text_buffer *text) {
    text_add(text, "<g class='frame'><g>\n");
}

void tooltip_frame_end(struct text_buffer *text) {
    text_add(text, "</g></g>\n");
}

void tooltip_ticks_begin(struct text_buffer *text, char axis) {
    svg_quiet_begin(text, axis == 'x' ? "ticks-x" : "ticks-y");
}

void tooltip_ticks_end(struct text_buffer *text) {
    svg_quiet_end(text);
}

void tooltip_view_begin(struct text_buffer *text, const char *name, double x, double y,
                        double width, double height) {
    text_add(text, "<g data-view='");
    svg_escape(text, name);
    text_add(text, "' data-box='%.9g %.9g %.9g %.9g'>\n", x, y, width, height);
}

void tooltip_view_end(struct text_buffer *text) {
    end_group(text);
}
