/*
 * The state of an engine, saved and restored between two windows: for network_run_options. What
 * follows from program, placement and configuration is made anew by engine_new.
 */
#ifndef ANAX_REPLAY_ENGINE_CHECKPOINT_H
#define ANAX_REPLAY_ENGINE_CHECKPOINT_H

#include "core/checkpoint/saved_state.h"
#include "replay/engine/state/engine_state.h"

/* Saves a domain and its ranks, or restores them in a new engine. */
void engine_save_or_restore(struct replay_engine *engine, struct saved_state *state,
                            uint32_t domain);
/* Saves the number of events still to come of a process (quiescence.h). When restoring, adds up the
 * numbers of all processes that saved one. */
void engine_save_or_restore_process(struct replay_engine *engine, struct saved_state *state);
/* Returns whether a domain has failed. */
bool engine_has_failed(const struct replay_engine *engine);

#endif
