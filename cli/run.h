/*
 * What the commands share: configurations from command lines, errors, progress, output.
 *
 * Invariant: results go to the standard output, everything else to the standard error.
 */
#ifndef ANAX_CLI_RUN_H
#define ANAX_CLI_RUN_H

#include "cli/command.h"

/* The defaults, then --machine, the --config files, and the other options in their order. */
anax_code run_config_new(anax_config **config, const struct invocation *invocation,
                         anax_error *error);

/* ANAX_USAGE when neither a machine nor a file was given. */
anax_code run_config_needs_machine(const anax_config *config, anax_error *error);

/* ANAX_USAGE when the command line describes background traffic and nothing says how much. */
anax_code run_check_background(const anax_config *config, const struct invocation *invocation,
                               anax_error *error);

/* ANAX_INPUT when nothing is at path. */
anax_code run_check_trace(const char *path, anax_error *error);

/* What is wrong with an output is said before the run, not after it. All return ANAX_USAGE. */

/* When the folder that is to hold path is missing, or takes no new file. path may be NULL. */
anax_code run_check_parent(const char *path, anax_error *error);

/* The same, and when something of that name exists. */
anax_code run_check_new(const char *path, anax_error *error);

/* When a file cannot be written at path: what run_check_parent says, or it is read, or exists and
 * is not to be replaced. path may be NULL. */
anax_code run_check_file(const char *path, const struct invocation *invocation,
                         const anax_config *config, anax_error *error);

/* The same for a folder, which is always new. */
anax_code run_check_folder(const char *path, const struct invocation *invocation,
                           const anax_config *config, anax_error *error);

/* When the standard output goes into a file that is read. */
anax_code run_check_stdout(const struct invocation *invocation, const anax_config *config,
                           anax_error *error);

/* When both are the same new file or folder. Either may be NULL. */
anax_code run_check_different(const char *path, const char *other, anax_error *error);

/* Options for the library: threads, and progress if the standard error is a terminal. */
struct run_progress {
    bool shown;
    double last_s;
};
anax_options run_options(const struct invocation *invocation, struct run_progress *progress);
void run_progress_end(struct run_progress *progress);

/* Says what went wrong, clears the error, returns the exit code. */
int run_failed(anax_error *error);

/* Prints warnings, a line each, to the standard error, and frees them; with what they are about
 * before them, unless that is NULL. */
void run_warn(const char *about, char *warnings);
/* The same about a trace; NULL: nothing. */
void run_warn_of(const char *about, const anax_trace *trace);

/* Prints a text to the standard output and frees it; returns the exit code. */
int run_print(char *text);

/* Makes sure that what was printed has arrived; returns the exit code. */
int run_flush(void);

#endif
