/*
 * Conservative windows: all domains run up to the same time, and then exchange what crosses
 * domains.
 *
 * A window starts at the earliest event of any domain (idle time is skipped) and ends one lookahead
 * later: nothing in a window can affect another domain before the window's end. If one domain alone
 * has events in a window, the window is longer. The other domains do nothing before the earliest of
 * two times: that of their own first event, and the arrival of the first crossing event that this
 * domain sends to them. What they do then reaches this domain one lookahead later at the earliest,
 * and the window ends there. Windows are the same for any number of threads.
 *
 * Threads meet at one barrier per window. In a window, one thread runs a domain, and it may be any
 * (dealing.h). So crossing events for a domain lie in mailboxes, one for each thread that sends and
 * each domain that receives, in two sets that windows use in turns. The thread that runs a domain
 * first takes out the crossing events that were sent to it in the window before. If one thread
 * works in a window, it may put crossing events into other domains at once (windows_worker).
 *
 * Several processes have the same windows. Between two of them they meet: each tells the others its
 * two earliest events, so that all know those of all domains. Crossing events for domains of other
 * processes lie in mailboxes until then.
 *
 * Does not know what domains are; the callbacks do. A callback may read what any thread wrote in
 * windows before. What it shares otherwise it must synchronise itself.
 */
#ifndef ANAX_CORE_WINDOWS_H
#define ANAX_CORE_WINDOWS_H

#include "core/base/status.h"
#include "core/simulation/dealing.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define WINDOWS_STOP INT64_MIN

struct windows;

/* A thread at work in a window. */
struct windows_worker {
    struct windows *windows;
    uint64_t window; /* counts from 0; its parity selects the mailboxes */
    unsigned thread;
    bool has_one_thread; /* no other thread works in this window: no one else touches any domain */
};

/* What one process, or all together, know of the domains between two windows. */
struct windows_meeting {
    int64_t first_ps;      /* earliest event of any domain, or WINDOWS_STOP */
    int64_t second_ps;     /* earliest event of any other domain */
    uint32_t first_domain; /* the domains of these events */
    uint32_t second_domain;
    uint64_t work; /* in the window that is over: of all domains, and of the one with the most */
    uint64_t max_work;
};

struct windows_result {
    uint64_t windows;
    /* The work of all domains, and the sum over windows of that of the domain with the most: their
     * ratio is the best speed-up that any number of threads could have. */
    uint64_t work;
    uint64_t critical_work;
    unsigned threads; /* most threads that worked in a window */
    bool is_limited;  /* an event at the limit or later was left */
};

struct windows_setup {
    void *context;
    uint32_t domains;
    int64_t *next_ps;     /* [domain]: before the run, the time of its earliest event */
    int64_t lookahead_ps; /* at least 1 */
    int64_t limit_ps;     /* events at this time or later are not run; 0: no limit */
    unsigned shift;       /* times of events are rounded down to multiples of 2^shift ps, so that
                             callbacks may return times that are too early within such a span */
    /* Takes the crossing events that were sent to the domain in the window before this one. */
    void (*receive)(void *context, const struct windows_worker *worker, uint32_t domain);
    /* Prefetches what `receive` will read of other threads' memory for a domain. `ahead`: domains
     * that the thread receives before this one and after the current one, 0 or 1. Called if several
     * threads work. May be NULL. */
    void (*prefetch)(void *context, const struct windows_worker *worker, uint32_t domain,
                     unsigned ahead);
    /* Runs the domain through all events before end_ps, and adds to *work how much that was: the
     * same amount whichever thread runs the domain. Returns the time of the domain's next event,
     * EVENT_NEVER if it has none, or WINDOWS_STOP to end the run. May be called several times for
     * a domain in a window. */
    int64_t (*run)(void *context, const struct windows_worker *worker, uint32_t domain,
                   int64_t end_ps, uint64_t *work);
    /* Returns the earliest time at which a crossing event arrives that the thread has sent in this
     * window, EVENT_NEVER if it has sent none. */
    int64_t (*earliest_sent_ps)(void *context, const struct windows_worker *worker);
    /* Calls windows_record_sent for each domain to which the thread has sent crossing events in
     * this window.
     */
    void (*report)(void *context, const struct windows_worker *worker);
    /* Called by the calling thread in a window that began at now_ps. work: what was done in all
     * windows before, and by the calling thread in this one. Returns true to stop the run after the
     * window. May be NULL. */
    bool (*progress)(void *context, int64_t now_ps, uint64_t work);
    /* Called by one thread between two windows, while the others wait: `window` is the next one,
     * and next_ps has the earliest event of each domain, crossing events included. Returns true to
     * end the run there. May be NULL. */
    bool (*pause)(void *context, uint64_t window, const struct windows_result *so_far);
    /* The result so far of a run that goes on; next_ps is what `pause` saw. NULL: the run begins.
     */
    const struct windows_result *resumed;
    /* Several processes, or NULL: tells the others *meeting and adds what they tell
     * (windows_meeting_add), hands over what was sent to domains of other processes in `window`,
     * and calls windows_record_arrived for what they sent. Called by one thread while the others
     * wait. */
    void (*meet)(void *context, struct windows *windows, uint64_t window,
                 struct windows_meeting *meeting);
    /* Several processes: whether another one runs the domain. */
    bool (*is_elsewhere)(void *context, uint32_t domain);
    /* Where the work of each window is written, a line for each: the work of every domain of this
     * process that has done any. NULL: nowhere. */
    FILE *work_log;
};

/* Tells that the earliest crossing event that a thread has sent to the domain in this window
 * arrives at time_ps, which is not before the window's end. */
void windows_record_sent(struct windows *windows, uint32_t domain, int64_t time_ps);

/* Several processes: tells from `meet` that the earliest crossing event for a domain of this
 * process arrives at time_ps. */
void windows_record_arrived(struct windows *windows, uint32_t domain, int64_t time_ps);
/* Adds to *meeting what another process knows. */
void windows_meeting_add(struct windows_meeting *meeting, const struct windows_meeting *other);

struct windows_threads {
    unsigned max;     /* largest number of threads, at least 1 */
    bool is_adapting; /* begin with one thread, and let several work while that is faster; else
                         `max` threads work all the time */
    struct dealing_choice dealing;
};

/* Runs windows until no event before the limit is left in any domain, or until a callback stops the
 * run. STATUS_SYSTEM: threads could not be started. */
status_code windows_run(const struct windows_setup *setup, struct windows_threads threads,
                        struct windows_result *result, struct status *status);

#endif
