/*
 * Several processes: what crosses between groups of different processes, in one parcel for each
 * process and window. A parcel begins with what its process tells all others: its earliest events,
 * and the news of the network's user.
 */
#ifndef ANAX_NETWORK_PARCELS_H
#define ANAX_NETWORK_PARCELS_H

#include "network/engine/state.h"

/* For windows_work: `meet`, with the network as its context. If another process has failed, stops
 * the run and sets network->parted. */
void parcels_meet(void *network, struct windows *windows, uint64_t window,
                  struct windows_meeting *meeting);

#endif
