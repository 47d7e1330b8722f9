/*
 * Constants and tables that follow from the configuration once topology and rails are built.
 */
#ifndef ANAX_NETWORK_DERIVE_H
#define ANAX_NETWORK_DERIVE_H

#include "network/engine/state/state.h"

/* Sets the constants of a network. Must be called before derive_wiring, which uses them. */
void derive_constants(struct network *network);
/* Makes the tables of a group's outputs, which network_free frees. STATUS_MEMORY. */
status_code derive_wiring(struct network *network, struct status *status);

#endif
