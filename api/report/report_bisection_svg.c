/*
 * Bisection bandwidths as a chart, with one curve over alpha for each arrangement, as in Belka et
 * al. 2017, Figures 6 to 9. Knows results only.
 *
 * Dashed curves are upper bounds that are not proven.
 */
#include "api/chart/chart.h"
#include "api/report/report_bisection.h"
#include "core/base/plural.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Sets the series of a curve, from its corners in `values`, first all x, then all y. */
static void set_series(struct chart_series *series, double *values, const anax_bisection *bisection,
                       double alpha_max, size_t number) {
    const size_t lines = bisection->result.line_count;
    for (size_t i = 0; i <= lines; i++) {
        values[i] = i < lines ? alpha_of(&bisection->result.points[i]) : alpha_max;
        values[lines + 1 + i] = lowest_at(bisection, values[i]);
    }
    *series = (struct chart_series){
        .label = bisection_numbers_arrangement(bisection),
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
    const struct network_config *network = &list[0]->config->network;
    struct text_buffer text = TEXT_BUFFER_INIT;
    char title[160];
    size_t corners = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        corners += 2 * (list[i]->result.line_count + 1);
    struct chart_series *series = memory_new(count, sizeof *series);
    double *values = memory_new(corners, sizeof *values);
    snprintf(title, sizeof title,
             "Dragonfly of a = %" PRId64 ", h = %" PRId64 ", %" PRId64 " group%s: %" PRIu32
             " routers",
             network->routers_per_group, network->globals_per_router, network->groups,
             plural((uint64_t)network->groups), list[0]->routers);
    struct chart chart = {
        .title = title,
        .x = {.label = "alpha (bandwidth of a global / a local link)"},
        .y = {.label = "bisection bandwidth (local links)"},
        .series = series,
        .count = count,
    };
    const bool enough = series != NULL && values != NULL;
    set_ranges(&chart, list, count);
    for (size_t i = 0; i < count && enough; i++) {
        set_series(&series[i], values + used, list[i], chart.x.max, i);
        used += 2 * series[i].count;
    }
    if (enough) chart_draw(&text, &chart);
    char *drawn = text_take(&text);
    free(series);
    free(values);
    if (enough) return drawn;
    free(drawn);
    return NULL;
}
