/* Signals that end the command. A thread waits for signals, so it may call any function, also those
 * that are not safe in a signal handler. */
#include "cli/interrupt.h"
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/executed_lines.h"
#include "cli/run.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUTS_MAX = 7, STACK_BYTES = 256 << 10, STOP_MS = 400, PARK_MS = 100, TRIES_MAX = 10 };

/* Signals that come so soon after the first one belong to the same request: timeout(1) sends two.
 */
enum { REQUEST_MS = 1000 };

/* What the thread that begins outputs does while the process ends. */
enum { WRITER_RUNS, WRITER_IS_PARKED, WRITER_IS_STOPPED };

static struct {
    sigset_t signals;
    const char *outputs[OUTPUTS_MAX]; /* set before the thread begins */
    const char *checkpoint;           /* folder in which checkpoints are written */
    const char *resume;               /* folder from which the run goes on */
    bool is_taken;                    /* the folder had a checkpoint when the run began */
    _Atomic(const char *) points;
    atomic_bool defers;
    atomic_bool waits;
    atomic_int arrived; /* the number of the first deferred signal; 0: none */
    struct timespec arrived_at;
    atomic_bool asked;
    atomic_bool ending;
    atomic_bool is_told; /* the error output says that the run has stopped */
    pthread_t writer;    /* the thread that begins outputs */
    atomic_int writer_state;
} state;

static void remove_unfinished(void) {
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        if (state.outputs[i] != NULL) api_abandon(state.outputs[i]);
    const char *points = atomic_load(&state.points);
    if (points != NULL) api_abandon_points(points);
    if (state.checkpoint != NULL) api_abandon_checkpoint(state.checkpoint);
}

#ifdef ANAX_COVERAGE
/* A process writes its counts of executed lines once, in the thread that ends it first: two that
 * write at the same time damage them. */
static pthread_mutex_t counts = PTHREAD_MUTEX_INITIALIZER;

static void own_counts(void) {
    pthread_mutex_lock(&counts); /* for good */
}
#endif

static void sleep_1_ms(void) {
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
}

/* Signal handler that stops the writer wherever it is. The writer may hold a lock that the removal
 * of outputs needs, so it goes on after some time unless the removal was done by then. */
static void park(int number) {
    (void)number;
    atomic_store(&state.writer_state, WRITER_IS_PARKED);
    for (int i = 0; i < PARK_MS && atomic_load(&state.writer_state) == WRITER_IS_PARKED; i++)
        sleep_1_ms();
    int parked = WRITER_IS_PARKED;
    if (!atomic_compare_exchange_strong(&state.writer_state, &parked, WRITER_RUNS))
        for (;;)
            pause();
}

/* Removes unfinished outputs while the writer is parked, so that it begins no more of them. */
static void remove_for_good(void) {
    struct sigaction parking = {.sa_handler = park, .sa_flags = SA_RESTART};
    if (sigaction(SIGRTMAX, &parking, NULL) != 0) return;
    for (int try = 0; try < TRIES_MAX; try++) {
        if (pthread_kill(state.writer, SIGRTMAX) != 0) return;
        for (int i = 0; i < PARK_MS && atomic_load(&state.writer_state) != WRITER_IS_PARKED; i++)
            sleep_1_ms();
        remove_unfinished();
        int parked = WRITER_IS_PARKED;
        if (atomic_compare_exchange_strong(&state.writer_state, &parked, WRITER_IS_STOPPED)) return;
    }
}

/* Says whether a run that writes checkpoints, and that ends now, can go on from one. Says nothing
 * if another thread is printing: this one must not wait. Returns whether it can. */
static bool tell_of_checkpoint(void) {
    if (state.checkpoint == NULL) return false;
    const bool is_own = !state.is_taken && api_has_checkpoint(state.checkpoint);
    const char *folder = is_own ? state.checkpoint : state.resume;
    const bool is_there = folder != NULL && api_has_checkpoint(folder);
    /* a run that a signal has stopped, here or in another process, says so itself */
    if (atomic_load(&state.is_told)) return is_there;
    if (atomic_load(&state.arrived) != 0 && !atomic_load(&state.defers)) return is_there;
    if (ftrylockfile(stderr) != 0) return is_there;
    if (is_there)
        error_print("anax: stopped; go on with --resume %s\n", folder);
    else
        error_print("anax: stopped before the first checkpoint was written\n");
    funlockfile(stderr);
    return is_there;
}

/* Ends the process by the default action of a signal, or, if the run can go on from a checkpoint,
 * as one that has stopped. */
static void end_by(int number) {
#ifdef ANAX_COVERAGE
    own_counts();
#endif
    atomic_store(&state.ending, true);
    const bool can_go_on = tell_of_checkpoint();
    remove_unfinished();
    remove_for_good(); /* removes outputs that were begun in the meantime */
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    executed_lines_write();
    if (can_go_on) _exit(RUN_INTERRUPTED);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + number);
}

/* Lets a run that defers signals stop by itself. Ends it if it takes too long. */
static void let_stop(int number) {
    const struct timespec longest = {.tv_nsec = STOP_MS * 1000000L};
    nanosleep(&longest, NULL);
    if (!atomic_load(&state.defers)) return;
    const char *points = atomic_load(&state.points);
    if (points != NULL)
        error_print(
            "anax: stopped; finished points are kept in %s, and the same command goes on from "
            "there\n",
            points);
    end_by(number);
}

/* Returns whether a signal that comes now belongs to the request of the first deferred one. */
static bool is_same_request(void) {
    struct timespec now;
    if (atomic_load(&state.arrived) == 0) return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t passed_ms = ((int64_t)now.tv_sec - state.arrived_at.tv_sec) * 1000 +
                              (now.tv_nsec - state.arrived_at.tv_nsec) / 1000000;
    return passed_ms < REQUEST_MS;
}

/* Defers the first signal. */
static void defer(int number) {
    clock_gettime(CLOCK_MONOTONIC, &state.arrived_at);
    atomic_store(&state.arrived, number);
    if (!atomic_load(&state.waits)) let_stop(number);
}

static void *wait_for_signal(void *unused) {
    (void)unused;
    for (int number; sigwait(&state.signals, &number) == 0;) {
        if (number == SIGUSR1)
            atomic_store(&state.asked, true);
        else if (atomic_load(&state.defers) && atomic_load(&state.arrived) == 0)
            defer(number);
        else if (!is_same_request() &&
                 !(number == SIGXCPU && atomic_load(&state.arrived) == SIGXCPU))
            end_by(number); /* but Linux sends SIGXCPU again for each further second */
    }
    return NULL;
}

static bool begin_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const bool begun = pthread_create(&thread, &attributes, wait_for_signal, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return begun;
}

void interrupt_begin(const struct invocation *invocation) {
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU};
    const char *const outputs[OUTPUTS_MAX] = {invocation->output,         invocation->timeline,
                                              invocation->csv_path,       invocation->svg_path,
                                              invocation->perfetto_path,  invocation->report_path,
                                              invocation->pictures_folder};
    state.writer = pthread_self();
    state.checkpoint = invocation->checkpoint_folder;
    state.resume = invocation->resume_folder;
    state.is_taken = state.checkpoint != NULL && api_has_checkpoint(state.checkpoint);
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        state.outputs[i] = outputs[i];
    sigemptyset(&state.signals);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction present;
        if (sigaction(ends[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            sigaddset(&state.signals, ends[i]);
    }
    if (invocation->checkpoint_folder != NULL) sigaddset(&state.signals, SIGUSR1);
    /* a limit on the size of files then shows as a write error, as a full disk does */
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL);
#ifdef ANAX_COVERAGE
    atexit(own_counts);
#endif
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &state.signals, &before);
    if (!begin_thread()) pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void interrupt_set_points_folder(const char *folder) {
    atomic_store(&state.points, folder);
}

void interrupt_defer(bool defer) {
    atomic_store(&state.waits, false);
    atomic_store(&state.defers, defer);
}

void interrupt_defer_long(void) {
    atomic_store(&state.waits, true);
    atomic_store(&state.defers, true);
}

bool interrupt_has_arrived(void) {
    return interrupt_signal() != 0;
}

int interrupt_signal(void) {
    return atomic_load(&state.arrived);
}

bool interrupt_checkpoint_wanted(void) {
    return atomic_exchange(&state.asked, false);
}

void interrupt_stop_is_told(void) {
    atomic_store(&state.is_told, true);
}

void interrupt_wait_for_end(void) {
    while (atomic_load(&state.ending))
        pause();
}
