/*
 * `anax compare`: replays traces on many candidates. After a signal, the command ends at the next
 * progress report of a simulation, and keeps all points that are finished. A second signal ends it
 * at once.
 */
#include "api/command_support.h"
#include "cli/interrupt.h"
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SEEDS = 5, EXIT_INTERRUPTED = 130 };

/* Shows progress as the options ask for. Returns false after a signal, which stops the run. */
static bool go_on(void *context, const anax_progress *progress) {
    const anax_options *shown = context;
    return !interrupt_noted() &&
           (shown->progress == NULL || shown->progress(shown->progress_context, progress));
}

/* The memory that the members of anax_plan point to. */
struct plan_parts {
    char *machine_names; /* the list of machines, split in place */
    anax_config **machines;
    size_t machine_count;
    char **factors;
    size_t factor_count;
    anax_trace **traces;
    size_t trace_count;
    char *folder;
};

static void free_parts(struct plan_parts *parts) {
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

/* Makes a configuration for each machine. All other options apply to every machine. */
static anax_code configure(struct plan_parts *parts, const struct invocation *all,
                           anax_error *error) {
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
        struct invocation one = *all;
        if (all->machine != NULL) one.machine = name;
        anax_config **config = &parts->machines[parts->machine_count];
        code = run_config_new(config, &one, error);
        if (code != ANAX_OK) break;
        parts->machine_count++;
        code = run_config_needs_machine(*config, error);
    }
    return code;
}

static anax_code take_factors(struct plan_parts *parts, const struct invocation *invocation,
                              anax_error *error) {
    parts->factors = calloc(invocation->factor_count + 1, sizeof *parts->factors);
    if (parts->factors == NULL) return error->code = ANAX_MEMORY;
    for (size_t i = 0; i < invocation->factor_count; i++) {
        const struct assignment *factor = &invocation->factors[i];
        char *text = factor->setting != NULL ? join(factor->setting, "=", factor->value)
                                             : strdup(factor->value);
        if (text == NULL) return error->code = ANAX_MEMORY;
        parts->factors[parts->factor_count++] = text;
    }
    return ANAX_OK;
}

static anax_code open_traces(struct plan_parts *parts, const struct invocation *invocation,
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
    char *path = join(folder, "/", cache);
    if (path == NULL || make_folder(path, is_home ? strlen(folder) + 1 : 0, 0700)) return path;
    free(path);
    return NULL;
}

/* Chooses the folder of kept points: that of --points, otherwise a cache. If no cache can be made,
 * no points are kept, and a message says so. */
static void choose_folder(struct plan_parts *parts, const struct invocation *invocation) {
    const char *cache = getenv("XDG_CACHE_HOME");
    if (cache != NULL && *cache == '\0') cache = NULL;
    if (invocation->points != NULL) {
        parts->folder = strdup(invocation->points);
        return;
    }
    parts->folder = cache_in(cache, "anax/points", false);
    if (parts->folder == NULL) parts->folder = cache_in(getenv("HOME"), ".cache/anax/points", true);
    if (invocation->quiet || (parts->folder != NULL && cache == NULL)) return;
    if (parts->folder == NULL)
        fprintf(stderr,
                "anax compare: finished points are not kept, for want of a folder; name one "
                "with --points\n");
    else if (strncmp(parts->folder, cache, strlen(cache)) != 0)
        fprintf(stderr,
                "anax compare: $XDG_CACHE_HOME is no folder to write to (%s); finished points are "
                "kept in %s\n",
                cache, parts->folder);
}

/* Checks the folder of --points. The run makes this folder before it writes the tables, so it must
 * not be the folder of the tables, nor inside it, nor inside a trace. */
static anax_code check_folder(const struct plan_parts *parts, const struct invocation *invocation,
                              anax_error *error) {
    if (parts->folder == NULL) return ANAX_OK;
    anax_code code = api_check_apart(parts->folder, NULL, invocation->arguments,
                                     invocation->argument_count, error);
    char *part = strdup(parts->folder);
    if (part == NULL) return error->code = ANAX_MEMORY;
    for (char *end = part + strlen(part); end != NULL && code == ANAX_OK;
         end = strrchr(part, '/')) {
        *end = '\0';
        if (*part != '\0') code = run_check_different(invocation->output, part, error);
    }
    free(part);
    return code;
}

static anax_code prepare(struct plan_parts *parts, const struct invocation *invocation,
                         const anax_options *options, anax_error *error) {
    anax_code code = configure(parts, invocation, error);
    for (size_t i = 0; i < parts->machine_count && code == ANAX_OK; i++)
        code = run_check_folder(invocation->output, invocation, parts->machines[i], error);
    choose_folder(parts, invocation);
    if (code == ANAX_OK) code = check_folder(parts, invocation, error);
    if (code == ANAX_OK) code = take_factors(parts, invocation, error);
    if (code == ANAX_OK) code = open_traces(parts, invocation, options, error);
    return code;
}

static anax_code run(anax_comparison **comparison, const struct plan_parts *parts,
                     const struct invocation *invocation, const anax_options *shown,
                     anax_error *error) {
    const anax_plan plan = {
        .size = sizeof plan,
        .machines = (const anax_config *const *)parts->machines,
        .machine_count = parts->machine_count,
        .factors = (const char *const *)parts->factors,
        .factor_count = parts->factor_count,
        .traces = (const anax_trace *const *)parts->traces,
        .trace_count = parts->trace_count,
        .paths = invocation->arguments,
        .seeds = invocation->seeds > 0 ? invocation->seeds : DEFAULT_SEEDS,
        .folder = parts->folder,
        .negligible = invocation->negligible,
    };
    anax_options options = *shown;
    options.progress = go_on;
    options.progress_context = (void *)shown;
    interrupt_points(parts->folder);
    interrupt_note(true);
    anax_code code = anax_compare(comparison, &plan, &options, error);
    interrupt_note(false);
    return code;
}

static int deliver(const anax_comparison *comparison, const struct invocation *invocation,
                   anax_error *error) {
    size_t found = 0, points = anax_comparison_points(comparison, &found);
    const size_t damaged = anax_comparison_damaged(comparison);
    if (damaged > 0)
        fprintf(stderr,
                "anax: %zu of %zu point%s %s kept, but damaged since, and %s computed anew\n",
                damaged, points, points == 1 ? "" : "s", damaged == 1 ? "was" : "were",
                damaged == 1 ? "was" : "were");
    if (found > 0 && !invocation->quiet)
        fprintf(stderr, "%zu of %zu point%s %s there from before\n", found, points,
                points == 1 ? "" : "s", found == 1 ? "was" : "were");
    if (invocation->output != NULL &&
        anax_comparison_write_tables(comparison, invocation->output, error) != ANAX_OK)
        return run_failed(error);
    return run_print(invocation->json ? anax_comparison_json(comparison)
                                      : anax_comparison_text(comparison));
}

int command_compare(const struct invocation *invocation) {
    anax_error error = ANAX_ERROR_INIT, written = ANAX_ERROR_INIT;
    struct plan_parts parts = {0};
    anax_comparison *comparison = NULL;
    struct run_progress progress;
    const anax_options options = run_options(invocation, &progress);
    anax_code code = prepare(&parts, invocation, &options, &error);
    if (code == ANAX_OK) code = run(&comparison, &parts, invocation, &options, &error);
    run_progress_end(&progress);
    int exit_code = comparison != NULL ? deliver(comparison, invocation, &written) : 0;
    if (code != ANAX_OK) {
        const int failed = run_failed(&error);
        if (exit_code == 0) exit_code = failed;
    }
    if (interrupt_noted() && comparison == NULL) exit_code = EXIT_INTERRUPTED;
    anax_comparison_free(comparison);
    interrupt_points(NULL);
    free_parts(&parts);
    return exit_code;
}
