/*
 * What waits for a rank to enter an MPI call.
 */
#ifndef ANAX_REPLAY_PROGRESS_H
#define ANAX_REPLAY_PROGRESS_H

#include "replay/engine/engine_state.h"

/* Is the rank computing at that time, so that its part of the protocol must wait? */
bool progress_is_outside(const struct engine_domain *domain, uint32_t rank, int64_t now_ps);
void progress_put_off(struct engine_domain *domain, uint32_t rank, const struct engine_task *task);
/* The rank enters an MPI call (or has finished): carries out what was put off, at its clock. */
void progress_enter(struct engine_domain *domain, struct engine_rank *rank);

#endif
