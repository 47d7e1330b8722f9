/*
 * How point-to-point messages travel: the eager threshold and the kind of rendezvous, by the names
 * of MPI libraries.
 */
#ifndef ANAX_REPLAY_PROTOCOL_H
#define ANAX_REPLAY_PROTOCOL_H

#include "replay/replay.h"

/* Names for settings, NULL-terminated. */
const char *const *protocol_names(void);
const char *const *protocol_rendezvous_names(void);
const char *const *protocol_progress_names(void);
const char *const *protocol_threshold_words(void);

/* Refuses what is not in the tables. */
status_code protocol_check(const struct replay_config *config, struct status *status);

/* Puts the protocol's values in place of what the configuration leaves to it; REPLAY_EAGER_AUTO
 * stays. */
void protocol_resolve(struct replay_config *config);

#endif
