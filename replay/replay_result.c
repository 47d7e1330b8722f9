/* Makes the result of a replay from the state of the engine: sums, notes, and the digest. */
#include "replay/replay_result.h"

#include "core/base/digest.h"
#include "core/memory/memory.h"
#include "replay/critical_path.h"
#include "replay/engine/measurement/communication_matrix.h"
#include "replay/engine/measurement/rank_states.h"

#include <stdlib.h>

static void add_note(struct replay_result *result, const char *what, const char *why,
                     uint64_t count, bool is_assumed) {
    if (count == 0) return;
    result->notes[result->note_count++] = (struct replay_note){what, why, count, is_assumed};
}

static void add_assumption(struct replay_result *result, const char *what, const char *why,
                           uint64_t count) {
    add_note(result, what, why, count, true);
}

#define NOTE_LIMIT 4

static void add_notes(const struct replay_engine *engine, struct replay_result *result) {
    add_assumption(
        result, "sizes of MPI_Alltoallv and MPI_Alltoallw",
        "traces hold only what each rank sends and receives in all; single messages get their "
        "proportional share",
        engine->unknown_sizes);
    add_assumption(result, "creation of communicators by some of their members",
                   "it costs nothing, since the trace does not tell who takes part",
                   engine->local_handles);
    add_assumption(result, "collective reads and writes of files",
                   "each rank's bytes go from it to the I/O nodes; an MPI library may gather them "
                   "on some ranks first",
                   engine->collective_accesses);
    add_note(result, REPLAY_FREE_ACCESSES, REPLAY_FREE_ACCESSES_WHY, engine->free_accesses, false);
}

static void add_functions(const struct replay_engine *engine, struct replay_result *result) {
    result->mpi_function_count = engine->mpi_function_count;
    for (uint32_t function = 0; function < engine->mpi_function_count; function++) {
        struct replay_mpi_function_result *sum = &result->mpi_functions[function];
        sum->name = engine->mpi_function_names[function];
        for (uint32_t i = 0; i < engine->domain_count; i++) {
            const struct replay_mpi_function_result *part =
                &engine->domains[i].mpi_functions[function];
            sum->count += part->count;
            sum->time_ps += part->time_ps;
            sum->wait_ps += part->wait_ps;
        }
    }
}

/* Removes MPI_Finalize from the functions if no rank called it or waited for anything at its end.
 */
static void drop_finalize(const struct replay_engine *engine, struct replay_result *result) {
    if (engine->finalize_function + 1 == result->mpi_function_count &&
        result->mpi_functions[engine->finalize_function].count == 0)
        result->mpi_function_count--;
}

static uint64_t mix_time(uint64_t running, int64_t time_ps) {
    return digest_mix(running, (uint64_t)time_ps);
}

/* Mixes a sum into a digest. The upper half of most sums is 0, and is then left out. */
static uint64_t mix_sum(uint64_t running, wide sum) {
    uint64_t high = (uint64_t)(sum >> 64);
    running = digest_mix(running, (uint64_t)sum);
    return high > 0 ? digest_mix(running, high) : running;
}

static uint64_t digest_of(const struct replay_result *result, uint64_t network_digest) {
    uint64_t digest = mix_time(network_digest, result->time_ps);
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const struct replay_rank_result *rank = &result->ranks[i];
        digest = digest_mix(digest, rank->node);
        digest = mix_time(digest, rank->time_ps);
        digest = mix_time(digest, rank->compute_ps);
        digest = mix_time(digest, rank->send_overhead_ps);
        digest = mix_time(digest, rank->receive_overhead_ps);
        digest = mix_time(digest, rank->reduction_ps);
        digest = mix_time(digest, rank->wait_late_sender_ps);
        digest = mix_time(digest, rank->wait_late_receiver_ps);
        digest = mix_time(digest, rank->wait_transit_ps);
        digest = mix_time(digest, rank->wait_queueing_ps);
        digest = mix_time(digest, rank->collective_ps);
        if (rank->wait_storage_ps > 0) digest = mix_time(digest, rank->wait_storage_ps);
        digest = digest_mix(digest, rank->sent_messages);
        digest = digest_mix(digest, rank->sent_bytes);
    }
    for (uint32_t i = 0; i < result->mpi_function_count; i++) {
        digest = digest_mix(digest, result->mpi_functions[i].count);
        digest = mix_sum(digest, result->mpi_functions[i].time_ps);
        digest = mix_sum(digest, result->mpi_functions[i].wait_ps);
    }
    for (uint32_t i = 0; i < result->storage_count; i++) {
        const struct replay_storage_node *node = &result->storage[i];
        digest = digest_mix(digest, node->node);
        digest = digest_mix(digest, node->requests);
        digest = digest_mix(digest, node->read_bytes);
        digest = digest_mix(digest, node->written_bytes);
        digest = mix_time(digest, node->busy_ps);
        digest = mix_sum(digest, node->waited_ps);
        digest = mix_time(digest, node->free_ps);
    }
    digest = digest_mix(digest, result->eager_messages);
    digest = digest_mix(digest, result->rendezvous_messages);
    return digest_mix(digest, result->collective_messages);
}

static void take_storage(struct replay_engine *engine, struct replay_result *result) {
    if (engine->storage == NULL) return;
    result->storage = engine->storage->nodes;
    result->storage_count = engine->storage->count;
    engine->storage->nodes = NULL;
}

status_code replay_result_new(struct replay_result **made, struct replay_engine *engine,
                              bool with_notes, struct status *status) {
    uint32_t rank_count = engine->program->rank_count;
    struct replay_result *result = memory_new(1, sizeof *result);
    if (result != NULL) {
        result->ranks = memory_new(rank_count, sizeof *result->ranks);
        result->mpi_functions =
            memory_new(engine->mpi_function_count, sizeof *result->mpi_functions);
        result->notes = memory_new(NOTE_LIMIT, sizeof *result->notes);
    }
    if (result == NULL || result->ranks == NULL || result->mpi_functions == NULL ||
        result->notes == NULL) {
        replay_result_free(result);
        return status_set(status, STATUS_MEMORY, "out of memory for the result");
    }
    result->rank_count = rank_count;
    result->eager_threshold_bytes = engine->config.eager_threshold_bytes;
    for (uint32_t i = 0; i < rank_count; i++) {
        result->ranks[i] = engine->ranks[i].result;
        if (result->ranks[i].time_ps > result->time_ps) result->time_ps = result->ranks[i].time_ps;
        if (engine->start_ps != NULL) result->ranks[i].time_ps -= engine->start_ps[i];
    }
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        result->eager_messages += engine->domains[i].eager_messages;
        result->rendezvous_messages += engine->domains[i].rendezvous_messages;
        result->collective_messages += engine->domains[i].collective_messages;
        result->rma_operations += engine->domains[i].rma_operations;
    }
    add_functions(engine, result);
    drop_finalize(engine, result);
    if (with_notes) add_notes(engine, result);
    take_storage(engine, result);
    result->digest = digest_of(result, transport_digest(engine->transport));
    result->timeline = engine->timeline;
    engine->timeline = NULL;
    rank_states_take(engine, &result->bins);
    result->matrix = engine->matrix;
    engine->matrix = NULL;
    *made = result;
    return STATUS_OK;
}

void replay_result_free(struct replay_result *result) {
    if (result == NULL) return;
    replay_timeline_free(result->timeline);
    replay_rank_bins_free(result->bins);
    replay_matrix_free(result->matrix);
    free(result->ranks);
    free(result->mpi_functions);
    free(result->origin_functions);
    free(result->notes);
    free(result->storage);
    for (uint32_t i = 0; i < result->path_count; i++)
        critical_path_clear(&result->paths[i]);
    free(result->paths);
    free(result);
}
