/* Iterations of a region: their efficiencies, one after the other. */
#include "api/chart/chart.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 200, FACTORS = 4, TABLE_ROWS = 40 };

static const struct {
    const char *key, *label;
} factors[FACTORS] = {{"parallel", "parallel efficiency"},
                      {"load_balance", "load balance"},
                      {"serialisation", "serialisation"},
                      {"transfer", "transfer"}};

/* The mean factors of neighbouring iterations, in percent. */
struct curves {
    double x[POINTS], y[FACTORS][POINTS];
    size_t points;
};

static void read_curves(struct curves *curves, struct json_object *list) {
    const size_t count = page_value_count(list);
    curves->points = count < POINTS ? count : POINTS;
    for (size_t point = 0; point < curves->points; point++) {
        const size_t first = point * count / curves->points;
        const size_t end = (point + 1) * count / curves->points;
        curves->x[point] = page_value_number(page_value_at(list, first), "iteration");
        for (size_t k = 0; k < FACTORS; k++) {
            double sum = 0;
            for (size_t i = first; i < end; i++)
                sum += page_value_number(page_value_at(list, i), factors[k].key);
            curves->y[k][point] = 100 * sum / (double)(end - first);
        }
    }
}

static size_t min_parallel(struct json_object *list) {
    size_t min = 0;
    for (size_t i = 1; i < page_value_count(list); i++)
        if (page_value_number(page_value_at(list, i), "parallel") <
            page_value_number(page_value_at(list, min), "parallel"))
            min = i;
    return min;
}

static void draw(struct page *page, struct json_object *list) {
    struct curves curves;
    struct chart_series series[FACTORS + 1];
    double limit_x[2], limit_y[2] = {80, 80};
    char share[VALUES_TEXT];
    read_curves(&curves, list);
    for (size_t k = 0; k < FACTORS; k++)
        series[k] = (struct chart_series){.label = factors[k].label,
                                          .x = curves.x,
                                          .y = curves.y[k],
                                          .count = curves.points,
                                          .style = k + 1,
                                          .has_line = true,
                                          .is_dashed = k > 0,
                                          .has_marks = curves.points <= 40,
                                          .is_filled = k == 0,
                                          .width = k == 0 ? 2.5 : 1.5};
    struct chart chart = {
        .title = "Efficiencies of the iterations",
        .x = {.label = "iteration", .whole = true, .min = curves.x[0], .max = curves.x[0]},
        .y = {.label = "efficiency (%)", .max = 100},
        .series = series,
        .count = FACTORS + 1};
    chart_axis_include(&chart.x, curves.x, curves.points);
    if (!(chart.x.max > chart.x.min)) chart.x.max = chart.x.min + 1; /* all are equal */
    limit_x[0] = chart.x.min;
    limit_x[1] = chart.x.max;
    series[FACTORS] = (struct chart_series){.label = "80 %: below it, worth a look",
                                            .x = limit_x,
                                            .y = limit_y,
                                            .count = 2,
                                            .style = 0,
                                            .has_line = true,
                                            .is_dashed = true,
                                            .width = 1};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    struct json_object *min = page_value_at(list, min_parallel(list));
    page_picture(
        page, "iterations", &svg,
        "Of %zu iterations, number %.0f has the lowest parallel efficiency: %s.%s",
        page_value_count(list), page_value_number(min, "iteration"),
        page_value_percent(share, page_value_number(min, "parallel")),
        page_value_count(list) > POINTS ? " A point is the mean of neighbouring iterations." : "");
}

void page_iterations(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "efficiency_iterations");
    const size_t count = page_value_count(list);
    char text[VALUES_TEXT];
    if (count == 0) return;
    page_section(page, "iterations", "Iterations");
    if (count > 1)
        draw(page, list);
    else
        page_paragraph(
            page, "There is one iteration, number %.0f. Its parallel efficiency is %s.",
            page_value_number(page_value_at(list, 0), "iteration"),
            page_value_percent(text, page_value_number(page_value_at(list, 0), "parallel")));
    page_factors_heads(page,
                       count > TABLE_ROWS ? "Numbers: efficiencies of every so many iterations"
                                          : "Numbers: efficiencies of the iterations",
                       "#iteration");
    for (size_t row = 0; row < count && row < TABLE_ROWS; row++) {
        struct json_object *part =
            page_value_at(list, count > TABLE_ROWS ? row * (count - 1) / (TABLE_ROWS - 1) : row);
        page_cell(page, "%s", page_value_count_text(text, page_value_number(part, "iteration")));
        page_factors_row(page, part);
    }
    page_numbers_end(page);
}
