/*
 * An engine on a transport that takes no time, for what can be said of a program without simulating
 * a network. Private to the replay room.
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

/* Free also after errors. machine, which must live as long: any; only its shape is looked at, and
 * no network is built. The engine is not started. *idle must not move. */
status_code idle_engine_new(struct idle_engine *idle, const struct program *program,
                            const struct replay_config *config,
                            const struct network_config *machine, struct status *status);
/* Runs it from the start; what it sends can be watched (idle->instant.watch). STATUS_RUN: ranks
 * that cannot go on. */
status_code idle_engine_run(struct idle_engine *idle, struct status *status);
void idle_engine_free(struct idle_engine *idle);

#endif
