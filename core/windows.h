/*
 * Conservative windows: all domains run up to the same time, and then exchange what crosses
 * domains.
 *
 * A window starts at the earliest event of any domain (idle time is skipped) and ends one lookahead
 * later: nothing in a window can affect another domain before the window's end. If one domain alone
 * has events in a window, it goes on: no other domain does anything before its own earliest event,
 * or before the first parcel that this domain sends arrives, and what it does then takes a
 * lookahead to come back. Windows are the same for any number of threads.
 *
 * Threads meet at one barrier per window. A domain may be run by any thread (dealing.h), by one in
 * a window. So parcels for a domain lie in mailboxes, one for each thread that sends and each
 * domain that receives, in two sets that windows use in turns: those of one window are taken out in
 * the next, before the domain runs. Both is done by whoever runs the domain then.
 *
 * Does not know what domains are; the callbacks do. A callback may read what any thread wrote in
 * windows before. What it shares otherwise it must synchronise itself.
 */
#ifndef ANAX_CORE_WINDOWS_H
#define ANAX_CORE_WINDOWS_H

#include "core/dealing.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WINDOWS_STOP INT64_MIN

struct windows;

/* A thread at work in a window. */
struct windows_turn {
    struct windows *windows;
    uint64_t window; /* counts from 0; its parity selects the mailboxes */
    unsigned thread;
    bool alone; /* no other thread works in this window: no one else touches any domain */
};

struct windows_work {
    void *context;
    uint32_t domains;
    int64_t *next_ps;     /* [domain]: before the run, the time of its earliest event */
    int64_t lookahead_ps; /* at least 1 */
    int64_t limit_ps;     /* events at this time or later are not run; 0: no limit */
    unsigned shift;       /* times of events are rounded down to multiples of 2^shift ps, so that
                             callbacks may return times that are too early within such a span */
    /* Takes the parcels that were sent to the domain in the window before this one. */
    void (*receive)(void *context, const struct windows_turn *turn, uint32_t domain);
    /* Runs the domain through all events before end_ps, and adds to *work how much that was: the
     * same amount however domains are dealt. Returns the time of the domain's next event,
     * EVENT_NEVER if it has none, or WINDOWS_STOP to end the run. May be called several times for
     * a domain in a window. */
    int64_t (*run)(void *context, const struct windows_turn *turn, uint32_t domain, int64_t end_ps,
                   uint64_t *work);
    /* Returns the earliest time at which a parcel arrives that the thread has sent in this window,
     * EVENT_NEVER if it has sent none. */
    int64_t (*first_sent)(void *context, const struct windows_turn *turn);
    /* Calls windows_sent for each domain to which the thread has sent parcels in this window. */
    void (*report)(void *context, const struct windows_turn *turn);
    /* Called by the calling thread in a window that began at now_ps. work: what was done in all
     * windows before. Returns true to stop the run after the window. May be NULL. */
    bool (*between)(void *context, int64_t now_ps, uint64_t work);
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

/* Tells that the earliest parcel that a thread has sent to the domain in this window arrives at
 * time_ps, which is not before the window's end. */
void windows_sent(struct windows *windows, uint32_t domain, int64_t time_ps);

struct windows_threads {
    unsigned most;    /* at least 1 */
    bool is_adapting; /* begin with one thread, and let several work while that is faster; else
                         `most` threads work all the time */
    struct dealing_choice dealing;
};

/* Runs windows until no event before the limit is left in any domain, or until a callback stops the
 * run. STATUS_SYSTEM: threads could not be started. */
status_code windows_run(const struct windows_work *work, struct windows_threads threads,
                        struct windows_result *result, struct status *status);

#endif
