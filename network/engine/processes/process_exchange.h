/*
 * Several processes: what crosses between groups of different processes, in at most one block for
 * each process and window. The same exchange tells all what each process must tell the others: its
 * earliest events, its tally (network_tally) and its requests of checkpoints
 * (network_checkpoint.h).
 */
#ifndef ANAX_NETWORK_PROCESS_EXCHANGE_H
#define ANAX_NETWORK_PROCESS_EXCHANGE_H

#include "network/engine/state/state.h"

/* The function `meet` of windows_setup, with the network as its context: exchanges the blocks of a
 * window with all other processes. If another process has failed, stops the run and sets
 * network->run.stop_status. */
void process_exchange_meet(void *context, struct windows *windows, uint64_t window,
                           struct windows_meeting *meeting);

#endif
