/* Makes configurations from command lines and checks them, shows progress and the time left, and
 * prints warnings and errors. */
#include "cli/run.h"
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/interrupt.h"
#include "cli/option_advice.h"
#include "cli/parallel_command.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static anax_code fail(anax_error *error, anax_code code, const char *before, const char *after) {
    size_t size = strlen(before) + strlen(after) + 1;
    anax_error_clear(error);
    error->code = code;
    error->text = malloc(size);
    if (error->text != NULL) snprintf(error->text, size, "%s%s", before, after);
    return code;
}

static anax_code no_memory(anax_error *error) {
    return fail(error, ANAX_ERROR_MEMORY, "out of memory for a text", "");
}

anax_code run_refuse(anax_error *error, const char *text) {
    return fail(error, ANAX_ERROR_USAGE, text, "");
}

/* Refuses settings on the command line that the command does not use. Settings of a file may be for
 * other commands, so they are not refused. */
static anax_code refuse_unused(const anax_config *config, const struct invocation *invocation,
                               const char *pair, anax_error *error) {
    const struct command *command = invocation->command;
    char name[128], text[512];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "= "), pair);
    if (anax_config_in_scope(config, command->scope, name)) return ANAX_OK;
    int length = snprintf(text, sizeof text, "--set %s: `anax %s` does not use it, but only", name,
                          command->name);
    const char *between = "";
    for (const struct command *row = invocation->all_commands; row->name != NULL; row++) {
        if (row->scope == ANAX_SCOPE_ALL || !anax_config_in_scope(config, row->scope, name))
            continue;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s `anax %s`", between,
                           row->name);
        between = ",";
    }
    return fail(error, ANAX_ERROR_USAGE, text, "");
}

static anax_code apply_settings(anax_config *config, const struct invocation *invocation,
                                anax_error *error) {
    anax_code code = ANAX_OK;
    if (invocation->command->preset != NULL)
        code = anax_config_set_pair(config, invocation->command->preset, error);
    if (code == ANAX_OK && invocation->machine != NULL)
        code = anax_config_machine(config, invocation->machine, error);
    for (size_t i = 0; i < invocation->config_count && code == ANAX_OK; i++)
        code = anax_config_load(config, invocation->configs[i], error);
    for (size_t i = 0; i < invocation->assignment_count && code == ANAX_OK; i++) {
        const struct assignment *assignment = &invocation->assignments[i];
        code = assignment->setting != NULL
                   ? anax_config_set(config, assignment->setting, assignment->value, error)
                   : anax_config_set_pair(config, assignment->value, error);
        if (code == ANAX_OK && assignment->setting == NULL)
            code = refuse_unused(config, invocation, assignment->value, error);
    }
    return code;
}

anax_code run_config_new(anax_config **config, const struct invocation *invocation,
                         anax_error *error) {
    anax_code code = anax_config_new(config, error);
    if (code == ANAX_OK) code = apply_settings(*config, invocation, error);
    if (code == ANAX_OK) code = run_check_stdout(invocation, *config, error);
    if (code != ANAX_OK) {
        anax_config_free(*config);
        *config = NULL;
    }
    return code;
}

anax_code run_check_machine(const anax_config *config, anax_error *error) {
    if (anax_config_has_machine(config)) return ANAX_OK;
    return fail(error, ANAX_ERROR_USAGE, "no machine: choose one with --machine NAME ",
                "(anax list machines), or describe one in a file for --config");
}

anax_code run_check_background(const anax_config *config, const struct invocation *invocation,
                               anax_error *error) {
    static const char prefix[] = "background.", load[] = "background.load";
    bool described = false, loaded = false;
    for (size_t i = 0; i < invocation->assignment_count; i++) {
        const struct assignment *assignment = &invocation->assignments[i];
        const char *name = assignment->setting != NULL ? assignment->setting : assignment->value;
        if (strncmp(name, load, sizeof load - 1) == 0)
            loaded = true;
        else if (strncmp(name, prefix, sizeof prefix - 1) == 0)
            described = true;
    }
    if (!described || loaded) return ANAX_OK;
    char *value = NULL;
    const anax_code code = anax_config_get(&value, config, load, error);
    const bool none = code == ANAX_OK && strcmp(value, "0") == 0;
    anax_text_free(value);
    if (!none) return code;
    return fail(error, ANAX_ERROR_USAGE, "there is no background traffic without a load: add ",
                "--background-load LOAD, a share of the injection bandwidth, e.g. 0.1");
}

anax_code run_check_trace(const char *path, anax_error *error) {
    struct stat present;
    if (stat(path, &present) == 0) return ANAX_OK;
    char text[128];
    snprintf(text, sizeof text, ": cannot read the trace: %s", strerror(errno));
    return fail(error, ANAX_ERROR_INPUT, path, text);
}

/* Returns the parent folder of path, which need not exist. The caller frees the string. */
static char *parent_of(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length > 0 ? strndup(path, length) : strdup(".");
}

/* Returns the last component of path, and in *length its length without slashes at its end. */
static const char *last_part(const char *path, size_t *length) {
    const char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        end--;
    const char *start = end;
    while (start > path && start[-1] != '/')
        start--;
    *length = (size_t)(end - start);
    return start;
}

anax_code run_check_parent(const char *path, anax_error *error) {
    if (path == NULL) return ANAX_OK;
    char *parent = parent_of(path);
    if (parent == NULL) return no_memory(error);
    struct stat found, present;
    anax_code code = ANAX_OK;
    bool is_made = lstat(path, &present) != 0 || S_ISREG(present.st_mode);
    bool exists = stat(parent, &found) == 0;
    if (exists && !S_ISDIR(found.st_mode)) {
        code = fail(error, ANAX_ERROR_USAGE, parent,
                    ": an output cannot be created here: this is not a folder");
    } else if (!exists || (is_made && access(parent, W_OK | X_OK) != 0)) {
        char text[128];
        snprintf(text, sizeof text, ": an output cannot be created in this folder: %s",
                 strerror(errno));
        code = fail(error, ANAX_ERROR_USAGE, parent, text);
    }
    free(parent);
    return code;
}

anax_code run_check_new(const char *path, anax_error *error) {
    struct stat present;
    if (path == NULL) return ANAX_OK;
    if (lstat(path, &present) == 0)
        return fail(error, ANAX_ERROR_EXISTS, path,
                    ": exists already; name a new folder, or remove it first");
    const int reason = errno;
    anax_code code = run_check_parent(path, error);
    if (code != ANAX_OK || reason == ENOENT) return code;
    char text[128];
    snprintf(text, sizeof text, ": cannot create the folder: %s", strerror(reason));
    return fail(error, ANAX_ERROR_USAGE, path, text);
}

/* Returns whether two paths, whose links were followed, name the same file or folder, which need
 * not exist. */
static bool are_one(const char *path, const char *other) {
    size_t length, other_length;
    const char *name = last_part(path, &length), *other_name = last_part(other, &other_length);
    if (length != other_length || memcmp(name, other_name, length) != 0) return false;
    char *parent = parent_of(path), *other_parent = parent_of(other);
    struct stat first, second;
    const bool are = parent != NULL && other_parent != NULL && stat(parent, &first) == 0 &&
                     stat(other_parent, &second) == 0 && first.st_dev == second.st_dev &&
                     first.st_ino == second.st_ino;
    free(parent);
    free(other_parent);
    return are;
}

anax_code run_check_different(const char *path, const char *other, anax_error *error) {
    if (path == NULL || other == NULL) return ANAX_OK;
    struct stat present;
    if (stat(path, &present) == 0 && !S_ISREG(present.st_mode) && !S_ISDIR(present.st_mode))
        return ANAX_OK; /* several outputs may go to one device */
    char *target = api_follow_output(path), *other_target = api_follow_output(other);
    const bool are = target != NULL && other_target != NULL && are_one(target, other_target);
    free(target);
    free(other_target);
    return are ? fail(error, ANAX_ERROR_USAGE, other, ": this output is given twice; name one each")
               : ANAX_OK;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Writes a time for people: "8 s", "3 min 20 s", "2 h 5 min". */
static void write_left(char *text, size_t size, double left_s) {
    enum { MINUTE_S = 60, HOUR_S = 3600, LONGEST_S = 100 * 24 * HOUR_S };
    const long seconds = left_s < LONGEST_S ? (long)(left_s + 0.5) : LONGEST_S;
    if (seconds < MINUTE_S)
        snprintf(text, size, "%ld s", seconds);
    else if (seconds < HOUR_S)
        snprintf(text, size, "%ld min %ld s", seconds / MINUTE_S, seconds % MINUTE_S);
    else
        snprintf(text, size, "%ld h %ld min", seconds / HOUR_S, seconds % HOUR_S / MINUTE_S);
}

/* Records the begin of a phase and how much was done then. If less is done than before, the phase
 * has begun anew, as in the second of two replays. */
static void follow_phase(struct run_progress *progress, const anax_progress *report,
                         double time_s) {
    const bool is_same = progress->total == report->total && progress->done <= report->done;
    progress->total = report->total;
    progress->done = report->done;
    if (is_same) return;
    progress->begun_s = time_s;
    progress->begun_done = report->done;
}

/* Adds the share that is done and the time left, as far as they are known. */
static void write_share(char *text, size_t size, const struct run_progress *progress,
                        double time_s) {
    const uint64_t done = progress->done - progress->begun_done;
    const double passed_s = time_s - progress->begun_s;
    char left[32];
    snprintf(text, size, ": %.0f %%", 100 * (double)progress->done / (double)progress->total);
    if (done == 0 || passed_s < 0.5) return;
    write_left(left, sizeof left,
               passed_s * (double)(progress->total - progress->done) / (double)done);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, ", %s left", left);
}

static bool show_progress(void *context, const anax_progress *report) {
    struct run_progress *progress = context;
    const double time_s = now_s();
    follow_phase(progress, report, time_s);
    if (time_s - progress->last_s < 0.2) return true;
    progress->last_s = time_s;
    progress->is_shown = true;
    char share[64] = "";
    if (report->total > 0) write_share(share, sizeof share, progress, time_s);
    fprintf(stderr, "\r\033[K%s%s", report->phase, share);
    if (report->events > 0)
        fprintf(stderr, "%s %.3f ms simulated, %.1f million events", *share != '\0' ? ";" : ":",
                (double)report->time_ps / 1e9, (double)report->events / 1e6);
    return true;
}

static anax_checkpoint_wish wish(void *context) {
    (void)context;
    if (interrupt_has_arrived()) return ANAX_CHECKPOINT_WRITE_AND_END;
    return interrupt_checkpoint_wanted() ? ANAX_CHECKPOINT_WRITE : ANAX_CHECKPOINT_NONE;
}

void run_progress_end(struct run_progress *progress) {
    if (progress->is_shown) fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

static void warn_of_checkpoint(void *context, const char *why) {
    run_progress_end(context);
    fputs("anax: warning: no checkpoint was written, and the run goes on: ", stderr);
    option_advice_print(why);
}

/* Returns whether texts are printed in ASCII: where the user's locale is not UTF-8. Does not call
 * setlocale, which would change how numbers are parsed. */
static bool prints_ascii(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0) return true;
    const bool is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return !is_utf8;
}

anax_options run_options(const struct invocation *invocation, struct run_progress *progress) {
    anax_options options = ANAX_OPTIONS_INIT;
    *progress = (struct run_progress){.last_s = now_s()};
    options.threads = invocation->threads;
    options.points_at_once = invocation->points_at_once;
    options.timeline = invocation->timeline != NULL || invocation->perfetto_path != NULL;
    options.replace = invocation->force;
    options.ascii_only = prints_ascii();
    options.processes = parallel_command_processes();
    options.advise = invocation->advise;
    options.explain = invocation->explain || invocation->path_steps > 0;
    options.path_steps = invocation->path_steps;
    options.checkpoint_folder = invocation->checkpoint_folder;
    options.resume_folder = invocation->resume_folder;
    if (invocation->checkpoint_folder != NULL) {
        enum { DEFAULT_S = 600 };
        options.checkpoint_every_s = invocation->every_s > 0 ? invocation->every_s : DEFAULT_S;
        options.checkpoint_wish = wish;
        options.checkpoint_failed = warn_of_checkpoint;
        options.checkpoint_context = progress;
    }
    if (!invocation->quiet && parallel_command_prints() && isatty(STDERR_FILENO)) {
        options.progress = show_progress;
        options.progress_context = progress;
    }
    return options;
}

/* Errors in files have the form file:line:col: error: …, and editors expect that form at the start
 * of the line, so no "anax: " stands before them. */
int run_print_error(anax_error *error) {
    if (error->code == ANAX_ERROR_STOPPED) interrupt_stop_is_told();
    interrupt_wait_for_end();
    const char *text = error->text != NULL ? error->text : anax_code_text(error->code);
    if (strstr(text, ": error: ") == NULL) fputs("anax: ", stderr);
    option_advice_print(text);
    int code = anax_code_exit_code(error->code);
    parallel_command_record_failure(error);
    anax_error_clear(error);
    return code;
}

void run_warn(const char *about, char *warnings) {
    for (char *line = warnings, *end = NULL; line != NULL && *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL) break;
        *end = '\0';
        fputs("anax: warning: ", stderr);
        if (about != NULL) error_print("%s: ", about);
        option_advice_print(line);
    }
    anax_text_free(warnings);
}

void run_warn_of(const char *about, const anax_trace *trace) {
    if (trace != NULL) run_warn(about, anax_trace_warnings(trace));
}

int run_print(char *text) {
    if (text == NULL) {
        fprintf(stderr, "anax: out of memory for a text\n");
        return anax_code_exit_code(ANAX_ERROR_MEMORY);
    }
    size_t length = strlen(text);
    fputs(text, stdout);
    if (length > 0 && text[length - 1] != '\n') putchar('\n');
    anax_text_free(text);
    return run_flush();
}

int run_print_config(const anax_config *config, anax_scope scope,
                     const struct invocation *invocation) {
    if (!invocation->print_machine) return run_print(anax_config_yaml(config, scope));
    anax_error error = ANAX_ERROR_INIT;
    if (run_check_machine(config, &error) != ANAX_OK) return run_print_error(&error);
    return run_print(anax_config_machine_yaml(config));
}

int run_flush(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fprintf(stderr, "anax: cannot write to the standard output: %s\n", strerror(errno));
    return 1;
}
