/* A traffic run's result as JSON, schema anax.traffic/1. Keys are documented in anax-json(5). */
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "core/digest.h"
#include "network/network_choices.h"

static void put_point(struct json_object *points, const anax_result *result, size_t number) {
    const struct traffic_point *point = &result->points[number];
    int32_t routing = api_point_routing(result, number);
    uint64_t messages = point->messages;
    uint64_t detours = messages - point->minimal_messages;
    struct json_object *object = json_append_object(points);
    json_put_millionths(object, "offered_load", point->offered_millionths);
    json_put_millionths(object, "accepted_load", point->accepted_millionths);
    json_put_bool(object, "stable", point->stable);
    json_put_count(object, "messages", messages);
    json_put_count(object, "unfinished", point->unfinished);
    json_put_latency(object, "mean_latency_ps", messages,
                     wide_mean(point->latency_sum_ps, messages));
    json_put_latency(object, "p50_latency_ps", messages, point->latency_p50_ps);
    json_put_latency(object, "p95_latency_ps", messages, point->latency_p95_ps);
    json_put_latency(object, "p99_latency_ps", messages, point->latency_p99_ps);
    json_put_latency(object, "max_latency_ps", messages, point->latency_max_ps);
    json_put_ratio(object, "mean_hops", point->router_sum, messages);
    json_put_ratio(object, "minimal_share", point->minimal_messages, messages);
    json_put_latency(object, "minimal_mean_latency_ps", point->minimal_messages,
                     wide_mean(point->minimal_latency_sum_ps, point->minimal_messages));
    json_put_latency(object, "nonminimal_mean_latency_ps", detours,
                     wide_mean(point->latency_sum_ps - point->minimal_latency_sum_ps, detours));
    json_put_latency(object, "accepted_mean_latency_ps", point->accepted_messages,
                     wide_mean(point->accepted_latency_sum_ps, point->accepted_messages));
    json_put_text(object, "routing", network_routing_names()[routing]);
    json_put_text(object, "misrouting", report_misrouting(result, routing));
    json_put_hash(object, "digest", point->totals.digest);
}

/* What is to be said of each policy's points together. */
static void put_curve(struct json_object *curves, const anax_result *result, size_t first,
                      size_t end) {
    int64_t throughput_millionths = 0;
    int64_t stable_millionths = 0;
    uint64_t digest = 0;
    bool stable = true;
    for (size_t i = first; i < end; i++) {
        const struct traffic_point *point = &result->points[i];
        if (point->accepted_millionths > throughput_millionths)
            throughput_millionths = point->accepted_millionths;
        stable = stable && point->stable;
        if (stable && point->offered_millionths > stable_millionths)
            stable_millionths = point->offered_millionths;
        digest += digest_spread(point->totals.digest + (i - first));
    }
    struct json_object *object = json_append_object(curves);
    json_put_text(object, "routing", network_routing_names()[api_point_routing(result, first)]);
    json_put_count(object, "point_count", end - first);
    json_put_millionths(object, "throughput", throughput_millionths);
    if (stable_millionths > 0)
        json_put_millionths(object, "stable_load", stable_millionths);
    else
        json_put_null(object, "stable_load");
    json_put_hash(object, "digest", digest);
}

static void put_curves(struct json_object *object, const anax_result *result) {
    struct json_object *curves = json_put_array(object, "curves");
    if (result->routing_count == 0) return;
    size_t loads = result->points_wanted / result->routing_count;
    for (size_t first = 0; first < result->point_count; first += loads) {
        size_t end = first + loads;
        put_curve(curves, result, first, end < result->point_count ? end : result->point_count);
    }
}

static void put_histogram(struct json_object *object, const struct traffic_histogram *histogram) {
    struct json_object *bins = json_put_array(object, "latency_histogram");
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        if (histogram->all[bin] == 0) continue;
        struct json_object *entry = json_append_object(bins);
        json_put_int(entry, "from_ps", network_latency_bin_floor(bin));
        json_put_int(entry, "to_ps", network_latency_bin_floor(bin + 1));
        json_put_count(entry, "messages", histogram->all[bin]);
        json_put_count(entry, "minimal_messages", histogram->minimal[bin]);
    }
}

char *report_traffic_json(const anax_result *result) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    report_json_head(object, result, "anax.traffic/1");
    json_put_text(object, "pattern", result->config->traffic.pattern);
    struct json_object *points = json_put_array(object, "points");
    for (size_t i = 0; i < result->point_count; i++)
        put_point(points, result, i);
    put_curves(object, result);
    report_json_network(json_put_object(object, "network"), &result->totals);
    if (result->completed && result->point_count == 1) {
        put_histogram(object, result->histogram);
        report_json_links(object, result);
    }
    report_json_simulation(object, result);
    return json_finish(object);
}
