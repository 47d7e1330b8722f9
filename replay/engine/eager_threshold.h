/*
 * The eager threshold with which blocked ranks go on.
 */
#ifndef ANAX_REPLAY_EAGER_THRESHOLD_H
#define ANAX_REPLAY_EAGER_THRESHOLD_H

#include "replay/engine/state/engine_state.h"

/* Returns the smallest eager threshold in bytes, not below the engine's own, with which all ranks
 * finish, or -1 if there is none. Begins with the state in which the ranks are blocked. Only
 * engine_free may follow. */
int64_t eager_threshold_from_here_bytes(struct replay_engine *engine);

/* Returns the same for a new engine, from the start of the program. Only engine_free may follow. */
int64_t eager_threshold_from_start_bytes(struct replay_engine *engine);

#endif
