/* The tables of synthetic traffic. */
#include "api/results/run_policies.h"
#include "api/table/tables.h"
#include "api/traffic/sweep.h"
#include "core/base/digest.h"
#include "network/network_choices.h"

#include <stdlib.h>

/* Sets *values to the values of a curve's factors, which the caller frees; NULL if there is only
 * one candidate. */
static status_code values_of(const struct traffic_sweep *sweep, size_t curve, const char ***values,
                             struct status *status) {
    *values = NULL;
    if (!sweep_has_candidates(sweep)) return STATUS_OK;
    return tables_values_of(&sweep->candidates, sweep->curves[curve].candidate, values, status);
}

#define FACTORS(row)                                                                               \
    TABLE_COLUMN(row, values, "SETTING", "",                                                       \
                 "value of a factor; one column for each, named after its setting, the machine "   \
                 "first; none if there is only one candidate")

/* ---- points ---- */

struct point_row {
    int64_t offered_load, accepted_load, stable;
    uint64_t messages, unfinished;
    int64_t mean_ps, p50_ps, p95_ps, p99_ps, max_ps, mean_hops, minimal_share;
    const char *routing, *misrouting, *digest;
    int64_t minimal_mean_ps, nonminimal_mean_ps, accepted_mean_ps;
    int64_t seed, beyond_saturation;
    const char *const *values;
};

static int64_t mean_of(wide sum_ps, uint64_t messages) {
    return table_of(messages, wide_mean(sum_ps, messages));
}

static void add_point(const struct traffic_sweep *sweep, size_t number, const char *const *values,
                      const struct table_sink *sink) {
    const struct sweep_point *of = &sweep->points[number];
    const struct traffic_point *point = &of->figures;
    const struct network_config *network = &sweep->curves[of->curve].config->network;
    const uint64_t messages = point->messages;
    char digest[17];
    const struct point_row row = {
        .offered_load = point->offered_millionths,
        .accepted_load = point->accepted_millionths,
        .stable = point->stable,
        .messages = messages,
        .unfinished = point->unfinished,
        .mean_ps = mean_of(point->latency_sum_ps, messages),
        .p50_ps = table_of(messages, point->latency_p50_ps),
        .p95_ps = table_of(messages, point->latency_p95_ps),
        .p99_ps = table_of(messages, point->latency_p99_ps),
        .max_ps = table_of(messages, point->latency_max_ps),
        .mean_hops = table_ratio(point->router_sum, messages),
        .minimal_share = table_ratio(point->minimal_messages, messages),
        .routing = network_routing_names()[network->routing],
        .misrouting = network_misrouting_in_force(network),
        .digest = table_hash(point->totals.digest, digest),
        .minimal_mean_ps = mean_of(point->minimal_latency_sum_ps, point->minimal_messages),
        .nonminimal_mean_ps = mean_of(point->latency_sum_ps - point->minimal_latency_sum_ps,
                                      messages - point->minimal_messages),
        .accepted_mean_ps = mean_of(point->accepted_latency_sum_ps, point->accepted_messages),
        .seed = sweep->first_seed + of->seed,
        .beyond_saturation = of->beyond_saturation,
        .values = values,
    };
    table_add(sink, &row);
}

static status_code visit_points(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    const struct traffic_sweep *sweep = source->traffic->sweep;
    for (size_t i = 0; sweep != NULL && i < sweep->point_count; i++) {
        const char **values;
        FORWARD_IF_ERROR(values_of(sweep, sweep->points[i].curve, &values, status));
        add_point(sweep, i, values, sink);
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column point_columns[] = {
    TABLE_SHARE(point_row, offered_load, "offered_load", "",
                "offered load as a share of the injection bandwidth, headers included"),
    TABLE_SHARE(point_row, accepted_load, "accepted_load", "",
                "what was delivered during the measurement, in the same unit"),
    TABLE_FLAG(point_row, stable, "stable",
               "whether the backlog did not grow by more than chance, by a t test at 99 %, and "
               "every measured message was delivered"),
    TABLE_COLUMN(point_row, messages, "messages", "", "messages measured and delivered"),
    TABLE_COLUMN(point_row, unfinished, "unfinished", "",
                 "messages measured, but refused by a full source or never delivered"),
    TABLE_COLUMN(point_row, mean_ps, "mean_latency_ps", "ps",
                 "mean latency of the measured messages; null, as all latencies, mean_hops and "
                 "minimal_share, if there are none"),
    TABLE_COLUMN(point_row, p50_ps, "p50_latency_ps", "ps", "50th percentile of the latencies"),
    TABLE_COLUMN(point_row, p95_ps, "p95_latency_ps", "ps", "95th percentile of the latencies"),
    TABLE_COLUMN(point_row, p99_ps, "p99_latency_ps", "ps", "99th percentile of the latencies"),
    TABLE_COLUMN(point_row, max_ps, "max_latency_ps", "ps", "largest latency"),
    TABLE_SHARE(point_row, mean_hops, "mean_hops", "",
                "number of routers passed, mean over messages: one more than the hops between "
                "routers, which mean_hops of a topology counts"),
    TABLE_SHARE(point_row, minimal_share, "minimal_share", "",
                "share of messages all of whose packets took minimal paths"),
    TABLE_NAME(point_row, routing, "routing", "routing policy"),
    TABLE_COLUMN(point_row, minimal_mean_ps, "minimal_mean_latency_ps", "ps",
                 "mean latency of the messages on minimal paths"),
    TABLE_COLUMN(point_row, nonminimal_mean_ps, "nonminimal_mean_latency_ps", "ps",
                 "mean latency of the other messages"),
    TABLE_COLUMN(point_row, accepted_mean_ps, "accepted_mean_latency_ps", "ps",
                 "mean latency of the messages that were delivered during the measurement, "
                 "whenever they arrived at their source, so that messages that waited for long are "
                 "included"),
    TABLE_NAME(point_row, misrouting, "misrouting", "misrouting policy"),
    TABLE_NAME(
        point_row, digest, "digest",
        "digest of the results of the point; equal results have equal ones, on any computer"),
    TABLE_COLUMN(point_row, seed, "seed", "", "seed"),
    TABLE_FLAG(point_row, beyond_saturation, "beyond_saturation",
               "whether the point, or one of its latency curve and seed at a lower load, is not "
               "stable; its "
               "latencies then follow from the length of the run, and are no latencies of the "
               "network"),
    FACTORS(point_row),
};

static const struct table points = {
    .name = "points",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(point_columns),
    .visit = visit_points,
    .help = "a load of a latency curve with a seed",
};

/* ---- curves ---- */

struct curve_row {
    const char *routing, *digest;
    uint64_t points;
    int64_t throughput, stable_load, saturation, saturation_low, saturation_high;
    const char *const *values;
};

/* Returns an end of an interval in millionths, which is from 0 to 1. */
static int64_t end_of(const struct compare_sample *sample, int sign) {
    if (sample->count == 0 || sample->half_width < 0) return TABLE_NONE;
    const int64_t end = sample->mean + sign * sample->half_width;
    return end < 0 ? 0 : end > 1000000 ? 1000000 : end;
}

/* Adds the row of one curve: figures of all its points together. */
static void add_curve(const struct traffic_sweep *sweep, size_t number, const char *const *values,
                      const struct table_sink *sink) {
    const struct sweep_curve *curve = &sweep->curves[number];
    const struct compare_sample saturation = sweep_saturation(sweep, number);
    struct curve_row row = {
        .routing = network_routing_names()[curve->config->network.routing],
        .points = curve->end - curve->first,
        .stable_load = TABLE_NONE,
        .saturation = saturation.count > 0 ? saturation.mean : TABLE_NONE,
        .saturation_low = end_of(&saturation, -1),
        .saturation_high = end_of(&saturation, 1),
        .values = values,
    };
    uint64_t digest = 0;
    for (size_t i = curve->first; i < curve->end; i++) {
        const struct traffic_point *point = &sweep->points[i].figures;
        if (point->accepted_millionths > row.throughput)
            row.throughput = point->accepted_millionths;
        digest += digest_spread(point->totals.digest + (i - curve->first));
    }
    struct sweep_load load;
    for (size_t next = curve->first; next < curve->end;) {
        next = sweep_load_of(&load, sweep, next, curve->end);
        if (load.stable < load.seeds) break;
        row.stable_load = load.load_millionths;
    }
    char text[17];
    row.digest = table_hash(digest, text);
    table_add(sink, &row);
}

static status_code visit_curves(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    const struct traffic_sweep *sweep = source->traffic->sweep;
    for (size_t i = 0; sweep != NULL && i < sweep->curve_count; i++) {
        const char **values;
        if (sweep->curves[i].first == sweep->curves[i].end) continue;
        FORWARD_IF_ERROR(values_of(sweep, i, &values, status));
        add_curve(sweep, i, values, sink);
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column curve_columns[] = {
    TABLE_NAME(curve_row, routing, "routing", "routing policy"),
    TABLE_COLUMN(curve_row, points, "points", "", "number of its points"),
    TABLE_SHARE(curve_row, throughput, "throughput", "", "the largest accepted_load"),
    TABLE_SHARE(curve_row, stable_load, "stable_load", "",
                "the largest offered_load of the points before the first one that is not stable; "
                "null if there is none"),
    TABLE_NAME(curve_row, digest, "digest", "digest of the latency curve"),
    TABLE_SHARE(curve_row, saturation, "saturation_load", "",
                "mean saturation load of its seeds; null if it was not searched"),
    TABLE_SHARE(curve_row, saturation_low, "saturation_load_low", "",
                "low end of the confidence interval (95 %) of this mean; null of fewer than two "
                "seeds"),
    TABLE_SHARE(curve_row, saturation_high, "saturation_load_high", "",
                "high end of the confidence interval of this mean"),
    FACTORS(curve_row),
};

static const struct table curves = {
    .name = "curves",
    .form = TABLE_ARRAY,
    TABLE_LIST(curve_columns),
    .visit = visit_curves,
    .help = "a candidate and a routing policy, in the order of points",
};

/* ---- loads ---- */

static bool has_seeds(const struct table_source *source) {
    return source->run->completed && source->traffic->sweep->seed_count > 1;
}

static const struct table_condition several_seeds = {has_seeds, "with several seeds"};

struct load_row {
    const char *routing;
    int64_t load;
    uint64_t seeds, stable, beyond;
    int64_t accepted, accepted_low, accepted_high, latency_ps, latency_low_ps, latency_high_ps;
    const char *const *values;
};

static void add_load(const struct sweep_load *load, const struct sweep_curve *curve,
                     const char *const *values, const struct table_sink *sink) {
    const struct compare_sample *latency = &load->latency;
    const bool interval = latency->count > 0 && latency->half_width >= 0;
    const struct load_row row = {
        .routing = network_routing_names()[curve->config->network.routing],
        .load = load->load_millionths,
        .seeds = load->seeds,
        .stable = load->stable,
        .beyond = load->beyond,
        .accepted = load->accepted.mean,
        .accepted_low = end_of(&load->accepted, -1),
        .accepted_high = end_of(&load->accepted, 1),
        .latency_ps = latency->count > 0 ? latency->mean : TABLE_NONE,
        .latency_low_ps = interval ? latency->mean - latency->half_width : TABLE_NONE,
        .latency_high_ps = interval ? latency->mean + latency->half_width : TABLE_NONE,
        .values = values,
    };
    table_add(sink, &row);
}

static status_code visit_loads(const struct table_source *source, const struct table_sink *sink,
                               struct status *status) {
    const struct traffic_sweep *sweep = source->traffic->sweep;
    for (size_t i = 0; sweep != NULL && i < sweep->curve_count; i++) {
        const struct sweep_curve *curve = &sweep->curves[i];
        const char **values;
        FORWARD_IF_ERROR(values_of(sweep, i, &values, status));
        struct sweep_load load;
        for (size_t next = curve->first; next < curve->end;) {
            next = sweep_load_of(&load, sweep, next, curve->end);
            add_load(&load, curve, values, sink);
        }
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column load_columns[] = {
    TABLE_NAME(load_row, routing, "routing", "routing policy"),
    TABLE_SHARE(load_row, load, "offered_load", "", "offered load"),
    TABLE_COLUMN(load_row, seeds, "seeds", "", "number of seeds that were run at this load"),
    TABLE_COLUMN(load_row, stable, "stable_seeds", "", "number of those whose point is stable"),
    TABLE_COLUMN(load_row, beyond, "seeds_beyond_saturation", "",
                 "number of those whose point is beyond saturation"),
    TABLE_SHARE(load_row, accepted, "accepted_load", "", "mean accepted load"),
    TABLE_SHARE(load_row, accepted_low, "accepted_load_low", "",
                "low end of the confidence interval (95 %) of this mean; null of fewer than two "
                "seeds"),
    TABLE_SHARE(load_row, accepted_high, "accepted_load_high", "",
                "high end of the confidence interval of this mean"),
    TABLE_COLUMN(load_row, latency_ps, "mean_latency_ps", "ps",
                 "mean over the seeds that are not beyond saturation of their mean latencies; null "
                 "if there are none"),
    TABLE_COLUMN(load_row, latency_low_ps, "mean_latency_low_ps", "ps",
                 "low end of the confidence interval of this mean"),
    TABLE_COLUMN(load_row, latency_high_ps, "mean_latency_high_ps", "ps",
                 "high end of the confidence interval of this mean"),
    FACTORS(load_row),
};

static const struct table loads = {
    .name = "loads",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(load_columns),
    .condition = &several_seeds,
    .visit = visit_loads,
    .help = "a load of a latency curve over its seeds",
};

/* ---- searches ---- */

static bool has_searches(const struct table_source *source) {
    return source->run->completed && source->traffic->sweep->searches != NULL;
}

static const struct table_condition saturation_searched = {has_searches,
                                                           "after a search for saturation"};

struct search_row {
    const char *routing;
    int64_t seed, stable, unstable, overload_of_all, overload_of_channel;
    const char *const *values;
};

static status_code visit_searches(const struct table_source *source, const struct table_sink *sink,
                                  struct status *status) {
    const struct traffic_sweep *sweep = source->traffic->sweep;
    for (size_t i = 0; i < sweep->curve_count * sweep->seed_count; i++) {
        const struct sweep_search *search = &sweep->searches[i];
        const size_t curve = i / sweep->seed_count;
        const char **values;
        FORWARD_IF_ERROR(values_of(sweep, curve, &values, status));
        struct search_row row = {
            .routing = network_routing_names()[sweep->curves[curve].config->network.routing],
            .seed = sweep->first_seed + (int64_t)(i % sweep->seed_count),
            .stable = search->stable_millionths,
            .unstable = search->unstable_millionths > 0 ? search->unstable_millionths : TABLE_NONE,
            .values = values,
        };
        sweep_overloads(&row.overload_of_all, &row.overload_of_channel, sweep, i);
        table_add(sink, &row);
        free(values);
    }
    return STATUS_OK;
}

static const struct table_column search_columns[] = {
    TABLE_NAME(search_row, routing, "routing", "routing policy"),
    TABLE_COLUMN(search_row, seed, "seed", "", "seed"),
    TABLE_SHARE(search_row, stable, "saturation_load", "",
                "the saturation load: the largest load that the bisection found stable; 0 if none "
                "was"),
    TABLE_SHARE(search_row, unstable, "unstable_load", "",
                "the smallest load that it found not stable, at most the width of the search "
                "above; null if the load 1 is stable"),
    TABLE_SHARE(search_row, overload_of_all, "overload_of_all", "",
                "by how much of the capacity the load must exceed it for the test of stability to "
                "notice in half of all runs, if all messages meet the bottleneck; a longer "
                "traffic.measure lowers it"),
    TABLE_SHARE(search_row, overload_of_channel, "overload_of_channel", "",
                "the same if the bottleneck is a single channel of the slowest kind"),
    FACTORS(search_row),
};

static const struct table searches = {
    .name = "saturation",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(search_columns),
    .condition = &saturation_searched,
    .visit = visit_searches,
    .help = "the saturation load of a latency curve with a seed",
};

/* ---- latencies ---- */

struct latency_row {
    int64_t from_ps, to_ps;
    uint64_t messages, minimal_messages;
};

static status_code visit_latencies(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    const struct traffic_histogram *histogram = source->traffic->histogram;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        const struct latency_row row = {network_latency_bin_floor_ps(bin),
                                        network_latency_bin_floor_ps(bin + 1), histogram->all[bin],
                                        histogram->minimal[bin]};
        if (row.messages > 0) table_add(sink, &row);
    }
    return STATUS_OK;
}

static const struct table_column latency_columns[] = {
    TABLE_COLUMN(latency_row, from_ps, "from_ps", "ps", "least latency of the bin"),
    TABLE_COLUMN(latency_row, to_ps, "to_ps", "ps",
                 "end of the bin, not included; bins are a 32nd of a power of two wide"),
    TABLE_COLUMN(latency_row, messages, "messages", "", "measured messages"),
    TABLE_COLUMN(latency_row, minimal_messages, "minimal_messages", "",
                 "those all of whose packets took minimal paths"),
};

static const struct table latencies = {
    .name = "latencies",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(latency_columns),
    .condition = &tables_single_point,
    .visit = visit_latencies,
    .help = "a bin of the measured latencies that is not empty",
};

static const struct table *const tables[] = {&table_traffic_result,
                                             &table_machine,
                                             &table_traffic_factors,
                                             &table_traffic_machines,
                                             &points,
                                             &curves,
                                             &loads,
                                             &searches,
                                             &table_network,
                                             &table_traffic_classes,
                                             &table_packets_by_hops,
                                             &latencies,
                                             &table_traffic_busiest_links,
                                             &table_traffic_links,
                                             &table_traffic_groups,
                                             &table_traffic_channel_bins,
                                             &table_traffic_link_flows,
                                             &table_traffic_link_waits,
                                             &table_traffic_longest_waits,
                                             &table_routers,
                                             &table_configuration,
                                             &table_settings_changed,
                                             &table_traffic_machine_changes,
                                             &table_simulation,
                                             NULL};

const struct table_schema tables_traffic = {"traffic", "anax.traffic/2", tables};
