/*
 * Tasks that wait until a rank enters an MPI call.
 */
#ifndef ANAX_REPLAY_TASKS_H
#define ANAX_REPLAY_TASKS_H

#include "replay/engine/state/engine_state.h"

/* Returns whether progress is by software and the rank is outside MPI calls at now_ps, so that its
 * part of the protocol must wait. */
bool tasks_rank_is_outside(const struct engine_domain *domain, uint32_t rank_number,
                           int64_t now_ps);
/* Appends a copy of *task to the tasks of a rank. Running out of memory fails the domain. */
void tasks_postpone(struct engine_domain *domain, uint32_t rank_number,
                    const struct engine_task *task);

/* The tasks that were taken from a rank's list. */
struct tasks_taken {
    uint32_t next;
    uint32_t last; /* PROGRAM_NONE: no task is left */
};

/* Empties a rank's list of tasks, for tasks_next. */
struct tasks_taken tasks_take(struct engine_domain *domain, struct engine_rank *rank);

/* Fills in the next of the taken tasks, in the order in which they were postponed. Returns false
 * after the last one. */
bool tasks_next(struct engine_domain *domain, struct tasks_taken *taken, struct engine_task *task);

#endif
