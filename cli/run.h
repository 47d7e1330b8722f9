/*
 * Functions that the commands share: configurations from command lines, errors, progress, output.
 *
 * Invariant: results go to the standard output, everything else to the standard error.
 */
#ifndef ANAX_CLI_RUN_H
#define ANAX_CLI_RUN_H

#include "cli/command.h"

/* Exit code of a command that a signal has stopped, with what it had done kept. */
enum { RUN_INTERRUPTED = 130 };

/* Makes the configuration of a command line. Applies the defaults, then --machine, then the
 * --config files, then the other options in their order. */
anax_code run_config_new(anax_config **config, const struct invocation *invocation,
                         anax_error *error);

/* Returns ANAX_ERROR_USAGE if the command line gives neither a machine nor a file with a machine.
 */
anax_code run_check_machine(const anax_config *config, anax_error *error);

/* Returns ANAX_ERROR_USAGE if the command line describes background traffic but no setting gives
 * its load.
 */
anax_code run_check_background(const anax_config *config, const struct invocation *invocation,
                               anax_error *error);

/* Returns ANAX_ERROR_INPUT if path does not exist. */
anax_code run_check_trace(const char *path, anax_error *error);

/* The following functions check outputs before a run begins. All of them return ANAX_ERROR_USAGE if
 * the output is not possible. */

/* Checks that the parent folder of path exists and that a file can be created in it. path may be
 * NULL. */
anax_code run_check_parent(const char *path, anax_error *error);

/* Checks as run_check_parent does, and also that path does not exist. */
anax_code run_check_new(const char *path, anax_error *error);

/* Checks that a file can be written at path: as run_check_parent does, and also that path is no
 * input of the command, and that it does not exist unless --force is given. path may be NULL. */
anax_code run_check_file(const char *path, const struct invocation *invocation,
                         const anax_config *config, anax_error *error);

/* Checks that a new folder can be created at path, which is no input of the command. path may be
 * NULL. */
anax_code run_check_folder(const char *path, const struct invocation *invocation,
                           const anax_config *config, anax_error *error);

/* Checks that the standard output is no input file of the command. */
anax_code run_check_stdout(const struct invocation *invocation, const anax_config *config,
                           anax_error *error);

/* Checks that the folder of checkpoints, if one is given, is no input and no other output. */
anax_code run_check_checkpoint(const struct invocation *invocation, const anax_config *config,
                               anax_error *error);

/* Checks that two outputs are different files or folders. Either may be NULL. */
anax_code run_check_different(const char *path, const char *other, anax_error *error);

/* Progress on the standard error, if that is a terminal. */
struct run_progress {
    bool is_shown;
    double last_s;
    uint64_t done, total; /* of the last report */
    double begun_s;       /* when its phase began */
    uint64_t begun_done;  /* how much was done when the phase began */
};
/* Returns the options that the command line gives, with progress on a terminal. *progress must live
 * as long as they. */
anax_options run_options(const struct invocation *invocation, struct run_progress *progress);
/* Removes the progress from the terminal. */
void run_progress_end(struct run_progress *progress);

/* Sets an error of wrong usage; returns its code. */
anax_code run_refuse(anax_error *error, const char *text);

/* Prints an error, clears it, and returns the exit code. */
int run_print_error(anax_error *error);

/* Prints warnings to the standard error, one per line, and frees them. Each line begins with
 * `about` unless that is NULL. */
void run_warn(const char *about, char *warnings);
/* Prints the warnings of a trace in the same way. trace may be NULL. */
void run_warn_of(const char *about, const anax_trace *trace);

/* Prints a text to the standard output, frees it, and returns the exit code. */
int run_print(char *text);

/* Prints the configuration of a scope, or the machine alone, as --print-config or --print-machine
 * ask for. Returns the exit code. */
int run_print_config(const anax_config *config, anax_scope scope,
                     const struct invocation *invocation);

/* Flushes the standard output and returns the exit code, which reports a failed write. */
int run_flush(void);

#endif
