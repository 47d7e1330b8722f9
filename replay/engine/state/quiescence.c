/*
 * A replay is quiescent when all events that it has ever set have been dealt with. None is left
 * then, whether its ranks have finished or cannot go on, and the traffic beside it ends.
 *
 * Domains run at the same time. But all of them reach the beginning of a window before any goes on,
 * and no domain goes further in it than lag_ps beyond what another domain may still do: beyond the
 * window's earliest event, and if it is alone in the window, beyond the earliest event of the
 * others and the first arrival of what it sends (core/simulation/windows.h). So a domain that asks
 * at since_ps + lag_ps or later has seen the end of the window in which the last event was, or has
 * dealt with that event itself, no matter how threads share the domains. Before that time the
 * replay counts as going on, even if a domain could already see its end. Invariant: an event is
 * counted before the event that sets it is done, so pending is 0 only when no event is left.
 *
 * Several processes count apart: a message is counted where it is sent, and counted as dealt with
 * where it arrives, so the count of one process can be below 0. After each window they tell each
 * other their counts. If the own count and those of the others after the last window add up to 0,
 * then this process has dealt with every event that was left after that window: the others had
 * none, and have none. This matters if one domain alone goes on. Otherwise all find the end after
 * the window of the last event, when the new counts add up to 0.
 */
#include "replay/engine/state/quiescence.h"

/* Returns the time of the last event of the replay so far. */
static int64_t last_of(const struct engine *engine) {
    int64_t last_ps = engine->quiescence.elsewhere_ps;
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (engine->domains[i].last_ps > last_ps) last_ps = engine->domains[i].last_ps;
    return last_ps;
}

/* The domain that deals with the last event sees all other domains' last_ps, since each domain
 * writes its own before it decrements pending. */
void quiescence_count_down(struct engine_domain *domain, int64_t now_ps) {
    struct engine *engine = domain->engine;
    domain->last_ps = now_ps;
    long long left =
        atomic_fetch_sub_explicit(&engine->quiescence.pending, 1, memory_order_acq_rel);
    if (left - 1 + engine->quiescence.elsewhere > 0) return;
    atomic_store_explicit(&engine->quiescence.since_ps, last_of(engine), memory_order_release);
}

void quiescence_give_tally(void *context, struct network_tally *tally) {
    struct engine *engine = context;
    tally->count = atomic_load_explicit(&engine->quiescence.pending, memory_order_acquire);
    tally->latest_ps = last_of(engine);
}

void quiescence_take_tally(void *context, const struct network_tally *tally) {
    struct engine *engine = context;
    engine->quiescence.elsewhere = tally->count - atomic_load(&engine->quiescence.pending);
    engine->quiescence.elsewhere_ps = tally->latest_ps;
    if (tally->count > 0) return;
    atomic_store_explicit(&engine->quiescence.since_ps, tally->latest_ps, memory_order_release);
}

bool quiescence_reached(struct engine *engine, int64_t now_ps) {
    int64_t since_ps = atomic_load_explicit(&engine->quiescence.since_ps, memory_order_acquire);
    return since_ps <= now_ps - engine->quiescence.lag_ps;
}
