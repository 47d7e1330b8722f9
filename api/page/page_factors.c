/*
 * Two factors of a comparison against each other: the mean difference from the baseline for each
 * pair of values, as a grid with numbers.
 */
#include "api/chart/svg.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 12, LEFT = 190, ABOVE = 54, CELL_HEIGHT = 30 };

struct grid {
    const char *names[2][VALUES];
    size_t counts[2];
    double sums[VALUES][VALUES];
    unsigned found[VALUES][VALUES];
    size_t left_out; /* candidates with other values */
};

static size_t number_of(struct grid *grid, int axis, const char *name) {
    size_t i = 0;
    while (i < grid->counts[axis] && strcmp(grid->names[axis][i], name) != 0)
        i++;
    if (i == grid->counts[axis] && i < VALUES) grid->names[axis][grid->counts[axis]++] = name;
    return i;
}

static void fill_grid(struct grid *grid, const char *const *factors, const char *trace,
                      struct json_object *candidates) {
    for (size_t i = 0; i < page_value_count(candidates); i++) {
        struct json_object *row = page_value_at(candidates, i);
        const double share =
            page_value_truth(row, "baseline") ? 0 : page_value_number(row, "difference_share");
        if (strcmp(page_value_text(row, "trace"), trace) != 0 || !isfinite(share)) continue;
        const size_t down = number_of(grid, 0, page_value_text(row, factors[0]));
        const size_t across = number_of(grid, 1, page_value_text(row, factors[1]));
        if (down >= VALUES || across >= VALUES) {
            grid->left_out++;
            continue;
        }
        grid->sums[down][across] += share;
        grid->found[down][across]++;
    }
}

/* A diverging scale: blue is faster than the baseline, orange slower, white the same. */
static const char *colour_of(double share, double max) {
    static const char *const faster[] = {"#ffffff", "#d6e9f5", "#a9d2ec", "#7abce3"};
    static const char *const slower[] = {"#ffffff", "#fbe6c8", "#f5c98a", "#eeae4d"};
    const double size = max > 0 ? fabs(share) / max : 0;
    const size_t level = fabs(share) < 0.0005 ? 0 : 1 + (size_t)fmin(2, size * 3);
    return share < 0 ? faster[level] : slower[level];
}

static double mean_of(const struct grid *grid, size_t down, size_t across) {
    return grid->found[down][across] > 0 ? grid->sums[down][across] / grid->found[down][across]
                                         : (double)NAN;
}

/* Writes a label, cut if it is wider than `width`. */
static void cut_text(struct text_buffer *svg, double x, double y, double width, svg_anchor anchor,
                     const char *label) {
    char *cut = svg_truncate_label(label, width);
    if (cut != NULL) svg_text(svg, x, y, anchor, cut);
    free(cut);
}

static void draw_cells(struct text_buffer *svg, const struct grid *grid, const char *name,
                       double width, double max) {
    for (size_t down = 0; down < grid->counts[0]; down++) {
        const double y = ABOVE + CELL_HEIGHT * (double)down;
        cut_text(svg, LEFT - 8, y + 19, LEFT - 10, SVG_END, grid->names[0][down]);
        for (size_t across = 0; across < grid->counts[1]; across++) {
            const double x = LEFT + width * (double)across, share = mean_of(grid, down, across);
            char label[VALUES_TEXT];
            if (!isfinite(share)) continue;
            page_value_change(label, share);
            svg_box(svg, name, x + 1, y + 1, width - 2, CELL_HEIGHT - 2,
                    (struct svg_fill){colour_of(share, max), SVG_PLAIN});
            svg_text(svg, x + width / 2, y + 19, SVG_MIDDLE, label);
        }
    }
}

void page_factor_map(struct page *page, const char *const *factors, size_t factor_count,
                     const char *trace, size_t number, struct json_object *candidates) {
    struct grid grid = {0};
    char name[40], text[VALUES_TEXT];
    double max = 0, best = (double)INFINITY;
    size_t at[2] = {0, 0};
    if (factor_count < 2) return;
    fill_grid(&grid, factors, trace, candidates);
    for (size_t i = 0; i < grid.counts[0]; i++)
        for (size_t k = 0; k < grid.counts[1]; k++) {
            const double share = mean_of(&grid, i, k);
            if (isfinite(share)) max = fmax(max, fabs(share));
            if (!(share < best)) continue;
            best = share;
            at[0] = i;
            at[1] = k;
        }
    if (grid.counts[0] == 0 || grid.counts[1] == 0) return;
    const double width = fmin(120, (SVG_WIDTH - LEFT - 10) / (double)grid.counts[1]);
    struct text_buffer svg = TEXT_BUFFER_INIT;
    snprintf(name, sizeof name, "factors-%zu", number);
    svg_begin(&svg, name, SVG_WIDTH, ABOVE + CELL_HEIGHT * (double)grid.counts[0] + 12,
              "Mean difference from the baseline by two factors");
    svg_small_text(&svg, LEFT, 16, SVG_START, factors[1]);
    svg_small_text(&svg, LEFT - 8, ABOVE - 10, SVG_END, factors[0]);
    for (size_t i = 0; i < grid.counts[1]; i++)
        cut_text(&svg, LEFT + width * ((double)i + 0.5), ABOVE - 10, width, SVG_MIDDLE,
                 grid.names[1][i]);
    draw_cells(&svg, &grid, name, width, max);
    svg_end(&svg);
    page_picture(page, name, &svg,
                 "By %s and %s, %s with %s is best%s: %s against the baseline in the mean of its "
                 "candidates. Blue is faster, orange slower.",
                 factors[0], factors[1], grid.names[0][at[0]], grid.names[1][at[1]],
                 grid.left_out > 0 ? " of those drawn" : "", page_value_change(text, best));
    page_numbers(page, "Numbers: mean difference by two factors",
                 "first value|second value|#difference");
    for (size_t i = 0; i < grid.counts[0]; i++)
        for (size_t k = 0; k < grid.counts[1]; k++) {
            if (grid.found[i][k] == 0) continue;
            page_cell(page, "%s", grid.names[0][i]);
            page_cell(page, "%s", grid.names[1][k]);
            page_cell(page, "%s", page_value_change(text, mean_of(&grid, i, k)));
        }
    page_numbers_end(page);
    if (grid.left_out > 0)
        page_paragraph(
            page,
            "The picture has the first %d values of each factor; %zu candidates with other "
            "values are not in it.",
            (int)VALUES, grid.left_out);
}
