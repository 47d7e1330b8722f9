/* The commands about traces: `anax info`, `anax convert` and `anax generate`. */
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/run.h"

#include <stdio.h>
#include <string.h>

static bool is_program_path(const char *path) {
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".anax") == 0;
}

/* Tells whether path is ".anax" alone, an extension without a name, and prints an error if so. */
static bool is_nameless(const char *command, const char *path) {
    const char *slash = strrchr(path, '/');
    if (strcmp(slash != NULL ? slash + 1 : path, ".anax") != 0) return false;
    fprintf(stderr, "anax %s: a program file needs a name before .anax: -o NAME.anax\n", command);
    return true;
}

static int without_output(const char *command, const char *what) {
    fprintf(stderr, "anax %s: missing option: -o %s\nTry `anax help %s`.\n", command, what,
            command);
    return EXIT_USAGE;
}

/* Opens the trace of a command line; the caller frees both. */
static anax_code open_trace(anax_config **config, anax_trace **trace,
                            const struct invocation *invocation, anax_error *error) {
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    anax_code code = run_config_new(config, invocation, error);
    if (code == ANAX_OK) code = run_check_file(invocation->output, invocation, *config, error);
    if (code == ANAX_OK)
        code = anax_trace_open(trace, invocation->arguments[0], *config, &options, error);
    run_progress_end(&progress);
    run_warn_of(NULL, *trace);
    return code;
}

int command_info(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    int exit_code = 0;
    if (open_trace(&config, &trace, invocation, &error) == ANAX_OK)
        exit_code = run_print(invocation->json ? anax_trace_json(trace) : anax_trace_text(trace));
    else
        exit_code = run_print_error(&error);
    anax_trace_free(trace);
    anax_config_free(config);
    return exit_code;
}

int command_convert(const struct invocation *invocation) {
    if (invocation->output == NULL) return without_output("convert", "FILE.anax");
    if (is_nameless("convert", invocation->output)) return EXIT_USAGE;
    if (!is_program_path(invocation->output)) {
        error_print("anax convert: the name of a program file ends with .anax: -o %s.anax\n",
                    invocation->output);
        return EXIT_USAGE;
    }
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = invocation->threads;
    options.replace = invocation->force;
    anax_code code = open_trace(&config, &trace, invocation, &error);
    if (code == ANAX_OK)
        code = anax_trace_write_program(trace, invocation->output, &options, &error);
    anax_trace_free(trace);
    anax_config_free(config);
    return code == ANAX_OK ? 0 : run_print_error(&error);
}

/* Copies the name of the setting that an assignment changes. */
static void name_of(const struct assignment *assignment, char *name, size_t size) {
    if (assignment->setting != NULL)
        snprintf(name, size, "%s", assignment->setting);
    else
        snprintf(name, size, "%.*s", (int)strcspn(assignment->value, "= "), assignment->value);
}

struct pattern_search {
    const char *pattern;
    const char *setting;
    bool found;
    char users[256]; /* patterns that use the setting */
};

static bool search_patterns(void *context, const anax_choice *choice) {
    struct pattern_search *search = context;
    search->found = search->found || strcmp(choice->name, search->pattern) == 0;
    if (!api_pattern_uses(choice->name, search->setting)) return true;
    size_t length = strlen(search->users);
    snprintf(search->users + length, sizeof search->users - length, "%s%s", length > 0 ? ", " : "",
             choice->name);
    return true;
}

/* Tells whether the command line gives an option that only other patterns use, and prints an error
 * if so. An option that all patterns use but those with sizes and times of their own is a warning.
 * Unknown patterns and settings are reported elsewhere. */
static bool is_without_effect(const struct invocation *invocation) {
    for (size_t i = 0; i < invocation->assignment_count; i++) {
        char setting[128];
        name_of(&invocation->assignments[i], setting, sizeof setting);
        struct pattern_search search = {.pattern = invocation->arguments[0], .setting = setting};
        if (anax_list("patterns", NULL, search_patterns, &search, NULL) != ANAX_OK ||
            !search.found || search.users[0] == '\0' || api_pattern_uses(search.pattern, setting))
            continue;
        static const char prefix[] = "generate.";
        bool has_option = strncmp(setting, prefix, sizeof prefix - 1) == 0;
        if (strcmp(setting, "generate.size") == 0 || strcmp(setting, "generate.compute") == 0) {
            const bool has_edge = api_pattern_uses(search.pattern, "generate.edge");
            fprintf(
                stderr, "anax generate: warning: --%s has no effect: %s has %s of its own (%s)\n",
                setting + sizeof prefix - 1, search.pattern, has_edge ? "sizes" : "sizes and times",
                has_edge ? "--edge changes them" : "settings training.*");
            continue;
        }
        fprintf(stderr, "anax generate: %s does not use %s%s%s%s%s, but only %s\n", search.pattern,
                has_option ? "--" : "", has_option ? setting + sizeof prefix - 1 : "",
                has_option ? " (" : "", setting, has_option ? ")" : "", search.users);
        return true;
    }
    return false;
}

static anax_code generate(const anax_config *config, const struct invocation *invocation,
                          anax_error *error) {
    anax_trace *trace = NULL;
    anax_options options = ANAX_OPTIONS_INIT;
    options.threads = invocation->threads;
    options.replace = invocation->force;
    bool program = is_program_path(invocation->output);
    anax_code code = program ? run_check_file(invocation->output, invocation, config, error)
                             : run_check_folder(invocation->output, invocation, config, error);
    if (code == ANAX_OK)
        code = anax_trace_generate(&trace, invocation->arguments[0], config, error);
    if (code == ANAX_OK)
        code = program ? anax_trace_write_program(trace, invocation->output, &options, error)
                       : anax_trace_write_otf2(trace, invocation->output, error);
    anax_trace_free(trace);
    return code;
}

int command_generate(const struct invocation *invocation) {
    if (invocation->output == NULL && !invocation->print_config)
        return without_output("generate", "DIR or -o FILE.anax");
    if (invocation->output != NULL && is_nameless("generate", invocation->output))
        return EXIT_USAGE;
    if (invocation->argument_count > 0 && is_without_effect(invocation)) return EXIT_USAGE;
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    int exit_code = 0;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK && invocation->print_config)
        exit_code = run_print_config(config, ANAX_SCOPE_GENERATE, invocation);
    else if (code == ANAX_OK)
        code = generate(config, invocation, &error);
    if (code != ANAX_OK) exit_code = run_print_error(&error);
    anax_config_free(config);
    return exit_code;
}
