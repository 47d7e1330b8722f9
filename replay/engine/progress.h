/*
 * Progress of what was put off until a rank enters an MPI call.
 */
#ifndef ANAX_REPLAY_PROGRESS_H
#define ANAX_REPLAY_PROGRESS_H

#include "replay/engine/engine_state.h"

/* The rank enters an MPI call (or has finished): carries out what was put off, at its clock. */
void progress_enter(struct engine_domain *domain, struct engine_rank *rank);

#endif
