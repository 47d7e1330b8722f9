/*
 * An engine whose network is never run, for what can be said of a program without simulating it.
 * Private to the replay room.
 */
#ifndef ANAX_REPLAY_IDLE_ENGINE_H
#define ANAX_REPLAY_IDLE_ENGINE_H

#include "replay/engine.h"

typedef struct idle_engine {
    engine *engine;
    network *network;
    placement everyone; /* all ranks on the first node */
} idle_engine;

/* Free also after errors. machine: any; only its number of nodes is looked at. */
status_code idle_engine_new(idle_engine *idle, const program *program, const replay_config *config,
                            const network_config *machine, status *status);
void idle_engine_free(idle_engine *idle);

#endif
