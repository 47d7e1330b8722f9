/*
 * `anax search`: the best of many candidates by cost and time. After a signal, the command ends and
 * keeps all points that are finished. A second signal ends it at once.
 */
#include "api/command_support.h"
#include "cli/interrupt.h"
#include "cli/plan.h"
#include "cli/report_outputs.h"

enum { DEFAULT_SEEDS = 5 };

static int output_result(const anax_search *search, const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    size_t found = 0, damaged = 0;
    const size_t points = anax_search_point_count(&found, &damaged, search);
    plan_print_found(points, found, damaged, invocation);
    if (invocation->output != NULL &&
        anax_search_write_tables(search, invocation->output, &error) != ANAX_OK)
        return run_print_error(&error);
    if (report_outputs_wanted(invocation) &&
        report_outputs_write(invocation, anax_search_json(search), &error) != ANAX_OK)
        return run_print_error(&error);
    return run_print(invocation->json ? anax_search_json(search) : anax_search_text(search));
}

static anax_search_plan plan_of(const struct plan_inputs *inputs,
                                const struct invocation *invocation) {
    anax_search_plan plan = ANAX_SEARCH_PLAN_INIT;
    plan.machines = (const anax_config *const *)inputs->machines;
    plan.machine_count = inputs->machine_count;
    plan.factors = (const char *const *)inputs->factors;
    plan.factor_count = inputs->factor_count;
    plan.limits = invocation->limits;
    plan.limit_count = invocation->limit_count;
    plan.trace = inputs->traces[0];
    plan.path = invocation->arguments[0];
    plan.points_folder = inputs->folder;
    plan.seeds = invocation->seeds > 0 ? invocation->seeds : DEFAULT_SEEDS;
    return plan;
}

/* Searches, or takes part in a search, and prints the result or a summary. */
static int run_search(const struct plan_inputs *inputs, const struct invocation *invocation,
                      const anax_options *shown, struct run_progress *progress) {
    anax_error error = ANAX_ERROR_INIT;
    const anax_search_plan plan = plan_of(inputs, invocation);
    anax_search *found = NULL;
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_options options = *shown;
    struct plan_watch watch;
    part.part = invocation->part;
    part.parts = invocation->parts;
    plan_begin_interruptible(&watch, &options, shown, inputs, invocation);
    const anax_code code = invocation->parts > 0 ? anax_search_part(&part, &plan, &options, &error)
                                                 : anax_search_run(&found, &plan, &options, &error);
    plan_end_interruptible();
    run_progress_end(progress);
    int exit_code;
    if (code != ANAX_OK)
        exit_code = run_print_error(&error);
    else if (invocation->parts > 0)
        exit_code = plan_print_part(&part, inputs, invocation, false);
    else
        exit_code = output_result(found, invocation);
    if (code == ANAX_ERROR_STOPPED) exit_code = RUN_INTERRUPTED;
    anax_search_free(found);
    interrupt_set_points_folder(NULL);
    return exit_code;
}

static anax_code count_parts(unsigned *count, const struct plan_inputs *inputs,
                             const struct invocation *invocation, const anax_options *options,
                             anax_error *error) {
    const anax_search_plan plan = plan_of(inputs, invocation);
    return api_search_count_parts(count, &plan, options, error);
}

int command_search(const struct invocation *invocation) {
    static const struct plan_kind search = {true, count_parts, run_search};
    return plan_run(invocation, &search);
}
