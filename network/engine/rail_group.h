/*
 * A rail group: its memory. A group in all rails: the processing of its events in order.
 */
#ifndef ANAX_NETWORK_RAIL_GROUP_H
#define ANAX_NETWORK_RAIL_GROUP_H

#include "network/engine/state/state.h"

/* Returns zeroed memory for network->group_arrays, which the caller frees; NULL: out of memory. */
char *rail_group_arrays_new(const struct network *network);
/* Makes rail group `index` of the network, whose memory is zeroed; they are numbered rail by rail,
 * and in each rail from group to group. STATUS_MEMORY. rail_group_free frees the rail group's
 * memory, also after an error. */
status_code rail_group_new(struct rail_group *rail_group, struct network *network, uint32_t index,
                           struct status *status);

/* Frees what rail_group_new has made. */
void rail_group_free(struct rail_group *rail_group);
/* Makes the part of a rail group that describes its links: their other ends and numbers. Returns
 * false if out of memory. rail_group_new does this, and rail_group_free frees it. */
bool rail_group_describe(struct rail_group *rail_group);

/* Processes all events before end_ps of a group, in all rails. `home` is the group in the first
 * rail. */
typedef void (*rail_group_runner)(struct rail_group *home, int64_t end_ps);
/* Returns the function that does so for the groups of a network: one that is compiled for such a
 * machine, if there is one. */
rail_group_runner rail_group_run_of(const struct network *network);

#endif
