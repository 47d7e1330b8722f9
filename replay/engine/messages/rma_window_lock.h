/*
 * Locks of windows, and the requests that wait for them.
 */
#ifndef ANAX_REPLAY_RMA_WINDOW_LOCK_H
#define ANAX_REPLAY_RMA_WINDOW_LOCK_H

#include "replay/engine/state/engine_state.h"

/* Handles a request for a lock that has arrived at its target. Returns true if the lock is granted,
 * false if the request waits. */
bool rma_window_lock_take(struct engine_domain *domain, const struct engine_rma_request *request);
/* Handles an unlock that has arrived. Afterwards the caller calls rma_window_lock_next until it
 * returns false. */
void rma_window_lock_give_back(struct engine_domain *domain,
                               const struct engine_rma_request *unlock);

/* Grants the lock of `unlock` to the first waiting request, copied to *granted, if the holders
 * allow it.
 * Returns false if no request can be granted. */
bool rma_window_lock_next(struct engine_domain *domain, const struct engine_rma_request *unlock,
                          struct engine_rma_request *granted);

#endif
