/*
 * The engine: builds the replay's state from a program and a placement, checks both, and passes the
 * transport's reports to the parts of the engine.
 */
#include "replay/engine/engine.h"
#include "replay/engine/activations/activation.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/communication_matrix.h"
#include "replay/engine/measurement/origins.h"
#include "replay/engine/measurement/rank_states.h"
#include "replay/engine/messages/rma.h"
#include "replay/engine/messages/storage.h"
#include "replay/engine/messages/transfer.h"
#include "replay/engine/ranks/graph.h"
#include "replay/engine/ranks/rank.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/engine/state/engine_nodes.h"
#include "replay/engine/state/engine_pairs.h"
#include "replay/engine/state/message.h"
#include "replay/engine/state/quiescence.h"
#include "replay/engine/survey.h"
#include "replay/hosts/protocol.h"

#include "core/base/plural.h"
#include "core/base/prefetch.h"
#include "core/memory/memory.h"
#include "traces/program/program_graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- what the transport reports */

/* Prefetches the state of the rank that a delivery is for while its message is looked up. A message
 * back to a sender has the sender's rank as its source, and this rank is in the current domain. */
PREFETCH_FUNCTION void prefetch_rank(const struct engine_domain *domain,
                                     const struct network_cookie *cookie) {
    struct inflight_key key = message_cookie_key(cookie);
    bool back = message_goes_back(message_cookie_kind(cookie));
    const char *state = (const char *)&domain->engine->ranks[back ? key.source : key.rank];
    __builtin_prefetch(state);
    __builtin_prefetch(state + 64);
}

static void take_delivery(struct engine_domain *domain, int64_t now_ps,
                          const struct network_delivery *delivery) {
    if (domain->failure.code != STATUS_OK) return;
    prefetch_rank(domain, &delivery->cookie);
    switch (message_cookie_kind(&delivery->cookie)) {
    case MESSAGE_RMA_REQUEST:
        rma_request_arrived(domain, now_ps, delivery);
        break;
    case MESSAGE_RMA_REPLY:
        rma_reply_arrived(domain, now_ps, delivery);
        break;
    case MESSAGE_IO_REQUEST:
        storage_delivered(domain, now_ps, delivery);
        break;
    case MESSAGE_IO_REPLY:
        storage_served(domain, now_ps, delivery);
        break;
    default:
        transfer_delivered(domain, now_ps, delivery);
    }
}

HINT_RARE static void deliver_explained(struct engine_domain *domain, int64_t now_ps,
                                        const struct network_delivery *delivery) {
    struct network_delivery explained = *delivery;
    causes_delivered(domain, now_ps, &explained);
    take_delivery(domain, now_ps, &explained);
    causes_end_report(domain);
}

static void on_delivered(void *context, uint32_t index, int64_t now_ps,
                         const struct network_delivery *delivery) {
    struct engine_domain *domain = &((struct replay_engine *)context)->domains[index];
    if (causes_are_kept(domain))
        deliver_explained(domain, now_ps, delivery);
    else
        take_delivery(domain, now_ps, delivery);
    quiescence_count_done(domain, now_ps);
}

static void on_sent(void *context, uint32_t index, int64_t now_ps,
                    const struct network_cookie *cookie) {
    struct engine_domain *domain = &((struct replay_engine *)context)->domains[index];
    if (causes_are_kept(domain)) {
        struct network_cookie explained = *cookie;
        causes_sent(domain, now_ps, &explained);
        transfer_sent(domain, now_ps, &explained);
        causes_end_report(domain);
    } else {
        transfer_sent(domain, now_ps, cookie);
    }
    quiescence_count_done(domain, now_ps);
}

static void on_timer(void *context, uint32_t index, int64_t now_ps, uint32_t rank) {
    struct engine_domain *domain = &((struct replay_engine *)context)->domains[index];
    if (causes_are_kept(domain)) causes_timer_expired(domain, now_ps, rank);
    if (domain->engine->graphs != NULL && program_rank_is_graph(domain->engine->program, rank))
        graph_timer_expired(domain, rank, now_ps);
    else
        rank_timer_expired(domain, rank, now_ps);
    quiescence_count_done(domain, now_ps);
}

static bool is_over(void *context, int64_t now_ps) {
    return quiescence_reached(context, now_ps);
}

static const struct engine_completions completions = {
    .slot = rank_slot_done,
    .detached = rank_detached_done,
    .step = activation_transfer_done,
    .collective = rank_collective_done,
    .collective_slot = rank_collective_slot_done,
    .detached_collective = rank_detached_collective_done,
};

static void slot_done(struct engine_domain *domain, uint32_t rank, uint32_t slot,
                      const struct engine_transfer_end *end) {
    if (domain->engine->graphs[rank] != NULL)
        graph_slot_done(domain, rank, slot, end);
    else
        rank_slot_done(domain, rank, slot, end);
}

/* The same for programs with ranks that are graphs. Such ranks have no collectives. */
static const struct engine_completions completions_with_graphs = {
    .slot = slot_done,
    .detached = rank_detached_done,
    .step = activation_transfer_done,
    .collective = rank_collective_done,
    .collective_slot = rank_collective_slot_done,
    .detached_collective = rank_detached_collective_done,
};

void engine_attach(struct replay_engine *engine, struct transport *transport) {
    engine->transport = transport;
    transport->sink = (struct transport_sink){.context = engine,
                                              .delivered = on_delivered,
                                              .sent = on_sent,
                                              .timer = on_timer,
                                              .is_over = is_over};
}

/* ---------------------------------------------------------------- the state */

static bool is_rooted(uint32_t kind) {
    switch (kind) {
    case PROGRAM_COLLECTIVE_BCAST:
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
    case PROGRAM_COLLECTIVE_REDUCE:
        return true;
    default:
        return false;
    }
}

/* Returns the bytes that one member's call adds to the data of the whole collective, which bounds
 * the size of a message. 0 if the data of all members are one vector. */
static uint64_t block_bytes(const struct program_collective_arguments *arguments) {
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BCAST:
    case PROGRAM_COLLECTIVE_REDUCE:
    case PROGRAM_COLLECTIVE_ALLREDUCE:
    case PROGRAM_COLLECTIVE_SCAN:
    case PROGRAM_COLLECTIVE_EXSCAN:
        return 0;
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        return arguments->send_bytes;
    case PROGRAM_COLLECTIVE_SCATTERV:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        return arguments->receive_bytes;
    default:
        return arguments->send_bytes > arguments->receive_bytes ? arguments->send_bytes
                                                                : arguments->receive_bytes;
    }
}

/* Checks what the algorithms need and program_check does not guarantee. */
static status_code check_arguments(const struct program *program, struct status *status) {
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        const struct program_communicator *communicator =
            &program->communicators[arguments->communicator];
        const char *name = program_collective_name((program_collective_kind)arguments->kind);
        bool is_intercommunicator = communicator->remote_size > 0;
        uint32_t larger = communicator->size > communicator->remote_size
                              ? communicator->size
                              : communicator->remote_size;
        bool is_of_handle = arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
                            arguments->kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE;
        if (is_of_handle && arguments->own_member == PROGRAM_NONE)
            continue; /* local operation of a non-member */
        RETURN_ERROR_IF(arguments->own_member >= larger, status, STATUS_INPUT,
                        "replay: %s by member %u of a communicator of %u", name,
                        arguments->own_member, larger);
        RETURN_ERROR_IF(is_intercommunicator &&
                            collective_intercommunicator_algorithm(arguments->kind) == NULL,
                        status, STATUS_INPUT, "replay: MPI has no %s on intercommunicators (%s)",
                        name, program_text(program, communicator->name));
        uint32_t members = communicator->size + communicator->remote_size;
        uint64_t bytes = block_bytes(arguments);
        RETURN_ERROR_IF((wide)members * bytes >= ENGINE_COLLECTIVE_BYTES_LIMIT, status,
                        STATUS_INPUT,
                        "replay: %s of %u members with %" PRIu64
                        " bytes each: more than 1 EiB in all (damaged trace?)",
                        name, members, bytes);
        bool unknown_root = arguments->root == PROGRAM_NONE && is_intercommunicator;
        RETURN_ERROR_IF(
            is_rooted(arguments->kind) && !unknown_root && arguments->root >= larger, status,
            STATUS_INPUT, "replay: %s with root %u on a communicator of %u member%s (%s)", name,
            arguments->root, larger, plural(larger), program_text(program, communicator->name));
    }
    return STATUS_OK;
}

static status_code check_limits(const struct program *program, const struct placement *placement,
                                struct status *status) {
    RETURN_ERROR_IF(placement->rank_count != program->rank_count, status, STATUS_USAGE,
                    "replay: a placement of %u ranks for a program of %u", placement->rank_count,
                    program->rank_count);
    RETURN_ERROR_IF(program->rank_count >= ENGINE_RANK_LIMIT, status, STATUS_INPUT,
                    "replay: %u ranks; at most %u can be replayed", program->rank_count,
                    ENGINE_RANK_LIMIT - 1);
    RETURN_ERROR_IF(program->communicator_count >= ENGINE_COMMUNICATOR_LIMIT - 1, status,
                    STATUS_INPUT, "replay: %u communicators are too many",
                    program->communicator_count);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        RETURN_ERROR_IF(program->ranks[rank].slot_count >= ENGINE_SLOT_LIMIT, status, STATUS_INPUT,
                        "replay: rank %u has %u requests in flight at once, which is too many",
                        rank, program->ranks[rank].slot_count);
        RETURN_ERROR_IF(program->ranks[rank].count >= ENGINE_OPERATION_LIMIT, status, STATUS_INPUT,
                        "replay: rank %u has too many operations", rank);
    }
    return check_arguments(program, status);
}

/* Returns the NIC of a rank, from its place among the ranks of its node. */
static uint8_t nic_of_rank(const struct replay_engine *engine, uint32_t rank) {
    if (network_config_nics(engine->network_config) == 1) return NETWORK_NIC_ANY;
    uint32_t count, index = placement_local_rank(engine->placement, rank, &count);
    return (uint8_t)network_nic_of_process(engine->network_config, index, count);
}

/* Fills in an I/O node's entry among the ranks, with the members that messages need. */
static void place_storage(struct replay_engine *engine, uint32_t number) {
    const bool has_one = network_config_nics(engine->network_config) == 1;
    engine->ranks[number] = (struct engine_rank){
        .phase = ENGINE_RANK_FINISHED,
        .domain =
            network_config_domain_of_node(engine->network_config, engine->node_of_rank[number]),
        .nic = has_one ? NETWORK_NIC_ANY
                       : (uint8_t)network_nic_of_process(engine->network_config, 0, 1),
        .last_task = PROGRAM_NONE,
        .result = {.rank = number, .node = engine->node_of_rank[number]}};
}

static status_code new_ranks(struct replay_engine *engine, struct status *status) {
    const struct program *program = engine->program;
    uint64_t slots = 0, marks = 0;
    engine->ranks = memory_new_aligned(engine->participant_count, sizeof *engine->ranks);
    RETURN_ERROR_IF(engine->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    for (uint32_t i = program->rank_count; i < engine->participant_count; i++)
        place_storage(engine, i);
    for (uint32_t i = 0; i < program->rank_count; i++) {
        struct engine_rank *rank = &engine->ranks[i];
        uint32_t node = engine->placement->node_of_rank[i];
        rank->first = rank->current = program->ranks[i].first;
        rank->first_slot = slots;
        rank->domain = network_config_domain_of_node(engine->network_config, node);
        rank->is_outside_mpi = true;
        rank->last_task = PROGRAM_NONE;
        rank->result.rank = i;
        rank->result.node = node;
        rank->nic = nic_of_rank(engine, i);
        if (engine->timeline != NULL) engine->timeline->first[i] = marks;
        slots += program->ranks[i].slot_count;
        marks += program->ranks[i].mark_count;
    }
    engine->slots = memory_new(slots, sizeof *engine->slots);
    engine->detached_until_ps = memory_new(program->rank_count, sizeof *engine->detached_until_ps);
    RETURN_ERROR_IF(engine->slots == NULL || engine->detached_until_ps == NULL, status,
                    STATUS_MEMORY, "out of memory for requests");
    if (engine->timeline == NULL) return STATUS_OK;
    engine->timeline->first[program->rank_count] = marks;
    engine->timeline->times_ps = memory_new(marks, sizeof(int64_t));
    RETURN_ERROR_IF(engine->timeline->times_ps == NULL, status, STATUS_MEMORY,
                    "out of memory for the timeline");
    return STATUS_OK;
}

static status_code new_timeline(struct replay_engine *engine, struct status *status) {
    uint32_t rank_count = engine->program->rank_count;
    engine->timeline = memory_new(1, sizeof *engine->timeline);
    if (engine->timeline != NULL) {
        engine->timeline->rank_count = rank_count;
        engine->timeline->first = memory_new((size_t)rank_count + 1, sizeof(uint64_t));
    }
    RETURN_ERROR_IF(engine->timeline == NULL || engine->timeline->first == NULL, status,
                    STATUS_MEMORY, "out of memory for the timeline");
    return STATUS_OK;
}

static status_code sum_sizes(struct replay_engine *engine, struct status *status) {
    const struct program *program = engine->program;
    engine->size_sums = memory_new(program->size_count + 1, sizeof *engine->size_sums);
    RETURN_ERROR_IF(engine->size_sums == NULL, status, STATUS_MEMORY,
                    "out of memory for %" PRIu64 " sizes of collectives", program->size_count);
    for (uint64_t i = 0; i < program->size_count; i++)
        engine->size_sums[i + 1] = engine->size_sums[i] + program->sizes[i];
    return STATUS_OK;
}

static status_code new_domains(struct replay_engine *engine, struct status *status) {
    engine->domain_count = network_config_domains(engine->network_config);
    engine->domains = memory_new(engine->domain_count, sizeof *engine->domains);
    RETURN_ERROR_IF(engine->domains == NULL, status, STATUS_MEMORY, "out of memory for %u domains",
                    engine->domain_count);
    for (uint32_t i = 0; i < engine->domain_count; i++) {
        struct engine_domain *domain = &engine->domains[i];
        domain->engine = engine;
        domain->index = i;
        domain->mpi_functions =
            memory_new(engine->mpi_function_count, sizeof *domain->mpi_functions);
        RETURN_ERROR_IF(domain->mpi_functions == NULL, status, STATUS_MEMORY,
                        "out of memory for %u calls", engine->mpi_function_count);
    }
    return STATUS_OK;
}

static status_code build_engine(struct replay_engine *engine, unsigned features,
                                struct status *status) {
    if (features & ENGINE_TIMELINE) FORWARD_IF_ERROR(new_timeline(engine, status));
    FORWARD_IF_ERROR(storage_new(engine, status));
    FORWARD_IF_ERROR(new_ranks(engine, status));
    FORWARD_IF_ERROR(survey_ranks(engine, features, status));
    FORWARD_IF_ERROR(new_domains(engine, status));
    FORWARD_IF_ERROR(sum_sizes(engine, status));
    FORWARD_IF_ERROR(graph_new_all(engine, status));
    if (engine->graphs != NULL) engine->completions = &completions_with_graphs;
    if (features & ENGINE_NODES) FORWARD_IF_ERROR(engine_nodes_new(engine, status));
    return engine_pairs_new(engine, status);
}

status_code engine_new(struct replay_engine **made, const struct program *program,
                       const struct placement *placement, const struct replay_config *config,
                       const struct network_config *network_config, struct transport *transport,
                       unsigned features, struct status *status) {
    FORWARD_IF_ERROR(check_limits(program, placement, status));
    struct replay_engine *engine = memory_new(1, sizeof *engine);
    RETURN_ERROR_IF(engine == NULL, status, STATUS_MEMORY, "out of memory for a replay");
    engine->program = program;
    engine->placement = placement;
    engine->config = *config;
    protocol_resolve(&engine->config);
    engine->network_config = network_config;
    engine->completions = &completions;
    engine_attach(engine, transport);
    status_code code = build_engine(engine, features, status);
    if (code != STATUS_OK) {
        engine_free(engine);
        return code;
    }
    *made = engine;
    return STATUS_OK;
}

void engine_free(struct replay_engine *engine) {
    if (engine == NULL) return;
    causes_free(engine);
    rank_states_free(engine);
    communication_matrix_free(engine);
    origins_free(engine);
    for (uint32_t i = 0; engine->domains != NULL && i < engine->domain_count; i++) {
        struct engine_domain *domain = &engine->domains[i];
        inflight_clear(&domain->inflight);
        engine_send_pool_clear(&domain->sends);
        engine_activation_pool_clear(&domain->activations);
        engine_task_pool_clear(&domain->tasks);
        free(domain->locks);
        engine_rma_request_pool_clear(&domain->lock_requests);
        engine_file_access_pool_clear(&domain->file_accesses);
        free(domain->mpi_functions);
        status_clear(&domain->failure);
    }
    storage_free(engine);
    engine_pairs_free(engine);
    engine_nodes_free(engine);
    graph_free_all(engine);
    free(engine->domains);
    free(engine->ranks);
    free(engine->slots);
    free(engine->detached_until_ps);
    free(engine->mpi_function_of_region);
    free(engine->mpi_function_names);
    free(engine->mpi_function_uses);
    free(engine->size_sums);
    replay_timeline_free(engine->timeline);
    free(engine);
}

void engine_start(struct replay_engine *engine) {
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++) {
        if (!transport_is_here(engine->transport, engine->ranks[rank].domain)) continue;
        int64_t start_ps = engine->start_ps != NULL ? engine->start_ps[rank] : 0;
        engine->ranks[rank].clock_ps = start_ps;
        engine_set_timer(engine_domain_of_rank(engine, rank), start_ps, rank);
    }
}
