/* The page of bisection bandwidths: a curve over alpha for each arrangement or machine. */
#include "api/chart/chart.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = 16, NAME_BYTES = 128 };

/* Reads "3/5" or "4"; NAN for "inf" and anything else. */
static double fraction(const char *text) {
    char *end = NULL;
    const double number = strtod(text, &end);
    if (end == text || !isfinite(number)) return (double)NAN;
    if (*end != '/') return number;
    const double divisor = strtod(end + 1, NULL);
    return divisor > 0 ? number / divisor : (double)NAN;
}

/* Returns the bandwidth at alpha: the least of all lines. */
static double lowest_at(struct json_object *lines, double alpha) {
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < page_value_count(lines); i++) {
        struct json_object *line = page_value_at(lines, i);
        lowest = fmin(lowest, page_value_number(line, "local_links") +
                                  alpha * page_value_number(line, "global_links"));
    }
    return lowest;
}

struct json_object *page_bisection_curve(struct json_object *result, size_t number) {
    if (page_value_has(result, "curves"))
        return page_value_at(page_value_list(result, "curves"), number);
    return number == 0 ? result : NULL;
}

size_t page_bisection_curve_count(struct json_object *result) {
    return page_value_has(result, "curves") ? page_value_count(page_value_list(result, "curves"))
                                            : 1;
}

bool page_bisection_has_one_shape(struct json_object *result) {
    static const char *const keys[] = {"groups", "routers_per_group", "globals_per_router"};
    struct json_object *first = page_value_object(page_bisection_curve(result, 0), "machine");
    for (size_t i = 1; i < page_bisection_curve_count(result); i++) {
        struct json_object *other = page_value_object(page_bisection_curve(result, i), "machine");
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (page_value_number(first, keys[k]) != page_value_number(other, keys[k]))
                return false;
    }
    return true;
}

/* Writes the arrangement of a curve, after the shape of its machine if the others differ in it. */
static void write_name(char name[NAME_BYTES], struct json_object *curve, bool has_shape) {
    struct json_object *machine = page_value_object(curve, "machine");
    const char *arrangement = page_value_text(curve, "arrangement");
    if (has_shape)
        snprintf(name, NAME_BYTES, "a=%.0f h=%.0f g=%.0f, %s",
                 page_value_number(machine, "routers_per_group"),
                 page_value_number(machine, "globals_per_router"),
                 page_value_number(machine, "groups"), arrangement);
    else
        snprintf(name, NAME_BYTES, "%s", arrangement);
}

static double last_corner(struct json_object *result, size_t count) {
    double last = 0.8;
    for (size_t i = 0; i < count; i++) {
        struct json_object *lines = page_value_list(page_bisection_curve(result, i), "lines");
        for (size_t k = 0; k < page_value_count(lines); k++)
            last = fmax(last, fraction(page_value_text(page_value_at(lines, k), "from_alpha")));
    }
    return fmin(last, 1e6);
}

static void draw(struct page *page, struct json_object *result, const char *const *names,
                 size_t count) {
    enum { STEPS = 200 };
    double(*values)[2][STEPS + 1] = memory_new(count, sizeof *values);
    struct chart_series series[CURVES];
    const double max = 1.25 * last_corner(result, count);
    size_t best = 0;
    double largest = -1;
    if (values == NULL) {
        page->failed = true;
        return;
    }
    struct chart chart = {
        .title = "Bisection bandwidth",
        .x = {.label = "alpha (bandwidth of a global / a local link)", .max = max},
        .y = {.label = "bisection bandwidth (local links)", .max = 1},
        .series = series,
        .count = count};
    for (size_t i = 0; i < count; i++) {
        struct json_object *curve = page_bisection_curve(result, i);
        struct json_object *lines = page_value_list(curve, "lines");
        for (size_t k = 0; k <= STEPS; k++) {
            values[i][0][k] = max * (double)k / STEPS;
            values[i][1][k] = lowest_at(lines, values[i][0][k]);
            if (isfinite(values[i][1][k])) chart.y.max = fmax(chart.y.max, 1.05 * values[i][1][k]);
        }
        const double now = page_value_number(curve, "bisection_bytes_per_s");
        if (now > largest) largest = now, best = i;
        series[i] = (struct chart_series){.label = names[i],
                                          .x = values[i][0],
                                          .y = values[i][1],
                                          .count = STEPS + 1,
                                          .style = i,
                                          .has_line = true,
                                          .is_dashed = !page_value_truth(curve, "proven"),
                                          .width = i < 4 ? 5.0 - (double)i : 1.4};
    }
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    const bool is_large = largest >= 1e13;
    const double shown = largest / (is_large ? 1e12 : 1e9);
    const char *unit = is_large ? "TB/s" : "GB/s";
    if (count > 1)
        page_picture(
            page, "bisection", &svg,
            "At the machine's own bandwidths %s has most: %.4g %s. Later curves are thinner, so "
            "that equal ones stay visible; dashed ones are upper bounds that are not proven.",
            names[best], shown, unit);
    else
        page_picture(page, "bisection", &svg, "At the machine's own bandwidths %s has %.4g %s, %s.",
                     names[0], shown, unit,
                     series[0].is_dashed ? "an upper bound that is not proven" : "which is proven");
    free(values);
}

void page_of_bisection(struct page *page, struct json_object *result) {
    const size_t all = page_bisection_curve_count(result);
    const size_t count = all < CURVES ? all : CURVES;
    const bool has_one_shape = page_bisection_has_one_shape(result);
    char texts[CURVES][NAME_BYTES];
    const char *names[CURVES];
    struct json_object *first = page_value_object(page_bisection_curve(result, 0), "machine");
    page_section(page, "bisection", "Bisection bandwidth");
    if (has_one_shape)
        page_paragraph(page, "The machine has %.0f groups of %.0f routers, and %.0f global links.",
                       page_value_number(first, "groups"),
                       page_value_number(first, "routers_per_group"),
                       page_value_number(first, "global_links"));
    else
        page_paragraph(page, "The machines differ in the routers of a group (a), the global ports "
                             "of a router (h) or the number of groups (g).");
    if (count < all)
        page_paragraph(page, "The page shows the first %zu of %zu curves.", count, all);
    for (size_t i = 0; i < count; i++) {
        write_name(texts[i], page_bisection_curve(result, i), !has_one_shape);
        names[i] = texts[i];
    }
    if (count > 0) draw(page, result, names, count);
    page_numbers(page, "Numbers: lines of the curves",
                 "arrangement|#from alpha|#to alpha|#local links|#global links|proven");
    for (size_t i = 0; i < count; i++) {
        struct json_object *lines = page_value_list(page_bisection_curve(result, i), "lines");
        for (size_t k = 0; k < page_value_count(lines); k++) {
            struct json_object *line = page_value_at(lines, k);
            page_cell(page, "%s", names[i]);
            page_cell(page, "%s", page_value_text(line, "from_alpha"));
            page_cell(page, "%s", page_value_text(line, "to_alpha"));
            page_cell(page, "%.0f", page_value_number(line, "local_links"));
            page_cell(page, "%.0f", page_value_number(line, "global_links"));
            page_cell(page, "%s", page_value_truth(line, "proven") ? "yes" : "no");
        }
    }
    page_numbers_end(page);
    page_changes(page, result);
    page_origin(page, result);
}
