/* Messages and packets: how long they took, and how far they went. */
#include "api/chart/chart.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Draws which share of the messages takes longer than a latency. */
static void draw_latencies(struct page *page, struct json_object *list,
                           struct json_object *network) {
    const size_t count = page_value_count(list);
    double *x = memory_new(count + 1, sizeof *x), *y = memory_new(count + 1, sizeof *y);
    double total = 0, left, unit, max = 0;
    char label[32], p50[VALUES_TEXT], p99[VALUES_TEXT], share[VALUES_TEXT];
    for (size_t i = 0; i < count; i++) {
        total += fmax(0, page_value_number(page_value_at(list, i), "messages"));
        max = fmax(max, page_value_number(page_value_at(list, i), "to_ps"));
    }
    snprintf(label, sizeof label, "latency (%s)", page_value_unit(max, &unit));
    left = total;
    for (size_t i = 0; i < count && x != NULL && y != NULL; i++) {
        x[i] = page_value_number(page_value_at(list, i), "from_ps") / unit;
        y[i] = 100 * left / total;
        left -= fmax(0, page_value_number(page_value_at(list, i), "messages"));
    }
    struct chart chart = {.title = "Messages that take at least so long",
                          .x = {.label = label, .base = 2},
                          .y = {.label = "messages (%)", .base = 10},
                          .labels_at_lines = true};
    const struct chart_series series = {.label = "messages",
                                        .x = x,
                                        .y = y,
                                        .count = count,
                                        .style = 5,
                                        .has_line = true,
                                        .is_stepped = true,
                                        .width = 2};
    chart.series = &series;
    chart.count = 1;
    struct text_buffer svg = TEXT_BUFFER_INIT;
    if (x == NULL || y == NULL || !(total > 0)) {
        page->failed = x == NULL || y == NULL;
    } else {
        chart_axis_include(&chart.x, x, count);
        chart_axis_include(&chart.x, (const double[]){max / unit}, 1);
        chart_axis_include(&chart.y, y, count);
        chart_draw(&svg, &chart);
        page_picture(page, "latencies", &svg,
                     "Half of the messages that crossed the network took at most %s, and 1 %% more "
                     "than %s. %s of the packets took a minimal path.",
                     page_value_time(p50, page_value_number(network, "p50_latency_ps")),
                     page_value_time(p99, page_value_number(network, "p99_latency_ps")),
                     page_value_percent(share, page_value_number(network, "minimal_share")));
    }
    free(x);
    free(y);
}

static void add_latencies(struct page *page, struct json_object *network) {
    static const struct {
        const char *key, *name;
    } rows[] = {{"mean_latency_ps", "mean"},
                {"p50_latency_ps", "half of them take at most"},
                {"p95_latency_ps", "95 % take at most"},
                {"p99_latency_ps", "99 % take at most"},
                {"max_latency_ps", "the slowest takes"}};
    char text[VALUES_TEXT];
    page_numbers(page, "Numbers: latencies of messages", "latency of messages|#time");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        page_cell(page, "%s", rows[i].name);
        page_cell(page, "%s", page_value_time(text, page_value_number(network, rows[i].key)));
    }
    page_numbers_end(page);
}

static void add_hops(struct page *page, struct json_object *list, double packets) {
    char text[VALUES_TEXT];
    if (page_value_count(list) == 0 || !(packets > 0)) return;
    page_numbers(page, "Numbers: routers on the way of packets",
                 "#routers on the way|#packets|#share");
    for (size_t i = 0; i < page_value_count(list); i++) {
        const double count = page_value_number(page_value_at(list, i), "packets");
        if (!(count > 0)) continue;
        page_cell(page, "%.0f", page_value_number(page_value_at(list, i), "hops"));
        page_cell(page, "%.0f", count);
        page_cell(page, "%s", page_value_percent(text, count / packets));
    }
    page_numbers_end(page);
}

void page_latency(struct page *page, struct json_object *result) {
    struct json_object *network = page_value_object(result, "network");
    if (!(page_value_number(network, "messages") > 0)) return;
    page_section(page, "messages", "Messages and packets");
    if (page_value_count(page_value_list(result, "latency_bins")) > 0)
        draw_latencies(page, page_value_list(result, "latency_bins"), network);
    add_latencies(page, network);
    add_hops(page, page_value_list(result, "packets_by_hops"),
             page_value_number(network, "packets"));
}
