/*
 * What follows from the configuration once topology and rails are built.
 */
#ifndef ANAX_NETWORK_DERIVE_H
#define ANAX_NETWORK_DERIVE_H

#include "network/engine/state.h"

/* First the constants, then the tables of a group's outputs, which use them. STATUS_MEMORY. */
void derive_constants(struct network *network);
status_code derive_places(struct network *network, struct status *status);

#endif
