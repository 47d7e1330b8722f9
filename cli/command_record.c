/*
 * `anax record`: runs an MPI application with the recorder preloaded, and makes a program file of
 * the recording.
 *
 * Under a launcher every process is an `anax record`. Process 0 waits for its part of the
 * application and then makes the program file; all ranks have ended recording by then, since the
 * last act of the recorder is a barrier. The other processes become the application.
 */
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/executed_lines.h"
#include "cli/interrupt.h"
#include "cli/run.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FOLDER_END ".recording"
enum { CANNOT_RUN = 127, BY_SIGNAL = 128 };

struct recording {
    const struct invocation *invocation;
    char folder[PATH_MAX];
    char preload[PATH_MAX];
};

static int refuse(int exit_code, const char *format, const char *what) {
    error_print("anax record: ");
    error_print(format, what);
    error_print("\n");
    return exit_code;
}

/* ---- the folder ---- */

static bool is_of_rank(const char *name) {
    size_t length = strlen(name);
    return strncmp(name, "rank-", 5) == 0 && length > 9 && strcmp(name + length - 4, ".rec") == 0;
}

/* Removes the files of a recording, and the folder if it is empty then. Returns how many files
 * there were; `remove_files` false: only counts. */
static unsigned clear_folder(const char *folder, bool remove_files) {
    unsigned count = 0;
    DIR *listing = opendir(folder);
    if (listing == NULL) return 0;
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (!is_of_rank(entry->d_name)) continue;
        count++;
        if (remove_files) (void)unlinkat(dirfd(listing), entry->d_name, 0);
    }
    closedir(listing);
    if (remove_files) (void)rmdir(folder);
    return count;
}

/* Finds the names of all files, and refuses what would overwrite something. Returns an exit code.
 */
static int prepare_files(struct recording *recording, bool is_first) {
    const struct invocation *invocation = recording->invocation;
    const char *output = invocation->output;
    char recorder[PATH_MAX], here[PATH_MAX] = "";
    if (output == NULL) return refuse(EXIT_USAGE, "missing option: -o %s", "FILE.anax");
    size_t length = strlen(output);
    if (length <= 5 || strcmp(output + length - 5, ".anax") != 0)
        return refuse(EXIT_USAGE, "the name of a program file ends with .anax: -o %s.anax", output);
    if (*output != '/' && getcwd(here, sizeof here) == NULL)
        return refuse(1, "cannot find the folder in which this runs: %s", strerror(errno));
    int written = snprintf(recording->folder, sizeof recording->folder, "%s%s%s" FOLDER_END, here,
                           *output != '/' ? "/" : "", output);
    if (written < 0 || (size_t)written >= sizeof recording->folder)
        return refuse(EXIT_USAGE, "%s: the path is too long", output);
    if (!api_find_recorder(recorder, sizeof recorder))
        return refuse(1,
                      "this anax has no recorder (%s): build it where the compiler wrapper of an "
                      "MPI library (mpicc) is installed",
                      "anax_record.so");
    const char *others = getenv("LD_PRELOAD");
    written = snprintf(recording->preload, sizeof recording->preload, "%s%s%s", recorder,
                       others != NULL && *others != '\0' ? ":" : "", others != NULL ? others : "");
    if (written < 0 || (size_t)written >= sizeof recording->preload)
        return refuse(EXIT_USAGE, "%s: LD_PRELOAD is too long", recorder);
    if (!is_first) return 0;
    if (!invocation->force && access(output, F_OK) == 0)
        return refuse(EXIT_USAGE, "%s exists already; --force replaces it", output);
    if (clear_folder(recording->folder, invocation->force) > 0 && !invocation->force)
        return refuse(EXIT_USAGE,
                      "%s holds an earlier recording: make a program file of it with anax convert, "
                      "or remove it (--force does)",
                      recording->folder);
    return 0;
}

/* ---- the application ---- */

/* Becomes the application. */
static int become(const struct recording *recording) {
    char *const *words = (char *const *)recording->invocation->arguments;
    sigset_t none;
    sigemptyset(&none);
    setenv("ANAX_RECORD_FOLDER", recording->folder, 1);
    setenv("LD_PRELOAD", recording->preload, 1);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGXFSZ, SIG_DFL); /* interrupt_begin ignores it, and that would be inherited */
    executed_lines_write();
    execvp(words[0], words);
    error_print("anax record: cannot run %s: %s\n", words[0], strerror(errno));
    return CANNOT_RUN;
}

/* Waits for the application and passes a signal on to it. Returns its exit code as a shell does. */
static int wait_for(pid_t child) {
    const struct timespec pause = {.tv_nsec = 10000000};
    bool has_told = false;
    int state = 0;
    for (pid_t ended = 0; (ended = waitpid(child, &state, WNOHANG)) == 0 || errno == EINTR;) {
        if (ended == child) break;
        if (interrupt_has_arrived() && !has_told) {
            kill(child, SIGTERM);
            has_told = true;
        }
        nanosleep(&pause, NULL);
        errno = 0;
    }
    return WIFSIGNALED(state) ? BY_SIGNAL + WTERMSIG(state) : WEXITSTATUS(state);
}

static int run_application(const struct recording *recording) {
    fflush(NULL);
    interrupt_defer_long();
    const pid_t parent = getpid(), child = fork();
    if (child < 0) return refuse(1, "cannot start a process: %s", strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* it does not outlive a parent that is killed */
        if (getppid() != parent) _exit(CANNOT_RUN);
        _exit(become(recording));
    }
    int exit_code = wait_for(child);
    interrupt_defer(false);
    return exit_code;
}

/* ---- the program file ---- */

/* Writes the program file, and sets *cut_ranks to how many ranks were not recorded to their ends.
 */
static int write_program(const struct recording *recording, uint64_t *cut_ranks) {
    const struct invocation *invocation = recording->invocation;
    anax_error error = ANAX_ERROR_INIT;
    anax_config *config = NULL;
    anax_trace *trace = NULL;
    struct run_progress progress;
    anax_options options = run_options(invocation, &progress);
    options.replace = invocation->force;
    anax_code code = run_config_new(&config, invocation, &error);
    if (code == ANAX_OK) /* without --keep only the program file remains, so it has the regions */
        code = anax_config_set(config, "trace.user_regions", "on", &error);
    if (code == ANAX_OK)
        code = anax_trace_open(&trace, recording->folder, config, &options, &error);
    if (code == ANAX_OK)
        code = anax_trace_write_program(trace, invocation->output, &options, &error);
    run_progress_end(&progress);
    run_warn_of(NULL, trace);
    if (trace != NULL) *cut_ranks = api_trace_count_cut_ranks(trace);
    anax_trace_free(trace);
    anax_config_free(config);
    return code == ANAX_OK ? 0 : run_print_error(&error);
}

int command_record(const struct invocation *invocation) {
    struct recording recording = {.invocation = invocation};
    unsigned count = 1;
    const unsigned number = anax_processes_launched(&count);
    int exit_code = prepare_files(&recording, number == 0);
    if (exit_code != 0) return exit_code;
    if (number > 0) return become(&recording);
    int application = run_application(&recording);
    const int by_signal = interrupt_signal() != 0 ? BY_SIGNAL + interrupt_signal() : 0;
    if (clear_folder(recording.folder, false) == 0) {
        if (by_signal != 0)
            return refuse(application != 0 ? application : by_signal,
                          "a signal ended %s before it called MPI_Init", invocation->arguments[0]);
        if (application != 0) return application;
        return refuse(1,
                      "%s has called no MPI_Init, or not in a recorder's reach (a program that is "
                      "linked statically, or whose launcher does not pass LD_PRELOAD on; under "
                      "mpirun, write mpirun ... anax record ...), or a line above says why nothing "
                      "was recorded",
                      invocation->arguments[0]);
    }
    uint64_t cut_ranks = 0;
    exit_code = write_program(&recording, &cut_ranks);
    if (cut_ranks > 0)
        error_print("anax record: the recording was cut%s: %" PRIu64
                    " rank%s did not reach MPI_Finalize (anax info says more)\n",
                    by_signal != 0 ? " by a signal" : "", cut_ranks, cut_ranks == 1 ? "" : "s");
    /* launchers may end well after a signal */
    if (application == 0 && (cut_ranks > 0 || exit_code != 0)) application = by_signal;
    const bool is_kept = exit_code != 0 || application != 0 || invocation->keep;
    if (!is_kept)
        (void)clear_folder(recording.folder, true);
    else if (!invocation->keep)
        error_print("anax record: the recording is kept: %s\n", recording.folder);
    return application != 0 ? application : exit_code;
}
