/*
 * Whether anything of the replay is left to happen.
 */
#ifndef ANAX_REPLAY_QUIESCENCE_H
#define ANAX_REPLAY_QUIESCENCE_H

#include "replay/engine/engine_state.h"

/* One more event is to come; one has been dealt with; and whether all were, as seen by a
 * domain at now_ps. */
void quiescence_expect(struct engine *engine);
void quiescence_done(struct engine_domain *domain, int64_t now_ps);
bool quiescence_reached(struct engine *engine, int64_t now_ps);

#endif
