/*
 * Protocols of point-to-point messages: the eager threshold and the kind of rendezvous of MPI
 * libraries, by name.
 */
#ifndef ANAX_REPLAY_PROTOCOL_H
#define ANAX_REPLAY_PROTOCOL_H

#include "replay/replay.h"

/* Returns the names of protocols that settings accept, NULL-terminated. */
const char *const *protocol_names(void);

/* Returns the names of kinds of rendezvous that settings accept, NULL-terminated. */
const char *const *protocol_rendezvous_names(void);

/* Returns the names of kinds of progress that settings accept, NULL-terminated. */
const char *const *protocol_progress_names(void);

/* Returns the words that settings accept in place of a threshold, NULL-terminated. */
const char *const *protocol_threshold_words(void);

/* Checks the settings of protocols. STATUS_USAGE if the protocol, rendezvous, progress or eager
 * threshold is none of the known values. */
status_code protocol_check(const struct replay_config *config, struct status *status);

/* Replaces the REPLAY_RENDEZVOUS_PROTOCOL and REPLAY_EAGER_BY_PROTOCOL of a configuration by the
 * protocol's own values. REPLAY_EAGER_AUTO stays. */
void protocol_resolve(struct replay_config *config);

#endif
