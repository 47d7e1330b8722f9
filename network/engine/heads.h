/*
 * Heads: packets arrive in input VCs, and the first one of each is routed and asks for its output.
 */
#ifndef ANAX_NETWORK_HEADS_H
#define ANAX_NETWORK_HEADS_H

#include "network/engine/state.h"

/* A packet of this domain arrives in an input VC. */
void head_arrival(struct network_domain *domain, uint32_t port_vc, uint32_t packet);
/* A packet has become first in its input VC at now_ps. */
void head_becomes_first(struct network_domain *domain, struct input_vc *buffer);
/* The first packet of an input VC may ask from now on. */
void head_may_ask(struct network_domain *domain, uint32_t port_vc);
/* A cycle has gone by since the packet with that number at its source was decided on. */
void head_again(struct network_domain *domain, uint32_t port_vc, uint32_t number);
/* Routes a first packet whose way hangs on queues: a new one, or one to be decided on anew. */
void head_route_waiting(struct network_domain *domain, uint32_t port_vc);

#endif
