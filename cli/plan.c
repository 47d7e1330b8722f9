/* Prepares the machines, factors and folder of points of a command line, runs the points with
 * progress on the terminal, and says what was found and what other parts have to do. */
#include "cli/plan.h"
#include "cli/error_print.h"

#include "api/command_support.h"
#include "cli/interrupt.h"
#include "cli/report_outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void plan_free(struct plan_inputs *inputs) {
    for (size_t i = 0; i < inputs->machine_count; i++)
        anax_config_free(inputs->machines[i]);
    for (size_t i = 0; i < inputs->factor_count; i++)
        free(inputs->factors[i]);
    for (size_t i = 0; i < inputs->trace_count; i++)
        anax_trace_free(inputs->traces[i]);
    free(inputs->machine_names);
    free(inputs->machines);
    free(inputs->factors);
    free(inputs->traces);
    free(inputs->folder);
}

static char *join_texts(const char *first, const char *between, const char *second) {
    const size_t size = strlen(first) + strlen(between) + strlen(second) + 1;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s%s%s", first, between, second);
    return text;
}

static anax_code make_machines(struct plan_inputs *inputs, const struct invocation *all,
                               anax_error *error) {
    size_t max = 1;
    inputs->machine_names = strdup(all->machine != NULL ? all->machine : "");
    if (inputs->machine_names == NULL) return error->code = ANAX_ERROR_MEMORY;
    for (const char *c = inputs->machine_names; *c != '\0'; c++)
        max += *c == ',';
    inputs->machines = calloc(max, sizeof(anax_config *));
    if (inputs->machines == NULL) return error->code = ANAX_ERROR_MEMORY;
    anax_code code = ANAX_OK;
    for (char *name = inputs->machine_names, *next; name != NULL && code == ANAX_OK; name = next) {
        next = strchr(name, ',');
        if (next != NULL) *next++ = '\0';
        struct invocation one = *all;
        if (all->machine != NULL) one.machine = name;
        anax_config **config = &inputs->machines[inputs->machine_count];
        code = run_config_new(config, &one, error);
        if (code != ANAX_OK) break;
        inputs->machine_count++;
        code = run_check_machine(*config, error);
    }
    return code;
}

static anax_code make_factors(struct plan_inputs *inputs, const struct invocation *invocation,
                              anax_error *error) {
    inputs->factors = calloc(invocation->factor_count + 1, sizeof *inputs->factors);
    if (inputs->factors == NULL) return error->code = ANAX_ERROR_MEMORY;
    for (size_t i = 0; i < invocation->factor_count; i++) {
        const struct assignment *factor = &invocation->factors[i];
        char *text = factor->setting != NULL ? join_texts(factor->setting, "=", factor->value)
                                             : strdup(factor->value);
        if (text == NULL) return error->code = ANAX_ERROR_MEMORY;
        inputs->factors[inputs->factor_count++] = text;
    }
    return ANAX_OK;
}

/* Makes the folder at path and its missing parents, starting at offset `from` of path. Returns
 * false if the process cannot write into the folder. */
static bool make_folder(char *path, size_t from, mode_t mode) {
    for (char *slash = path + from; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        if (slash > path) mkdir(path, mode); /* a failure shows at the last folder */
    }
    struct stat found;
    return (mkdir(path, mode) == 0 || errno == EEXIST) && stat(path, &found) == 0 &&
           S_ISDIR(found.st_mode) && access(path, W_OK | X_OK) == 0;
}

/* Returns the path of the cache inside `folder`, a value from the environment, and makes it. If
 * is_home, `folder` itself must exist. Returns NULL if the cache cannot be made. */
static char *cache_in(const char *folder, const char *cache, bool is_home) {
    if (folder == NULL || *folder != '/') return NULL;
    char *path = join_texts(folder, "/", cache);
    if (path == NULL || make_folder(path, is_home ? strlen(folder) + 1 : 0, 0700)) return path;
    free(path);
    return NULL;
}

void plan_choose_folder(struct plan_inputs *inputs, const struct invocation *invocation,
                        bool cached) {
    const char *cache = getenv("XDG_CACHE_HOME");
    if (cache != NULL && *cache == '\0') cache = NULL;
    if (invocation->points_folder != NULL) inputs->folder = strdup(invocation->points_folder);
    if (invocation->points_folder != NULL || !cached) return;
    inputs->folder = cache_in(cache, "anax/points", false);
    if (inputs->folder == NULL)
        inputs->folder = cache_in(getenv("HOME"), ".cache/anax/points", true);
    if (invocation->quiet || (inputs->folder != NULL && cache == NULL)) return;
    if (inputs->folder == NULL)
        fprintf(stderr,
                "anax %s: finished points are not kept, since there is no folder for them; name "
                "one with --points\n",
                invocation->command->name);
    else if (strncmp(inputs->folder, cache, strlen(cache)) != 0)
        error_print("anax %s: cannot write to the folder $XDG_CACHE_HOME (%s); finished points are "
                    "kept in %s\n",
                    invocation->command->name, cache, inputs->folder);
}

/* Checks the folder of --points. The run makes this folder before it writes the tables, so it must
 * not be the folder of the tables, nor inside it, nor inside a trace. */
anax_code plan_check_folder(const struct plan_inputs *inputs, const struct invocation *invocation,
                            anax_error *error) {
    const bool parted = invocation->parts > 0 || invocation->emit != NULL;
    if (inputs->folder == NULL && parted)
        return run_refuse(error, "--part and --emit need a folder that all parts share: name one "
                                 "with --points DIR");
    if (inputs->folder == NULL) return ANAX_OK;
    anax_code code = api_check_apart(inputs->folder, NULL, invocation->arguments,
                                     invocation->argument_count, error);
    char *part = strdup(inputs->folder);
    if (part == NULL) return error->code = ANAX_ERROR_MEMORY;
    for (char *end = part + strlen(part); end != NULL && code == ANAX_OK;
         end = strrchr(part, '/')) {
        *end = '\0';
        if (*part != '\0') code = run_check_different(invocation->output, part, error);
    }
    free(part);
    return code;
}

static anax_code open_traces(struct plan_inputs *inputs, const struct invocation *invocation,
                             const anax_options *options, anax_error *error) {
    inputs->traces = calloc(invocation->argument_count, sizeof(anax_trace *));
    if (inputs->traces == NULL) return error->code = ANAX_ERROR_MEMORY;
    for (size_t i = 0; i < invocation->argument_count; i++) {
        anax_code code = anax_trace_open(&inputs->traces[i], invocation->arguments[i],
                                         inputs->machines[0], options, error);
        if (code != ANAX_OK) return code;
        const char *about = invocation->argument_count > 1 ? invocation->arguments[i] : NULL;
        run_warn_of(about, inputs->traces[i]);
        run_warn(about, api_warnings_before(inputs->machines[0], inputs->traces[i]));
        inputs->trace_count++;
    }
    return ANAX_OK;
}

/* Makes a configuration for each machine, to which all other options apply, and the factors, opens
 * the traces, and chooses the folder of kept points. Checks that the outputs can be written. */
static anax_code prepare_points(struct plan_inputs *inputs, const struct invocation *invocation,
                                bool has_traces, const anax_options *options, anax_error *error) {
    anax_code code = make_machines(inputs, invocation, error);
    for (size_t i = 0; i < inputs->machine_count && code == ANAX_OK; i++)
        code = run_check_folder(invocation->output, invocation, inputs->machines[i], error);
    for (size_t i = 0; i < inputs->machine_count && code == ANAX_OK; i++)
        code = report_outputs_check(invocation, inputs->machines[i], error);
    plan_choose_folder(inputs, invocation, has_traces);
    if (code == ANAX_OK) code = plan_check_folder(inputs, invocation, error);
    if (code == ANAX_OK) code = make_factors(inputs, invocation, error);
    for (size_t i = 0; i < inputs->machine_count && code == ANAX_OK; i++)
        code = run_check_checkpoint(invocation, inputs->machines[i], error);
    if (code == ANAX_OK && has_traces) code = open_traces(inputs, invocation, options, error);
    return code;
}

bool plan_check_options(const struct invocation *invocation) {
    const char *first = "--part", *second = NULL;
    const char *why = "a part prints a summary only; the command without --part prints the result";
    if (invocation->parts > 0 && invocation->json) second = "--json";
    if (invocation->parts > 0 && invocation->output != NULL) second = "--output";
    if (invocation->parts > 0 && invocation->emit != NULL)
        second = "--emit", why = "the commands that --emit prints have a --part each";
    if (invocation->emit != NULL && second == NULL) {
        if (invocation->resume_folder != NULL) first = "--emit", second = "--resume";
        if (invocation->checkpoint_folder != NULL) first = "--emit", second = "--checkpoint";
        why = "each part would need a folder of its own";
    }
    if (second != NULL) {
        fprintf(stderr, "anax %s: %s and %s exclude each other; %s\n", invocation->command->name,
                first, second, why);
        return false;
    }
    if (invocation->part_count > 0 && invocation->emit == NULL) {
        fprintf(stderr, "anax %s: --parts says how many commands --emit prints; give --emit too\n",
                invocation->command->name);
        return false;
    }
    return true;
}

int plan_run(const struct invocation *invocation, const struct plan_kind *command) {
    anax_error error = ANAX_ERROR_INIT;
    struct plan_inputs inputs = {0};
    struct run_progress progress;
    if (!plan_check_options(invocation)) return EXIT_USAGE;
    const anax_options options = run_options(invocation, &progress);
    anax_code code = prepare_points(&inputs, invocation, command->has_traces, &options, &error);
    int exit_code = 0;
    if (code == ANAX_OK && invocation->emit == NULL) {
        exit_code = command->run(&inputs, invocation, &options, &progress);
    } else {
        unsigned count = 0;
        run_progress_end(&progress);
        if (code == ANAX_OK)
            code = command->count_parts(&count, &inputs, invocation, &options, &error);
        exit_code =
            code == ANAX_OK ? plan_emit(invocation, &inputs, count) : run_print_error(&error);
    }
    plan_free(&inputs);
    return exit_code;
}

/* Shows progress as the options ask for. Returns false after a signal, which stops the run. */
static bool go_on(void *context, const anax_progress *progress) {
    struct plan_watch *watch = context;
    const anax_options *shown = watch->shown;
    if (watch->tells_wait && progress->is_waiting) {
        watch->tells_wait = false;
        error_print("anax: %s\n", progress->phase);
    }
    return !interrupt_has_arrived() &&
           (shown->progress == NULL || shown->progress(shown->progress_context, progress));
}

void plan_begin_interruptible(struct plan_watch *watch, anax_options *options,
                              const anax_options *shown, const struct plan_inputs *inputs,
                              const struct invocation *invocation) {
    *watch = (struct plan_watch){
        .shown = shown,
        .tells_wait = shown->progress == NULL && !invocation->quiet,
    };
    options->progress = go_on;
    options->progress_context = watch;
    interrupt_set_points_folder(inputs->folder);
    interrupt_defer(true);
}

void plan_end_interruptible(void) {
    interrupt_defer(false);
}

static const char *plural_of(size_t count) {
    return count == 1 ? "" : "s";
}

void plan_print_found(size_t points, size_t found, size_t damaged,
                      const struct invocation *invocation) {
    if (damaged > 0)
        fprintf(stderr,
                "anax: %zu of %zu point%s %s kept, but damaged since, and %s computed anew\n",
                damaged, points, plural_of(points), damaged == 1 ? "was" : "were",
                damaged == 1 ? "was" : "were");
    if (found > 0 && !invocation->quiet)
        fprintf(stderr, "%zu of %zu point%s %s there from before\n", found, points,
                plural_of(points), found == 1 ? "was" : "were");
}

int plan_print_part(const anax_sweep_part *part, const struct plan_inputs *inputs,
                    const struct invocation *invocation, bool needs_all) {
    plan_print_found(part->points, 0, part->damaged, invocation);
    printf("part %u of %u: %zu of %zu point%s, %zu there from before, %zu computed, %zu failed; "
           "kept in %s\n",
           part->part, part->parts, part->points, part->all_points, plural_of(part->all_points),
           part->found, part->points - part->found, part->failed, inputs->folder);
    const int code = run_flush();
    if (part->failed == 0 || !needs_all || code != 0) return code;
    fprintf(stderr,
            "anax: %zu of %zu point%s of this part did not finish; the command without --part "
            "says why\n",
            part->failed, part->points, plural_of(part->points));
    return anax_code_exit_code(ANAX_ERROR_RUN);
}
