/*
 * Locks of windows, and who waits for them.
 */
#ifndef ANAX_REPLAY_WINDOW_LOCK_H
#define ANAX_REPLAY_WINDOW_LOCK_H

#include "replay/engine/engine_state.h"

/* A request has arrived at its target. False: it waits in line. */
bool window_lock_take(struct engine_domain *domain, const struct lock_request *request);
/* An unlock has arrived; after it, and after each one granted, the next in line that can have the
 * lock, if there is one. */
void window_lock_give_back(struct engine_domain *domain, const struct program_operation *operation);
bool window_lock_next(struct engine_domain *domain, const struct program_operation *operation,
                      struct lock_request *granted);

#endif
