/* Signals that end the command. A thread waits for signals, so it may call any function, also those
 * that are not safe in a signal handler. */
#include "cli/interrupt.h"
#include "api/command_support.h"
#include "cli/error_print.h"
#include "cli/executed_lines.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUTS_MAX = 7, STACK_BYTES = 256 << 10, STOP_MS = 400, PARK_MS = 100, TRIES_MAX = 10 };

/* What the thread that begins outputs does while the process ends. */
enum { WRITER_RUNS, WRITER_IS_PARKED, WRITER_IS_STOPPED };

static struct {
    sigset_t signals;
    const char *outputs[OUTPUTS_MAX]; /* set before the thread begins */
    _Atomic(const char *) points;
    atomic_bool defers;
    atomic_bool waits;
    atomic_int arrived; /* the number of the first deferred signal; 0: none */
    atomic_bool asked;
    atomic_bool ending;
    pthread_t writer; /* the thread that begins outputs */
    atomic_int writer_state;
} state;

static void remove_unfinished(void) {
    for (size_t i = 0; i < OUTPUTS_MAX; i++)
        if (state.outputs[i] != NULL) api_abandon(state.outputs[i]);
    const char *points = atomic_load(&state.points);
    if (points != NULL) api_abandon_points(points);
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

/* Ends the process by the default action of a signal. */
static void end_by(int number) {
#ifdef ANAX_COVERAGE
    own_counts();
#endif
    atomic_store(&state.ending, true);
    remove_unfinished();
    remove_for_good(); /* removes outputs that were begun in the meantime */
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    executed_lines_write();
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + number);
}

/* Lets a run that defers signals stop by itself. Ends it if it takes too long, or if another signal
 * comes. */
static void let_stop(int number) {
    const struct timespec longest = {.tv_nsec = STOP_MS * 1000000L};
    const int second = sigtimedwait(&state.signals, NULL, &longest);
    if (second < 0 && !atomic_load(&state.defers)) return;
    const char *points = atomic_load(&state.points);
    if (second < 0 && points != NULL)
        error_print(
            "anax: stopped; finished points are kept in %s, and the same command goes on from "
            "there\n",
            points);
    end_by(second < 0 ? number : second);
}

static void *wait_for_signal(void *unused) {
    (void)unused;
    for (int number; sigwait(&state.signals, &number) == 0;) {
        if (number == SIGUSR1)
            atomic_store(&state.asked, true);
        else if (!atomic_load(&state.defers) || atomic_exchange(&state.arrived, number) != 0)
            end_by(number);
        else if (!atomic_load(&state.waits))
            let_stop(number);
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

void interrupt_wait_for_end(void) {
    while (atomic_load(&state.ending))
        pause();
}
