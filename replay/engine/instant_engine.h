/*
 * An engine on a transport that takes no time, for results that need a program but no network.
 * Private to replay/.
 */
#ifndef ANAX_REPLAY_INSTANT_ENGINE_H
#define ANAX_REPLAY_INSTANT_ENGINE_H

#include "replay/engine/engine.h"
#include "replay/transport/transport_instant.h"

struct instant_engine {
    struct replay_engine *engine;
    struct transport_instant transport;
    struct placement everyone; /* all ranks on the first node */
};

/* Creates an engine that has not started. Call instant_engine_free even after an error.
 * `network_config` may be any valid machine and must outlive *instant; only its shape is used, and
 * no network is built. *instant must not move. Returns the errors of network_config_check and
 * engine_new.
 */
status_code instant_engine_new(struct instant_engine *instant, const struct program *program,
                               const struct replay_config *config,
                               const struct network_config *network_config, struct status *status);
/* Runs the replay from the start. The caller may set instant->transport.watch before, to be called
 * for every message. STATUS_RUN: some ranks cannot go on. STATUS_MEMORY. */
status_code instant_engine_run(struct instant_engine *instant, struct status *status);

/* Frees the engine and its transport. */
void instant_engine_free(struct instant_engine *instant);

#endif
