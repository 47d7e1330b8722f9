/*
 * Tells when no event of the replay is left. Its ranks have then finished or cannot go on, and the
 * traffic beside the replay ends.
 *
 * The count: `pending` is the number of events that were set and are not dealt with yet. Invariant:
 * an event counts the events that it sets before it counts itself as dealt with. So `pending` is 0
 * only when no event is left. The domain that deals with the last event writes the time of this
 * event into since_ps.
 *
 * When a domain may read since_ps: domains run at the same time on several threads, so one domain
 * may see the end while another one, at the same simulated time, does not see it yet. Results must
 * not depend on this. Therefore a domain takes the replay as ended only at since_ps + lag_ps or
 * later, even if it could see the end before. There it sees the end for certain:
 * - All domains reach the beginning of a window before any of them goes on
 *   (core/simulation/windows.h).
 * - In a window, no domain goes further than lag_ps beyond what another domain may still do. This
 *   is the earliest event of the window. For a domain that is alone in the window, it is the
 *   earliest event of the other domains or the first arrival of what the domain itself sends.
 * - So at since_ps + lag_ps a domain is beyond the window of the last event, or it has dealt with
 *   this event itself.
 *
 * Several processes: each process has a count of its own. A message adds 1 where it is sent and
 * subtracts 1 where it arrives, so the count of one process can be negative. After each window the
 * processes tell each other their counts. A process adds its present count to the counts of the
 * others after the last window. If the sum is 0, this process has dealt with every event that was
 * left after that window, so no other process had one that could set more. This rule finds the end
 * while one domain alone goes on. Otherwise all processes find it after the window of the last
 * event, when their new counts add up to 0.
 */
#include "replay/engine/state/quiescence.h"

/* Returns the time of the last event of the replay so far. */
static int64_t last_of(const struct replay_engine *engine) {
    int64_t last_ps = engine->quiescence.elsewhere_ps;
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (engine->domains[i].last_ps > last_ps) last_ps = engine->domains[i].last_ps;
    return last_ps;
}

/* The domain that deals with the last event sees all other domains' last_ps, since each domain
 * writes its own before it decrements pending. */
void quiescence_count_down(struct engine_domain *domain, int64_t now_ps) {
    struct replay_engine *engine = domain->engine;
    domain->last_ps = now_ps;
    long long left =
        atomic_fetch_sub_explicit(&engine->quiescence.pending, 1, memory_order_acq_rel);
    if (left - 1 + engine->quiescence.elsewhere > 0) return;
    atomic_store_explicit(&engine->quiescence.since_ps, last_of(engine), memory_order_release);
}

void quiescence_give_tally(void *context, struct network_tally *tally) {
    struct replay_engine *engine = context;
    tally->count = atomic_load_explicit(&engine->quiescence.pending, memory_order_acquire);
    tally->latest_ps = last_of(engine);
}

void quiescence_take_tally(void *context, const struct network_tally *tally) {
    struct replay_engine *engine = context;
    engine->quiescence.elsewhere = tally->count - atomic_load(&engine->quiescence.pending);
    engine->quiescence.elsewhere_ps = tally->latest_ps;
    if (tally->count > 0) return;
    atomic_store_explicit(&engine->quiescence.since_ps, tally->latest_ps, memory_order_release);
}

bool quiescence_reached(struct replay_engine *engine, int64_t now_ps) {
    int64_t since_ps = atomic_load_explicit(&engine->quiescence.since_ps, memory_order_acquire);
    return since_ps <= now_ps - engine->quiescence.lag_ps;
}
