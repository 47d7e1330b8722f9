/*
 * Signals that end the command: what was begun and is not finished is removed first.
 *
 * Invariant: a signal ends the program the way it would end any other, so that whoever sent it sees
 * that; one that was ignored when the program began stays ignored.
 */
#ifndef ANAX_CLI_INTERRUPT_H
#define ANAX_CLI_INTERRUPT_H

#include "cli/command.h"

/* Before any other thread begins. The outputs of the command line are the ones to remove. */
void interrupt_begin(const struct invocation *invocation);

/* Unfinished points in this folder are removed, too; NULL: none. It must stay where it is. */
void interrupt_points(const char *folder);

/* From now on the first signal is only noted, and the next one ends the program; or no more. */
void interrupt_note(bool note);
bool interrupt_noted(void);

/* Does not return once a signal has begun to end the program: what goes wrong then is no news. */
void interrupt_hold(void);

#endif
