/* The command `anax place`. */
#include "cli/plan.h"
#include "cli/report_outputs.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>

/* Returns the path of the trace, which is an argument or an option. Prints an error and returns
 * NULL if the command line gives none or two. */
static const char *trace_of(const struct invocation *invocation) {
    const char *named = invocation->trace;
    if (invocation->argument_count == 0 && named != NULL) return named;
    if (invocation->argument_count == 1 && named == NULL) return invocation->arguments[0];
    fprintf(stderr, "anax place: %s\nTry `anax help place`.\n",
            named != NULL ? "the trace is given twice, by --trace and as an argument; remove one"
                          : "missing argument: TRACE");
    return NULL;
}

/* Sets the folder that keeps the replays of a search. anax_place refuses a folder that the command
 * line names if there are no replays. */
static anax_code choose_points(struct plan_inputs *inputs, anax_place_plan *plan,
                               const struct invocation *invocation, anax_error *error) {
    char *replays = NULL;
    const anax_code code = anax_config_get(&replays, plan->config, "exchange.replays", error);
    const bool any = code == ANAX_OK && strcmp(replays, "0") != 0;
    anax_text_free(replays);
    if (code != ANAX_OK) return code;
    plan_choose_folder(inputs, invocation, any);
    plan->points_folder = inputs->folder;
    return plan_check_folder(inputs, invocation, error);
}

static void print_found(const anax_placement *placement, const struct plan_inputs *inputs,
                        const struct invocation *invocation) {
    size_t found = 0, damaged = 0;
    const size_t points = anax_placement_point_count(&found, &damaged, placement);
    if (inputs->folder != NULL) plan_print_found(points, found, damaged, invocation);
}

static anax_code place_program(anax_placement **placement, anax_trace **trace,
                               const anax_config *config, const char *path,
                               const struct invocation *invocation, anax_error *error) {
    struct run_progress progress;
    struct plan_inputs inputs = {0};
    anax_options options = run_options(invocation, &progress);
    anax_place_plan plan = ANAX_PLACE_PLAN_INIT;
    plan.config = config;
    anax_code code = run_check_machine(config, error);
    if (code != ANAX_OK) {
        /* report a wrong path before a missing machine */
        anax_code missing = run_check_trace(path, error);
        if (missing != ANAX_OK) code = missing;
    }
    if (code == ANAX_OK) code = run_check_file(invocation->output, invocation, config, error);
    if (code == ANAX_OK) code = report_outputs_check(invocation, config, error);
    if (code == ANAX_OK) code = anax_trace_open(trace, path, config, &options, error);
    run_warn_of(NULL, *trace);
    plan.trace = *trace;
    if (code == ANAX_OK) code = choose_points(&inputs, &plan, invocation, error);
    if (code == ANAX_OK) code = anax_place(placement, &plan, &options, error);
    run_progress_end(&progress);
    if (code == ANAX_OK) print_found(*placement, &inputs, invocation);
    plan_free(&inputs);
    if (code == ANAX_OK && invocation->output != NULL)
        code = anax_placement_write_rank_file(*placement, invocation->output, &options, error);
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(invocation, anax_placement_json(*placement), error);
    return code;
}

static int print(const anax_placement *placement, const struct invocation *invocation) {
    if (invocation->json) return run_print(anax_placement_json(placement));
    const int exit_code = run_print(anax_placement_text(placement));
    if (exit_code != 0 || !invocation->mapping) return exit_code;
    putchar('\n');
    return run_print(anax_placement_mapping_text(placement));
}

int command_place(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    anax_placement *placement = NULL;
    const char *path = invocation->print_config ? "" : trace_of(invocation);
    if (path == NULL) return EXIT_USAGE;
    int exit_code = 0;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config) {
        exit_code = run_print_config(config, ANAX_SCOPE_PLACE, invocation);
    } else {
        if (code == ANAX_OK)
            code = place_program(&placement, &trace, config, path, invocation, &error);
        exit_code = code == ANAX_OK ? print(placement, invocation) : run_print_error(&error);
    }
    anax_placement_free(placement);
    anax_trace_free(trace);
    anax_config_free(config);
    return exit_code;
}
