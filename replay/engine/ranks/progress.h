/*
 * Progress: carries out the tasks that were postponed until a rank enters an MPI call.
 */
#ifndef ANAX_REPLAY_PROGRESS_H
#define ANAX_REPLAY_PROGRESS_H

#include "replay/engine/state/engine_state.h"

/* Records that the rank enters an MPI call or has reached its end, and carries out its postponed
 * tasks at its clock. */
void progress_enter(struct engine_domain *domain, struct engine_rank *rank);

#endif
