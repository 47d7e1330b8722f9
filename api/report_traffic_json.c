/* A traffic run's result as JSON, schema anax.traffic/1. Keys are documented in anax-json(5). */
#include "api/json_build.h"
#include "api/report.h"

/* null where nothing was measured. */
static void put_latency(struct json_object *object, const char *key, uint64_t messages,
                        int64_t latency_ps) {
    if (messages > 0)
        json_put_int(object, key, latency_ps);
    else
        json_object_object_add(object, key, NULL);
}

static int64_t mean_ps(int64_t sum_ps, uint64_t messages) {
    return messages > 0 ? sum_ps / (int64_t)messages : 0;
}

static void put_point(struct json_object *points, const traffic_point *point) {
    uint64_t messages = point->messages;
    uint64_t detours = messages - point->minimal_messages;
    struct json_object *object = json_append_object(points);
    json_put_millionths(object, "offered_load", point->offered_millionths);
    json_put_millionths(object, "accepted_load", point->accepted_millionths);
    json_put_bool(object, "stable", point->stable);
    json_put_count(object, "messages", messages);
    json_put_count(object, "unfinished", point->unfinished);
    put_latency(object, "mean_latency_ps", messages, mean_ps(point->latency_sum_ps, messages));
    put_latency(object, "p50_latency_ps", messages, point->latency_p50_ps);
    put_latency(object, "p95_latency_ps", messages, point->latency_p95_ps);
    put_latency(object, "p99_latency_ps", messages, point->latency_p99_ps);
    put_latency(object, "max_latency_ps", messages, point->latency_max_ps);
    json_put_ratio(object, "mean_hops", point->router_sum, messages);
    json_put_ratio(object, "minimal_share", point->minimal_messages, messages);
    put_latency(object, "minimal_mean_latency_ps", point->minimal_messages,
                mean_ps(point->minimal_latency_sum_ps, point->minimal_messages));
    put_latency(object, "nonminimal_mean_latency_ps", detours,
                mean_ps(point->latency_sum_ps - point->minimal_latency_sum_ps, detours));
    json_put_hash(object, "digest", point->totals.digest);
}

char *report_traffic_json(const anax_result *result) {
    struct json_object *object = json_object_new_object();
    if (object == NULL) return NULL;
    report_json_head(object, result, "anax.traffic/1");
    json_put_text(object, "pattern", result->config->traffic.pattern);
    struct json_object *points = json_put_array(object, "points");
    for (size_t i = 0; i < result->point_count; i++)
        put_point(points, &result->points[i]);
    report_json_network(json_put_object(object, "network"), &result->totals);
    if (result->completed && result->point_count == 1) report_json_links(object, result);
    report_json_simulation(object, result);
    return json_finish(object);
}
