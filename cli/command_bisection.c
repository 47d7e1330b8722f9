/* `anax bisection`: the bisection bandwidth of machines as a function of alpha. */
#include "cli/error_print.h"
#include "cli/report_outputs.h"
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRANGEMENTS_MAX = 16 };

static int wrong(const char *what, const char *text) {
    error_print("anax bisection: %s%s\nTry `anax help bisection`.\n", what, text);
    return EXIT_USAGE;
}

static bool is_pair_of(const struct assignment *assignment, const char *setting) {
    size_t length = strlen(setting);
    return assignment->setting == NULL && strncmp(assignment->value, setting, length) == 0 &&
           (assignment->value[length] == '=' || assignment->value[length] == ' ');
}

/* Tells whether the command line gives a setting, by its own option or by --set. */
static bool is_given(const struct invocation *invocation, const char *setting) {
    for (size_t i = 0; i < invocation->assignment_count; i++) {
        const struct assignment *assignment = &invocation->assignments[i];
        if (is_pair_of(assignment, setting) ||
            (assignment->setting != NULL && strcmp(assignment->setting, setting) == 0))
            return true;
    }
    return false;
}

/* Sets the number of groups to the largest possible one if the command line gives another part of
 * the machine's shape but not the number of groups. */
static anax_code fill_groups(anax_config *config, const struct invocation *invocation,
                             anax_error *error) {
    const bool a = is_given(invocation, "network.routers_per_group");
    const bool h = is_given(invocation, "network.globals_per_router");
    if (!anax_config_has_machine(config) && !(a && h))
        return run_refuse(error, "no machine: give its shape with -a N and -h N, or choose one "
                                 "with --machine NAME (anax list machines)");
    if ((!a && !h) || is_given(invocation, "network.groups")) return ANAX_OK;
    char *routers = NULL, *globals = NULL, groups[32];
    anax_code code = anax_config_get(&routers, config, "network.routers_per_group", error);
    if (code == ANAX_OK)
        code = anax_config_get(&globals, config, "network.globals_per_router", error);
    if (code == ANAX_OK)
        snprintf(groups, sizeof groups, "%lld",
                 strtoll(routers, NULL, 10) * strtoll(globals, NULL, 10) + 1);
    anax_text_free(routers);
    anax_text_free(globals);
    if (code == ANAX_OK) code = anax_config_set(config, "network.groups", groups, error);
    return code;
}

static anax_code configure(anax_config **config, const struct invocation *invocation,
                           const char *arrangement, anax_error *error) {
    anax_code code = run_config_new(config, invocation, error);
    if (code == ANAX_OK && (!invocation->print_config || invocation->assignment_count > 0))
        code = fill_groups(*config, invocation, error);
    if (code == ANAX_OK && arrangement != NULL)
        code = anax_config_set(*config, "network.arrangement", arrangement, error);
    return code;
}

/* Splits a comma-separated list in place. Returns the number of names, or 0 if the list is wrong.
 */
static size_t split_list(char *list, const char *names[ARRANGEMENTS_MAX]) {
    size_t count = 0;
    for (char *name = list; name != NULL;) {
        char *comma = strchr(name, ',');
        if (comma != NULL) *comma = '\0';
        if (*name == '\0' || count == ARRANGEMENTS_MAX) return 0;
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], name) == 0) return 0;
        names[count++] = name;
        name = comma != NULL ? comma + 1 : NULL;
    }
    return count;
}

/* Writes the files that the command line names. Returns the exit code. */
static int write_files(const anax_bisection *const *list, size_t count,
                       const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    options.replace = invocation->force;
    anax_code code = ANAX_OK;
    if (invocation->csv_path != NULL)
        code = anax_bisection_write_curves(list, count, invocation->csv_path, &options, &error);
    if (code == ANAX_OK && invocation->svg_path != NULL) {
        char *picture = anax_bisection_svg(list, count);
        if (picture == NULL) return run_print(NULL);
        code = anax_text_write(picture, invocation->svg_path, &options, &error);
        anax_text_free(picture);
    }
    if (code == ANAX_OK && report_outputs_wanted(invocation))
        code = report_outputs_write(invocation, anax_bisection_json(list, count), &error);
    return code == ANAX_OK ? 0 : run_print_error(&error);
}

static int output_results(anax_bisection *const *found, size_t count,
                          const struct invocation *invocation) {
    const anax_bisection *const *list = (const anax_bisection *const *)found;
    const int exit_code = write_files(list, count, invocation);
    if (exit_code != 0) return exit_code;
    return run_print(invocation->json ? anax_bisection_json(list, count)
                                      : anax_bisection_text(list, count));
}

static anax_code solve_arrangement(anax_bisection **found, const struct invocation *invocation,
                                   const char *arrangement, anax_error *error) {
    anax_config *config = NULL;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    anax_bisection_plan plan = ANAX_BISECTION_PLAN_INIT;
    plan.time_limit_s = invocation->time_limit_s;
    anax_code code = configure(&config, invocation, arrangement, error);
    plan.config = config;
    if (code == ANAX_OK) code = anax_bisection_new(found, &plan, &options, error);
    run_progress_end(&progress);
    anax_config_free(config);
    return code;
}

static int print_config(const struct invocation *invocation, const char *arrangement) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_code code = configure(&config, invocation, arrangement, &error);
    int exit_code = code == ANAX_OK ? run_print_config(config, ANAX_SCOPE_BISECTION, invocation)
                                    : run_print_error(&error);
    anax_config_free(config);
    return exit_code;
}

/* Checks the settings of all arrangements before the first computation begins. */
static anax_code check_all(const struct invocation *invocation, const char *const *names,
                           size_t count, anax_error *error) {
    anax_code code = run_check_different(invocation->csv_path, invocation->svg_path, error);
    for (size_t i = 0; i < count && code == ANAX_OK; i++) {
        anax_config *config = NULL;
        anax_topology *topology = NULL;
        code = configure(&config, invocation, names[i], error);
        if (code == ANAX_OK) code = run_check_file(invocation->csv_path, invocation, config, error);
        if (code == ANAX_OK) code = run_check_file(invocation->svg_path, invocation, config, error);
        if (code == ANAX_OK) code = report_outputs_check(invocation, config, error);
        if (code == ANAX_OK) code = anax_topology_new(&topology, config, error);
        anax_topology_free(topology);
        anax_config_free(config);
    }
    return code;
}

int command_bisection(const struct invocation *invocation) {
    const char *names[ARRANGEMENTS_MAX] = {NULL};
    size_t count = 1;
    char *list = invocation->arrangements != NULL ? strdup(invocation->arrangements) : NULL;
    if (list == NULL && invocation->arrangements != NULL) return run_print(NULL);
    if (list != NULL) count = split_list(list, names);
    int exit_code = 0;
    if (count == 0) {
        exit_code = wrong("--arrangement takes up to 16 different names separated by commas, not ",
                          invocation->arrangements);
    } else if (invocation->print_config) {
        exit_code = count > 1 ? wrong("--print-config takes one arrangement", "")
                              : print_config(invocation, names[0]);
    } else {
        anax_error error = ANAX_ERROR_INIT;
        anax_bisection *found[ARRANGEMENTS_MAX] = {NULL};
        anax_code code = check_all(invocation, names, count, &error);
        for (size_t i = 0; i < count && code == ANAX_OK; i++)
            code = solve_arrangement(&found[i], invocation, names[i], &error);
        exit_code =
            code == ANAX_OK ? output_results(found, count, invocation) : run_print_error(&error);
        for (size_t i = 0; i < count; i++)
            anax_bisection_free(found[i]);
    }
    free(list);
    return exit_code;
}
