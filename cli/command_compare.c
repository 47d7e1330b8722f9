/*
 * `anax compare`: traces on many candidates. An interrupt ends it between two looks at the clock of
 * the simulation, so that all points that were finished are kept; a second one ends it at once.
 */
#include "cli/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SEEDS = 5, EXIT_INTERRUPTED = 130 };

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

/* The options' own progress, if any, and the interrupt. */
static bool go_on(void *context, const anax_progress *progress) {
    const anax_options *shown = context;
    return !interrupted &&
           (shown->progress == NULL || shown->progress(shown->progress_context, progress));
}

/* What anax_plan points to. */
typedef struct plan_parts {
    char *machine_names; /* cut up */
    anax_config **machines;
    size_t machine_count;
    char **factors;
    size_t factor_count;
    anax_trace **traces;
    size_t trace_count;
    char *folder;
} plan_parts;

static void free_parts(plan_parts *parts) {
    for (size_t i = 0; i < parts->machine_count; i++)
        anax_config_free(parts->machines[i]);
    for (size_t i = 0; i < parts->factor_count; i++)
        free(parts->factors[i]);
    for (size_t i = 0; i < parts->trace_count; i++)
        anax_trace_free(parts->traces[i]);
    free(parts->machine_names);
    free(parts->machines);
    free(parts->factors);
    free(parts->traces);
    free(parts->folder);
}

static char *join(const char *first, const char *between, const char *second) {
    const size_t size = strlen(first) + strlen(between) + strlen(second) + 1;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s%s", first, between, second);
    return text;
}

/* A configuration for each machine: the other options apply to all. */
static anax_code configure(plan_parts *parts, const invocation *all, anax_error *error) {
    size_t most = 1;
    parts->machine_names = strdup(all->machine != NULL ? all->machine : "");
    if (parts->machine_names == NULL) return error->code = ANAX_MEMORY;
    for (const char *c = parts->machine_names; *c != '\0'; c++)
        most += *c == ',';
    parts->machines = calloc(most, sizeof(anax_config *));
    if (parts->machines == NULL) return error->code = ANAX_MEMORY;
    anax_code code = ANAX_OK;
    for (char *name = parts->machine_names, *next; name != NULL && code == ANAX_OK; name = next) {
        next = strchr(name, ',');
        if (next != NULL) *next++ = '\0';
        invocation one = *all;
        if (all->machine != NULL) one.machine = name;
        anax_config **config = &parts->machines[parts->machine_count];
        code = run_config_new(config, &one, error);
        if (code != ANAX_OK) break;
        parts->machine_count++;
        code = run_config_needs_machine(*config, error);
    }
    return code;
}

static anax_code take_factors(plan_parts *parts, const invocation *invocation, anax_error *error) {
    parts->factors = calloc(invocation->factor_count + 1, sizeof *parts->factors);
    if (parts->factors == NULL) return error->code = ANAX_MEMORY;
    for (size_t i = 0; i < invocation->factor_count; i++) {
        const assignment *factor = &invocation->factors[i];
        char *text = factor->setting != NULL ? join(factor->setting, "=", factor->value)
                                             : strdup(factor->value);
        if (text == NULL) return error->code = ANAX_MEMORY;
        parts->factors[parts->factor_count++] = text;
    }
    return ANAX_OK;
}

static anax_code open_traces(plan_parts *parts, const invocation *invocation,
                             const anax_options *options, anax_error *error) {
    parts->traces = calloc(invocation->argument_count, sizeof(anax_trace *));
    if (parts->traces == NULL) return error->code = ANAX_MEMORY;
    for (size_t i = 0; i < invocation->argument_count; i++) {
        anax_code code = anax_trace_open(&parts->traces[i], invocation->arguments[i],
                                         parts->machines[0], options, error);
        if (code != ANAX_OK) return code;
        run_warn_of(invocation->argument_count > 1 ? invocation->arguments[i] : NULL,
                    parts->traces[i]);
        parts->trace_count++;
    }
    return ANAX_OK;
}

/* Without --points a cache; who has no home to write to keeps nothing. */
static void choose_folder(plan_parts *parts, const invocation *invocation) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (invocation->points != NULL)
        parts->folder = strdup(invocation->points);
    else if (cache != NULL && *cache == '/' && access(cache, W_OK) == 0)
        parts->folder = join(cache, "/", "anax/points");
    else if (home != NULL && *home == '/' && access(home, W_OK) == 0)
        parts->folder = join(home, "/", ".cache/anax/points");
}

static anax_code prepare(plan_parts *parts, const invocation *invocation,
                         const anax_options *options, anax_error *error) {
    anax_code code = configure(parts, invocation, error);
    if (code == ANAX_OK) code = run_check_new(invocation->output, error);
    if (code == ANAX_OK) code = take_factors(parts, invocation, error);
    if (code == ANAX_OK) code = open_traces(parts, invocation, options, error);
    choose_folder(parts, invocation);
    return code;
}

static anax_code run(anax_comparison **comparison, const plan_parts *parts,
                     const invocation *invocation, const anax_options *shown, anax_error *error) {
    const anax_plan plan = {
        .machines = (const anax_config *const *)parts->machines,
        .machine_count = parts->machine_count,
        .factors = (const char *const *)parts->factors,
        .factor_count = parts->factor_count,
        .traces = (const anax_trace *const *)parts->traces,
        .trace_count = parts->trace_count,
        .paths = invocation->arguments,
        .seeds = invocation->seeds > 0 ? invocation->seeds : DEFAULT_SEEDS,
        .folder = parts->folder,
    };
    anax_options options = *shown;
    options.progress = go_on;
    options.progress_context = (void *)shown;
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return anax_compare(comparison, &plan, &options, error);
}

static int deliver(const anax_comparison *comparison, const invocation *invocation,
                   anax_error *error) {
    size_t found = 0, points = anax_comparison_points(comparison, &found);
    if (found > 0 && !invocation->quiet)
        fprintf(stderr, "%zu of %zu points were there from before\n", found, points);
    if (invocation->output != NULL &&
        anax_comparison_write_tables(comparison, invocation->output, error) != ANAX_OK)
        return run_failed(error);
    return run_print(invocation->json ? anax_comparison_json(comparison)
                                      : anax_comparison_text(comparison));
}

int command_compare(const invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT, written = ANAX_ERROR_INIT;
    plan_parts parts = {0};
    anax_comparison *comparison = NULL;
    run_progress progress;
    const anax_options options = run_options(invocation, &progress);
    anax_code code = prepare(&parts, invocation, &options, &error);
    if (code == ANAX_OK) code = run(&comparison, &parts, invocation, &options, &error);
    run_progress_end(&progress);
    int exit_code = comparison != NULL ? deliver(comparison, invocation, &written) : 0;
    if (code != ANAX_OK) {
        const int failed = run_failed(&error);
        if (exit_code == 0) exit_code = failed;
    }
    if (interrupted && comparison == NULL) exit_code = EXIT_INTERRUPTED;
    anax_comparison_free(comparison);
    free_parts(&parts);
    return exit_code;
}
