/* `anax traffic`: synthetic traffic on one machine or several. */
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/interrupt.h"
#include "cli/parallel_command.h"
#include "cli/plan.h"
#include "cli/report_outputs.h"

#include <stdio.h>
#include <string.h>

/* Refuses --print-config with several machines, policies or values: a configuration has one. */
static bool prints_one(const struct invocation *invocation) {
    const char *option = NULL, *value = NULL;
    if (!invocation->print_config) return true;
    if (invocation->machine != NULL && strchr(invocation->machine, ',') != NULL)
        option = "--machine", value = invocation->machine;
    if (invocation->factor_count > 0) option = "--vary", value = invocation->factors[0].value;
    if (invocation->routings != NULL) option = "--routing", value = invocation->routings;
    if (option == NULL) return true;
    error_print(
        "anax traffic: --print-config prints one configuration, and %s %s makes several; remove "
        "one of them\n",
        option, value);
    return false;
}

static int print_config(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK) code = anax_config_check(config, ANAX_SCOPE_TRAFFIC, &error);
    const int exit_code = code == ANAX_OK ? run_print_config(config, ANAX_SCOPE_TRAFFIC, invocation)
                                          : run_print_error(&error);
    anax_config_free(config);
    return exit_code;
}

static anax_traffic_plan plan_of(const struct plan_inputs *inputs,
                                 const struct invocation *invocation) {
    return (anax_traffic_plan){
        .size = sizeof(anax_traffic_plan),
        .machines = (const anax_config *const *)inputs->machines,
        .machine_count = inputs->machine_count,
        .factors = (const char *const *)inputs->factors,
        .factor_count = inputs->factor_count,
        .routings = invocation->routings,
        .loads = invocation->loads,
        .saturation_width = invocation->saturation,
        .points_folder = inputs->folder,
        .seeds = invocation->seeds > 0 ? invocation->seeds : 1,
    };
}

static void print_found(const anax_traffic_result *result, const struct invocation *invocation) {
    size_t found = 0, damaged = 0;
    const size_t points = anax_traffic_result_point_count(&found, &damaged, result);
    plan_print_found(points, found, damaged, invocation);
}

/* Writes the files and prints the text of traffic that finished, as the command line asks for.
 * Returns the exit code. */
static int write_result(const anax_traffic_result *result, const struct invocation *invocation,
                        anax_error *error) {
    anax_code code = ANAX_OK;
    if (invocation->output != NULL)
        code = anax_traffic_result_write_tables(result, invocation->output, error);
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(invocation, anax_traffic_result_json(result), error);
    if (code != ANAX_OK) return run_print_error(error);
    return run_print(invocation->json ? anax_traffic_result_json(result)
                                      : anax_traffic_result_text(result));
}

/* Shows what traffic returned: its result (NULL: there is none), or its error. Returns the exit
 * code. */
static int show(const anax_traffic_result *result, anax_code code,
                const struct invocation *invocation, anax_error *error) {
    if (code == ANAX_OK) print_found(result, invocation);
    if (!parallel_command_prints()) /* process 0 has the whole result */
        return code == ANAX_OK ? 0 : run_print_error(error);
    if (code == ANAX_OK) return write_result(result, invocation, error);
    if (result != NULL && invocation->json) run_print(anax_traffic_result_json(result));
    return run_print_error(error);
}

/* Runs all points, or those of a part, and prints the result or a summary. */
static int run_points(const struct plan_inputs *inputs, const struct invocation *invocation,
                      const anax_options *shown, struct run_progress *progress) {
    anax_error error = ANAX_ERROR_INIT;
    const anax_traffic_plan plan = plan_of(inputs, invocation);
    anax_traffic_result *result = NULL;
    anax_sweep_part part = ANAX_SWEEP_PART_INIT;
    anax_options options = *shown;
    struct plan_watch watch;
    part.part = invocation->part;
    part.parts = invocation->parts;
    if (invocation->checkpoint_folder != NULL) {
        interrupt_set_points_folder(inputs->folder);
        interrupt_defer_long();
    } else if (inputs->folder != NULL)
        plan_begin_interruptible(&watch, &options, shown, inputs, invocation);
    const anax_code code = invocation->parts > 0
                               ? anax_traffic_part(&part, &plan, &options, &error)
                               : anax_traffic_sweep(&result, &plan, &options, &error);
    plan_end_interruptible();
    run_progress_end(progress);
    const bool stopped = code == ANAX_ERROR_STOPPED;
    int exit_code;
    if (stopped)
        exit_code = run_print_error(&error);
    else if (code == ANAX_OK && invocation->parts > 0)
        exit_code = plan_print_part(&part, inputs, invocation, true);
    else
        exit_code = show(result, code, invocation, &error);
    anax_traffic_result_free(result);
    interrupt_set_points_folder(NULL);
    return stopped ? RUN_INTERRUPTED : exit_code;
}

static anax_code count_parts(unsigned *count, const struct plan_inputs *inputs,
                             const struct invocation *invocation, const anax_options *options,
                             anax_error *error) {
    const anax_traffic_plan plan = plan_of(inputs, invocation);
    return api_traffic_count_parts(count, &plan, options, error);
}

int command_traffic(const struct invocation *invocation) {
    static const struct plan_kind traffic = {.count_parts = count_parts, .run = run_points};
    if (!prints_one(invocation) || !plan_check_options(invocation)) return EXIT_USAGE;
    return invocation->print_config ? print_config(invocation) : plan_run(invocation, &traffic);
}
