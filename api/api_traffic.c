/*
 * Synthetic traffic through the public interface: one run for each routing policy and load.
 *
 * Invariant: each point is an independent run with the same seed, so its result does not depend on
 * the list that contains it, nor on the number of points that run at once. The network of a single
 * point is kept, for the figures of its links.
 */
#include "api/api.h"
#include "api/api_progress.h"
#include "api/caller_struct.h"
#include "api/loads.h"
#include "api/points/points.h"
#include "api/result.h"
#include "core/digest.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/units.h"
#include "network/network_choices.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LOADS "0.1:0.9:0.2"

enum { MOST_POINTS = 4000 };

/* The points of a run, and the state that their threads share. */
struct point_list {
    anax_result *result;
    const int64_t *loads;
    size_t load_count;
    const anax_options *options;
    unsigned threads; /* threads of each point; 0: as many as help */
    bool *done;       /* [point] */
    atomic_bool stopped;
    atomic_size_t begun;
};

struct point_progress {
    struct point_list *list;
    unsigned worker;
    const char *phase;
};

static void add_totals(struct network_totals *sum, const struct network_totals *more) {
    sum->messages += more->messages;
    sum->memory_messages += more->memory_messages;
    sum->packets += more->packets;
    sum->packet_hops += more->packet_hops;
    sum->bytes += more->bytes;
    sum->minimal_packets += more->minimal_packets;
    sum->escapes += more->escapes;
    sum->responses += more->responses;
    sum->response_hops += more->response_hops;
    sum->response_bytes += more->response_bytes;
    sum->latency_sum_ps += more->latency_sum_ps;
    if (more->latency_max_ps > sum->latency_max_ps) sum->latency_max_ps = more->latency_max_ps;
    for (size_t i = 0; i < sizeof sum->router_hops / sizeof *sum->router_hops; i++)
        sum->router_hops[i] += more->router_hops[i];
    for (size_t i = 0; i < sizeof sum->latency_histogram / sizeof *sum->latency_histogram; i++)
        sum->latency_histogram[i] += more->latency_histogram[i];
    sum->events += more->events;
    sum->windows += more->windows;
    if (more->threads > sum->threads) sum->threads = more->threads;
}

/* Reports the progress of a point. Only the caller's thread may call the caller's function, so it
 * reports its own point. All points stop when that function returns false. */
static bool report(void *context, int64_t now_ps, uint64_t events) {
    const struct point_progress *progress = context;
    struct point_list *list = progress->list;
    if (progress->worker == 0) {
        struct api_progress public_progress = {list->options, progress->phase};
        if (!api_progress_run(&public_progress, now_ps, events)) atomic_store(&list->stopped, true);
    }
    return !atomic_load(&list->stopped);
}

static status_code run_point(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct point_list *list = context;
    anax_result *result = list->result;
    bool single = result->points_wanted == 1;
    size_t begun = atomic_fetch_add(&list->begun, 1) + 1;
    int64_t load_millionths = list->loads[item % list->load_count];
    struct network_config config = result->config->network;
    config.routing = result->routings[item / list->load_count];
    char load[32], phase[128];
    units_ratio_text(load_millionths, load, sizeof load);
    int length = snprintf(phase, sizeof phase, "load %s", load);
    if (!single)
        snprintf(phase + length, sizeof phase - (size_t)length, " of %s (point %zu of %zu)",
                 network_routing_names()[config.routing], begun, result->points_wanted);
    struct point_progress progress = {list, worker, phase};
    struct traffic_options options = {
        .threads = list->threads,
        .histogram = single ? result->histogram : NULL,
        .progress = list->options->progress != NULL ? report : NULL,
        .progress_context = &progress,
    };
    struct network *network = NULL;
    status_code code =
        traffic_run(&result->points[item], &network, &config, &result->config->traffic,
                    load_millionths, (uint64_t)result->config->run.seed, &options, status);
    if (single)
        result->network = network;
    else
        network_free(network);
    list->done[item] = code == STATUS_OK;
    if (code == STATUS_OK) return code;
    if (result->routing_count > 1)
        status_prefix(status, "routing %s, load %s", network_routing_names()[config.routing], load);
    else
        status_prefix(status, "load %s", load);
    return code;
}

/* Adds up the points before the first point that failed, and ignores the points after it. */
static void add_up(anax_result *result, const bool *is_done, status_code code, unsigned jobs) {
    size_t done = 0;
    while (done < result->points_wanted && is_done[done])
        done++;
    result->point_count = done;
    result->completed = code == STATUS_OK;
    for (size_t i = 0; i < done; i++) {
        add_totals(&result->totals, &result->points[i].totals);
        if (result->completed) result->digest += digest_spread(result->points[i].totals.digest + i);
    }
    result->totals.threads *= jobs;
}

static status_code run_points(anax_result *result, const int64_t *loads, size_t load_count,
                              const anax_options *options, struct status *status) {
    struct point_list list = {
        .result = result, .loads = loads, .load_count = load_count, .options = options};
    size_t count = load_count * result->routing_count;
    RETURN_ERROR_IF(count > MOST_POINTS, status, STATUS_USAGE,
                    "%zu loads under %zu routing policies are %zu points, and at most %d in one "
                    "run; use a larger step",
                    load_count, result->routing_count, count, MOST_POINTS);
    result->points_wanted = count;
    result->points = memory_new(count, sizeof *result->points);
    if (count == 1) result->histogram = memory_new(1, sizeof *result->histogram);
    list.done = memory_new(count, sizeof *list.done);
    if (list.done == NULL || result->points == NULL || (count == 1 && result->histogram == NULL)) {
        free(list.done);
        return status_set(status, STATUS_MEMORY, "out of memory for %zu points", count);
    }
    atomic_init(&list.stopped, false);
    atomic_init(&list.begun, 0);
    unsigned jobs = points_at_once(options, network_config_nodes(&result->config->network), count,
                                   &list.threads);
    double start_s = api_clock_s();
    status_code code = parallel_for(jobs, count, run_point, &list, status);
    result->wall_s = api_clock_s() - start_s;
    add_up(result, list.done, code, jobs);
    free(list.done);
    return code;
}

/* Adds one policy of the list; it must fit the machine and must not be in the list yet. */
static status_code add_routing(anax_result *result, const char *name, struct status *status) {
    struct network_config *network = &result->config->network;
    struct setting_section section = {network_setting_rows, network_setting_count, network};
    struct settings settings = {&section, 1};
    FORWARD_IF_ERROR(settings_set(&settings, "network.routing", name, status));
    FORWARD_IF_ERROR(network_config_check(network, status));
    FORWARD_IF_ERROR(api_check_class(result->config, "traffic.class",
                                     result->config->traffic.traffic_class, status));
    for (size_t i = 0; i < result->routing_count; i++)
        RETURN_ERROR_IF(result->routings[i] == network->routing, status, STATUS_USAGE,
                        "routing policy `%s` is given twice; leave one", name);
    result->routings[result->routing_count++] = network->routing;
    return STATUS_OK;
}

/* Reads a list "a,b,c", which it cuts up in place. With several policies network.routing keeps the
 * configuration's value. */
static status_code parse_routings(anax_result *result, char *names, struct status *status) {
    size_t most = 1;
    for (const char *comma = names; (comma = strchr(comma, ',')) != NULL; comma++)
        most++;
    result->routings = memory_new(most, sizeof *result->routings);
    RETURN_ERROR_IF(result->routings == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu routing policies", most);
    int32_t configured = result->config->network.routing;
    status_code code = STATUS_OK;
    for (char *name = names, *next; name != NULL && code == STATUS_OK; name = next) {
        next = strchr(name, ',');
        if (next != NULL) *next++ = '\0';
        code = add_routing(result, name, status);
    }
    if (result->routing_count != 1) result->config->network.routing = configured;
    return code;
}

static status_code take_routings(anax_result *result, const char *routings, struct status *status) {
    char *copy = NULL;
    if (routings == NULL) routings = network_routing_names()[result->config->network.routing];
    FORWARD_IF_ERROR(memory_copy_text(&copy, routings, status));
    status_code code = parse_routings(result, copy, status);
    free(copy);
    return code;
}

static status_code run(anax_result *result, const char *routings, const char *loads_text,
                       const anax_options *options, struct status *status) {
    int64_t *loads = NULL;
    size_t count = 0;
    FORWARD_IF_ERROR(take_routings(result, routings, status));
    FORWARD_IF_ERROR(
        loads_parse(loads_text != NULL ? loads_text : DEFAULT_LOADS, &loads, &count, status));
    status_code code = run_points(result, loads, count, options, status);
    free(loads);
    return code;
}

anax_code anax_traffic_curves(anax_result **result, const anax_config *config, const char *routings,
                              const char *loads, const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    *result = NULL;
    if (caller_options(&own, options, &status) == STATUS_OK &&
        result_new(result, API_RESULT_TRAFFIC, config, &status) == STATUS_OK)
        result_finish(result, run(*result, routings, loads, &own, &status), &status);
    return api_return(&status, error);
}

anax_code anax_traffic(anax_result **result, const anax_config *config, const char *loads,
                       const anax_options *options, anax_error *error) {
    return anax_traffic_curves(result, config, NULL, loads, options, error);
}
