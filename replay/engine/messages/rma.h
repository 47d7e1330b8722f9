/*
 * One one-sided operation: the request to its target and the reply.
 */
#ifndef ANAX_REPLAY_RMA_H
#define ANAX_REPLAY_RMA_H

#include "replay/engine/state/engine_state.h"

/* Begins a one-sided operation of rank `source` at at_ps. operation_index: its index in the
 * program. owner: the source's slot, or ENGINE_OWNER_NOBODY. The operation is complete when its
 * reply has arrived. */
void rma_send_request(struct engine_domain *domain, uint32_t source, uint64_t operation_index,
                      uint32_t owner, int64_t at_ps);
/* Returns the payload in bytes of an operation's request (direction OPERATION_FLAG_RMA_WRITE) or
 * reply (OPERATION_FLAG_RMA_READ): its data, or a control message if it has no data in this
 * direction. */
uint64_t rma_bytes(const struct replay_engine *engine, const struct program_operation *operation,
                   unsigned direction);
/* Handles the arrival of a request at the target. */
void rma_request_arrived(struct engine_domain *domain, int64_t now_ps,
                         const struct network_delivery *delivery);

/* Handles the arrival of a reply at the source. */
void rma_reply_arrived(struct engine_domain *domain, int64_t now_ps,
                       const struct network_delivery *delivery);

#endif
