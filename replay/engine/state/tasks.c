/*
 * The tasks of a rank's MPI library for a message or a non-blocking collective while the rank
 * computes. With software progress they are postponed until the rank's next MPI call; with hardware
 * progress none is.
 *
 * Must not know: how tasks are carried out. Invariant: a list belongs to one rank and is used only
 * in callbacks of the rank's domain; it is empty whenever the rank is inside a call.
 */
#include "replay/engine/state/tasks.h"
#include "replay/engine/state/engine_domain.h"

bool tasks_rank_is_outside(const struct engine_domain *domain, uint32_t rank_number,
                           int64_t now_ps) {
    const struct engine_rank *rank = &domain->engine->ranks[rank_number];
    return domain->engine->config.progress == REPLAY_PROGRESS_SOFTWARE && rank->is_outside_mpi &&
           now_ps >= rank->call_from_ps;
}

static uint32_t new_task(struct engine_domain *domain) {
    uint32_t index = engine_task_pool_take(&domain->tasks);
    if (index == POOL_NONE)
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u postponed tasks",
                    domain->tasks.used);
    return index;
}

/* The list is a ring. The rank has the index of the last task, whose next task is the first. */
void tasks_postpone(struct engine_domain *domain, uint32_t rank_number,
                    const struct engine_task *task) {
    struct engine_rank *rank = &domain->engine->ranks[rank_number];
    uint32_t index = new_task(domain);
    if (index == POOL_NONE) return;
    domain->tasks.items[index] = *task;
    if (rank->last_task == PROGRAM_NONE) {
        domain->tasks.items[index].next = index;
    } else {
        domain->tasks.items[index].next = domain->tasks.items[rank->last_task].next;
        domain->tasks.items[rank->last_task].next = index;
    }
    rank->last_task = index;
}

struct tasks_taken tasks_take(struct engine_domain *domain, struct engine_rank *rank) {
    struct tasks_taken taken = {.last = rank->last_task};
    if (taken.last != PROGRAM_NONE) taken.next = domain->tasks.items[taken.last].next;
    rank->last_task = PROGRAM_NONE;
    return taken;
}

bool tasks_next(struct engine_domain *domain, struct tasks_taken *taken, struct engine_task *task) {
    if (taken->last == PROGRAM_NONE) return false;
    uint32_t index = taken->next;
    *task = domain->tasks.items[index];
    if (index == taken->last) taken->last = PROGRAM_NONE;
    taken->next = task->next;
    engine_task_pool_give(&domain->tasks, index);
    return true;
}
