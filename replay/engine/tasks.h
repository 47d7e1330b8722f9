/*
 * What waits for a rank to enter an MPI call.
 */
#ifndef ANAX_REPLAY_TASKS_H
#define ANAX_REPLAY_TASKS_H

#include "replay/engine/engine_state.h"

/* Is the rank computing at that time, so that its part of the protocol must wait? */
bool tasks_rank_is_outside(const struct engine_domain *domain, uint32_t rank, int64_t now_ps);
void tasks_put_off(struct engine_domain *domain, uint32_t rank, const struct engine_task *task);

/* Takes all that was put off for a rank from its list; then gives it in order, false at the end. */
struct tasks_taken {
    uint32_t next;
    uint32_t last; /* PROGRAM_NONE: nothing is left */
};
struct tasks_taken tasks_take(struct engine_domain *domain, struct engine_rank *rank);
bool tasks_next(struct engine_domain *domain, struct tasks_taken *taken, struct engine_task *task);

#endif
