/*
 * Packets and messages of a domain: the pools they are taken from and go back to.
 */
#ifndef ANAX_NETWORK_PACKETS_H
#define ANAX_NETWORK_PACKETS_H

#include "network/engine/state.h"

/* Index in the domain's pool; NONE: no memory, and domain->out_of_memory is set. */
uint32_t packet_new(struct network_domain *domain);
void packet_free(struct network_domain *domain, uint32_t index);
uint32_t message_new(struct network_domain *domain);
void message_free(struct network_domain *domain, uint32_t index);
/* Takes a message from one pool to another; its index there, or NONE: no memory. */
uint32_t message_move(struct network_domain *from, struct network_domain *to, uint32_t index);

#endif
