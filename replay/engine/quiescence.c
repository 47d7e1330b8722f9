/*
 * A replay is quiescent when all events that it has ever set have been dealt with. None is left
 * then, whether its ranks have finished or cannot go on, and the traffic beside it ends.
 *
 * Domains run at the same time. But all of them reach the beginning of a window before any goes on,
 * and no window is longer than lag_ps. So from since_ps + lag_ps on, every domain sees that the
 * last event was at since_ps, no matter how threads share the domains. Before that time the replay
 * counts as going on, even if a domain could already see its end. Invariant: an event is counted
 * before the event that sets it is done, so pending is 0 only when no event is left.
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
