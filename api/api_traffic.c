/*
 * Synthetic traffic through the public interface: one run for each load.
 *
 * Invariant: each load is an independent run with the same seed, so that a load gives the same
 * point in any list. Only one network exists at a time; the last one stays for its links.
 */
#include "api/api.h"
#include "api/api_progress.h"
#include "api/loads.h"
#include "api/result.h"
#include "core/digest.h"
#include "core/memory.h"
#include "core/units.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_LOADS "0.1:0.9:0.2"

static void add_totals(network_totals *sum, const network_totals *more) {
    sum->messages += more->messages;
    sum->memory_messages += more->memory_messages;
    sum->packets += more->packets;
    sum->packet_hops += more->packet_hops;
    sum->bytes += more->bytes;
    sum->minimal_packets += more->minimal_packets;
    sum->escapes += more->escapes;
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

static status_code run_point(anax_result *result, int64_t load_millionths,
                             const anax_options *options, status *status) {
    const anax_config *config = result->config;
    char load[32], phase[48];
    units_ratio_text(load_millionths, load, sizeof load);
    snprintf(phase, sizeof phase, "load %s", load);
    api_progress progress = {options, phase};
    traffic_options run_options = {
        .threads = api_threads(options),
        .progress = api_wants_progress(options) ? api_progress_run : NULL,
        .progress_context = &progress,
    };
    network_free(result->network);
    result->network = NULL;
    traffic_point *point = &result->points[result->point_count];
    status_code code =
        traffic_run(point, &result->network, &config->network, &config->traffic, load_millionths,
                    (uint64_t)config->run.seed, &run_options, status);
    if (code != STATUS_OK) {
        status_prefix(status, "load %s", load);
        return code;
    }
    add_totals(&result->totals, &point->totals);
    result->digest += digest_spread(point->totals.digest + result->point_count);
    result->point_count++;
    return STATUS_OK;
}

static status_code run(anax_result *result, const char *loads_text, const anax_options *options,
                       status *status) {
    int64_t *loads = NULL;
    size_t count = 0;
    FORWARD_IF_ERROR(network_config_check(&result->config->network, status));
    FORWARD_IF_ERROR(
        loads_parse(loads_text != NULL ? loads_text : DEFAULT_LOADS, &loads, &count, status));
    result->points = memory_new(count, sizeof *result->points);
    status_code code = STATUS_OK;
    if (result->points == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %zu loads", count);
    double start_s = api_clock_s();
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = run_point(result, loads[i], options, status);
    result->wall_s = api_clock_s() - start_s;
    result->completed = code == STATUS_OK;
    if (code != STATUS_OK) result->digest = 0;
    free(loads);
    return code;
}

anax_code anax_traffic(anax_result **result, const anax_config *config, const char *loads,
                       const anax_options *options, anax_error *error) {
    status status = STATUS_INIT;
    if (result_new(result, RESULT_TRAFFIC, config, &status) == STATUS_OK)
        result_finish(result, run(*result, loads, options, &status), &status);
    return api_return(&status, error);
}
