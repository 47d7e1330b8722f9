/*
 * The eager threshold with which ranks that are stuck go on.
 */
#ifndef ANAX_REPLAY_THRESHOLD_H
#define ANAX_REPLAY_THRESHOLD_H

#include "replay/engine/engine_state.h"

/* Goes on from where the ranks are stuck, or from the start of a new engine. The
 * smallest eager threshold in bytes, not below the engine's, with which all ranks finish, or -1
 * when none does. Destroys the state. */
int64_t threshold_from_here(struct engine *engine);
int64_t threshold_from_start(struct engine *engine);

#endif
