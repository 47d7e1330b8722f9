/*
 * Several processes: what process 0 needs of the others after a replay.
 */
#ifndef ANAX_REPLAY_ENGINE_GATHER_H
#define ANAX_REPLAY_ENGINE_GATHER_H

#include "replay/engine/state/engine_state.h"

/* Gives process 0 the results of all ranks and domains, as if it had replayed them itself, but no
 * timeline (replay_timeline_gather). Does nothing if one process replays. The failure of another
 * process, or STATUS_MEMORY. */
status_code engine_gather_results(struct replay_engine *engine, struct status *status);

/* Gives process 0 the whole state of all ranks and domains, for the report of a stall. */
status_code engine_gather_state(struct replay_engine *engine, struct status *status);

#endif
