/* Synthetic traffic through the public interface. */
#include "api/caller_struct.h"
#include "api/command_support.h"
#include "api/points/points_run.h"
#include "api/result.h"
#include "api/traffic/sweep.h"
#include "core/base/digest.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"

#include <stdlib.h>

/* Adds up the points before the first point that failed, and ignores the points after it. */
static void add_up(anax_traffic_result *result, unsigned at_once) {
    const struct traffic_sweep *sweep = result->sweep;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct network_totals *totals = &sweep->points[i].figures.totals;
        network_totals_add(&result->run.totals, totals);
        if (result->run.completed) result->run.digest += digest_spread(totals->digest + i);
    }
    result->run.totals.threads *= at_once;
}

static status_code run_traffic(anax_traffic_result *result, const anax_traffic_plan *plan,
                               const anax_options *options, struct status *status) {
    const struct sweep_order order = {.folder = plan->points_folder, .options = options};
    unsigned at_once = 1;
    FORWARD_IF_ERROR(
        sweep_new(&result->sweep, plan, &result->run.routings, &result->run.routing_count, status));
    /* with one policy, the settings of the result name it */
    if (result->run.routing_count == 1)
        result->run.config->network.routing = result->run.routings[0];
    const double start_s = api_clock_s();
    result->run.process_count = processes_count(api_processes(options));
    status_code code = sweep_run(result->sweep, &order, result, &at_once, status);
    result->run.wall_s = api_clock_s() - start_s;
    result->run.completed = code == STATUS_OK;
    sweep_judge(result->sweep);
    add_up(result, at_once);
    return code;
}

/* Runs a plan and makes its result; *result stays NULL if there is nothing to tell. */
static void make_result(anax_traffic_result **result, const anax_traffic_plan *plan,
                        const anax_options *options, struct status *status) {
    anax_traffic_result *made = memory_new(1, sizeof *made);
    if (made == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for a result");
        return;
    }
    status_code code = result_begin(&made->run, plan->machines[0], status);
    if (code == STATUS_OK) code = run_traffic(made, plan, options, status);
    made->ascii_only = options->ascii_only;
    if (result_end(&made->run, code, status))
        *result = made;
    else
        anax_traffic_result_free(made);
}

anax_code anax_traffic_sweep(anax_traffic_result **result, const anax_traffic_plan *plan,
                             const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_traffic_plan own_plan = ANAX_TRAFFIC_PLAN_INIT;
    *result = NULL;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        caller_struct_read(&own_plan, plan, &caller_traffic_plan_struct, &status) == STATUS_OK) {
        if (own_plan.machine_count == 0)
            status_set(&status, STATUS_USAGE, "traffic needs a machine");
        else
            make_result(result, &own_plan, &own, &status);
    }
    return api_return(&status, error);
}

/* Counts the points of a part that were tried. */
static void count_part(anax_sweep_part *part, const struct traffic_sweep *sweep) {
    for (size_t i = 0; i < sweep->points_wanted; i++) {
        const struct sweep_point *point = &sweep->points[i];
        if (!point->finished && point->failure == NULL) continue;
        part->points++;
        part->found += point->was_kept;
        part->damaged += point->was_damaged;
        part->failed += !point->finished;
    }
}

static status_code run_part(anax_sweep_part *part, const anax_traffic_plan *plan,
                            const anax_options *options, struct status *status) {
    struct traffic_sweep *sweep = NULL;
    int32_t *routings = NULL;
    size_t routing_count = 0;
    unsigned at_once = 1;
    const struct sweep_order order = {plan->points_folder, part->part, part->parts, options};
    FORWARD_IF_ERROR(
        points_check_part(part->part, part->parts, plan->points_folder, "a sweep", status));
    FORWARD_IF_ERROR(sweep_new(&sweep, plan, &routings, &routing_count, status));
    status_code code = sweep_run(sweep, &order, NULL, &at_once, status);
    part->all_points = sweep->points_wanted;
    count_part(part, sweep);
    sweep_free(sweep);
    free(routings);
    return code;
}

anax_code anax_traffic_part(anax_sweep_part *part, const anax_traffic_plan *plan,
                            const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    anax_traffic_plan own_plan = ANAX_TRAFFIC_PLAN_INIT;
    anax_sweep_part own_part = ANAX_SWEEP_PART_INIT;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        caller_struct_read(&own_plan, plan, &caller_traffic_plan_struct, &status) == STATUS_OK &&
        caller_struct_read(&own_part, part, &caller_sweep_part_struct, &status) == STATUS_OK) {
        own_part.points = own_part.all_points = 0;
        own_part.found = own_part.damaged = own_part.failed = 0;
        if (run_part(&own_part, &own_plan, &own, &status) == STATUS_OK)
            caller_struct_write(part, &own_part, &caller_sweep_part_struct, &status);
    }
    return api_return(&status, error);
}

anax_code anax_traffic_curves(anax_traffic_result **result, const anax_config *config,
                              const char *routings, const char *loads, const anax_options *options,
                              anax_error *error) {
    const anax_config *const machines[] = {config};
    anax_traffic_plan plan = ANAX_TRAFFIC_PLAN_INIT;
    plan.machines = machines;
    plan.machine_count = 1;
    plan.routings = routings;
    plan.loads = loads;
    return anax_traffic_sweep(result, &plan, options, error);
}

anax_code anax_traffic(anax_traffic_result **result, const anax_config *config, const char *loads,
                       const anax_options *options, anax_error *error) {
    return anax_traffic_curves(result, config, NULL, loads, options, error);
}

anax_code api_traffic_count_parts(unsigned *parts, const anax_traffic_plan *plan,
                                  const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    struct traffic_sweep *sweep = NULL;
    int32_t *routings = NULL;
    size_t routing_count = 0;
    *parts = 0;
    if (sweep_new(&sweep, plan, &routings, &routing_count, &status) == STATUS_OK)
        sweep_count_parts(parts, sweep, plan->points_folder, options, &status);
    sweep_free(sweep);
    free(routings);
    return api_return(&status, error);
}
