/*
 * The smallest eager threshold with which a program finishes.
 *
 * Which operations can complete does not depend on time, only on the order of each rank's
 * operations, the matching and the threshold. So ranks get stuck in the same state on every
 * network, and the search uses a transport that takes no time. A higher threshold changes that
 * state only if it reaches the smallest blocked send. The search therefore raises the threshold to
 * the size of this send, again and again.
 *
 * Must not know: placements, times.
 */
#include "replay/engine/eager_threshold.h"
#include "replay/engine/instant_engine.h"
#include "replay/engine/messages/transfer.h"

/* Returns the bytes of the smallest send that waits for its receiver and is not synchronous;
 * UINT64_MAX if there is none. */
static uint64_t smallest_blocked(const struct replay_engine *engine) {
    uint64_t smallest = UINT64_MAX;
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        const struct engine_domain *domain = &engine->domains[i];
        for (uint32_t k = 0; k < domain->sends.used; k++) {
            const struct engine_send *send = &domain->sends.items[k];
            bool blocked = send->rank != PROGRAM_NONE && !send->is_cleared_to_send &&
                           !send->is_synchronous && send->owner != ENGINE_OWNER_NOBODY;
            if (blocked && send->size_bytes < smallest) smallest = send->size_bytes;
        }
    }
    return smallest;
}

static bool all_finished(const struct replay_engine *engine) {
    for (uint32_t i = 0; i < engine->program->rank_count; i++)
        if (engine->ranks[i].phase != ENGINE_RANK_FINISHED) return false;
    return true;
}

static int64_t search_threshold(struct replay_engine *engine, bool start) {
    struct transport_instant instant;
    struct status status = STATUS_INIT;
    transport_instant_init(&instant, engine->network_config);
    engine_attach(engine, &instant.transport);
    engine->quiescence.is_watched = false;
    if (start) engine_start(engine);
    while (transport_run(&instant.transport, NULL, &status) == STATUS_OK && !all_finished(engine)) {
        uint64_t smallest = smallest_blocked(engine);
        if (smallest > INT64_MAX) break;
        engine->config.eager_threshold_bytes = (int64_t)smallest;
        for (uint32_t i = 0; i < engine->domain_count; i++)
            transfer_release(&engine->domains[i], smallest);
    }
    status_clear(&status);
    transport_instant_clear(&instant);
    return all_finished(engine) ? engine->config.eager_threshold_bytes : -1;
}

/* Graphs are not gathered from other processes, so their program begins anew. */
static int64_t threshold_of_graphs(const struct replay_engine *engine) {
    struct instant_engine instant;
    struct status status = STATUS_INIT;
    int64_t threshold = -1;
    if (instant_engine_new(&instant, engine->program, &engine->config, engine->network_config,
                           &status) == STATUS_OK)
        threshold = search_threshold(instant.engine, true);
    instant_engine_free(&instant);
    status_clear(&status);
    return threshold;
}

int64_t eager_threshold_from_here_bytes(struct replay_engine *engine) {
    return engine->graphs != NULL ? threshold_of_graphs(engine) : search_threshold(engine, false);
}

int64_t eager_threshold_from_start_bytes(struct replay_engine *engine) {
    return search_threshold(engine, true);
}

status_code replay_settle_threshold(struct replay_config *config, const struct program *program,
                                    const struct network_config *network_config,
                                    struct status *status) {
    if (config->eager_threshold_bytes != REPLAY_EAGER_AUTO) return STATUS_OK;
    struct replay_config nothing_eager = *config;
    nothing_eager.eager_threshold_bytes = 0;
    struct instant_engine instant;
    status_code code =
        instant_engine_new(&instant, program, &nothing_eager, network_config, status);
    if (code == STATUS_OK) {
        int64_t threshold = eager_threshold_from_start_bytes(instant.engine);
        config->eager_threshold_bytes = threshold >= 0 ? threshold : (int64_t)PROGRAM_BYTES_LIMIT;
    }
    instant_engine_free(&instant);
    return code;
}
