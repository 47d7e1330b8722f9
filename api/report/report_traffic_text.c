/* A traffic run's result for people: one line per load. Figures are rounded; the JSON has the exact
 * figures. */
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "core/units.h"
#include "network/network_choices.h"

#include <inttypes.h>

/* Adds the line of a load without a measured message, and therefore without latencies. */
static void add_unmeasured_point(struct text_buffer *text, const struct traffic_point *point) {
    text_add(text, "  %6.4f   %8.4f  %-10s  %-10s  %-10s  %5s  %9s  %s\n",
             (double)point->offered_millionths / 1e6, (double)point->accepted_millionths / 1e6, "-",
             "-", "-", "-", "-", point->stable ? "yes" : "no");
}

static void add_point(struct text_buffer *text, const struct traffic_point *point) {
    char mean[32], median[32], tail[32];
    units_time_human(wide_mean(point->latency_sum_ps, point->messages), mean, sizeof mean);
    units_time_human(point->latency_p50_ps, median, sizeof median);
    units_time_human(point->latency_p99_ps, tail, sizeof tail);
    text_add(text, "  %6.4f   %8.4f  %-10s  %-10s  %-10s  %5.2f  %7.1f %%  %s\n",
             (double)point->offered_millionths / 1e6, (double)point->accepted_millionths / 1e6,
             mean, median, tail, (double)point->router_sum / (double)point->messages,
             report_percent(point->minimal_messages, point->messages),
             point->stable ? "yes" : "no");
}

static void add_table_head(struct text_buffer *text) {
    text_add(text, "    load   accepted  mean        median      99 %%        hops     "
                   "minimal  stable\n");
}

char *report_traffic_text(const anax_result *result) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const anax_config *config = result->config;
    bool several = result->routing_count > 1;
    text_add(&text, "Traffic %s\n", config->traffic.pattern);
    report_machine_text(&text, config);
    if (several)
        text_add(&text, "%zu routing policies, ", result->routing_count);
    else
        report_routing_text(&text, result);
    text_add(&text, "seed %" PRId64 "\n", config->run.seed);
    report_settings_text(&text, "settings changed: ", config, ANAX_SCOPE_TRAFFIC,
                         REPORT_ALL_SETTINGS, result);
    if (!several) {
        text_add(&text, "\n");
        add_table_head(&text);
    }
    for (size_t i = 0; i < result->point_count; i++) {
        int32_t routing = api_point_routing(result, i);
        if (several && (i == 0 || routing != api_point_routing(result, i - 1))) {
            text_add(&text, "\nrouting %s, misrouting %s\n", network_routing_names()[routing],
                     report_misrouting(result, routing));
            add_table_head(&text);
        }
        bool measured = result->points[i].messages > 0;
        (measured ? add_point : add_unmeasured_point)(&text, &result->points[i]);
    }
    if (!result->completed) {
        text_add(&text, "\nThe run did not finish.\n");
        text_add_lines(&text, result->failure != NULL ? result->failure : "");
        text_add(&text, "\n");
        return text_take(&text);
    }
    if (result->totals.escapes > 0) text_add(&text, "\n");
    report_ring_text(&text, &result->totals);
    report_simulation_text(&text, result);
    return text_take(&text);
}
