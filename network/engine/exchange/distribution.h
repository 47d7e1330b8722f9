/*
 * Which process simulates which group, if several simulate a network together. The state of a group
 * exists in its process only; the tables of the machine exist in all.
 */
#ifndef ANAX_NETWORK_DISTRIBUTION_H
#define ANAX_NETWORK_DISTRIBUTION_H

#include "network/engine/state/state.h"

/* Deals the groups to the processes, or leaves all to this one. STATUS_MEMORY. distribution_free
 * frees what it made. */
status_code distribution_deal(struct network *network, const struct network_distribution *part,
                              struct status *status);

/* Frees what distribution_deal has made. */
void distribution_free(struct network *network);

/* Returns the number of groups of this process. */
uint32_t distribution_own_groups(const struct network *network);

/* Returns the process that simulates a group. */
static inline unsigned distribution_process_of(const struct network *network, uint32_t group) {
    return network->distribution.process_of_group != NULL
               ? network->distribution.process_of_group[group]
               : 0;
}

#endif
