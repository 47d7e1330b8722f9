/*
 * Software progress: what a rank's MPI library has to do for a message or a non-blocking collective
 * while the rank computes is put off until its next MPI call. With hardware progress nothing is.
 *
 * Must not know: what is done then. Invariant: a list belongs to one rank and is touched in
 * callbacks of its domain only; it is empty whenever the rank is inside a call.
 */
#include "replay/engine/progress.h"
#include "replay/engine/activation.h"
#include "replay/engine/engine_domain.h"
#include "replay/engine/transfer.h"

bool progress_is_outside(const struct engine_domain *domain, uint32_t number, int64_t now_ps) {
    const struct engine_rank *rank = &domain->engine->ranks[number];
    return domain->engine->config.progress == PROGRESS_SOFTWARE && rank->outside &&
           now_ps >= rank->call_from_ps;
}

static uint32_t new_task(struct engine_domain *domain) {
    uint32_t index = engine_task_pool_take(&domain->tasks);
    if (index == POOL_NONE)
        engine_fail(domain, STATUS_MEMORY, "out of memory for %u tasks put off",
                    domain->tasks.used);
    return index;
}

/* The list is a ring; the rank has its last, so that the first is at hand too. */
void progress_put_off(struct engine_domain *domain, uint32_t number,
                      const struct engine_task *task) {
    struct engine_rank *rank = &domain->engine->ranks[number];
    uint32_t index = new_task(domain);
    if (index == PROGRAM_NONE) return;
    domain->tasks.items[index] = *task;
    if (rank->tasks == PROGRAM_NONE) {
        domain->tasks.items[index].next = index;
    } else {
        domain->tasks.items[index].next = domain->tasks.items[rank->tasks].next;
        domain->tasks.items[rank->tasks].next = index;
    }
    rank->tasks = index;
}

static void carry_out(struct engine_domain *domain, const struct engine_task *task, int64_t at_ps) {
    switch (task->kind) {
    case TASK_ANSWER:
        transfer_answer(domain, &task->key, at_ps);
        break;
    case TASK_DATA:
        transfer_data(domain, task->handle, at_ps);
        break;
    case TASK_FINISH:
        transfer_finish(domain, &task->key, task->handle, task->arrived_ps, at_ps);
        break;
    case TASK_COLLECTIVE:
        activation_resume(domain, task->handle, at_ps);
        break;
    }
}

void progress_enter(struct engine_domain *domain, struct engine_rank *rank) {
    rank->outside = false;
    if (rank->tasks == PROGRAM_NONE) return;
    uint32_t last = rank->tasks, next = domain->tasks.items[last].next, index;
    rank->tasks = PROGRAM_NONE;
    do {
        index = next;
        struct engine_task task = domain->tasks.items[index];
        next = task.next;
        engine_task_pool_give(&domain->tasks, index);
        carry_out(domain, &task, rank->clock_ps);
    } while (index != last);
}
