/*
 * `anax compare`: replays traces on many candidates. After a signal, the command ends at the next
 * progress report of a simulation, and keeps all points that are finished. A second signal ends it
 * at once.
 */
#include "api/command_support.h"
#include "cli/interrupt.h"
#include "cli/plan.h"
#include "cli/report_outputs.h"

enum { DEFAULT_SEEDS = 5 };

static anax_compare_plan plan_of(const struct plan_inputs *inputs,
                                 const struct invocation *invocation) {
    return (anax_compare_plan){
        .size = sizeof(anax_compare_plan),
        .machines = (const anax_config *const *)inputs->machines,
        .machine_count = inputs->machine_count,
        .factors = (const char *const *)inputs->factors,
        .factor_count = inputs->factor_count,
        .traces = (const anax_trace *const *)inputs->traces,
        .trace_count = inputs->trace_count,
        .paths = invocation->arguments,
        .seeds = invocation->seeds > 0 ? invocation->seeds : DEFAULT_SEEDS,
        .points_folder = inputs->folder,
        .negligible = invocation->negligible,
    };
}

static int output_result(const anax_comparison *comparison, const struct invocation *invocation,
                         anax_error *error) {
    size_t found = 0, damaged = 0;
    const size_t points = anax_comparison_point_count(&found, &damaged, comparison);
    plan_print_found(points, found, damaged, invocation);
    if (invocation->output != NULL &&
        anax_comparison_write_tables(comparison, invocation->output, error) != ANAX_OK)
        return run_print_error(error);
    if (report_outputs_wanted(invocation) &&
        report_outputs_write(invocation, anax_comparison_json(comparison), error) != ANAX_OK)
        return run_print_error(error);
    return run_print(invocation->json ? anax_comparison_json(comparison)
                                      : anax_comparison_text(comparison));
}

/* Runs all points, or those of a part, and prints the result or a summary. */
static int run_points(const struct plan_inputs *inputs, const struct invocation *invocation,
                      const anax_options *shown, struct run_progress *progress) {
    anax_error error = ANAX_ERROR_INIT, written = ANAX_ERROR_INIT;
    const anax_compare_plan plan = plan_of(inputs, invocation);
    anax_comparison *comparison = NULL;
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_options options = *shown;
    struct plan_watch watch;
    part.part = invocation->part;
    part.parts = invocation->parts;
    plan_begin_interruptible(&watch, &options, shown, inputs, invocation);
    const anax_code code = invocation->parts > 0
                               ? anax_compare_part(&part, &plan, &options, &error)
                               : anax_compare(&comparison, &plan, &options, &error);
    plan_end_interruptible();
    run_progress_end(progress);
    int exit_code = comparison != NULL ? output_result(comparison, invocation, &written) : 0;
    if (code != ANAX_OK) {
        const int failed = run_print_error(&error);
        if (exit_code == 0) exit_code = failed;
    } else if (invocation->parts > 0) {
        exit_code = plan_print_part(&part, inputs, invocation, true);
    }
    if (code == ANAX_ERROR_STOPPED) exit_code = RUN_INTERRUPTED;
    anax_comparison_free(comparison);
    interrupt_set_points_folder(NULL);
    return exit_code;
}

static anax_code count_parts(unsigned *count, const struct plan_inputs *inputs,
                             const struct invocation *invocation, const anax_options *options,
                             anax_error *error) {
    const anax_compare_plan plan = plan_of(inputs, invocation);
    return api_compare_count_parts(count, &plan, options, error);
}

int command_compare(const struct invocation *invocation) {
    static const struct plan_kind compare = {true, count_parts, run_points};
    return plan_run(invocation, &compare);
}
