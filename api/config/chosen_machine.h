/*
 * The machine of a configuration. It is chosen once, by a call, a file or a setting; only the call
 * may choose again.
 *
 * A machine's file may set mpi.*. These values take effect where nothing else was set, before or
 * after the machine was chosen.
 *
 * Invariant: run.machine names the machine whose file gave machine_network and machine_replay. Only
 * anax_config_machine discards earlier settings of the network, as its comment says.
 */
#ifndef ANAX_API_CHOSEN_MACHINE_H
#define ANAX_API_CHOSEN_MACHINE_H

#include "api/api.h"

/* Returns the section of the settings mpi.* in a replay's configuration: the rows that a machine's
 * file may set. */
struct setting_section chosen_machine_mpi(struct replay_config *values);

/* Applies the setting `machine`. STATUS_USAGE: it contradicts the machine that was chosen before,
 * or would undo settings of the network. */
status_code chosen_machine_set(anax_config *config, const char *name, struct status *status);

#endif
