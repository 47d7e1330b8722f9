/*
 * One one-sided operation: to its target and back.
 */
#ifndef ANAX_REPLAY_REMOTE_H
#define ANAX_REPLAY_REMOTE_H

#include "replay/engine/engine_state.h"

/* Begins a one-sided operation, for one of the source's slots or nobody; complete when the
 * answer is back. */
void remote_send(struct engine_domain *domain, uint32_t source, uint64_t operation, uint32_t owner,
                 int64_t at_ps);
/* Its bytes on the way to the peer (direction PROGRAM_REMOTE_WRITE) and with the answer (…_READ):
 * data or a control message. */
uint64_t remote_bytes(const struct engine *engine, const struct program_operation *operation,
                      unsigned direction);
/* It has arrived at its peer; its answer is back. */
void remote_delivered(struct engine_domain *domain, int64_t now_ps,
                      const struct network_delivery *delivery);
void remote_answered(struct engine_domain *domain, int64_t now_ps,
                     const struct network_delivery *delivery);

#endif
