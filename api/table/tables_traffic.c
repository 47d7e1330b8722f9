/* The tables of synthetic traffic. */
#include "api/report/report.h"
#include "api/table/tables.h"
#include "core/digest.h"
#include "network/network_choices.h"

/* ---- points ---- */

struct point_row {
    int64_t offered_load, accepted_load, stable;
    uint64_t messages, unfinished;
    int64_t mean_ps, p50_ps, p95_ps, p99_ps, max_ps, mean_hops, minimal_share;
    const char *routing, *misrouting, *digest;
    int64_t minimal_mean_ps, nonminimal_mean_ps, accepted_mean_ps;
};

static int64_t mean_of(wide sum_ps, uint64_t messages) {
    return table_of(messages, wide_mean(sum_ps, messages));
}

static void add_point(const anax_result *result, size_t number, const struct table_sink *sink) {
    const struct traffic_point *point = &result->points[number];
    const int32_t routing = api_point_routing(result, number);
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
        .routing = network_routing_names()[routing],
        .misrouting = report_misrouting(result, routing),
        .digest = table_hash(point->totals.digest, digest),
        .minimal_mean_ps = mean_of(point->minimal_latency_sum_ps, point->minimal_messages),
        .nonminimal_mean_ps = mean_of(point->latency_sum_ps - point->minimal_latency_sum_ps,
                                      messages - point->minimal_messages),
        .accepted_mean_ps = mean_of(point->accepted_latency_sum_ps, point->accepted_messages),
    };
    table_add(sink, &row);
}

static status_code visit_points(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    for (size_t i = 0; i < source->result->point_count; i++)
        add_point(source->result, i, sink);
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
    TABLE_SHARE(point_row, mean_hops, "mean_hops", "", "routers passed, mean over messages"),
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
    TABLE_NAME(point_row, digest, "digest", "digest of the point"),
};

static const struct table points = {
    .name = "points",
    .form = TABLE_ARRAY,
    .has_file = true,
    TABLE_LIST(point_columns),
    .visit = visit_points,
    .help = "a routing policy and a load",
};

/* ---- curves ---- */

struct curve_row {
    const char *routing, *digest;
    uint64_t points;
    int64_t throughput, stable_load;
};

/* Adds the row of one policy: figures of all its points together. */
static void add_curve(const anax_result *result, size_t first, size_t end,
                      const struct table_sink *sink) {
    struct curve_row row = {
        .routing = network_routing_names()[api_point_routing(result, first)],
        .points = end - first,
        .stable_load = TABLE_NONE,
    };
    uint64_t digest = 0;
    bool stable = true;
    for (size_t i = first; i < end; i++) {
        const struct traffic_point *point = &result->points[i];
        if (point->accepted_millionths > row.throughput)
            row.throughput = point->accepted_millionths;
        stable = stable && point->stable;
        if (stable && point->offered_millionths > row.stable_load)
            row.stable_load = point->offered_millionths;
        digest += digest_spread(point->totals.digest + (i - first));
    }
    char text[17];
    row.digest = table_hash(digest, text);
    table_add(sink, &row);
}

static status_code visit_curves(const struct table_source *source, const struct table_sink *sink,
                                struct status *status) {
    (void)status;
    const anax_result *result = source->result;
    const size_t count = result->point_count;
    if (result->routing_count == 0) return STATUS_OK;
    const size_t loads = result->points_wanted / result->routing_count;
    for (size_t first = 0; first < count; first += loads)
        add_curve(result, first, first + loads < count ? first + loads : count, sink);
    return STATUS_OK;
}

static const struct table_column curve_columns[] = {
    TABLE_NAME(curve_row, routing, "routing", "routing policy"),
    TABLE_COLUMN(curve_row, points, "points", "", "number of its points"),
    TABLE_SHARE(curve_row, throughput, "throughput", "", "the largest accepted_load"),
    TABLE_SHARE(curve_row, stable_load, "stable_load", "",
                "the largest offered_load of the points before the first one that is not stable; "
                "null if there is none"),
    TABLE_NAME(curve_row, digest, "digest", "digest of the curve"),
};

static const struct table curves = {
    .name = "curves",
    .form = TABLE_ARRAY,
    TABLE_LIST(curve_columns),
    .visit = visit_curves,
    .help = "a routing policy, in the order of points",
};

/* ---- latencies ---- */

struct latency_row {
    int64_t from_ps, to_ps;
    uint64_t messages, minimal_messages;
};

static status_code visit_latencies(const struct table_source *source, const struct table_sink *sink,
                                   struct status *status) {
    (void)status;
    const struct traffic_histogram *histogram = source->result->histogram;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        const struct latency_row row = {network_latency_bin_floor(bin),
                                        network_latency_bin_floor(bin + 1), histogram->all[bin],
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
    .is_there = tables_is_single_point,
    .visit = visit_latencies,
    .help = "a bin of the measured latencies that is not empty; only with a single point",
};

static const struct table *const tables[] = {&table_traffic_result,
                                             &table_machine,
                                             &points,
                                             &curves,
                                             &table_network,
                                             &table_traffic_classes,
                                             &table_packets_by_hops,
                                             &latencies,
                                             &table_traffic_busiest_links,
                                             &table_traffic_links,
                                             &table_traffic_groups,
                                             &table_routers,
                                             &table_configuration,
                                             &table_settings_changed,
                                             &table_simulation,
                                             NULL};

const struct table_schema tables_traffic = {"traffic", "anax.traffic/2", tables};
