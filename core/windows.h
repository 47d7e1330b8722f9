/*
 * Conservative windows: all domains run up to the same time, then exchange what crosses them.
 *
 * A window starts at the earliest event of any domain (idle time is skipped) and ends one lookahead
 * later: nothing that happens inside it can affect another domain before its end. The serial run
 * uses the same windows with no synchronisation at all; threads meet at one barrier per window.
 *
 * Knows nothing of what domains are: the callbacks do. The barrier lies between a window's
 * `earliest` and its `receive`: what one thread wrote before the one, another may read from the
 * other on. A callback that shares anything else between threads must order it itself.
 */
#ifndef ANAX_CORE_WINDOWS_H
#define ANAX_CORE_WINDOWS_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WINDOWS_STOP INT64_MIN

struct windows_work {
    void *context;
    /* Runs the domains of `thread` through all events before end_ps. window counts from 0: what is
     * put into mailboxes goes into those of this window's parity. */
    void (*run)(void *context, unsigned thread, int64_t end_ps, uint64_t window);
    /* The earliest event of the thread's domains, and of what it put into mailboxes of that window;
     * EVENT_NEVER if there is none, WINDOWS_STOP to end the run. Called after run (and once before
     * the first window). */
    int64_t (*earliest)(void *context, unsigned thread, uint64_t window);
    /* Takes what other threads left for this thread's domains in that window's mailboxes. Never
     * called with one thread. */
    void (*receive)(void *context, unsigned thread, uint64_t window);
    /* Called by thread 0 after a window that began at now_ps; true: stop early. May be NULL. */
    bool (*between)(void *context, int64_t now_ps);
    int64_t limit_ps; /* no event at this time or later is run; 0: EVENT_NEVER */
    bool *is_limited; /* set: there was such an event. May be NULL */
};

/* Runs until no event is left anywhere before the limit (or `between` stops it). lookahead_ps >= 1.
 * *windows counts the windows run; may be NULL. STATUS_SYSTEM when threads cannot be started. */
status_code windows_run(const struct windows_work *work, unsigned threads, int64_t lookahead_ps,
                        uint64_t *windows, struct status *status);

#endif
