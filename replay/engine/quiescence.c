/*
 * A replay is quiescent when all events that it has ever set have been dealt with. None is left
 * then, whether its ranks have finished or cannot go on, and the traffic beside it ends.
 *
 * Domains run at the same time. But all of them reach the beginning of a window before any goes on,
 * and no domain goes further in it than lag_ps beyond what another domain may still do: beyond the
 * window's earliest event, and if it is alone in the window, beyond the earliest event of the
 * others and the first arrival of what it sends (core/windows.h). So a domain that asks at since_ps
 * + lag_ps or later has seen the end of the window in which the last event was, or has dealt with
 * that event itself, no matter how threads share the domains. Before that time the replay counts as
 * going on, even if a domain could already see its end. Invariant: an event is counted before the
 * event that sets it is done, so pending is 0 only when no event is left.
 */
#include "replay/engine/quiescence.h"

void quiescence_expect(struct engine *engine) {
    if (engine->quiescence.watched)
        atomic_fetch_add_explicit(&engine->quiescence.pending, 1, memory_order_relaxed);
}

/* The domain that deals with the last event sees all other domains' last_ps, since each domain
 * writes its own before it decrements pending. */
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
