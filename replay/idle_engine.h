/*
 * An engine on a transport that takes no time, for what can be said of a program without simulating
 * a network. Private to the replay room.
 */
#ifndef ANAX_REPLAY_IDLE_ENGINE_H
#define ANAX_REPLAY_IDLE_ENGINE_H

#include "replay/engine.h"
#include "replay/transport_instant.h"

typedef struct idle_engine {
    engine *engine;
    transport_instant instant;
    placement everyone; /* all ranks on the first node */
} idle_engine;

/* Free also after errors. machine, which must live as long: any; only its shape is looked at, and
 * no network is built. The engine is not started. *idle must not move. */
status_code idle_engine_new(idle_engine *idle, const program *program, const replay_config *config,
                            const network_config *machine, status *status);
/* Runs it from the start; what it sends can be watched (idle->instant.watch). STATUS_RUN: ranks
 * that cannot go on. */
status_code idle_engine_run(idle_engine *idle, status *status);
void idle_engine_free(idle_engine *idle);

#endif
