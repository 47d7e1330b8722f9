/*
 * Several processes: the results of a network after a run. All processes get the totals, and
 * process 0 the numbers of links.
 */
#ifndef ANAX_NETWORK_PROCESS_GATHER_H
#define ANAX_NETWORK_PROCESS_GATHER_H

#include "network/engine/state/state.h"

/* Adds up the totals of the other processes, so that network_fill_totals returns those of all. Does
 * nothing if one process simulates the network. STATUS_MEMORY, or the failure of another process.
 */
status_code process_gather_totals(struct network *network, struct status *status);

/* Gives process 0 the numbers of all links, so that network_visit_links visits them all there. */
status_code process_gather_links(struct network *network, struct status *status);

#endif
