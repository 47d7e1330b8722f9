/* `anax extrapolate`: an application on more ranks than were recorded. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_program_path(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".anax") == 0 && path[length - 6] != '/';
}

static anax_code open_traces(anax_trace **traces, const anax_config *config,
                             const struct invocation *invocation, anax_error *error) {
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    anax_code code = ANAX_OK;
    for (size_t i = 0; i < invocation->argument_count && code == ANAX_OK; i++)
        code = anax_trace_open(&traces[i], invocation->arguments[i], config, &options, error);
    run_progress_end(&progress);
    return code;
}

static int output_program(const anax_extrapolation *made, const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = invocation->threads;
    options.replace = invocation->force;
    if (anax_trace_write_program(anax_extrapolation_trace(made), invocation->output, &options,
                                 &error) != ANAX_OK)
        return run_print_error(&error);
    return run_print(invocation->json ? anax_extrapolation_json(made)
                                      : anax_extrapolation_text(made));
}

static int extrapolate(anax_trace **traces, const anax_config *config,
                       const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    anax_extrapolation *made = NULL;
    anax_code code = run_check_file(invocation->output, invocation, config, &error);
    if (code == ANAX_OK) code = open_traces(traces, config, invocation, &error);
    const anax_extrapolate_plan plan = {sizeof plan, config, (const anax_trace *const *)traces,
                                        invocation->argument_count};
    if (code == ANAX_OK) code = anax_extrapolate(&made, &plan, &options, &error);
    run_progress_end(&progress);
    const int exit_code =
        code == ANAX_OK ? output_program(made, invocation) : run_print_error(&error);
    anax_extrapolation_free(made);
    return exit_code;
}

int command_extrapolate(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    if (invocation->output == NULL || !is_program_path(invocation->output)) {
        fprintf(stderr, "anax extrapolate: %s: -o NAME.anax\nTry `anax help extrapolate`.\n",
                invocation->output == NULL ? "missing option"
                                           : "the name of a program file ends with .anax");
        return EXIT_USAGE;
    }
    if (run_config_new(&config, invocation, &error) != ANAX_OK) return run_print_error(&error);
    anax_trace **traces = calloc(invocation->argument_count, sizeof *traces);
    int exit_code = 1;
    if (traces == NULL)
        fprintf(stderr, "anax extrapolate: out of memory\n");
    else
        exit_code = extrapolate(traces, config, invocation);
    for (size_t i = 0; traces != NULL && i < invocation->argument_count; i++)
        anax_trace_free(traces[i]);
    free(traces);
    anax_config_free(config);
    return exit_code;
}
