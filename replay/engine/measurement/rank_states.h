/*
 * States of ranks over time: how much of each time bin (core/simulation/time_bins.h) ranks spend in
 * each state. Up to REPLAY_BIN_ROWS ranks have a row of bins each; of more, consecutive ranks share
 * one.
 *
 * The parts of the engine call these functions only if engine_is_observed. Must not know: files,
 * reports. Invariant: the bins of a row add up to the results of its ranks.
 */
#ifndef ANAX_REPLAY_RANK_STATES_H
#define ANAX_REPLAY_RANK_STATES_H

#include "replay/engine/measurement/waits.h"
#include "replay/engine/state/engine_state.h"

/* Prepares an engine, before engine_start, for keeping so many time bins. STATUS_MEMORY. */
status_code rank_states_new(struct replay_engine *engine, uint32_t bin_count, uint32_t max_rows,
                            struct status *status);
/* Frees what rank_states_new has made; does nothing if there is nothing. */
HINT_NOINLINE void rank_states_free(struct replay_engine *engine);
/* Hands the bins over to a result. */
void rank_states_take(struct replay_engine *engine, struct replay_rank_bins **taken);

/* The rank is in a state until until_ps, for the time_ps before. Does nothing without states. */
HINT_NOINLINE void rank_states_record(struct engine_domain *domain, uint32_t rank,
                                      replay_state state, int64_t until_ps, int64_t time_ps);
/* The rank waits for a transfer from from_ps on. */
HINT_NOINLINE void rank_states_wait(struct engine_domain *domain, uint32_t rank, int64_t from_ps,
                                    const struct engine_transfer_end *end);
/* The rank waits for a transfer of a blocking collective from from_ps on. */
HINT_NOINLINE void rank_states_wait_in_collective(struct engine_domain *domain, uint32_t rank,
                                                  int64_t from_ps,
                                                  const struct engine_transfer_end *end);
/* The rank has waited for a non-blocking collective until until_ps. The parts of the wait count as
 * if one had followed the other. */
HINT_NOINLINE void rank_states_wait_for_collective(struct engine_domain *domain, uint32_t rank,
                                                   int64_t until_ps,
                                                   const struct replay_collective_wait *wait);

/* Several processes: adds the bins of all in process 0. All call it. */
status_code rank_states_gather(struct replay_engine *engine, struct status *status);

#endif
