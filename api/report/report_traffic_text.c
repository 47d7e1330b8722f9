/* A traffic run's result for people: one line per load. Figures are rounded; the JSON has the exact
 * figures. */
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "api/traffic/sweep.h"
#include "core/settings/units.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the line of a point. Latencies beyond saturation follow from the length of the run, so they
 * are not shown. */
static void add_point(struct text_buffer *text, const struct sweep_point *of) {
    const struct traffic_point *point = &of->figures;
    char mean[32] = "-", median[32] = "-", tail[32] = "-";
    if (point->messages > 0 && !of->beyond_saturation) {
        units_time_human(wide_mean(point->latency_sum_ps, point->messages), mean, sizeof mean);
        units_time_human(point->latency_p50_ps, median, sizeof median);
        units_time_human(point->latency_p99_ps, tail, sizeof tail);
    }
    text_add(text, "  %6.4f  %8.4f  ", (double)point->offered_millionths / 1e6,
             (double)point->accepted_millionths / 1e6);
    if (of->beyond_saturation)
        text_add(text, "%-31s ", "beyond saturation");
    else
        text_add(text, "%-9s  %-9s  %-9s ", mean, median, tail);
    if (point->messages > 0)
        text_add(text, "%5.2f  %6.1f %%  ", (double)point->router_sum / (double)point->messages,
                 percent_of(point->minimal_messages, point->messages));
    else
        text_add(text, "%5s  %8s  ", "-", "-");
    text_add(text, "%s\n", point->stable ? "yes" : "no");
}

static void add_table_head(struct text_buffer *text) {
    text_add(text,
             "    load  accepted  mean       median     99 %%       hops   minimal  stable\n");
}

/* Adds half the width of an interval in a column; a dash if there is none. */
static void add_half(struct text_buffer *text, bool is_there, const char *half) {
    enum { WIDTH = 14 };
    const int sign = text->is_ascii ? 3 : 2; /* columns with the blank after it */
    const int length = (int)strlen(is_there ? half : "-") + (is_there ? sign : 0);
    text_add(text, "%s%s%s%*s", is_there ? text_plus_minus(text) : "", is_there ? " " : "",
             is_there ? half : "-", length < WIDTH ? WIDTH - length : 1, "");
}

/* Adds the line of a load with several seeds: means, and half the widths of their intervals. */
static void add_load(struct text_buffer *text, const struct sweep_load *load) {
    char accepted[32] = "", mean[32] = "-", half[32] = "";
    const bool interval = load->latency.count > 0 && load->latency.half_width >= 0;
    snprintf(accepted, sizeof accepted, "%.4f", (double)load->accepted.half_width / 1e6);
    if (load->latency.count > 0) units_time_human(load->latency.mean, mean, sizeof mean);
    if (interval) units_time_human(load->latency.half_width, half, sizeof half);
    text_add(text, "  %6.4f   %8.4f  ", (double)load->load_millionths / 1e6,
             (double)load->accepted.mean / 1e6);
    add_half(text, load->accepted.half_width >= 0, accepted);
    text_add(text, "%-10s  ", mean);
    add_half(text, interval, half);
    text_add(text, "%u of %u", load->stable, load->seeds);
    if (load->beyond == load->seeds)
        text_add(text, "  beyond saturation");
    else if (load->beyond > 0)
        text_add(text, "  %u beyond saturation", load->beyond);
    text_add(text, "\n");
}

static void add_loads(struct text_buffer *text, const struct traffic_sweep *sweep,
                      const struct sweep_curve *curve) {
    struct sweep_load load;
    text_add(text, "    load   accepted  interval    mean        interval      stable\n");
    for (size_t next = curve->first; next < curve->end;) {
        next = sweep_load_of(&load, sweep, next, curve->end);
        add_load(text, &load);
    }
}

/* Adds the saturation load of a curve that was searched. */
static void add_saturation(struct text_buffer *text, const struct traffic_sweep *sweep,
                           size_t number) {
    const struct sweep_search *first = &sweep->searches[number * sweep->seed_count];
    const struct compare_sample sample = sweep_saturation(sweep, number);
    if (sweep->seed_count > 1 && sample.half_width >= 0)
        text_add(text, "  saturation load %.4f %s %.4f: mean of %u seeds, interval of 95 %%\n",
                 (double)sample.mean / 1e6, text_plus_minus(text), (double)sample.half_width / 1e6,
                 sample.count);
    else if (first->unstable_millionths == 0)
        text_add(text, "  saturation load 1: the largest load is stable\n");
    else
        text_add(text, "  saturation load %.4f: %s, and %.4f is not\n",
                 (double)first->stable_millionths / 1e6,
                 first->stable_millionths > 0 ? "it is stable" : "no load was stable",
                 (double)first->unstable_millionths / 1e6);
    int64_t of_all, of_channel;
    sweep_overloads(&of_all, &of_channel, sweep, number * sweep->seed_count);
    if (first->unstable_millionths > 0)
        text_add(
            text,
            "  half of all runs notice an overload of %.*f %% if all messages meet it,\n"
            "  and of %.*f %% if it is on one channel; the longer traffic.measure, the smaller\n",
            of_all < 100000, (double)of_all / 1e4, of_channel < 100000, (double)of_channel / 1e4);
}

static void add_curve(struct text_buffer *text, const struct traffic_sweep *sweep, size_t number) {
    const struct sweep_curve *curve = &sweep->curves[number];
    text_add(text, "\n");
    if (sweep->curve_count > 1) {
        char *label = sweep_label(sweep, number);
        text_add(text, "%s, misrouting %s\n", label != NULL ? label : "",
                 network_misrouting_in_force(&curve->config->network));
        text->failed = text->failed || label == NULL;
        free(label);
    }
    if (sweep->seed_count > 1) {
        add_loads(text, sweep, curve);
    } else {
        add_table_head(text);
        for (size_t i = curve->first; i < curve->end; i++)
            add_point(text, &sweep->points[i]);
    }
    if (sweep->searches != NULL && curve->end > curve->first) add_saturation(text, sweep, number);
}

static bool is_pattern_varied(const struct traffic_sweep *sweep) {
    for (size_t i = 0; sweep != NULL && i < sweep->candidates.factor_count; i++)
        if (strcmp(sweep->candidates.factors[i].setting, "traffic.pattern") == 0) return true;
    return false;
}

/* Adds what varies, with its values. */
static void add_factors(struct text_buffer *text, const struct candidate_set *candidates) {
    for (size_t i = 0; i < candidates->factor_count; i++) {
        const struct compare_factor *factor = &candidates->factors[i];
        report_row(text, 0, factor->setting);
        for (size_t k = 0; k < factor->count; k++)
            text_add(text, "%s%s", k > 0 ? ", " : "", factor->values[k]);
        text_add(text, "\n");
    }
}

/* Returns whether points were found from a former run, which took no time. */
static bool has_found_points(const struct traffic_sweep *sweep) {
    bool found = false;
    for (size_t i = 0; sweep != NULL && i < sweep->point_count; i++)
        found = found || sweep->points[i].was_kept;
    return found;
}

char *report_traffic_text(const anax_traffic_result *result) {
    struct text_buffer text = {.is_ascii = result->ascii_only};
    const anax_config *config = result->run.config;
    const struct traffic_sweep *sweep = result->sweep;
    bool several = result->run.routing_count > 1;
    text_add(&text, "Traffic%s%s\n", is_pattern_varied(sweep) ? "" : " ",
             is_pattern_varied(sweep) ? "" : config->traffic.pattern);
    if (sweep != NULL && sweep_has_candidates(sweep))
        add_factors(&text, &sweep->candidates);
    else
        report_machine_text(&text, config);
    if (several)
        text_add(&text, "%zu routing policies, ", result->run.routing_count);
    else
        report_routing_text(&text, config);
    if (sweep != NULL && sweep->seed_count > 1)
        text_add(&text, "%u seeds from ", sweep->seed_count);
    else
        text_add(&text, "seed ");
    text_add(&text, "%" PRId64 "\n", config->run.seed);
    report_settings_text(&text, "settings changed: ", config, ANAX_SCOPE_TRAFFIC,
                         REPORT_ALL_SETTINGS, &result->run);
    for (size_t i = 0; sweep != NULL && i < sweep->curve_count; i++)
        if (i == 0 || sweep->curves[i].end > sweep->curves[i].first) add_curve(&text, sweep, i);
    if (!result->run.completed) {
        text_add(&text, "\nThe run did not finish.\n");
        text_add_lines(&text, result->run.failure != NULL ? result->run.failure : "");
        text_add(&text, "\n");
        return text_take(&text);
    }
    if (result->run.totals.ring_entries > 0) text_add(&text, "\n");
    report_ring_text(&text, &result->run.totals);
    report_simulation_text(&text, &result->run, !has_found_points(sweep));
    return text_take(&text);
}
