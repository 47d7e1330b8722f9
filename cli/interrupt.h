/*
 * Signals that end the command. Unfinished outputs are removed before the command ends.
 *
 * Invariant: the process ends by the signal's default action, so that its parent sees which signal
 * ended it; only a run that can go on from a checkpoint ends with RUN_INTERRUPTED. A signal that
 * was ignored when the program began stays ignored.
 */
#ifndef ANAX_CLI_INTERRUPT_H
#define ANAX_CLI_INTERRUPT_H

#include "cli/command.h"

/* Starts to handle signals. Call it before any other thread begins. A signal removes the unfinished
 * outputs that the command line names. */
void interrupt_begin(const struct invocation *invocation);

/* Makes a signal also remove unfinished points in this folder. NULL: no folder. The string must
 * outlive the run. */
void interrupt_set_points_folder(const char *folder);

/* With defer = true, the first signal does not end the program from now on, so that the run can
 * stop and call interrupt_defer(false). If it has not done so after 0.4 s, the program ends. With
 * defer = false, every signal ends the program again. Signals that follow a deferred one within 1 s
 * belong to the same request, and do nothing. */
void interrupt_defer(bool defer);

/* Does what interrupt_defer(true) does, without a limit of time: a checkpoint is written, or an
 * application ends, before the run stops. A signal 1 s after the first one or later ends the
 * program. */
void interrupt_defer_long(void);

/* Returns whether a deferred signal has come. */
bool interrupt_has_arrived(void);

/* Returns the number of the deferred signal that has come; 0: none. */
int interrupt_signal(void);

/* Returns whether SIGUSR1 has come since the last call. Without checkpoints it ends the program as
 * other signals do. */
bool interrupt_checkpoint_wanted(void);

/* Notes that the program prints that its run has stopped. A signal that comes afterwards, such as
 * that of mpirun when another process has ended, does not say so again. */
void interrupt_stop_is_told(void);

/* Blocks for ever if a signal has begun to end the program. Errors that follow from the signal are
 * therefore not reported. */
void interrupt_wait_for_end(void);

#endif
