/*
 * The end of a replay: a report of the ranks that cannot go on.
 */
#ifndef ANAX_REPLAY_STALL_H
#define ANAX_REPLAY_STALL_H

#include "replay/engine/state/engine_state.h"

/* Checks a replay after the transport has run out of events. Returns the first failure of a domain;
 * STATUS_RUN with a report if ranks cannot go on (stall.c) or if messages were lost; STATUS_MEMORY.
 * A report changes the state: only engine_free may follow. */
status_code stall_check(struct replay_engine *engine, struct status *status);

#endif
