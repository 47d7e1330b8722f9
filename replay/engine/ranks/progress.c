/* Carries out a rank's postponed tasks in its next MPI call, at the rank's clock. */
#include "replay/engine/ranks/progress.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/state/tasks.h"

static void carry_out_task(struct engine_domain *domain, uint32_t rank,
                           const struct engine_task *task, int64_t at_ps) {
    if (causes_are_kept(domain)) causes_send_as_rank(domain, rank);
    switch (task->kind) {
    case ENGINE_TASK_CTS:
        transfer_send_cts(domain, &task->key, at_ps);
        break;
    case ENGINE_TASK_DATA:
        transfer_data(domain, task->send, at_ps);
        break;
    case ENGINE_TASK_FIN:
        transfer_send_fin(domain, &task->key, task->send, task->arrived_ps, at_ps);
        break;
    case ENGINE_TASK_COLLECTIVE:
        activation_resume(domain, task->activation, at_ps);
        break;
    }
}

void progress_enter(struct engine_domain *domain, struct engine_rank *rank) {
    rank->is_outside_mpi = false;
    if (rank->last_task == PROGRAM_NONE) return;
    struct tasks_taken taken = tasks_take(domain, rank);
    for (struct engine_task task; tasks_next(domain, &taken, &task);)
        carry_out_task(domain, rank->result.rank, &task, rank->clock_ps);
}
