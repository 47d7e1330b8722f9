/*
 * The check at the end of a run that nothing is lost and nothing is stuck.
 */
#ifndef ANAX_NETWORK_CONSERVATION_H
#define ANAX_NETWORK_CONSERVATION_H

#include "network/engine/state/state.h"

/* Checks a network after a run. STATUS_RUN: a packet is stuck, or something was lost; `status`
 * says what and where. STATUS_STOPPED: the run was stopped. STATUS_MEMORY: a group ran out of
 * memory. */
status_code conservation_check(const struct network *network, struct status *status);

#endif
