/*
 * Checkpoints of a run: its state between two windows, when no block is under way. A group is a
 * piece of it, so a run can go on with any number of processes and threads.
 */
#ifndef ANAX_NETWORK_NETWORK_CHECKPOINT_H
#define ANAX_NETWORK_NETWORK_CHECKPOINT_H

#include "core/simulation/windows.h"
#include "network/engine/state/state.h"

/* Sets work->pause, which writes the checkpoints of network->run.options. If the run goes on from
 * a checkpoint, restores its state and sets work->resumed. */
status_code network_checkpoint_prepare(struct network *network, struct windows_setup *work,
                                       struct status *status);

/* Returns what this process asks for after the window, as a set of bits: a checkpoint, the end of
 * the run, or no checkpoint because the run has failed. Processes combine their sets and so all do
 * the same. */
unsigned network_checkpoint_requests(const struct network *network);

#endif
