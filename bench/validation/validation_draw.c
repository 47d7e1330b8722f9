/* Pictures of published figures (marks) and anax's (lines), drawn by the library's charts. */
#include "bench/support/chart_file.h"
#include "bench/support/run_cache.h"
#include "bench/validation/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES_MAX = 12 };

struct drawing {
    double x[CURVES_MAX][POINTS_MAX], published[CURVES_MAX][POINTS_MAX],
        ours[CURVES_MAX][POINTS_MAX];
    char *labels[2 * CURVES_MAX];
    struct chart_series series[2 * CURVES_MAX];
    size_t curves;
};

static void size_tick(double value, char *text, size_t size) {
    const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    for (; value >= 1024 && unit < 3; unit++)
        value /= 1024;
    snprintf(text, size, "%g %s", value, units[unit]);
}

/* A point's place on the x axis: a size in bytes, or a plain number. */
static double place_of(const char *at) {
    char *end;
    double value = strtod(at, &end);
    if (strncmp(end, "KiB", 3) == 0) value *= 1024;
    if (strncmp(end, "MiB", 3) == 0) value *= 1048576;
    return value;
}

static void add_curve(struct drawing *drawing, struct chart *chart,
                      const struct validation_row *row, const double *figures) {
    const size_t k = drawing->curves, count = validation_points(row);
    if (k == CURVES_MAX) return;
    for (size_t i = 0; i < count; i++) {
        drawing->x[k][i] = place_of(row->points[i].at);
        drawing->published[k][i] = row->points[i].figure;
        drawing->ours[k][i] = figures[i];
    }
    chart_axis_include(&chart->x, drawing->x[k], count);
    chart_axis_include(&chart->y, drawing->published[k], count);
    chart_axis_include(&chart->y, drawing->ours[k], count);
    drawing->labels[2 * k] = cache_text("%s", row->name);
    drawing->labels[2 * k + 1] = cache_text("anax");
    drawing->series[2 * k] = (struct chart_series){.label = drawing->labels[2 * k],
                                                   .x = drawing->x[k],
                                                   .y = drawing->published[k],
                                                   .count = count,
                                                   .style = k,
                                                   .has_marks = true};
    drawing->series[2 * k + 1] = (struct chart_series){.label = drawing->labels[2 * k + 1],
                                                       .x = drawing->x[k],
                                                       .y = drawing->ours[k],
                                                       .count = count,
                                                       .style = k,
                                                       .has_line = true};
    drawing->curves++;
}

bool validation_draw(const struct picture *picture, const struct validation_results *results,
                     const char *folder, bool *drawn) {
    struct drawing drawing = {.curves = 0};
    struct chart chart = {
        .title = picture->title,
        .x = {picture->x_label, 0, 0, picture->base, picture->base > 0 ? size_tick : NULL, false},
        .y = {picture->y_label, 0, 0, picture->y_base, NULL, false},
    };
    for (size_t r = 0; validation_rows[r].name != NULL; r++) {
        const struct validation_row *row = &validation_rows[r];
        if (row->picture != NULL && strcmp(row->picture, picture->file) == 0 &&
            !isnan(results->figures[r][0]))
            add_curve(&drawing, &chart, row, results->figures[r]);
    }
    if (chart.y.base == 0) chart.y.min = 0;
    *drawn = drawing.curves > 0;
    if (!*drawn) return true;
    chart.series = drawing.series;
    chart.count = 2 * drawing.curves;
    char *path = cache_text("%s/%s", folder, picture->file);
    bool good = chart_file_write(&chart, path);
    free(path);
    for (size_t i = 0; i < 2 * drawing.curves; i++)
        free(drawing.labels[i]);
    return good;
}
