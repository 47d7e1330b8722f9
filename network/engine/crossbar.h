/*
 * The crossbar of a router: moves packets from input VCs to outputs.
 */
#ifndef ANAX_NETWORK_CROSSBAR_H
#define ANAX_NETWORK_CROSSBAR_H

#include "network/engine/state.h"

/* Moves the first packet of an input VC through the crossbar to the output it asks for, now. */
void crossbar_transfer(struct network_domain *domain, struct input_vc *from);

#endif
