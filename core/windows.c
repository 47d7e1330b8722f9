/*
 * The window loop and its barrier. Invariant: between two barriers a thread writes only its own
 * slot and its own mailboxes. Mailboxes and the earliest times alternate between two sets, so one
 * barrier per window is enough.
 */
#include "core/windows.h"

#include "core/event_queue.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    _Alignas(64) int64_t earliest_ps[2];
};

/* State of the gate: the threads may begin only if all of them could be started. */
enum { GATE_CLOSED, GATE_OPEN, GATE_GIVEN_UP };

struct crew {
    const struct windows_work *work;
    unsigned threads;
    int64_t lookahead_ps;
    int64_t limit_ps;
    struct slot *slots;
    uint64_t windows;
    int64_t met_ps; /* earliest time of all processes */
    _Alignas(64) atomic_uint arrived;
    _Alignas(64) atomic_uint generation;
    _Alignas(64) atomic_int gate;
};

struct member {
    struct crew *crew;
    unsigned thread;
    pthread_t handle;
};

static void barrier(struct crew *crew) {
    if (crew->threads == 1) return;
    unsigned generation = atomic_load_explicit(&crew->generation, memory_order_acquire);
    if (atomic_fetch_add_explicit(&crew->arrived, 1, memory_order_acq_rel) + 1 == crew->threads) {
        atomic_store_explicit(&crew->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&crew->generation, generation + 1, memory_order_release);
        return;
    }
    unsigned spins = 0;
    while (atomic_load_explicit(&crew->generation, memory_order_acquire) == generation) {
        if (++spins > 2000) sched_yield(); /* there may be more threads than processors */
    }
}

static int64_t window_end(const struct crew *crew, int64_t start_ps) {
    int64_t limit_ps = crew->limit_ps;
    return start_ps > limit_ps - crew->lookahead_ps ? limit_ps : start_ps + crew->lookahead_ps;
}

static void run_member(struct crew *crew, unsigned thread) {
    const struct windows_work *work = crew->work;
    uint64_t window = 0;
    crew->slots[thread].earliest_ps[1] = work->earliest(work->context, thread, 1);
    for (;; window++) {
        barrier(crew); /* the mailboxes and earliest times of the last window are complete */
        int64_t start_ps = EVENT_NEVER;
        for (unsigned i = 0; i < crew->threads; i++) {
            int64_t earliest_ps = crew->slots[i].earliest_ps[(window + 1) & 1];
            if (earliest_ps < start_ps) start_ps = earliest_ps;
        }
        if (work->meet != NULL) {
            if (thread == 0) crew->met_ps = work->meet(work->context, start_ps, window - 1);
            barrier(crew); /* what other processes sent has arrived */
            start_ps = crew->met_ps;
        }
        if (window > 0 && (crew->threads > 1 || work->meet != NULL))
            work->receive(work->context, thread, window - 1);
        if (start_ps >= crew->limit_ps || start_ps == WINDOWS_STOP) {
            if (thread == 0 && work->is_limited != NULL)
                *work->is_limited = start_ps != EVENT_NEVER && start_ps != WINDOWS_STOP;
            break;
        }
        work->run(work->context, thread, window_end(crew, start_ps), window);
        int64_t earliest_ps = work->earliest(work->context, thread, window);
        if (thread == 0 && work->between != NULL && work->between(work->context, start_ps))
            earliest_ps = WINDOWS_STOP;
        crew->slots[thread].earliest_ps[window & 1] = earliest_ps;
    }
    if (thread == 0) crew->windows = window;
}

static void *thread_main(void *argument) {
    struct member *self = argument;
    int gate;
    while ((gate = atomic_load_explicit(&self->crew->gate, memory_order_acquire)) == GATE_CLOSED)
        sched_yield();
    if (gate == GATE_OPEN) run_member(self->crew, self->thread);
    return NULL;
}

status_code windows_run(const struct windows_work *work, unsigned threads, int64_t lookahead_ps,
                        uint64_t *windows, struct status *status) {
    struct crew crew = {.work = work,
                        .threads = threads,
                        .lookahead_ps = lookahead_ps,
                        .limit_ps = work->limit_ps > 0 ? work->limit_ps : EVENT_NEVER};
    crew.slots = aligned_alloc(64, threads * sizeof *crew.slots);
    struct member *members = calloc(threads, sizeof *members);
    if (crew.slots == NULL || members == NULL) {
        free(crew.slots);
        free(members);
        return status_set(status, STATUS_MEMORY, "out of memory for %u threads", threads);
    }
    unsigned started = 1; /* the caller is thread 0 */
    for (; started < threads; started++) {
        members[started] = (struct member){.crew = &crew, .thread = started};
        if (pthread_create(&members[started].handle, NULL, thread_main, &members[started]) != 0)
            break;
    }
    bool all = started >= threads;
    atomic_store_explicit(&crew.gate, all ? GATE_OPEN : GATE_GIVEN_UP, memory_order_release);
    if (all) run_member(&crew, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].handle, NULL);
    if (windows != NULL) *windows = crew.windows;
    free(crew.slots);
    free(members);
    RETURN_ERROR_IF(!all, status, STATUS_SYSTEM,
                    "only %u of %u threads could be started (too little memory, or too many "
                    "processes?); try a smaller --threads",
                    started, threads);
    return STATUS_OK;
}
