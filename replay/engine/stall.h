/*
 * How a replay ended: what ranks that cannot go on wait for.
 */
#ifndef ANAX_REPLAY_STALL_H
#define ANAX_REPLAY_STALL_H

#include "replay/engine/engine_state.h"

/* After the transport has run out of events: the first failure of a domain, ranks that cannot go on
 * (stall.c), or messages that were lost. */
status_code stall_check(struct engine *engine, struct status *status);

#endif
