/*
 * Which machine a configuration is of. It is chosen once, by a call, a file or a setting; only the
 * call may choose again.
 *
 * A machine may say which mpi.* go with it. Those are in force where nothing else was set, whether
 * that was before or after the machine was chosen.
 *
 * Invariant: run.machine names the machine whose file gave machine_network and machine_replay, and
 * no setting of the network that was made before is lost without a word, but by the call that says
 * so.
 */
#ifndef ANAX_API_CHOSEN_MACHINE_H
#define ANAX_API_CHOSEN_MACHINE_H

#include "api/api.h"

/* The settings mpi.* in a replay's configuration: all of a table's rows that a machine may set. */
struct setting_section chosen_machine_mpi(struct replay_config *values);

/* The setting `machine`. STATUS_USAGE: it contradicts the machine that was chosen, or would undo
 * settings of the network. */
status_code chosen_machine_set(anax_config *config, const char *name, struct status *status);

#endif
