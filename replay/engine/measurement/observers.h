/*
 * Observers of the time that ranks spend: states over time (rank_states.h), causes (causes.h) and
 * origins (origins.h). The parts of the engine call these functions only if engine_is_observed.
 *
 * Must not know: what the observers keep.
 */
#ifndef ANAX_REPLAY_OBSERVERS_H
#define ANAX_REPLAY_OBSERVERS_H

#include "core/base/compiler_hints.h"
#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"

/* A rank has spent cost_ps for the send that causes_record_send has recorded. Its clock has
 * advanced already, as in the next two functions. */
HINT_NOINLINE void observe_send(struct engine_domain *domain, const struct engine_rank *rank,
                                int64_t cost_ps);

/* A rank has spent cost_ps for the receive that causes_record_receive has recorded. */
HINT_NOINLINE void observe_receive(struct engine_domain *domain, const struct engine_rank *rank,
                                   int64_t cost_ps);

/* A rank has spent the cost of the completion of a send. */
HINT_NOINLINE void observe_completion(struct engine_domain *domain, const struct engine_rank *rank,
                                      struct host_completion cost);
/* A rank has computed for time_ps, which takes needed_ps without noise. */
HINT_NOINLINE void observe_compute(struct engine_domain *domain, const struct engine_rank *rank,
                                   int64_t needed_ps, int64_t time_ps);
/* A rank has waited for a transfer since from_ps. */
HINT_NOINLINE void observe_wait(struct engine_domain *domain, const struct engine_rank *rank,
                                int64_t from_ps, const struct engine_transfer_end *end);
/* A rank enters a user region. */
HINT_NOINLINE void observe_enter(struct engine_domain *domain, uint32_t rank, uint32_t region);

/* A rank leaves a user region. */
HINT_NOINLINE void observe_leave(struct engine_domain *domain, uint32_t rank);

#endif
