/*
 * The crossbar of a router: moves packets from input VCs to outputs.
 */
#ifndef ANAX_NETWORK_CROSSBAR_H
#define ANAX_NETWORK_CROSSBAR_H

#include "network/engine/state.h"

/* Transfers the first packet of an input VC at now_ps to the output that it requests, which is
 * `output`. */
void crossbar_transfer(struct network_domain *domain, struct network_input_vc *from,
                       uint32_t output);
/* The same where the network is such a plain machine (plain_machines.h). */
void crossbar_transfer_ideal(struct network_domain *domain, struct network_input_vc *from,
                             uint32_t output);
void crossbar_transfer_input(struct network_domain *domain, struct network_input_vc *from,
                             uint32_t output);

#endif
