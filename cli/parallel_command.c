/*
 * Finds out whether the program was started together with others, connects the processes, and
 * agrees on the exit code at the end. Process 0 prints its error before the others end, because
 * mpirun ends all processes with the first one. Another process prints an error itself only if it
 * cannot tell process 0: what it prints otherwise is kept, and becomes the text of its error if it
 * fails before it joins the others.
 */
#include "cli/parallel_command.h"
#include "api/command_support.h"
#include "cli/option_advice.h"
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    unsigned process; /* number of this process */
    unsigned count;
    anax_processes *processes;
    FILE *errors;   /* the standard error output, which other processes than 0 use at need */
    anax_code code; /* of the first failure of this process */
    char *text;
    char *kept; /* what a process other than 0 would have printed as messages */
    size_t kept_bytes;
} state = {.count = 1};

static bool is_part(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--part") == 0 || strncmp(argv[i], "--part=", 7) == 0) return true;
    return false;
}

void parallel_command_find_launch(int argc, char **argv) {
    if (is_part(argc, argv)) return;
    state.process = anax_processes_launched(&state.count);
    if (state.process == 0) return;
    /* Not the file descriptor 2: libraries and sanitizers may still have to say why they end the
     * process. */
    FILE *messages = open_memstream(&state.kept, &state.kept_bytes);
    state.errors = stderr;
    if (messages != NULL) stderr = messages;
    if (freopen("/dev/null", "w", stdout) == NULL) clearerr(stdout);
}

/* Ends the keeping of messages in another process than 0: from now on they are lost. The stream
 * that keeps them stays open, because libraries that were loaded meanwhile may refer to it: that of
 * C++ flushes it at the end of the process. */
static void drop_messages(void) {
    if (state.errors == NULL) return;
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL) stderr = nowhere;
}

/* Returns the messages of another process than 0 as the text of an error, which names the process:
 * without their first word `anax` and their last line break. The caller frees the text; NULL: there
 * are none. */
static char *kept_text(void) {
    fflush(stderr);
    if (state.kept == NULL) return NULL;
    const size_t begin = strncmp(state.kept, "anax ", 5) == 0 ? 5 : 0;
    const size_t size = state.kept_bytes + sizeof "process 4294967295: ";
    char *text = malloc(size);
    if (text == NULL) return NULL;
    const int length = snprintf(text, size, "process %u: %s", state.process, state.kept + begin);
    if (length > 0 && text[length - 1] == '\n') text[length - 1] = '\0';
    return text;
}

/* Prints the error of another process than 0 that nobody else can print. */
static void print_own(const char *text) {
    char host[256] = "";
    if (state.process == 0 || state.errors == NULL) return;
    if (gethostname(host, sizeof host - 1) != 0) *host = '\0';
    stderr = state.errors;
    fprintf(stderr, "anax: process %u on %s: ", state.process, *host != '\0' ? host : "its host");
    option_advice_print(text);
    fflush(stderr);
}

/* Prints why this process cannot join the others. If process 0 fails, too, it is the one that says
 * so: the launcher ends the others meanwhile. */
static int fail_to_join(anax_error *error) {
    const struct timespec pause = {.tv_sec = 2};
    char *text = strdup(error->text != NULL ? error->text : anax_code_text(error->code));
    const int exit_code = run_print_error(error);
    if (state.process != 0) nanosleep(&pause, NULL);
    if (text != NULL && api_launch_joins()) print_own(text);
    free(text);
    api_give_up(exit_code);
    return exit_code;
}

int parallel_command_begin(const struct command *command, bool *is_idle) {
    anax_error error = ANAX_ERROR_INIT;
    *is_idle = false;
    if (state.count == 1) return 0;
    if (command->processes == COMMAND_BY_FIRST) {
        *is_idle = state.process != 0;
        return 0;
    }
    if (command->processes == COMMAND_BY_ONE) {
        fprintf(stderr,
                "anax %s: this command runs in one process, and %u were started together; start it "
                "without mpirun or srun, or give each process a part of its own (--part)\n",
                command->name, state.count);
        return parallel_command_exit_code(EXIT_USAGE);
    }
    if (anax_processes_begin(&state.processes, &error) != ANAX_OK) return fail_to_join(&error);
    drop_messages();
    return 0;
}

anax_processes *parallel_command_processes(void) {
    return state.processes;
}

bool parallel_command_prints(void) {
    return state.process == 0;
}

void parallel_command_record_failure(const anax_error *error) {
    if (state.processes == NULL || state.code != ANAX_OK) return;
    state.code = error->code;
    state.text = strdup(error->text != NULL ? error->text : anax_code_text(error->code));
}

int parallel_command_exit_code(int exit_code) {
    return state.process == 0 ? exit_code : 0;
}

int parallel_command_refuse(const struct command *command, int exit_code) {
    anax_error error = ANAX_ERROR_INIT;
    if (state.count == 1 || command->processes != COMMAND_BY_ALL)
        return parallel_command_exit_code(exit_code);
    if (anax_processes_begin(&state.processes, &error) != ANAX_OK) {
        anax_error_clear(&error);
        return parallel_command_exit_code(exit_code);
    }
    state.code = ANAX_ERROR_USAGE;
    state.text = kept_text();
    return parallel_command_end(exit_code);
}

int parallel_command_end(int exit_code) {
    anax_error error = ANAX_ERROR_INIT;
    if (state.processes == NULL) return exit_code;
    anax_code code = state.code;
    if (code == ANAX_OK && exit_code != 0)
        code = exit_code == EXIT_USAGE ? ANAX_ERROR_USAGE : ANAX_ERROR_SYSTEM;
    const char *text = state.text != NULL ? state.text : anax_code_text(code);
    anax_code told = anax_processes_finish(state.processes, code, text, &error);
    /* before any process has ended: mpirun then ends the others */
    if (exit_code == 0 && told != ANAX_OK) exit_code = run_print_error(&error);
    if (api_cannot_tell(state.processes)) print_own(state.text != NULL ? state.text : text);
    fflush(NULL);
    anax_processes_end(state.processes, exit_code);
    state.processes = NULL;
    free(state.text);
    state.text = NULL;
    return exit_code;
}
