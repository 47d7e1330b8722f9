/*
 * The window loop. Invariant: in a window a thread writes only what belongs to the domains that it
 * took, its own mailboxes, and sent_ps. The last thread at the barrier plans the next window, while
 * the others wait.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/simulation/windows.h"

#include "core/memory/memory.h"
#include "core/processes/processors.h"
#include "core/simulation/active_threads.h"
#include "core/simulation/barrier.h"
#include "core/simulation/event_queue.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Most steps of one lookahead in a window of a domain that is alone: the calling thread reports
 * progress between windows. */
#define STEPS_MAX 64
#define SPINS_MAX 2000

struct windows {
    const struct windows_setup *setup;
    struct windows_result result;
    unsigned threads; /* at most */
    unsigned started; /* threads that exist */
    bool is_adapting; /* the number of threads that work follows from what is faster */
    struct active_threads active_threads;
    struct member *members;
    int64_t limit_ps;
    /* The current window: */
    uint64_t window;
    unsigned active; /* threads that work in it */
    int64_t start_ps;
    int64_t end_ps;
    int64_t others_ps;   /* earliest event of the other domains if one is alone; else EVENT_NEVER */
    bool has_one_domain; /* only one domain has events in it */
    bool is_over;
    bool is_dealt;            /* domains are taken from lists */
    bool *has_work;           /* [domain]: it has events before end_ps, or crossing events */
    _Atomic int64_t *sent_ps; /* [domain]: earliest crossing event sent to it in this window */
    struct dealing dealing;
    struct barrier barrier;
    atomic_bool is_stopped;
};

/* What came of a domain in a window. */
struct domain_result {
    int64_t next_ps; /* the domain's earliest event */
    uint64_t work;
    uint32_t domain;
};

/* A thread. Only the thread itself writes near its results: if threads wrote them into arrays by
 * domain, they would take cache lines from each other. */
struct member {
    _Alignas(64) struct windows *windows;
    unsigned thread;
    pthread_t handle;
    struct domain_result *results; /* [domain that it ran]: of this window */
    uint32_t result_count;
};

void windows_record_sent(struct windows *windows, uint32_t domain, int64_t time_ps) {
    _Atomic int64_t *sent_ps = &windows->sent_ps[domain];
    int64_t earliest_ps = atomic_load_explicit(sent_ps, memory_order_relaxed);
    if (windows->active == 1) {
        if (time_ps < earliest_ps) atomic_store_explicit(sent_ps, time_ps, memory_order_relaxed);
        return;
    }
    while (time_ps < earliest_ps &&
           !atomic_compare_exchange_weak_explicit(sent_ps, &earliest_ps, time_ps,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* ---------------------------------------------------------------- planning */

/* Rounds a time down, but not to before `min_ps`. */
static int64_t round_down(const struct windows *windows, int64_t time_ps, int64_t min_ps) {
    if (time_ps == EVENT_NEVER || time_ps == WINDOWS_STOP) return time_ps;
    int64_t rounded_ps = time_ps >> windows->setup->shift << windows->setup->shift;
    return rounded_ps > min_ps ? rounded_ps : min_ps;
}

/* One lookahead later, at most the limit. */
static int64_t one_lookahead_later(const struct windows *windows, int64_t time_ps) {
    int64_t lookahead_ps = windows->setup->lookahead_ps;
    return time_ps > windows->limit_ps - lookahead_ps ? windows->limit_ps : time_ps + lookahead_ps;
}

/* Writes the work of the window that is over to the log. */
static void log_work(const struct windows *windows) {
    FILE *log = windows->setup->work_log;
    bool has_any = false;
    for (uint32_t i = 0; i < windows->setup->domains; i++) {
        uint64_t done = windows->dealing.work[i];
        if (!windows->has_work[i] || done == 0) continue;
        fprintf(log, "%" PRIu64 " ", done);
        has_any = true;
    }
    if (has_any) fputc('\n', log);
}

/* Takes the results of a thread in the window that is over. */
static void take_results(struct windows *windows, struct member *member,
                         struct windows_meeting *meeting) {
    for (uint32_t i = 0; i < member->result_count; i++) {
        const struct domain_result *result = &member->results[i];
        windows->setup->next_ps[result->domain] = result->next_ps;
        windows->dealing.work[result->domain] = result->work;
        meeting->work += result->work;
        if (result->work > meeting->max_work) meeting->max_work = result->work;
    }
    member->result_count = 0;
}

/* Takes the results of all threads in the window that is over. */
static void end_window(struct windows *windows, struct windows_meeting *meeting) {
    for (unsigned i = 0; i < windows->active; i++)
        take_results(windows, &windows->members[i], meeting);
    if (windows->setup->work_log != NULL) log_work(windows);
    memset(windows->has_work, 0, windows->setup->domains * sizeof *windows->has_work);
}

/* Records an event of a domain of which none is recorded, if it is one of the two earliest. */
static void record_event(struct windows_meeting *meeting, uint32_t domain, int64_t time_ps) {
    if (time_ps < meeting->first_ps) {
        meeting->second_ps = meeting->first_ps;
        meeting->second_domain = meeting->first_domain;
        meeting->first_ps = time_ps;
        meeting->first_domain = domain;
    } else if (time_ps < meeting->second_ps) {
        meeting->second_ps = time_ps;
        meeting->second_domain = domain;
    }
}

/* Records an event of any domain: a crossing event that one process sends to a domain of another
 * one may be earlier or later than the domain's own events. */
static void record_event_again(struct windows_meeting *meeting, uint32_t domain, int64_t time_ps) {
    if (time_ps == EVENT_NEVER) return;
    if (meeting->first_ps != EVENT_NEVER && domain == meeting->first_domain) {
        if (time_ps < meeting->first_ps) meeting->first_ps = time_ps;
        return;
    }
    if (meeting->second_ps != EVENT_NEVER && domain == meeting->second_domain) {
        if (time_ps >= meeting->second_ps) return;
        meeting->second_ps = EVENT_NEVER; /* it may be the first now */
    }
    record_event(meeting, domain, time_ps);
}

void windows_meeting_add(struct windows_meeting *meeting, const struct windows_meeting *other) {
    meeting->work += other->work;
    if (other->max_work > meeting->max_work) meeting->max_work = other->max_work;
    record_event_again(meeting, other->first_domain, other->first_ps);
    record_event_again(meeting, other->second_domain, other->second_ps);
}

void windows_record_arrived(struct windows *windows, uint32_t domain, int64_t time_ps) {
    int64_t *next_ps = &windows->setup->next_ps[domain];
    time_ps = round_down(windows, time_ps, windows->end_ps);
    if (time_ps < *next_ps) *next_ps = time_ps;
    windows->has_work[domain] = true;
}

/* Records the earliest events of the domains of this process, and of what was sent to others. */
static void find_earliest(struct windows *windows, struct windows_meeting *meeting) {
    const struct windows_setup *setup = windows->setup;
    int64_t *next_ps = setup->next_ps;
    for (uint32_t i = 0; i < setup->domains; i++) {
        int64_t sent_ps = atomic_load_explicit(&windows->sent_ps[i], memory_order_relaxed);
        if (sent_ps != EVENT_NEVER) {
            atomic_store_explicit(&windows->sent_ps[i], EVENT_NEVER, memory_order_relaxed);
            sent_ps = round_down(windows, sent_ps, windows->end_ps);
            if (setup->is_elsewhere != NULL && setup->is_elsewhere(setup->context, i)) {
                record_event(meeting, i, sent_ps);
                continue;
            }
            windows->has_work[i] = true;
            if (sent_ps < next_ps[i]) next_ps[i] = sent_ps;
        }
        record_event(meeting, i, next_ps[i]);
    }
    if (atomic_load_explicit(&windows->is_stopped, memory_order_relaxed))
        meeting->first_ps = WINDOWS_STOP;
}

/* Begins the next window: finds its time and the domains that have something to do in it. */
static void plan_window(struct windows *windows) {
    const struct windows_setup *setup = windows->setup;
    struct windows_meeting meeting = {.first_ps = EVENT_NEVER, .second_ps = EVENT_NEVER};
    end_window(windows, &meeting);
    find_earliest(windows, &meeting);
    if (setup->meet != NULL) setup->meet(setup->context, windows, windows->window - 1, &meeting);
    windows->result.work += meeting.work;
    windows->result.critical_work += meeting.max_work;
    bool is_stopped = meeting.first_ps == WINDOWS_STOP;
    windows->is_over = is_stopped || meeting.first_ps >= windows->limit_ps;
    if (windows->is_over) {
        windows->result.is_limited = !is_stopped && meeting.first_ps != EVENT_NEVER;
        return;
    }
    windows->start_ps = meeting.first_ps;
    windows->end_ps = one_lookahead_later(windows, meeting.first_ps);
    windows->has_one_domain = meeting.second_ps >= windows->end_ps;
    windows->others_ps = meeting.second_ps;
    for (uint32_t i = 0; i < setup->domains; i++)
        if (setup->next_ps[i] < windows->end_ps) windows->has_work[i] = true;
}

/* ---------------------------------------------------------------- a thread in a window */

/* Runs a domain that is alone: in steps of one lookahead, up to one lookahead after anything that
 * another domain may do. */
static int64_t run_alone(struct windows *windows, const struct windows_worker *worker,
                         uint32_t domain, uint64_t *work) {
    const struct windows_setup *setup = windows->setup;
    int64_t others_ps = windows->others_ps, next_ps = setup->next_ps[domain];
    for (unsigned step = 0; step < STEPS_MAX; step++) {
        int64_t max_ps = one_lookahead_later(windows, others_ps),
                end_ps = one_lookahead_later(windows, next_ps);
        if (next_ps >= max_ps) break;
        if (max_ps < end_ps) end_ps = max_ps;
        next_ps = setup->run(setup->context, worker, domain, end_ps, work);
        if (next_ps == WINDOWS_STOP) break;
        next_ps = round_down(windows, next_ps, end_ps);
        int64_t sent_ps = setup->earliest_sent_ps(setup->context, worker);
        if (sent_ps < others_ps) others_ps = sent_ps;
    }
    return next_ps;
}

/* Prefetches for the two domains that the thread will most likely take next. */
static void prefetch_next(struct windows *windows, const struct windows_worker *worker) {
    const struct windows_setup *setup = windows->setup;
    uint32_t domain;
    for (unsigned ahead = 0; ahead < 2; ahead++)
        if (dealing_peek(&windows->dealing, worker->thread, ahead, &domain))
            setup->prefetch(setup->context, worker, domain, ahead);
}

/* Runs a domain, and puts what came of it behind the thread's other results. */
static void run_domain(struct windows *windows, const struct windows_worker *worker,
                       uint32_t domain, struct member *member) {
    const struct windows_setup *setup = windows->setup;
    const int64_t end_ps = windows->end_ps;
    struct domain_result *result = &member->results[member->result_count++];
    *result = (struct domain_result){.domain = domain};
    setup->receive(setup->context, worker, domain);
    if (windows->has_one_domain && setup->next_ps[domain] < end_ps) {
        result->next_ps = run_alone(windows, worker, domain, &result->work);
        return;
    }
    int64_t next_ps = setup->run(setup->context, worker, domain, end_ps, &result->work);
    result->next_ps = round_down(windows, next_ps, end_ps);
}

/* Runs the domains that fall to the thread in this window. */
static void run_share(struct windows *windows, unsigned thread) {
    const struct windows_setup *setup = windows->setup;
    struct windows_worker worker = {windows, windows->window, thread, windows->active == 1};
    struct member *member = &windows->members[thread];
    uint32_t domain;
    if (windows->is_dealt) {
        while (dealing_take(&windows->dealing, thread, &domain)) {
            if (!worker.has_one_thread && setup->prefetch != NULL) prefetch_next(windows, &worker);
            run_domain(windows, &worker, domain, member);
        }
    } else {
        for (domain = 0; domain < setup->domains; domain++)
            if (windows->has_work[domain]) run_domain(windows, &worker, domain, member);
    }
    setup->report(setup->context, &worker);
    if (thread != 0 || setup->progress == NULL) return;
    uint64_t work = windows->result.work;
    for (uint32_t i = 0; i < member->result_count; i++)
        work += member->results[i].work;
    if (setup->progress(setup->context, windows->start_ps, work))
        atomic_store_explicit(&windows->is_stopped, true, memory_order_relaxed);
}

/* ---------------------------------------------------------------- between windows */

static void *thread_main(void *argument);

/* Starts threads until there are as many as wanted. Returns false if that is not possible. */
static bool start_threads(struct windows *windows, unsigned wanted) {
    for (; windows->started < wanted; windows->started++) {
        struct member *member = &windows->members[windows->started];
        member->windows = windows;
        member->thread = windows->started;
        if (pthread_create(&member->handle, NULL, thread_main, member) != 0) return false;
    }
    return true;
}

static int64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Chooses the threads of the next window if their number is not fixed. */
static void choose_active(struct windows *windows) {
    const struct windows_result *result = &windows->result;
    uint64_t limit = result->critical_work > 0
                         ? (result->work + result->critical_work - 1) / result->critical_work
                         : 1;
    unsigned max = limit < windows->threads ? (unsigned)limit : windows->threads;
    unsigned active = active_threads_next(&windows->active_threads, clock_ns(), result->work, max);
    if (!start_threads(windows, active)) {
        windows->threads = windows->started;
        windows->is_adapting = false;
        active = 1;
    }
    windows->active = active;
}

/* Ends a window and deals the next one, while all other threads wait. */
static void begin_next(struct windows *windows) {
    windows->window++;
    windows->result.windows++;
    plan_window(windows);
    if (windows->is_over) return;
    const struct windows_setup *setup = windows->setup;
    windows->is_over =
        setup->pause != NULL && setup->pause(setup->context, windows->window, &windows->result);
    if (windows->is_over) return;
    if (windows->is_adapting) choose_active(windows);
    if (windows->active > windows->result.threads) windows->result.threads = windows->active;
    windows->is_dealt = windows->active > 1 || windows->dealing.choice.kind == DEALING_RANDOM;
    if (windows->is_dealt)
        dealing_begin(&windows->dealing, windows->window, windows->active, windows->has_work);
}

static void run_member(struct windows *windows, unsigned thread) {
    struct barrier_seat seat = {.thread = thread, .spins = windows->barrier.max_spins};
    for (;;) {
        barrier_enter(&windows->barrier, &seat);
        if (windows->is_over) return;
        run_share(windows, thread);
        if (!barrier_arrive(&windows->barrier)) continue;
        begin_next(windows);
        barrier_release(&windows->barrier, windows->is_over ? windows->started : windows->active);
    }
}

static void *thread_main(void *argument) {
    struct member *self = argument;
    run_member(self->windows, self->thread);
    return NULL;
}

/* ---------------------------------------------------------------- a run */

static status_code run_threads(struct windows *windows, struct status *status) {
    bool has_room = windows->threads <= processors_count();
    barrier_init(&windows->barrier, 0, has_room ? SPINS_MAX : 0);
    unsigned wanted = windows->active;
    bool all = start_threads(windows, wanted);
    windows->is_over = windows->is_over || !all;
    if (!windows->is_over)
        dealing_begin(&windows->dealing, windows->window, wanted, windows->has_work);
    windows->is_dealt = true;
    barrier_release(&windows->barrier, windows->is_over ? windows->started : wanted);
    run_member(windows, 0);
    for (unsigned i = 1; i < windows->started; i++)
        pthread_join(windows->members[i].handle, NULL);
    barrier_clear(&windows->barrier);
    RETURN_ERROR_IF(!all, status, STATUS_SYSTEM,
                    "only %u of %u threads could be started (too little memory, or too many "
                    "processes?); try a smaller anax_options.threads",
                    windows->started, wanted);
    return STATUS_OK;
}

/* The only thread there is needs no barrier. */
static void run_only_thread(struct windows *windows) {
    windows->is_dealt = windows->dealing.choice.kind == DEALING_RANDOM;
    if (windows->is_dealt) dealing_begin(&windows->dealing, 0, 1, windows->has_work);
    while (!windows->is_over) {
        run_share(windows, 0);
        begin_next(windows);
    }
}

/* Allocates the threads and room for their results, each thread's in cache lines of its own. */
static bool prepare_members(struct windows *windows) {
    windows->members = memory_new_aligned(windows->threads, sizeof *windows->members);
    for (unsigned i = 0; windows->members != NULL && i < windows->threads; i++) {
        struct member *member = &windows->members[i];
        member->results = memory_new_aligned(windows->setup->domains, sizeof *member->results);
        if (member->results == NULL) return false;
    }
    return windows->members != NULL;
}

static void free_members(struct windows *windows, unsigned threads) {
    for (unsigned i = 0; windows->members != NULL && i < threads; i++)
        free(windows->members[i].results);
    free(windows->members);
}

static status_code prepare_windows(struct windows *windows, struct dealing_choice dealing,
                                   struct status *status) {
    uint32_t domains = windows->setup->domains;
    windows->has_work = memory_new(domains, sizeof *windows->has_work);
    windows->sent_ps = memory_new(domains, sizeof *windows->sent_ps);
    bool has_members = prepare_members(windows);
    RETURN_ERROR_IF(!windows->has_work || !windows->sent_ps || !has_members, status, STATUS_MEMORY,
                    "out of memory for %u threads and %u domains", windows->threads, domains);
    for (uint32_t i = 0; i < domains; i++) {
        int64_t *next_ps = &windows->setup->next_ps[i];
        if (windows->setup->resumed == NULL) *next_ps = round_down(windows, *next_ps, INT64_MIN);
        atomic_init(&windows->sent_ps[i], EVENT_NEVER);
    }
    return dealing_init(&windows->dealing, dealing, domains, windows->threads, status);
}

status_code windows_run(const struct windows_setup *setup, struct windows_threads threads,
                        struct windows_result *result, struct status *status) {
    bool is_adapting = threads.is_adapting && threads.max > 1;
    unsigned active = is_adapting ? 1 : threads.max;
    struct windows windows = {.setup = setup,
                              .threads = threads.max,
                              .started = 1, /* the caller is thread 0 */
                              .active = active,
                              .is_adapting = is_adapting,
                              .limit_ps = setup->limit_ps > 0 ? setup->limit_ps : EVENT_NEVER};
    if (setup->resumed != NULL) windows.result = *setup->resumed;
    windows.result.threads = active;
    status_code code = prepare_windows(&windows, threads.dealing, status);
    if (code == STATUS_OK) plan_window(&windows);
    if (is_adapting)
        active_threads_begin(&windows.active_threads, threads.max, windows.result.work, clock_ns());
    if (code == STATUS_OK && threads.max == 1)
        run_only_thread(&windows);
    else if (code == STATUS_OK)
        code = run_threads(&windows, status);
    *result = windows.result;
    free(windows.has_work);
    free((void *)windows.sent_ps);
    free_members(&windows, threads.max);
    dealing_clear(&windows.dealing);
    return code;
}
