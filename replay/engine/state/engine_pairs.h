/*
 * Message sizes of alltoallv and alltoallw. Each distinct set of sums in the program is prepared
 * once, before the replay begins.
 */
#ifndef ANAX_REPLAY_ENGINE_PAIRS_H
#define ANAX_REPLAY_ENGINE_PAIRS_H

#include "replay/engine/state/engine_state.h"

/* Fills engine->pairs, which engine_pairs_free frees. STATUS_MEMORY. */
status_code engine_pairs_new(struct replay_engine *engine, struct status *status);

/* Frees what engine_pairs_new has made. */
void engine_pairs_free(struct replay_engine *engine);

/* Returns the two entries (see collective_call.pairs) for sums that begin at index `first_sum` of
 * the program's sizes, on a communicator with these sizes of its groups; NULL if there are none. */
const struct collective_pairs *engine_pairs_find(const struct replay_engine *engine,
                                                 uint32_t first_sum, uint32_t size,
                                                 uint32_t remote_size);

#endif
