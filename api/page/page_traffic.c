/* The page of synthetic traffic: curves of latency and of accepted load over the offered load. */
#include "api/chart/chart.h"
#include "api/chart/stack.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = 16, NAME = 64, KEYS = 16 };

struct curve {
    char name[NAME];
    double *load, *mean, *p99, *accepted; /* [points] */
    size_t count;
    double saturation, throughput; /* offered loads; NAN: not known */
};

struct curves {
    struct curve list[CURVES];
    size_t count, all;
    double *values; /* of all curves */
    double unit;
    const char *unit_name;
    double max_ps, max_load;
};

/* Tells whether a point belongs to a curve: it has the same text under each key that is a text. */
static bool is_of(struct json_object *point, struct json_object *curve) {
    json_object_object_foreach(curve, key, value) {
        if (value == NULL || !json_object_is_type(value, json_type_string)) continue;
        if (strcmp(key, "digest") == 0 || !page_value_has(point, key)) continue;
        if (strcmp(page_value_text(point, key), json_object_get_string(value)) != 0) return false;
    }
    return true;
}

/* Adds a value to the name of a curve if curves differ in it. */
static void add_name(char *name, struct json_object *curves, struct json_object *curve,
                     const char *key) {
    const char *value = page_value_text(curve, key);
    bool differs = false;
    for (size_t i = 0; i < page_value_count(curves); i++)
        differs = differs || strcmp(page_value_text(page_value_at(curves, i), key), value) != 0;
    const size_t length = strlen(name);
    if (differs) snprintf(name + length, NAME - length, "%s%s", length > 0 ? ", " : "", value);
}

static void name_curve(char *name, struct json_object *curves, struct json_object *curve) {
    name[0] = '\0';
    json_object_object_foreach(curve, key, value) {
        if (value != NULL && json_object_is_type(value, json_type_string) &&
            strcmp(key, "digest") != 0)
            add_name(name, curves, curve, key);
    }
    if (name[0] == '\0') snprintf(name, NAME, "%s", page_value_text(curve, "routing"));
}

/* Inserts a point by its load. A load with several seeds has the mean of their points. */
static void add_point(struct curve *curve, unsigned *seeds, struct json_object *point) {
    const double load = page_value_number(point, "offered_load");
    const double values[] = {load, page_value_number(point, "mean_latency_ps"),
                             page_value_number(point, "p99_latency_ps"),
                             page_value_number(point, "accepted_load")};
    double *const arrays[] = {curve->load, curve->mean, curve->p99, curve->accepted};
    const bool stable = page_value_truth(point, "stable");
    size_t place = curve->count;
    if (!isfinite(load)) return;
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->load[i] != load) continue;
        for (size_t k = 1; k < 4; k++) {
            const double value = k < 3 && !stable ? (double)NAN : values[k];
            arrays[k][i] = (arrays[k][i] * seeds[i] + value) / (seeds[i] + 1);
        }
        seeds[i]++;
        return;
    }
    for (; place > 0 && curve->load[place - 1] > load; place--) {
        for (size_t k = 0; k < 4; k++)
            arrays[k][place] = arrays[k][place - 1];
        seeds[place] = seeds[place - 1];
    }
    for (size_t k = 0; k < 4; k++)
        arrays[k][place] = (k == 1 || k == 2) && !stable ? (double)NAN : values[k];
    seeds[place] = 1;
    curve->count++;
}

static bool read_curves(struct curves *curves, struct json_object *result) {
    struct json_object *list = page_value_list(result, "curves"),
                       *points = page_value_list(result, "points");
    const size_t count = page_value_count(points);
    unsigned *seeds = memory_new(count + 1, sizeof *seeds);
    curves->all = page_value_count(list);
    curves->count = curves->all < CURVES ? curves->all : CURVES;
    curves->values = memory_new((curves->count + 1) * 4 * (count + 1), sizeof *curves->values);
    for (size_t i = 0; i < curves->count && seeds != NULL && curves->values != NULL; i++) {
        struct curve *curve = &curves->list[i];
        struct json_object *row = page_value_at(list, i);
        double *values = curves->values + i * 4 * (count + 1);
        curve->load = values;
        curve->mean = values + (count + 1);
        curve->p99 = values + 2 * (count + 1);
        curve->accepted = values + 3 * (count + 1);
        curve->saturation = page_value_number(row, "saturation_load");
        curve->throughput = page_value_number(row, "throughput");
        if (!isfinite(curve->saturation)) curve->saturation = page_value_number(row, "stable_load");
        if (!json_object_is_type(row, json_type_object)) continue;
        name_curve(curve->name, list, row);
        for (size_t k = 0; k < count; k++)
            if (is_of(page_value_at(points, k), row))
                add_point(curve, seeds, page_value_at(points, k));
        for (size_t k = 0; k < curve->count; k++) {
            curves->max_load = fmax(curves->max_load, curve->load[k]);
            curves->max_ps = fmax(curves->max_ps, fmax(curve->mean[k], curve->p99[k]));
        }
    }
    free(seeds);
    return curves->values != NULL && seeds != NULL;
}

/* Returns the curve with the lowest mean latency at the least load of all curves, or NULL if no
 * curve has one. */
static const struct curve *lowest_curve(const struct curves *curves) {
    const struct curve *best = NULL;
    double min = (double)INFINITY;
    for (size_t i = 0; i < curves->count; i++)
        if (curves->list[i].count > 0) min = fmin(min, curves->list[i].load[0]);
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        if (curve->count == 0 || curve->load[0] > min || !isfinite(curve->mean[0])) continue;
        if (best == NULL || curve->mean[0] < best->mean[0]) best = curve;
    }
    return best;
}

/* Adds the picture of latencies on a linear axis with its sentences. */
static void add_latency(struct page *page, const struct curves *curves, struct text_buffer *svg) {
    static const char lines[] = "Solid lines are means, dashed ones 99th percentiles; loads that "
                                "are not stable have none.";
    const struct curve *lowest = lowest_curve(curves);
    char latency[VALUES_TEXT];
    if (lowest == NULL)
        page_picture(page, "latency", svg, "%s", lines);
    else
        page_picture(page, "latency", svg,
                     "At the least load %s has the lowest mean latency, %s. %s", lowest->name,
                     page_value_time(latency, lowest->mean[0] * curves->unit), lines);
}

/* Draws mean and 99th percentile of latencies; base 0: a linear axis. */
static void draw_latency(struct page *page, struct curves *curves, double base) {
    struct chart_series series[2 * CURVES];
    char labels[2 * CURVES][NAME + 16], axis[48], lowest[VALUES_TEXT];
    size_t drawn = 0;
    const char *name = base > 0 ? "latency-log" : "latency";
    snprintf(axis, sizeof axis, "latency of messages (%s)", curves->unit_name);
    struct chart chart = {
        .title = base > 0 ? "Latency, logarithmic" : "Latency",
        .x = {.label = "offered load (share of the injection bandwidth)",
              .max = fmax(0.1, curves->max_load)},
        .y = {.label = axis, .base = base},
        .labels_at_lines = true,
    };
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        for (int k = 0; k < 2; k++, drawn++) {
            snprintf(labels[drawn], sizeof labels[drawn], "%.40s, %s", curve->name,
                     k == 0 ? "mean" : "99 %");
            series[drawn] = (struct chart_series){.label = labels[drawn],
                                                  .x = curve->load,
                                                  .y = k == 0 ? curve->mean : curve->p99,
                                                  .count = curve->count,
                                                  .style = i + 1,
                                                  .has_line = true,
                                                  .is_dashed = k == 1,
                                                  .has_marks = true,
                                                  .is_filled = k == 0};
            chart_axis_include(&chart.y, series[drawn].y, curve->count);
        }
    }
    if (base == 0) chart.y.min = 0;
    if (base > 0 && chart.y.max < 100 * chart.y.min) chart.y.base = 2;
    chart.series = series;
    chart.count = drawn;
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    if (base > 0)
        page_picture(page, name, &svg, "The same latencies on a logarithmic axis, up to %s.",
                     page_value_time(lowest, curves->max_ps));
    else
        add_latency(page, curves, &svg);
}

/* Returns the load that a curve accepts at an offered load, on the line between its points. */
static double accepted_at(const struct curve *curve, double load) {
    for (size_t i = 1; i < curve->count; i++) {
        const double *x = &curve->load[i - 1], *y = &curve->accepted[i - 1];
        if (load >= x[0] && load <= x[1])
            return y[0] + (y[1] - y[0]) * (load - x[0]) / (x[1] - x[0]);
    }
    return load;
}

/* Draws the accepted loads. Filled marks are above all lines, on which others lie. */
static void draw_accepted(struct page *page, struct curves *curves) {
    static const char stable[] = "Filled marks, and the numbers behind names, are the "
                                 "largest loads that are stable.";
    struct chart_series series[2 * CURVES + 1];
    double ends[2] = {0, fmax(0.1, curves->max_load)}, marks[CURVES];
    char accepted[VALUES_TEXT], labels[CURVES][NAME + 24];
    const struct curve *best = NULL;
    size_t drawn = 0;
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        if (isfinite(curve->throughput) && (best == NULL || curve->throughput > best->throughput))
            best = curve;
        if (curve->saturation < ends[1])
            snprintf(labels[i], sizeof labels[i], "%s (to %.3g)", curve->name, curve->saturation);
        else
            snprintf(labels[i], sizeof labels[i], "%s", curve->name);
        series[drawn++] = (struct chart_series){.label = labels[i],
                                                .x = curve->load,
                                                .y = curve->accepted,
                                                .count = curve->count,
                                                .style = i + 1,
                                                .has_line = true,
                                                .has_marks = true};
    }
    series[drawn++] = (struct chart_series){.label = "all that is offered",
                                            .x = ends,
                                            .y = ends,
                                            .count = 2,
                                            .style = 7,
                                            .has_line = true,
                                            .is_dashed = true,
                                            .width = 1};
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        if (!(curve->saturation < ends[1])) continue;
        marks[i] = accepted_at(curve, curve->saturation);
        series[drawn++] = (struct chart_series){.x = &curve->saturation,
                                                .y = &marks[i],
                                                .count = 1,
                                                .style = i + 1,
                                                .has_marks = true,
                                                .is_filled = true};
    }
    const struct chart chart = {
        .title = "Accepted load",
        .x = {.label = "offered load (share of the injection bandwidth)", .max = ends[1]},
        .y = {.label = "accepted load", .max = ends[1] * 1.05},
        .series = series,
        .count = drawn,
        .labels_at_lines = true};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    chart_draw(&svg, &chart);
    if (best == NULL)
        page_picture(page, "accepted", &svg, "%s", stable);
    else
        page_picture(page, "accepted", &svg, "%s accepts most: a load of %s. %s", best->name,
                     page_value_percent(accepted, best->throughput), stable);
}

static void add_latencies(struct page *page, const struct curves *curves) {
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: latencies of each curve",
                 "curve|#offered load|#mean latency|#99 %");
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        for (size_t k = 0; k < curve->count; k++) {
            page_cell(page, "%s", curve->name);
            page_cell(page, "%.4g", curve->load[k]);
            page_cell(page, "%s", page_value_time(text, curve->mean[k] * curves->unit));
            page_cell(page, "%s", page_value_time(text, curve->p99[k] * curves->unit));
        }
    }
    page_numbers_end(page);
}

static void add_accepted(struct page *page, const struct curves *curves) {
    page_numbers(page, "Numbers: accepted loads of each curve",
                 "curve|#offered load|#accepted load");
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        for (size_t k = 0; k < curve->count; k++) {
            page_cell(page, "%s", curve->name);
            page_cell(page, "%.4g", curve->load[k]);
            page_cell(page, "%.4g", curve->accepted[k]);
        }
    }
    page_numbers_end(page);
}

/* ---- a single load ---- */

/* Returns whether all curves have one and the same load, so that their lines would be points. */
static bool is_single_load(const struct curves *curves) {
    for (size_t i = 0; i < curves->count; i++)
        if (curves->list[i].count != 1 || curves->list[i].load[0] != curves->max_load) return false;
    return true;
}

/* Draws two amounts of each curve as a bar: the first, and from it to the second. */
static void draw_bars(struct curves *curves, struct stack *stack, double (*amounts)[2],
                      char (*notes)[2 * VALUES_TEXT], struct text_buffer *svg) {
    struct stack_bar bars[CURVES];
    for (size_t i = 0; i < curves->count; i++) {
        const double first = fmax(0, amounts[i][0]), second = fmax(first, amounts[i][1]);
        amounts[i][0] = first;
        amounts[i][1] = second - first;
        bars[i] = (struct stack_bar){curves->list[i].name, notes[i], amounts[i]};
    }
    stack->part_count = 2;
    stack->bars = bars;
    stack->bar_count = curves->count;
    stack_draw(svg, stack);
}

static void draw_latency_bars(struct page *page, struct curves *curves) {
    static const struct svg_key keys[] = {
        {"mean", {"#56b4e9", SVG_PLAIN}},
        {"from there to the 99th percentile", {"#d55e00", SVG_FALLING}}};
    const struct curve *lowest = lowest_curve(curves);
    double amounts[CURVES][2] = {{0}};
    char notes[CURVES][2 * VALUES_TEXT], axis[48], text[2][VALUES_TEXT];
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        amounts[i][0] = isfinite(curve->mean[0]) ? curve->mean[0] : 0;
        amounts[i][1] = isfinite(curve->p99[0]) ? curve->p99[0] : 0;
        if (isfinite(curve->mean[0]))
            snprintf(notes[i], sizeof notes[i], "%s, 99 %%: %s",
                     page_value_time(text[0], curve->mean[0] * curves->unit),
                     page_value_time(text[1], curve->p99[0] * curves->unit));
        else
            snprintf(notes[i], sizeof notes[i], "not stable");
    }
    snprintf(axis, sizeof axis, "latency of messages (%s)", curves->unit_name);
    struct stack stack = {.name = "latency", .title = "Latency", .axis = axis, .parts = keys};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    draw_bars(curves, &stack, amounts, notes, &svg);
    page_picture(page, "latency", &svg,
                 "At an offered load of %s messages of %s%s take %s in the mean. Several loads "
                 "(--loads) make curves.",
                 page_value_percent(text[0], curves->max_load), lowest->name,
                 curves->count > 1 ? " are fastest: they" : "",
                 page_value_time(text[1], lowest->mean[0] * curves->unit));
}

static void draw_accepted_bars(struct page *page, struct curves *curves) {
    static const struct svg_key keys[] = {{"accepted", {"#56b4e9", SVG_PLAIN}},
                                          {"offered beyond that", {"#999999", SVG_RISING}}};
    double amounts[CURVES][2] = {{0}};
    char notes[CURVES][2 * VALUES_TEXT], text[VALUES_TEXT];
    size_t best = 0;
    for (size_t i = 0; i < curves->count; i++) {
        const struct curve *curve = &curves->list[i];
        amounts[i][0] = isfinite(curve->accepted[0]) ? curve->accepted[0] * 100 : 0;
        amounts[i][1] = curve->load[0] * 100;
        if (amounts[i][0] > amounts[best][0]) best = i;
        snprintf(notes[i], sizeof notes[i], "%s", page_value_percent(text, curve->accepted[0]));
    }
    const double accepted = amounts[best][0] / 100;
    struct stack stack = {.name = "accepted",
                          .title = "Accepted load",
                          .axis = "load (% of the injection bandwidth)",
                          .parts = keys};
    struct text_buffer svg = TEXT_BUFFER_INIT;
    draw_bars(curves, &stack, amounts, notes, &svg);
    page_picture(page, "accepted", &svg, "%s accepts %sa load of %s.", curves->list[best].name,
                 curves->count > 1 ? "most: " : "", page_value_percent(text, accepted));
}

static void draw(struct page *page, struct curves *curves) {
    const bool is_single = is_single_load(curves);
    bool has_latency = false;
    curves->unit_name = page_value_unit(curves->max_ps, &curves->unit);
    for (size_t i = 0; i < curves->count; i++)
        for (size_t k = 0; k < curves->list[i].count; k++) {
            curves->list[i].mean[k] /= curves->unit;
            curves->list[i].p99[k] /= curves->unit;
            has_latency = has_latency || curves->list[i].mean[k] > 0;
        }
    if (has_latency) page_section(page, "latency", "Latency");
    if (has_latency && is_single) {
        draw_latency_bars(page, curves);
        add_latencies(page, curves);
    } else if (has_latency) {
        draw_latency(page, curves, 0);
        add_latencies(page, curves);
        draw_latency(page, curves, 10);
        page_paragraph(page, "The numbers are those of the picture above.");
    }
    page_section(page, "accepted", "Accepted load");
    if (is_single)
        draw_accepted_bars(page, curves);
    else
        draw_accepted(page, curves);
    add_accepted(page, curves);
    if (curves->all > curves->count)
        page_paragraph(page, "Of %zu curves the first %zu are drawn.", curves->all, curves->count);
}

/* Adds a paragraph on what was run. */
static void add_introduction(struct page *page, struct json_object *result) {
    struct json_object *machine = page_value_object(result, "machine");
    struct text_buffer text = TEXT_BUFFER_INIT;
    const size_t machines = page_value_count(page_value_list(result, "machines"));
    if (machines > 1)
        page_value_machine_names(&text, result, machines);
    else
        text_add(&text, "%s (%.0f nodes)", page_value_text(machine, "name"),
                 page_value_number(machine, "nodes"));
    char *names = text_take(&text);
    if (names == NULL)
        page->failed = true;
    else
        page_paragraph(
            page, "Traffic of the pattern %s on %s, %zu point%s.",
            page_value_text(result, "pattern"), names,
            page_value_count(page_value_list(result, "points")),
            page_value_plural((double)page_value_count(page_value_list(result, "points"))));
    free(names);
}

void page_of_traffic(struct page *page, struct json_object *result) {
    struct json_object *list = page_value_list(result, "curves");
    struct curves *curves = memory_new(1, sizeof *curves);
    char throughput[VALUES_TEXT], stable[VALUES_TEXT];
    page_section(page, "curves", "Curves");
    add_introduction(page, result);
    if (*page_value_text(result, "failure") != '\0')
        page_lead_paragraph(page, page_value_text(result, "failure"));
    if (curves == NULL || !read_curves(curves, result)) {
        page->failed = true;
    } else if (curves->count > 0) {
        page_table(page, "curve|#largest accepted load|#stable up to an offered load of");
        for (size_t i = 0; i < curves->count; i++) {
            page_cell(page, "%s", curves->list[i].name);
            page_cell(page, "%s", page_value_percent(throughput, curves->list[i].throughput));
            page_cell(page, "%s",
                      page_value_percent(
                          stable, isfinite(curves->list[i].saturation)
                                      ? curves->list[i].saturation
                                      : page_value_number(page_value_at(list, i), "stable_load")));
        }
        page_table_end(page);
        draw(page, curves);
    }
    if (curves != NULL) free(curves->values);
    free(curves);
    page_congestion(page, result);
    page_flows(page, result);
    page_changes(page, result);
    page_origin(page, result);
}
