/*
 * A rank: goes through its operations, and waits for them.
 */
#ifndef ANAX_REPLAY_RANK_H
#define ANAX_REPLAY_RANK_H

#include "replay/engine/state/engine_state.h"

/* Goes on with a rank whose timer has expired. */
void rank_timer_expired(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps);
/* Handles the end of a transfer that belongs to one of the rank's slots. */
void rank_slot_done(struct engine_domain *domain, uint32_t rank_number, uint32_t slot_number,
                    const struct engine_transfer_end *end);
/* Handles the end, at done_ps >= now_ps, of a non-blocking collective of one of the rank's slots.
 * wait: what it has waited for since the rank waits for it. */
void rank_collective_slot_done(struct engine_domain *domain, uint32_t rank_number,
                               uint32_t slot_number, int64_t now_ps, int64_t done_ps,
                               const struct replay_collective_wait *wait);
/* Handles the end of a send that the rank went on without. */
void rank_detached_done(struct engine_domain *domain, uint32_t rank_number,
                        const struct engine_transfer_end *end);

/* Handles the end, at done_ps, of a collective that the rank went on without. */
void rank_detached_collective_done(struct engine_domain *domain, uint32_t rank_number,
                                   int64_t done_ps);
/* Handles the end, at done_ps, of the blocking collective that the rank is in. */
void rank_collective_done(struct engine_domain *domain, uint32_t rank_number, int64_t now_ps,
                          int64_t done_ps);

#endif
