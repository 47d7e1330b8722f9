/*
 * Conservative windows: all domains run up to the same time, and then exchange what crosses
 * domains.
 *
 * A window starts at the earliest event of any domain (idle time is skipped) and ends one lookahead
 * later: nothing in a window can affect another domain before the window's end. The serial run uses
 * the same windows without synchronisation; threads meet at one barrier per window.
 *
 * Does not know what domains are; the callbacks do. The barrier lies between `earliest` of a window
 * and `receive` of that window: a thread may read after the barrier what another thread wrote
 * before it. A callback that shares anything else between threads must synchronise that itself.
 */
#ifndef ANAX_CORE_WINDOWS_H
#define ANAX_CORE_WINDOWS_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WINDOWS_STOP INT64_MIN

struct windows_work {
    void *context;
    /* Runs the domains of a thread through all events before end_ps. window counts from 0; its
     * parity selects the mailboxes for events that cross domains. */
    void (*run)(void *context, unsigned thread, int64_t end_ps, uint64_t window);
    /* Returns the time of the earliest event of the thread's domains and of the events that the
     * thread put into mailboxes of this window. Returns EVENT_NEVER if there is none, and
     * WINDOWS_STOP to end the run. Called after run, and once before the first window. */
    int64_t (*earliest)(void *context, unsigned thread, uint64_t window);
    /* Takes the events that other threads left for this thread's domains in this window's
     * mailboxes. Not called if there is only one thread, and no `meet`. */
    void (*receive)(void *context, unsigned thread, uint64_t window);
    /* Called by thread 0 after a window that began at now_ps. Returns true to stop the run. May be
     * NULL. */
    bool (*between)(void *context, int64_t now_ps);
    /* Several processes: called by thread 0 before each window, while the other threads wait. Takes the
     * earliest time of this process, or WINDOWS_STOP, and exchanges with the other processes what
     * crosses to them in the last window. Returns the earliest time of all, or WINDOWS_STOP. `receive`
     * is then called even with one thread. NULL: there is one process. */
    int64_t (*meet)(void *context, int64_t earliest_ps, uint64_t window);
    int64_t limit_ps; /* events at this time or later are not run; 0: no limit */
    bool *is_limited; /* set to true if such an event was left; may be NULL */
};

/* Runs windows until no event before the limit is left in any domain, or until a callback stops the
 * run. lookahead_ps: at least 1. *windows: number of windows; may be NULL. STATUS_SYSTEM: threads
 * could not be started. */
status_code windows_run(const struct windows_work *work, unsigned threads, int64_t lookahead_ps,
                        uint64_t *windows, struct status *status);

#endif
