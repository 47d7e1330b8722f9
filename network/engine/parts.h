/*
 * Which process simulates which group, if several simulate a network together. The state of a group
 * exists in its process only; the tables of the machine exist in all.
 */
#ifndef ANAX_NETWORK_PARTS_H
#define ANAX_NETWORK_PARTS_H

#include "network/engine/state.h"

/* Deals the groups to the processes, or leaves all to this one. STATUS_MEMORY. parts_free frees
 * what it made. */
status_code parts_deal(struct network *network, const struct network_part *part,
                       struct status *status);
void parts_free(struct network *network);

/* Returns the number of groups of this process. */
uint32_t parts_own_groups(const struct network *network);

/* Returns the process that simulates a group. */
static inline unsigned parts_process_of(const struct network *network, uint32_t group) {
    return network->process_of_group != NULL ? network->process_of_group[group] : 0;
}

#endif
