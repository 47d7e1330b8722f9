/*
 * One one-sided operation: the request to its target and the answer.
 */
#ifndef ANAX_REPLAY_REMOTE_H
#define ANAX_REPLAY_REMOTE_H

#include "replay/engine/engine_state.h"

/* Begins a one-sided operation of rank `source` at at_ps. operation: its index in the program.
 * owner: the source's slot, or ENGINE_OWNER_NOBODY. The operation is complete when its answer has
 * arrived. */
void remote_send(struct engine_domain *domain, uint32_t source, uint64_t operation, uint32_t owner,
                 int64_t at_ps);
/* Returns the payload in bytes of an operation's request (direction PROGRAM_REMOTE_WRITE) or answer
 * (PROGRAM_REMOTE_READ): its data, or a control message if it has no data in this direction. */
uint64_t remote_bytes(const struct engine *engine, const struct program_operation *operation,
                      unsigned direction);
/* Handles the arrival of a request at the target. */
void remote_delivered(struct engine_domain *domain, int64_t now_ps,
                      const struct network_delivery *delivery);

/* Handles the arrival of an answer at the source. */
void remote_answered(struct engine_domain *domain, int64_t now_ps,
                     const struct network_delivery *delivery);

#endif
