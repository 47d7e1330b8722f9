/*
 * A rank goes through its operations, waits, and accounts for its time.
 */
#ifndef ANAX_REPLAY_RANK_H
#define ANAX_REPLAY_RANK_H

#include "replay/engine/engine_state.h"

void rank_timer(struct engine_domain *domain, uint32_t rank, int64_t now_ps);
/* One of the rank's slots is complete. */
void rank_slot_done(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                    const struct transfer_end *end);
/* A non-blocking collective is complete at done_ps (>= now_ps). */
void rank_collective_slot_done(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                               int64_t now_ps, int64_t done_ps);
/* What the rank went on without is complete: a send, or a collective at done_ps. */
void rank_tested_done(struct engine_domain *domain, uint32_t rank, const struct transfer_end *end);
void rank_tested_collective_done(struct engine_domain *domain, uint32_t rank, int64_t done_ps);
/* The blocking collective the rank was in is over at done_ps. */
void rank_collective_done(struct engine_domain *domain, uint32_t rank, int64_t now_ps,
                          int64_t done_ps);

#endif
