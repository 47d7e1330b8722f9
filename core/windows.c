/*
 * The window loop. Invariant: in a window a thread writes only what belongs to the domains that it
 * took, its own mailboxes, and sent_ps. The last thread at the barrier plans the next window, while
 * the others wait.
 */
#include "core/windows.h"

#include "core/barrier.h"
#include "core/event_queue.h"
#include "core/memory.h"
#include "core/processors.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* Most steps of one lookahead in a window of a domain that is alone: the calling thread reports
 * progress between windows. */
#define STEPS_MOST 64
#define SPINS_MOST 1000

/* State of the gate: the threads may begin only if all of them could be started. */
enum { GATE_CLOSED, GATE_OPEN, GATE_GIVEN_UP };

struct windows {
    const struct windows_work *work;
    struct windows_result result;
    unsigned threads;
    int64_t limit_ps;
    /* The current window: */
    uint64_t window;
    int64_t start_ps;
    int64_t end_ps;
    int64_t others_ps; /* earliest event of the other domains if one is alone; else EVENT_NEVER */
    bool is_alone;     /* only one domain has events in it */
    bool is_over;
    bool *has;                /* [domain]: it has events before end_ps, or parcels */
    uint64_t *done;           /* [domain]: its work in this window */
    _Atomic int64_t *sent_ps; /* [domain]: earliest parcel sent to it in this window */
    struct dealing dealing;
    struct barrier barrier;
    atomic_bool is_stopped;
    _Alignas(64) atomic_int gate;
};

struct member {
    struct windows *windows;
    unsigned thread;
    pthread_t handle;
};

void windows_sent(struct windows *windows, uint32_t domain, int64_t time_ps) {
    _Atomic int64_t *sent_ps = &windows->sent_ps[domain];
    int64_t earliest_ps = atomic_load_explicit(sent_ps, memory_order_relaxed);
    if (windows->threads == 1) {
        if (time_ps < earliest_ps) atomic_store_explicit(sent_ps, time_ps, memory_order_relaxed);
        return;
    }
    while (time_ps < earliest_ps &&
           !atomic_compare_exchange_weak_explicit(sent_ps, &earliest_ps, time_ps,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* ---------------------------------------------------------------- planning */

/* Rounds a time down, but not to before `least`. */
static int64_t round_down(const struct windows *windows, int64_t time_ps, int64_t least_ps) {
    if (time_ps == EVENT_NEVER || time_ps == WINDOWS_STOP) return time_ps;
    int64_t rounded_ps = time_ps >> windows->work->shift << windows->work->shift;
    return rounded_ps > least_ps ? rounded_ps : least_ps;
}

/* One lookahead later, at most the limit. */
static int64_t later(const struct windows *windows, int64_t time_ps) {
    int64_t lookahead_ps = windows->work->lookahead_ps;
    return time_ps > windows->limit_ps - lookahead_ps ? windows->limit_ps : time_ps + lookahead_ps;
}

/* Adds up the work of the window that is over. */
static void add_work(struct windows *windows) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < windows->work->domains; i++) {
        if (!windows->has[i]) continue;
        uint64_t done = windows->done[i];
        windows->dealing.work[i] = done;
        windows->result.work += done;
        if (done > most) most = done;
        windows->done[i] = 0;
        windows->has[i] = false;
    }
    windows->result.critical_work += most;
    windows->result.windows++;
}

/* Begins the next window: finds its time and the domains that have something to do in it. */
static void plan(struct windows *windows) {
    int64_t *next_ps = windows->work->next_ps;
    int64_t first_ps = EVENT_NEVER, second_ps = EVENT_NEVER;
    for (uint32_t i = 0; i < windows->work->domains; i++) {
        int64_t sent_ps = atomic_load_explicit(&windows->sent_ps[i], memory_order_relaxed);
        if (sent_ps != EVENT_NEVER) {
            atomic_store_explicit(&windows->sent_ps[i], EVENT_NEVER, memory_order_relaxed);
            windows->has[i] = true;
            sent_ps = round_down(windows, sent_ps, windows->end_ps);
            if (sent_ps < next_ps[i]) next_ps[i] = sent_ps;
        }
        if (next_ps[i] < second_ps) second_ps = next_ps[i];
        if (second_ps < first_ps) {
            int64_t earlier_ps = second_ps;
            second_ps = first_ps;
            first_ps = earlier_ps;
        }
    }
    bool is_stopped = first_ps == WINDOWS_STOP ||
                      atomic_load_explicit(&windows->is_stopped, memory_order_relaxed);
    windows->is_over = is_stopped || first_ps >= windows->limit_ps;
    if (windows->is_over) {
        windows->result.is_limited = !is_stopped && first_ps != EVENT_NEVER;
        return;
    }
    windows->start_ps = first_ps;
    windows->end_ps = later(windows, first_ps);
    windows->is_alone = second_ps >= windows->end_ps;
    windows->others_ps = second_ps;
    for (uint32_t i = 0; i < windows->work->domains; i++)
        if (next_ps[i] < windows->end_ps) windows->has[i] = true;
}

/* ---------------------------------------------------------------- a thread in a window */

/* Runs a domain that is alone: in steps of one lookahead, up to one lookahead after anything that
 * another domain may do. */
static int64_t run_alone(struct windows *windows, const struct windows_turn *turn,
                         uint32_t domain) {
    const struct windows_work *work = windows->work;
    int64_t others_ps = windows->others_ps, next_ps = work->next_ps[domain];
    for (unsigned step = 0; step < STEPS_MOST; step++) {
        int64_t most_ps = later(windows, others_ps), end_ps = later(windows, next_ps);
        if (next_ps >= most_ps) break;
        if (most_ps < end_ps) end_ps = most_ps;
        next_ps = work->run(work->context, turn, domain, end_ps, &windows->done[domain]);
        if (next_ps == WINDOWS_STOP) break;
        next_ps = round_down(windows, next_ps, end_ps);
        int64_t sent_ps = work->first_sent(work->context, turn);
        if (sent_ps < others_ps) others_ps = sent_ps;
    }
    return next_ps;
}

static void run_domain(struct windows *windows, const struct windows_turn *turn, uint32_t domain) {
    const struct windows_work *work = windows->work;
    work->receive(work->context, turn, domain);
    int64_t *next_ps = &work->next_ps[domain];
    if (windows->is_alone && *next_ps < windows->end_ps) {
        *next_ps = run_alone(windows, turn, domain);
        return;
    }
    int64_t end_ps = windows->end_ps;
    *next_ps = round_down(
        windows, work->run(work->context, turn, domain, end_ps, &windows->done[domain]), end_ps);
}

/* Runs the domains that fall to the thread in this window. */
static void run_share(struct windows *windows, unsigned thread, bool by_list) {
    const struct windows_work *work = windows->work;
    struct windows_turn turn = {windows, windows->window, thread, windows->threads == 1};
    uint32_t domain;
    if (by_list) {
        while (dealing_take(&windows->dealing, thread, &domain))
            run_domain(windows, &turn, domain);
    } else {
        for (domain = 0; domain < work->domains; domain++)
            if (windows->has[domain]) run_domain(windows, &turn, domain);
    }
    work->report(work->context, &turn);
    if (thread == 0 && work->between != NULL &&
        work->between(work->context, windows->start_ps, windows->result.work))
        atomic_store_explicit(&windows->is_stopped, true, memory_order_relaxed);
}

static void run_only_thread(struct windows *windows) {
    bool by_list = windows->dealing.choice.kind == DEALING_RANDOM;
    while (!windows->is_over) {
        if (by_list) dealing_begin(&windows->dealing, windows->window, 1, windows->has);
        run_share(windows, 0, by_list);
        add_work(windows);
        windows->window++;
        plan(windows);
    }
}

static void run_member(struct windows *windows, unsigned thread) {
    struct barrier_seat seat = {.thread = thread, .spins = windows->barrier.most_spins};
    for (;;) {
        barrier_enter(&windows->barrier, &seat);
        if (windows->is_over) return;
        run_share(windows, thread, true);
        if (!barrier_arrive(&windows->barrier)) continue;
        add_work(windows);
        windows->window++;
        plan(windows);
        dealing_begin(&windows->dealing, windows->window, windows->threads, windows->has);
        barrier_release(&windows->barrier, windows->threads);
    }
}

/* ---------------------------------------------------------------- a run */

static void *thread_main(void *argument) {
    struct member *self = argument;
    int gate;
    while ((gate = atomic_load_explicit(&self->windows->gate, memory_order_acquire)) == GATE_CLOSED)
        sched_yield();
    if (gate == GATE_OPEN) run_member(self->windows, self->thread);
    return NULL;
}

static status_code run_threads(struct windows *windows, struct status *status) {
    unsigned threads = windows->threads, started = 1; /* the caller is thread 0 */
    struct member *members = memory_new(threads, sizeof *members);
    RETURN_ERROR_IF(members == NULL, status, STATUS_MEMORY, "out of memory for %u threads",
                    threads);
    barrier_init(&windows->barrier, threads, threads <= processors_count() ? SPINS_MOST : 0);
    dealing_begin(&windows->dealing, 0, threads, windows->has);
    for (; started < threads; started++) {
        members[started] = (struct member){.windows = windows, .thread = started};
        if (pthread_create(&members[started].handle, NULL, thread_main, &members[started]) != 0)
            break;
    }
    bool all = started >= threads;
    atomic_store_explicit(&windows->gate, all ? GATE_OPEN : GATE_GIVEN_UP, memory_order_release);
    if (all) run_member(windows, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].handle, NULL);
    barrier_clear(&windows->barrier);
    free(members);
    RETURN_ERROR_IF(!all, status, STATUS_SYSTEM,
                    "only %u of %u threads could be started (too little memory, or too many "
                    "processes?); try a smaller --threads",
                    started, threads);
    return STATUS_OK;
}

static status_code prepare(struct windows *windows, struct dealing_choice dealing,
                           struct status *status) {
    uint32_t domains = windows->work->domains;
    windows->has = memory_new(domains, sizeof *windows->has);
    windows->done = memory_new(domains, sizeof *windows->done);
    windows->sent_ps = memory_new(domains, sizeof *windows->sent_ps);
    RETURN_ERROR_IF(!windows->has || !windows->done || !windows->sent_ps, status, STATUS_MEMORY,
                    "out of memory for %u domains", domains);
    for (uint32_t i = 0; i < domains; i++) {
        int64_t *next_ps = &windows->work->next_ps[i];
        *next_ps = round_down(windows, *next_ps, INT64_MIN);
        atomic_init(&windows->sent_ps[i], EVENT_NEVER);
    }
    return dealing_init(&windows->dealing, dealing, domains, windows->threads, status);
}

status_code windows_run(const struct windows_work *work, unsigned threads,
                        struct dealing_choice dealing, struct windows_result *result,
                        struct status *status) {
    struct windows windows = {.work = work,
                              .threads = threads,
                              .result.threads = threads,
                              .limit_ps = work->limit_ps > 0 ? work->limit_ps : EVENT_NEVER};
    status_code code = prepare(&windows, dealing, status);
    if (code == STATUS_OK) plan(&windows);
    if (code == STATUS_OK && threads == 1)
        run_only_thread(&windows);
    else if (code == STATUS_OK)
        code = run_threads(&windows, status);
    *result = windows.result;
    free(windows.has);
    free(windows.done);
    free((void *)windows.sent_ps);
    dealing_clear(&windows.dealing);
    return code;
}
