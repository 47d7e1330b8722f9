/*
 * Whether any event of the replay is left.
 */
#ifndef ANAX_REPLAY_QUIESCENCE_H
#define ANAX_REPLAY_QUIESCENCE_H

#include "replay/engine/state/engine_state.h"

/* Counts an event that is still to come. */
static inline void quiescence_expect(struct replay_engine *engine) {
    if (HINT_UNLIKELY(engine->quiescence.is_watched))
        atomic_fetch_add_explicit(&engine->quiescence.pending, 1, memory_order_relaxed);
}

/* Does the work of quiescence_count_done, which callers use instead. */
HINT_RARE void quiescence_count_down(struct engine_domain *domain, int64_t now_ps);

/* Counts an event of the domain, at now_ps, as dealt with. */
static inline void quiescence_count_done(struct engine_domain *domain, int64_t now_ps) {
    if (HINT_UNLIKELY(domain->engine->quiescence.is_watched)) quiescence_count_down(domain, now_ps);
}

/* Returns whether no event is left, as seen by a domain at now_ps. */
bool quiescence_reached(struct replay_engine *engine, int64_t now_ps);

/* give_tally of network_run_options, with the engine as the context: gives the number of events
 * of this process that are still to come, after each window. */
void quiescence_give_tally(void *context, struct network_tally *tally);

/* take_tally of network_run_options, with the engine as the context: takes the number of events
 * of all processes. */
void quiescence_take_tally(void *context, const struct network_tally *tally);

#endif
