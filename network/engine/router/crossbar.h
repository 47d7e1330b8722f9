/*
 * The crossbar of a router: moves packets from input VCs to outputs.
 */
#ifndef ANAX_NETWORK_CROSSBAR_H
#define ANAX_NETWORK_CROSSBAR_H

#include "network/engine/state/state.h"

/* Moves the first packet of an input VC at now_ps to the output that it requests, which is
 * `output`. */
void crossbar_traverse(struct rail_group *rail_group, struct network_input_vc *from,
                       uint32_t output);

#endif
