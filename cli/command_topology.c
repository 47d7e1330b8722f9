/* `anax topology`: facts about machines that need no simulation. */
#include "api/command_support.h"
#include "cli/report_outputs.h"
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>

static int conjectures(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    char *text = NULL, *json = NULL;
    anax_code code = api_components_conjectures(&text, &json, &options, &error);
    run_progress_end(&progress);
    int exit_code = 0;
    if (text != NULL) {
        exit_code = run_print(invocation->json ? json : text);
        anax_text_free(invocation->json ? text : json);
    }
    return code == ANAX_OK ? exit_code : run_print_error(&error);
}

static int rivals(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    char *text = NULL, *json = NULL;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK) code = api_compute_rivals(&text, &json, config, &error);
    anax_config_free(config);
    if (code != ANAX_OK) return run_print_error(&error);
    anax_text_free(invocation->json ? text : json);
    return run_print(invocation->json ? json : text);
}

/* Makes the configuration of one machine. The options apply to every machine. */
static anax_code configure(anax_config **config, const struct invocation *all, size_t number,
                           anax_error *error) {
    struct invocation one = *all;
    if (all->argument_count > 0) one.machine = all->arguments[number];
    anax_code code = run_config_new(config, &one, error);
    if (code == ANAX_OK && !all->print_config) code = run_check_machine(*config, error);
    return code;
}

static int print_config(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_code code = configure(&config, invocation, 0, &error);
    int exit_code = code == ANAX_OK ? run_print_config(config, ANAX_SCOPE_TOPOLOGY, invocation)
                                    : run_print_error(&error);
    anax_config_free(config);
    return exit_code;
}

static char *output_machines(anax_topology *const *machines, size_t count,
                             const struct invocation *invocation) {
    const anax_topology *const *list = (const anax_topology *const *)machines;
    if (invocation->dot) return anax_topology_dot(list[0]);
    return invocation->json ? anax_topology_json(list, count) : anax_topology_text(list, count);
}

static int describe_machines(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    size_t count = invocation->argument_count > 0 ? invocation->argument_count : 1;
    anax_topology **machines = calloc(count, sizeof *machines);
    anax_code code = machines != NULL ? ANAX_OK : ANAX_ERROR_MEMORY;
    if (machines == NULL) error.code = ANAX_ERROR_MEMORY;
    for (size_t i = 0; i < count && code == ANAX_OK; i++) {
        anax_config *config = NULL;
        code = configure(&config, invocation, i, &error);
        if (code == ANAX_OK) code = report_outputs_check(invocation, config, &error);
        if (code == ANAX_OK) code = anax_topology_new(&machines[i], config, &error);
        anax_config_free(config);
    }
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(
            invocation, anax_topology_json((const anax_topology *const *)machines, count), &error);
    int exit_code = code == ANAX_OK ? run_print(output_machines(machines, count, invocation))
                                    : run_print_error(&error);
    for (size_t i = 0; i < count && machines != NULL; i++)
        anax_topology_free(machines[i]);
    free(machines);
    return exit_code;
}

/* Returns an error text if two options ask for different outputs, and NULL if they are compatible.
 */
static const char *contradiction(const struct invocation *invocation) {
    bool machines = invocation->machine != NULL || invocation->argument_count > 0;
    bool changed = invocation->config_count > 0 || invocation->assignment_count > 0;
    if (invocation->machine != NULL && invocation->argument_count > 0)
        return "machines are named as arguments or by --machine, not both";
    if (invocation->dot && invocation->json) return "--dot and --json exclude each other";
    if (invocation->gcc_conjecture && invocation->rivals)
        return "--gcc-conjecture and --rivals exclude each other";
    if ((invocation->gcc_conjecture || invocation->rivals) &&
        (machines || invocation->dot || invocation->print_config))
        return "--gcc-conjecture and --rivals take no machine, nor --dot or --print-config";
    if ((invocation->gcc_conjecture || invocation->rivals) && report_outputs_wanted(invocation))
        return "--gcc-conjecture and --rivals have no report";
    if (invocation->gcc_conjecture && changed)
        return "--gcc-conjecture has no settings: it takes --json only";
    if (invocation->print_config && invocation->argument_count > 1)
        return "--print-config takes one machine";
    if (invocation->dot && invocation->argument_count > 1)
        return "--dot draws one machine, not several";
    return NULL;
}

int command_topology(const struct invocation *invocation) {
    const char *wrong = contradiction(invocation);
    if (wrong != NULL) {
        fprintf(stderr, "anax topology: %s\nTry `anax help topology`.\n", wrong);
        return EXIT_USAGE;
    }
    if (invocation->gcc_conjecture) return conjectures(invocation);
    if (invocation->rivals) return rivals(invocation);
    return invocation->print_config ? print_config(invocation) : describe_machines(invocation);
}
