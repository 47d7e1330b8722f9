/*
 * Saves and restores the state of a domain's ranks for checkpoints.
 *
 * A new member of struct engine_domain or struct replay_engine changes one of the sizes below: save
 * it here, or say why it need not be saved. Members of a domain that are not saved:
 *
 * - engine, index: made by engine_new
 * - failure: a replay that has failed is not saved
 *
 * Members of the engine that are saved: ranks, graphs, slots, detached_until_ps, domains, timeline,
 * quiescence, and what the I/O nodes in storage did. Those that are not saved:
 *
 * - causes, states: a replay that explains its time or keeps time bins is not saved
 * - matrix, origins: a replay that counts by place or watches links is not saved
 * - all others: follow from what the replay is given
 */
#include "replay/engine/engine_checkpoint.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/ranks/graph.h"
#include "replay/engine/state/quiescence.h"

SAVED_SIZE_IS(struct engine_domain, 328);
static_assert(sizeof(void *) != 8 ||
                  sizeof(struct replay_engine) - sizeof(struct replay_config) == 408,
              "struct replay_engine has a new member: see the beginning of this file");

static void save_domain(struct replay_engine *engine, struct saved_state *state,
                        struct engine_domain *domain) {
    SAVED_MAP(state, &domain->inflight.map);
    SAVED_POOL(state, &domain->inflight.requests);
    SAVED_POOL(state, &domain->sends);
    SAVED_POOL(state, &domain->activations);
    SAVED_POOL(state, &domain->tasks);
    void *locks = domain->locks;
    size_t lock_count = domain->lock_count;
    save_or_restore_array(state, &locks, &lock_count, sizeof *domain->locks);
    domain->locks = locks;
    domain->lock_count = (uint32_t)lock_count;
    if (state->is_restoring) domain->lock_capacity = lock_count;
    SAVED_POOL(state, &domain->lock_requests);
    SAVED_POOL(state, &domain->file_accesses);
    if (engine->storage != NULL) {
        const uint32_t *range = &engine->storage->first[domain->index];
        SAVED_ITEMS(state, engine->storage->nodes + range[0], range[1] - range[0]);
    }
    SAVED_ITEMS(state, domain->mpi_functions, engine->mpi_function_count);
    SAVED(state, domain->eager_messages);
    SAVED(state, domain->rendezvous_messages);
    SAVED(state, domain->collective_messages);
    SAVED(state, domain->rma_operations);
    SAVED(state, domain->sent);
    SAVED(state, domain->received);
    SAVED(state, domain->last_ps);
    if (!state->is_restoring) return;
    for (uint32_t i = 0; i < engine->mpi_function_count; i++)
        domain->mpi_functions[i].name = NULL; /* names are those of the engine */
    activation_renew(domain);
}

static void save_rank(struct replay_engine *engine, struct saved_state *state, uint32_t number) {
    struct engine_rank *rank = &engine->ranks[number];
    const struct program_rank *rank_entry = &engine->program->ranks[number];
    SAVED(state, *rank);
    SAVED(state, engine->detached_until_ps[number]);
    if (engine->graphs != NULL)
        graph_save_or_restore(&engine->domains[rank->domain], state, number);
    save_or_restore_bytes(state, &engine->slots[rank->first_slot],
                          rank_entry->slot_count * sizeof *engine->slots);
    if (engine->timeline == NULL) return;
    save_or_restore_bytes(state, engine->timeline->times_ps + engine->timeline->first[number],
                          rank->mark_count * sizeof(int64_t));
}

void engine_save_or_restore(struct replay_engine *engine, struct saved_state *state,
                            uint32_t domain) {
    const struct placement *placement = engine->placement;
    const uint32_t nodes =
        (uint32_t)network_config_nodes(engine->network_config) / engine->domain_count;
    save_domain(engine, state, &engine->domains[domain]);
    for (uint32_t node = domain * nodes; node < (domain + 1) * nodes; node++)
        for (uint32_t i = placement->first_rank[node]; i < placement->first_rank[node + 1]; i++)
            save_rank(engine, state, placement->ranks[i]);
}

void engine_save_or_restore_process(struct replay_engine *engine, struct saved_state *state) {
    struct engine_quiescence *quiescence = &engine->quiescence;
    struct network_tally tally = {0};
    int64_t since_ps = atomic_load(&quiescence->since_ps);
    if (!state->is_restoring) quiescence_give_tally(engine, &tally);
    SAVED(state, tally);
    SAVED(state, since_ps);
    if (!state->is_restoring) return;
    /* As after a window of several processes: process 0 has all events that are left. */
    const bool is_first = processes_number(engine->transport->processes) == 0;
    if (is_first)
        atomic_fetch_add(&quiescence->pending, tally.count);
    else
        quiescence->elsewhere += tally.count;
    if (tally.latest_ps > quiescence->elsewhere_ps) quiescence->elsewhere_ps = tally.latest_ps;
    if (since_ps < atomic_load(&quiescence->since_ps))
        atomic_store(&quiescence->since_ps, since_ps);
}

bool engine_has_failed(const struct replay_engine *engine) {
    for (uint32_t i = 0; i < engine->domain_count; i++)
        if (engine->domains[i].failure.code != STATUS_OK) return true;
    return false;
}
