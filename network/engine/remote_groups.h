/*
 * Several processes: what crosses between groups of different processes, in one block for each
 * process and window. A block begins with what its process tells all others: its earliest events,
 * and the news of the network's user.
 */
#ifndef ANAX_NETWORK_REMOTE_GROUPS_H
#define ANAX_NETWORK_REMOTE_GROUPS_H

#include "network/engine/state.h"

/* For windows_work: `meet`, with the network as its context. If another process has failed, stops
 * the run and sets network->stop_status. */
void remote_groups_meet(void *network, struct windows *windows, uint64_t window,
                        struct windows_meeting *meeting);

#endif
