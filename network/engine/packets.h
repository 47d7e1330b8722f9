/*
 * The pools of packets and messages of a domain.
 */
#ifndef ANAX_NETWORK_PACKETS_H
#define ANAX_NETWORK_PACKETS_H

#include "network/engine/state.h"

/* Returns the index of a new packet in the domain's pool. NETWORK_NONE: out of memory, and
 * domain->failure.out_of_memory is set. */
uint32_t packet_new(struct network_domain *domain);
/* Returns a new packet as packet_new does, without prefetching the next free one: for callers that
 * will not soon take another packet of that domain. */
uint32_t packet_new_cold(struct network_domain *domain);

/* Gives a packet back to the domain's pool. */
void packet_free(struct network_domain *domain, uint32_t index);
/* Returns the index of a new message in the domain's pool, like packet_new. */
uint32_t message_new(struct network_domain *domain);

/* Gives a message back to the domain's pool. */
void message_free(struct network_domain *domain, uint32_t index);
/* Moves a message from one pool to another. Returns its new index, or NETWORK_NONE: out of memory.
 */
uint32_t message_move(struct network_domain *from, struct network_domain *to, uint32_t index);

#endif
