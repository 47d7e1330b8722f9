/*
 * Bisection bandwidths as a chart, with one curve over alpha for each of them, as in Belka et al.
 * 2017, Figures 6 to 9. Knows results only.
 *
 * The label of a curve is the arrangement. The title has the shape of the machines if they have
 * the same one; else each label has that of its machine. Dashed curves are upper bounds that are
 * not proven.
 */
#include "api/chart/chart.h"
#include "api/report/report_bisection.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LABEL_BYTES = 128 };

static double lowest_at(const anax_bisection *bisection, double alpha) {
    double lowest = 0;
    for (size_t i = 0; i < bisection->result.line_count; i++) {
        const struct bisection_cut *line = &bisection->result.lines[i];
        double value = (double)line->local_links + alpha * (double)line->global_links;
        if (i == 0 || value < lowest) lowest = value;
    }
    return lowest;
}

static double alpha_of(const struct bisection_point *point) {
    return (double)point->numerator / (double)point->denominator;
}

/* Sets the ranges of the axes: alpha to a quarter beyond the last corner of any curve, and both
 * axes to at least 1. */
static void set_ranges(struct chart *chart, const anax_bisection *const *list, size_t count) {
    chart->x.max = chart->y.max = 1;
    for (size_t i = 0; i < count; i++) {
        const struct bisection_result *result = &list[i]->result;
        if (result->line_count < 2) continue;
        double last = 1.25 * alpha_of(&result->points[result->line_count - 1]);
        if (last > chart->x.max) chart->x.max = last;
    }
    for (size_t i = 0; i < count; i++) {
        double value = 1.05 * lowest_at(list[i], chart->x.max);
        if (value > chart->y.max) chart->y.max = value;
    }
}

static bool have_one_shape(const anax_bisection *const *list, size_t count) {
    const struct network_config *first = &list[0]->config->network;
    for (size_t i = 1; i < count; i++) {
        const struct network_config *other = &list[i]->config->network;
        if (other->routers_per_group != first->routers_per_group ||
            other->globals_per_router != first->globals_per_router ||
            other->groups != first->groups || list[i]->routers != list[0]->routers)
            return false;
    }
    return true;
}

static void write_title(char *title, size_t bytes, const anax_bisection *bisection) {
    const struct network_config *network = &bisection->config->network;
    snprintf(title, bytes,
             "Dragonfly of a = %" PRId64 ", h = %" PRId64 ", %" PRId64 " group%s: %" PRIu32
             " routers",
             network->routers_per_group, network->globals_per_router, network->groups,
             plural((uint64_t)network->groups), bisection->routers);
}

static void write_label(char label[LABEL_BYTES], const anax_bisection *bisection, bool has_shape) {
    const struct network_config *network = &bisection->config->network;
    const char *arrangement = bisection_numbers_arrangement(bisection);
    if (has_shape)
        snprintf(label, LABEL_BYTES, "a=%" PRId64 " h=%" PRId64 " g=%" PRId64 ", %s",
                 network->routers_per_group, network->globals_per_router, network->groups,
                 arrangement);
    else
        snprintf(label, LABEL_BYTES, "%s", arrangement);
}

/* Sets the series of a curve but for its label, from its corners in `values`, first all x, then all
 * y. */
static void set_series(struct chart_series *series, double *values, const anax_bisection *bisection,
                       double alpha_max, size_t number) {
    const size_t lines = bisection->result.line_count;
    for (size_t i = 0; i <= lines; i++) {
        values[i] = i < lines ? alpha_of(&bisection->result.points[i]) : alpha_max;
        values[lines + 1 + i] = lowest_at(bisection, values[i]);
    }
    *series = (struct chart_series){
        .x = values,
        .y = values + lines + 1,
        .count = lines + 1,
        .style = number,
        .has_line = true,
        .is_dashed = !bisection->result.proven,
        /* later curves are thinner, so that coinciding curves stay visible */
        .width = number < 5 ? 6.0 - (double)number : 1.2,
    };
}

char *report_bisection_svg(const anax_bisection *const *list, size_t count) {
    const bool has_one_shape = have_one_shape(list, count);
    struct text_buffer text = TEXT_BUFFER_INIT;
    char title[160] = "Dragonflies of several shapes";
    size_t corners = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        corners += 2 * (list[i]->result.line_count + 1);
    struct chart_series *series = memory_new(count, sizeof *series);
    double *values = memory_new(corners, sizeof *values);
    char(*labels)[LABEL_BYTES] = memory_new(count, sizeof *labels);
    if (has_one_shape) write_title(title, sizeof title, list[0]);
    struct chart chart = {
        .title = title,
        .x = {.label = "alpha (bandwidth of a global / a local link)"},
        .y = {.label = "bisection bandwidth (local links)"},
        .series = series,
        .count = count,
    };
    const bool enough = series != NULL && values != NULL && labels != NULL;
    set_ranges(&chart, list, count);
    for (size_t i = 0; i < count && enough; i++) {
        set_series(&series[i], values + used, list[i], chart.x.max, i);
        write_label(labels[i], list[i], !has_one_shape);
        series[i].label = labels[i];
        used += 2 * series[i].count;
    }
    if (enough) chart_draw(&text, &chart);
    char *drawn = text_take(&text);
    free(series);
    free(values);
    free(labels);
    if (enough) return drawn;
    free(drawn);
    return NULL;
}
