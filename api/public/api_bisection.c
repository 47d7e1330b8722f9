/*
 * Bisection bandwidths through the public interface. Reads the clock for the solver.
 *
 * Invariant: a result whose proof was not cut short is equal for any number of threads.
 */
#include "api/caller_struct.h"
#include "api/report/report_bisection.h"
#include "api/table/tables.h"
#include "core/files/output_file.h"
#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROVEN_UNASKED = 128, LIMIT_UNASKED_S = 3600 };

struct bisection_watch {
    const anax_options *options;
    double end_s;
    atomic_bool cancelled;
};

static bool is_over(void *context) {
    struct bisection_watch *watch = context;
    return atomic_load_explicit(&watch->cancelled, memory_order_relaxed) ||
           api_clock_s() >= watch->end_s;
}

static void report_progress(void *context, uint64_t proven, uint64_t points, uint64_t open) {
    struct bisection_watch *watch = context;
    char phase[64];
    snprintf(phase, sizeof phase, "proving (%" PRIu64 " open)", open);
    anax_progress progress = {.phase = phase, .done = proven, .total = points};
    if (watch->options->progress != NULL &&
        !watch->options->progress(watch->options->progress_context, &progress))
        atomic_store(&watch->cancelled, true);
}

#define WEIGHT_LARGEST 10000 /* weight of the widest local link */

/* Weighs local links by their bandwidths where these differ. */
static status_code weigh_locals(struct bisection_graph *graph, const struct group_shape *group,
                                const struct network_config *network, struct status *status) {
    uint32_t weights[UNITS_DIMENSIONS] = {0}, largest = 0;
    const int64_t unit = network_config_local_unit_bytes_per_s(network);
    for (uint32_t type = 0; type < group_shape_local_types(group); type++) {
        int64_t weight =
            network_config_raw_bytes_per_s(network, network_local_channel_type(type)) / unit;
        RETURN_ERROR_IF(weight > WEIGHT_LARGEST, status, STATUS_USAGE,
                        "the bandwidths of local channels are multiples of %" PRId64
                        " B/s at most, up to %" PRId64
                        " times; a bisection takes at most %d times; round network.local.bandwidth "
                        "and network.local2.bandwidth",
                        unit, weight, WEIGHT_LARGEST);
        weights[type] = (uint32_t)weight;
        if (weights[type] > largest) largest = weights[type];
    }
    if (largest > 1) bisection_graph_apply_bandwidths(graph, group, weights);
    return STATUS_OK;
}

static status_code solve_bisection(anax_bisection *bisection, uint64_t time_limit_s,
                                   const anax_options *options, struct status *status) {
    const bool is_limited = time_limit_s > 0;
    const struct network_config *network = &bisection->config->network;
    struct topology topology = {0};
    struct bisection_graph graph = {0};
    FORWARD_IF_ERROR(network_config_check(network, status));
    status_code code = topology_new(&topology, network, status);
    if (code == STATUS_OK && topology.failures != NULL && network->rails > 1)
        code = status_set(status, STATUS_USAGE,
                          "with failures (network.failures.*) rails differ; set network.rails to 1 "
                          "for the bisection of the first one");
    if (code == STATUS_OK && topology.failures != NULL && topology.failures->failed_routers > 0)
        code = status_set(status, STATUS_USAGE,
                          "a machine without some of its routers (network.failures.*) has no "
                          "bisection that could be compared with others; fail links only");
    if (code == STATUS_OK) code = bisection_graph_from_topology(&graph, &topology, status);
    bisection->local_links = graph.local_links * (uint64_t)network->rails;
    if (code == STATUS_OK) code = weigh_locals(&graph, &topology.group_shape, network, status);
    topology_free(&topology);
    if (code != STATUS_OK) bisection_graph_free(&graph);
    FORWARD_IF_ERROR(code);
    bisection_graph_repeat(&graph, (uint32_t)network->rails);
    bisection->routers = graph.routers;
    bisection->global_links = graph.global_links;
    const double begin_s = api_clock_s();
    struct bisection_watch watch = {.options = options};
    watch.end_s = begin_s + (is_limited ? (double)time_limit_s : LIMIT_UNASKED_S);
    atomic_init(&watch.cancelled, false);
    const struct bisection_options how = {
        .threads = options->threads,
        .exact_routers = is_limited ? BISECTION_MAX : PROVEN_UNASKED,
        .stop = is_over,
        .progress = report_progress,
        .context = &watch,
    };
    code = bisection_run(&bisection->result, &graph, &how, status);
    bisection_graph_free(&graph);
    bisection->wall_s = api_clock_s() - begin_s;
    if (code == STATUS_OK && atomic_load(&watch.cancelled))
        code = status_set(status, STATUS_STOPPED, "stopped");
    return code;
}

anax_code anax_bisection_new(anax_bisection **bisection, const anax_bisection_plan *plan,
                             const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_bisection_plan own_plan = ANAX_BISECTION_PLAN_INIT;
    status_code code = caller_read_options(&own, options, __func__, &status);
    if (code == STATUS_OK)
        code = caller_struct_read(&own_plan, plan, &caller_bisection_plan_struct, &status);
    if (code == STATUS_OK && own_plan.config == NULL)
        code = status_set(&status, STATUS_USAGE, "a bisection needs a machine: set plan.config");
    *bisection = code == STATUS_OK ? memory_new(1, sizeof **bisection) : NULL;
    if (code == STATUS_OK && *bisection == NULL)
        code = status_set(&status, STATUS_MEMORY, "out of memory for a bisection");
    if (code == STATUS_OK) code = api_config_copy(&(*bisection)->config, own_plan.config, &status);
    if (code == STATUS_OK) code = solve_bisection(*bisection, own_plan.time_limit_s, &own, &status);
    if (code != STATUS_OK) {
        anax_bisection_free(*bisection);
        *bisection = NULL;
    }
    return api_return(&status, error);
}

void anax_bisection_free(anax_bisection *bisection) {
    if (bisection == NULL) return;
    anax_config_free(bisection->config);
    bisection_result_free(&bisection->result);
    free(bisection);
}

bool anax_bisection_proven(const anax_bisection *bisection) {
    return bisection->result.proven;
}

char *anax_bisection_text(const anax_bisection *const *bisections, size_t count) {
    return report_bisection_text(bisections, count);
}

char *anax_bisection_json(const anax_bisection *const *bisections, size_t count) {
    return report_bisection_json(bisections, count);
}

anax_code anax_bisection_write_curves(const anax_bisection *const *bisections, size_t count,
                                      const char *path, const anax_options *options,
                                      anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = {.bisections = bisections, .bisection_count = count};
    struct output_file file;
    anax_options own;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        output_file_open(&file, path, own.replace, &status) == STATUS_OK) {
        const status_code code =
            table_write_csv(&table_bisection_file, &source, file.stream, &status);
        output_file_finish(&file, code, &status);
    }
    return api_return(&status, error);
}

char *anax_bisection_svg(const anax_bisection *const *bisections, size_t count) {
    return report_bisection_svg(bisections, count);
}

anax_code anax_bisection_table(anax_table **table, const anax_bisection *bisection,
                               const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_bisection_source(&bisection);
    table_collect(table, &tables_bisection, name, &source, &status);
    return api_return(&status, error);
}
