/*
 * A replay is quiescent when as many of its events have been dealt with as were ever set: nothing
 * of it is left to happen, whether its ranks have finished or cannot go on. Traffic beside it ends
 * then.
 *
 * Domains run at the same time, but all have reached the beginning of a window before any goes on,
 * and no window is longer than lag_ps. So every domain sees lag_ps later that the last event was at
 * since_ps, however domains are divided among threads. Before that, the replay counts as going on,
 * whether a domain could see the end or not. Invariant: an event is counted before the one that
 * sets it is done, so pending is 0 only when nothing is left.
 */
#include "replay/engine/quiescence.h"

void quiescence_expect(struct engine *engine) {
    if (engine->quiescence.watched)
        atomic_fetch_add_explicit(&engine->quiescence.pending, 1, memory_order_relaxed);
}

/* Whoever deals with the last event has seen all others' last_ps: each wrote its own before it
 * counted down. */
void quiescence_done(struct engine_domain *domain, int64_t now_ps) {
    struct engine *engine = domain->engine;
    if (!engine->quiescence.watched) return;
    domain->last_ps = now_ps;
    if (atomic_fetch_sub_explicit(&engine->quiescence.pending, 1, memory_order_acq_rel) > 1) return;
    int64_t last_ps = 0;
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (engine->domains[i].last_ps > last_ps) last_ps = engine->domains[i].last_ps;
    atomic_store_explicit(&engine->quiescence.since_ps, last_ps, memory_order_release);
}

bool quiescence_reached(struct engine *engine, int64_t now_ps) {
    int64_t since_ps = atomic_load_explicit(&engine->quiescence.since_ps, memory_order_acquire);
    return since_ps <= now_ps - engine->quiescence.lag_ps;
}
