/*
 * An engine on a transport that takes no time, for results that need a program but no network.
 * Private to replay/.
 */
#ifndef ANAX_REPLAY_IDLE_ENGINE_H
#define ANAX_REPLAY_IDLE_ENGINE_H

#include "replay/engine/engine.h"
#include "replay/transport/transport_instant.h"

struct idle_engine {
    struct engine *engine;
    struct transport_instant instant;
    struct placement everyone; /* all ranks on the first node */
};

/* Creates an engine that has not started. Call idle_engine_free even after an error.
 * `network_config` may be any valid machine and must outlive *idle; only its shape is used, and no
 * network is built. *idle must not move. Returns the errors of network_config_check and engine_new.
 */
status_code idle_engine_new(struct idle_engine *idle, const struct program *program,
                            const struct replay_config *config,
                            const struct network_config *network_config, struct status *status);
/* Runs the replay from the start. The caller may set idle->instant.watch before, to be called for
 * every message. STATUS_RUN: some ranks cannot go on. STATUS_MEMORY. */
status_code idle_engine_run(struct idle_engine *idle, struct status *status);

/* Frees the engine and its transport. */
void idle_engine_free(struct idle_engine *idle);

#endif
