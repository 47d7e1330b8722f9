/*
 * Several processes: what crosses between groups of different processes, in one parcel for each
 * process and window. A parcel begins with what its process tells all others: its earliest event, and
 * the news of the network's user.
 */
#ifndef ANAX_NETWORK_PARCELS_H
#define ANAX_NETWORK_PARCELS_H

#include "network/engine/state.h"

/* Hands over what the threads sent to other processes in a window, and takes what those sent.
 * earliest_ps: the time of this process's earliest event, those sent included, or WINDOWS_STOP.
 * Returns the earliest time of all processes, or WINDOWS_STOP. Called by one thread while the others
 * wait. */
int64_t parcels_exchange(struct network *network, int64_t earliest_ps, uint64_t window);

#endif
