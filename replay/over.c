/*
 * Whether a replay is over, so that traffic beside it can end: nothing of it is left to happen when
 * as many of its events have been dealt with as were ever set. That holds for one that has finished
 * and for one whose ranks cannot go on.
 *
 * Domains run at once, but all have reached the beginning of a window before any goes on, and no
 * window is longer than lag_ps. So what ended at over_ps is seen by everyone lag_ps later, however
 * domains are divided among threads; and what has not been over for so long counts as not over,
 * seen or not. Invariant: an event is counted before the one that sets it is done, so pending is 0
 * only when nothing is left.
 */
#include "replay/engine.h"

void over_expect(engine *engine) {
    if (engine->over.watched)
        atomic_fetch_add_explicit(&engine->over.pending, 1, memory_order_relaxed);
}

/* Whoever deals with the last event has seen all others' last_ps: each wrote its own before it
 * counted down. */
void over_done(engine_domain *domain, int64_t now_ps) {
    engine *engine = domain->engine;
    if (!engine->over.watched) return;
    domain->last_ps = now_ps;
    if (atomic_fetch_sub_explicit(&engine->over.pending, 1, memory_order_acq_rel) > 1) return;
    int64_t last_ps = 0;
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (engine->domains[i].last_ps > last_ps) last_ps = engine->domains[i].last_ps;
    atomic_store_explicit(&engine->over.over_ps, last_ps, memory_order_release);
}

bool over_is(engine *engine, int64_t now_ps) {
    int64_t over_ps = atomic_load_explicit(&engine->over.over_ps, memory_order_acquire);
    return over_ps <= now_ps - engine->over.lag_ps;
}
