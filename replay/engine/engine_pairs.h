/*
 * Message sizes of alltoallv and alltoallw: each distinct set of sums that the program holds is
 * turned into sizes once, before the replay begins.
 */
#ifndef ANAX_REPLAY_ENGINE_PAIRS_H
#define ANAX_REPLAY_ENGINE_PAIRS_H

#include "replay/engine/engine_state.h"

/* Fills engine->pairs; STATUS_MEMORY. */
status_code engine_pairs_new(struct engine *engine, struct status *status);
void engine_pairs_free(struct engine *engine);

/* Two sizes of a communicator and where its sums begin among the program's sizes; NULL: none. */
const struct collective_pairs *engine_pairs_find(const struct engine *engine, uint32_t sizes,
                                                 uint32_t size, uint32_t remote_size);

#endif
