/*
 * Nothing is lost, and nothing is stuck.
 */
#ifndef ANAX_NETWORK_CONSERVATION_H
#define ANAX_NETWORK_CONSERVATION_H

#include "network/engine/state.h"

/* After a run. STATUS_RUN: something is stuck or was lost; the status says what and where. */
status_code conservation_check(const struct network *network, struct status *status);

#endif
