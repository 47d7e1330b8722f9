/*
 * `anax search`: the best of many candidates by cost and time. After a signal, the command ends and
 * keeps all points that are finished. A second signal ends it at once.
 */
#include "cli/interrupt.h"
#include "cli/plan.h"
#include "cli/report_outputs.h"

#include <stdlib.h>

enum { DEFAULT_SEEDS = 5 };

static anax_code prepare(struct plan_parts *parts, const struct invocation *invocation,
                         const anax_options *options, anax_error *error) {
    anax_code code = plan_prepare(parts, invocation, true, error);
    if (code != ANAX_OK) return code;
    parts->traces = calloc(1, sizeof(anax_trace *));
    if (parts->traces == NULL) return error->code = ANAX_MEMORY;
    code = anax_trace_open(&parts->traces[0], invocation->arguments[0], parts->machines[0], options,
                           error);
    if (code != ANAX_OK) return code;
    parts->trace_count = 1;
    run_warn_of(NULL, parts->traces[0]);
    return ANAX_OK;
}

static int deliver(const anax_search *search, const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    size_t found = 0, damaged = 0;
    const size_t points = anax_search_points(search, &found, &damaged);
    plan_tell_found(points, found, damaged, invocation);
    if (invocation->output != NULL &&
        anax_search_write_tables(search, invocation->output, &error) != ANAX_OK)
        return run_failed(&error);
    if (report_outputs_wanted(invocation) &&
        report_outputs_write(invocation, anax_search_json(search), &error) != ANAX_OK)
        return run_failed(&error);
    return run_print(invocation->json ? anax_search_json(search) : anax_search_text(search));
}

static int search(const struct plan_parts *parts, const struct invocation *invocation,
                  const anax_options *shown, struct run_progress *progress) {
    anax_error error = ANAX_ERROR_INIT;
    anax_search *found = NULL;
    anax_options options = *shown;
    anax_search_plan plan = ANAX_SEARCH_PLAN_INIT;
    plan.machines = (const anax_config *const *)parts->machines;
    plan.machine_count = parts->machine_count;
    plan.factors = (const char *const *)parts->factors;
    plan.factor_count = parts->factor_count;
    plan.limits = invocation->limits;
    plan.limit_count = invocation->limit_count;
    plan.trace = parts->traces[0];
    plan.path = invocation->arguments[0];
    plan.folder = parts->folder;
    plan.seeds = invocation->seeds > 0 ? invocation->seeds : DEFAULT_SEEDS;
    plan_interruptible(&options, shown, parts);
    const anax_code code = anax_search_run(&found, &plan, &options, &error);
    plan_uninterruptible();
    run_progress_end(progress);
    int exit_code = code == ANAX_OK ? deliver(found, invocation) : run_failed(&error);
    if (interrupt_noted() && code == ANAX_RUN) exit_code = RUN_INTERRUPTED;
    anax_search_free(found);
    interrupt_points(NULL);
    return exit_code;
}

int command_search(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    struct plan_parts parts = {0};
    struct run_progress progress;
    const anax_options options = run_options(invocation, &progress);
    int exit_code;
    if (prepare(&parts, invocation, &options, &error) != ANAX_OK) {
        run_progress_end(&progress);
        exit_code = run_failed(&error);
    } else {
        exit_code = search(&parts, invocation, &options, &progress);
    }
    plan_free(&parts);
    return exit_code;
}
