/*
 * Runs a replay: checks its arguments, and simulates. replay_result.c makes the result.
 */
#include "replay/replay.h"

#include "core/base/plural.h"
#include "core/checkpoint/checkpoint.h"
#include "core/memory/memory.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/causes/causes_elsewhere.h"
#include "replay/engine/engine.h"
#include "replay/engine/engine_checkpoint.h"
#include "replay/engine/engine_gather.h"
#include "replay/engine/measurement/communication_matrix.h"
#include "replay/engine/measurement/origins.h"
#include "replay/engine/measurement/rank_states.h"
#include "replay/engine/stall.h"
#include "replay/engine/state/quiescence.h"
#include "replay/hosts/protocol.h"
#include "replay/replay_result.h"
#include "replay/transport/transport_packet.h"
#include "traces/program/file/program_read_ahead.h"
#include "traces/program/program_graph.h"

#include <inttypes.h>
#include <stdlib.h>

static status_code check_config(const struct replay_config *config, struct status *status) {
    FORWARD_IF_ERROR(protocol_check(config, status));
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count;
        collective_algorithms(kind, &count);
        int32_t chosen = config->collectives.algorithm[kind];
        RETURN_ERROR_IF(chosen < 0 || (uint32_t)chosen > count, status, STATUS_USAGE,
                        "replay: %s has no algorithm number %" PRId32,
                        program_collective_name((program_collective_kind)kind), chosen);
    }
    int32_t libraries = 0;
    while (collective_library_names()[libraries] != NULL)
        libraries++;
    RETURN_ERROR_IF(config->collectives.library < 0 || config->collectives.library >= libraries,
                    status, STATUS_USAGE,
                    "replay: there is no library of collectives number %" PRId32,
                    config->collectives.library);
    RETURN_ERROR_IF(config->collectives.segment_bytes < 0 || config->collectives.element_bytes < 1,
                    status, STATUS_USAGE, "replay: segments below 0 or elements below 1 byte");
    RETURN_ERROR_IF(config->compute_scale_millionths < 0 || config->control_bytes < 0 ||
                        config->reduction_per_kib_ps < 0,
                    status, STATUS_USAGE, "replay: a negative cost, size or scale");
    const struct collective_choice *choice = &config->collectives;
    RETURN_ERROR_IF(choice->offload < 0 || choice->offload > 1 || choice->offload_radix < 2 ||
                        choice->offload_latency_ps < 0 || choice->offload_largest_bytes < 0 ||
                        choice->throttle < 0,
                    status, STATUS_USAGE,
                    "replay: an unknown offload, a tree with a radix below 2, or a negative "
                    "latency, size or throttle of collectives");
    for (size_t i = 0; i < replay_setting_count; i++) {
        const struct setting_row *row = &replay_setting_rows[i];
        if (row->kind != SETTING_TIME_BY_SIZE) continue;
        const struct by_size *costs_ps = (const void *)((const char *)config + row->offset);
        char range[128];
        const bool is_word = row->choices != NULL && costs_ps->count == 1 &&
                             costs_ps->steps[0].value == REPLAY_MEMORY_AS_NETWORK;
        if (is_word) continue;
        setting_range_text(row, range, sizeof range);
        RETURN_ERROR_IF(!by_size_is_valid(costs_ps, row->minimum, row->maximum), status,
                        STATUS_USAGE, "replay: %s does not take that; it takes %s", row->name,
                        range);
    }
    RETURN_ERROR_IF(
        (config->memory_send_overhead_ps.steps[0].value == REPLAY_MEMORY_AS_NETWORK) !=
            (config->memory_receive_overhead_ps.steps[0].value == REPLAY_MEMORY_AS_NETWORK),
        status, STATUS_USAGE,
        "replay: one of mpi.memory_send_overhead and mpi.memory_receive_overhead is "
        "`network` and the other one is a time; set both, or none");
    return STATUS_OK;
}

static status_code check_placement(const struct network_config *network_config,
                                   const struct placement *placement, struct status *status) {
    int64_t nodes = network_config_nodes(network_config);
    for (uint32_t rank = 0; rank < placement->rank_count; rank++) {
        RETURN_ERROR_IF(placement->node_of_rank[rank] >= nodes, status, STATUS_USAGE,
                        "replay: rank %u is placed on node %u of a machine of %" PRId64 " node%s",
                        rank, placement->node_of_rank[rank], nodes, plural((uint64_t)nodes));
    }
    return STATUS_OK;
}

/* Finds the critical path of all ranks and, of several jobs, of each job. */
static status_code find_paths(struct replay_result *result, const struct replay_engine *engine,
                              const struct replay_options *options, struct status *status) {
    uint32_t jobs = options->job_count > 1 ? options->job_count : 0, first_rank = 0;
    result->paths = memory_new((size_t)jobs + 1, sizeof *result->paths);
    RETURN_ERROR_IF(result->paths == NULL, status, STATUS_MEMORY,
                    "out of memory for critical paths");
    FORWARD_IF_ERROR(critical_path_build(&result->paths[result->path_count++], engine, 0,
                                         result->rank_count, status));
    for (uint32_t job = 0; job < jobs; job++) {
        uint32_t rank_count = options->job_ends[job] - first_rank;
        FORWARD_IF_ERROR(critical_path_build(&result->paths[result->path_count++], engine,
                                             first_rank, rank_count, status));
        first_rank += rank_count;
    }
    return STATUS_OK;
}

/* Several processes: gives process 0 the chains that critical paths are made of. */
static status_code gather_paths(struct replay_engine *engine, const struct replay_options *options,
                                struct status *status) {
    if (options->job_count > 1)
        return causes_gather(engine, options->job_ends, options->job_count, status);
    return causes_gather(engine, &engine->program->rank_count, 1, status);
}

/* What a checkpoint saves of a replay. */
struct saved_replay {
    struct replay_engine *engine;
    const struct replay_companion *companion;
};

static void save_group(void *context, struct saved_state *state, uint32_t group) {
    const struct saved_replay *saved = context;
    engine_save_or_restore(saved->engine, state, group);
    if (saved->companion != NULL)
        saved->companion->save_or_restore(saved->companion->context, state, group);
}

static void save_process(void *context, struct saved_state *state) {
    engine_save_or_restore_process(((const struct saved_replay *)context)->engine, state);
}

static bool has_failed(void *context) {
    return engine_has_failed(((const struct saved_replay *)context)->engine);
}

/* Counts how far the ranks are, a part of them at each report: a report costs little then, however
 * many ranks there are. */
enum { WATCHED_RANKS = 1024 };

struct rank_watch {
    const struct replay_engine *engine;
    const struct replay_options *options;
    uint64_t done;
    uint64_t *counted; /* [rank]: operations that are in `done` */
    uint32_t next;     /* rank that the next report begins with */
    bool is_whole;     /* this process has all ranks */
};

static bool report_ranks(void *context, int64_t now_ps, uint64_t events) {
    struct rank_watch *watch = context;
    const struct program *program = watch->engine->program;
    for (uint32_t i = 0; i < WATCHED_RANKS && i < program->rank_count; i++) {
        const struct engine_rank *rank = &watch->engine->ranks[watch->next];
        const uint64_t behind = __atomic_load_n(&rank->current, __ATOMIC_RELAXED) - rank->first;
        watch->done += behind - watch->counted[watch->next];
        watch->counted[watch->next] = behind;
        if (++watch->next == program->rank_count) watch->next = 0;
    }
    const bool is_whole = watch->is_whole;
    const struct replay_progress progress = {.now_ps = now_ps,
                                             .events = events,
                                             .done = is_whole ? watch->done : 0,
                                             .total = is_whole ? program->operation_count : 0};
    return watch->options->progress(watch->options->progress_context, &progress);
}

/* Runs the network with the ranks, and reports how far they are. */
static status_code run_transport(struct replay_engine *engine, const struct replay_options *options,
                                 struct status *status) {
    struct rank_watch watch = {
        .engine = engine, .options = options, .is_whole = options->processes == NULL};
    struct saved_replay saved = {engine, options->companion};
    struct network_run_options run = {.threads = options->threads,
                                      .checkpoint = options->checkpoint,
                                      .save_or_restore = save_group,
                                      .save_or_restore_process = save_process,
                                      .has_failed = has_failed,
                                      .saved_context = &saved};
    if (engine->quiescence.is_watched) {
        run.give_tally = quiescence_give_tally;
        run.take_tally = quiescence_take_tally;
        run.tally_context = engine;
    }
    if (engine->causes != NULL && options->processes != NULL) {
        run.pack_notes = causes_pack_notes;
        run.take_notes = causes_take_notes;
        run.notes_context = engine;
    }
    if (options->progress == NULL) return transport_run(engine->transport, &run, status);
    watch.counted = memory_new(engine->program->rank_count, sizeof *watch.counted);
    RETURN_ERROR_IF(watch.counted == NULL, status, STATUS_MEMORY, "out of memory for progress");
    run.progress = report_ranks;
    run.progress_context = &watch;
    const status_code code = transport_run(engine->transport, &run, status);
    free(watch.counted);
    return code;
}

/* Runs the replay, and reads ahead for the ranks of this process meanwhile. */
static status_code run_ranks(struct replay_engine *engine, const struct replay_options *options,
                             struct status *status) {
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++)
        count += transport_is_here(engine->transport, engine->ranks[rank].domain);
    FORWARD_IF_ERROR(program_read_ahead_new(&engine->ahead, engine->program, count, status));
    const status_code code = run_transport(engine, options, status);
    program_read_ahead_free(engine->ahead);
    engine->ahead = NULL;
    return code;
}

static status_code simulate(struct replay_result **result, struct replay_engine *engine,
                            const struct replay_options *options, struct status *status) {
    if (options->explain) {
        FORWARD_IF_ERROR(causes_new(engine, options->path_steps, options->threads == 1, status));
        FORWARD_IF_ERROR(causes_start(engine, status));
    }
    if (options->matrix != REPLAY_MATRIX_OFF)
        FORWARD_IF_ERROR(communication_matrix_new(engine, options->matrix, status));
    if (options->link_count > 0 || options->has_victim)
        FORWARD_IF_ERROR(origins_new(engine, status));
    if (options->time_bins > 0)
        FORWARD_IF_ERROR(rank_states_new(engine, options->time_bins, options->rank_rows, status));
    if (!checkpoint_resumes(options->checkpoint)) engine_start(engine);
    FORWARD_IF_ERROR(run_ranks(engine, options, status));
    FORWARD_IF_ERROR(stall_check(engine, status));
    FORWARD_IF_ERROR(engine_gather_results(engine, status));
    FORWARD_IF_ERROR(rank_states_gather(engine, status));
    FORWARD_IF_ERROR(communication_matrix_gather(engine, status));
    if (options->explain) FORWARD_IF_ERROR(gather_paths(engine, options, status));
    FORWARD_IF_ERROR(replay_result_new(result, engine, !options->skips_survey, status));
    const bool finds_paths = options->explain && processes_number(options->processes) == 0;
    status_code code = finds_paths ? find_paths(*result, engine, options, status) : STATUS_OK;
    if (code != STATUS_OK) {
        replay_result_free(*result);
        *result = NULL;
    } else if (engine->origins != NULL) {
        (*result)->origin_functions = engine->mpi_function_names;
        engine->mpi_function_names = NULL;
    }
    return code;
}

/* Refuses what graphs do not have: calls with times, and one chain of causes for each rank. */
static status_code check_graphs(const struct program *program, const struct replay_options *options,
                                struct status *status) {
    RETURN_ERROR_IF((options->timeline || options->explain) && program_has_graphs(program), status,
                    STATUS_USAGE, "replay: a schedule in GOAL has %s",
                    options->timeline ? "no MPI calls, so there is no timeline to write"
                                      : "ranks that do several things at once, so no single chain "
                                        "of causes explains their times");
    return STATUS_OK;
}

static status_code effective_settings(struct replay_config *effective,
                                      const struct program *program,
                                      const struct replay_config *config,
                                      const struct network_config *network_config,
                                      const struct replay_options *options, struct status *status) {
    FORWARD_IF_ERROR(check_graphs(program, options, status));
    FORWARD_IF_ERROR(check_config(config, status));
    *effective = *config;
    return replay_settle_threshold(effective, program, network_config, status);
}

static status_code run_on(struct replay_result **result, struct transport *transport,
                          const struct program *program, const struct placement *placement,
                          const struct replay_config *config,
                          const struct network_config *network_config, uint64_t seed,
                          const struct replay_options *options, struct status *status) {
    struct replay_engine *engine = NULL;
    FORWARD_IF_ERROR(check_placement(network_config, placement, status));
    const unsigned features = ENGINE_NODES | (options->timeline ? ENGINE_TIMELINE : 0) |
                              (options->skips_survey ? ENGINE_SKIPS_SURVEY : 0);
    FORWARD_IF_ERROR(engine_new(&engine, program, placement, config, network_config, transport,
                                features, status));
    engine->skips_marks =
        options->skips_survey && !options->timeline && config->progress != REPLAY_PROGRESS_SOFTWARE;
    engine->start_ps = options->start_ps;
    engine->traffic_classes = options->traffic_classes;
    engine->hosts = hosts_change_times(options->hosts) ? options->hosts : NULL;
    engine->first_rank = options->first_rank;
    engine->first_file = options->first_file;
    engine->seed = seed;
    engine->quiescence.is_watched = options->companion != NULL;
    engine->quiescence.lag_ps = network_config->channels[NETWORK_GLOBAL].latency_ps +
                                network_config->router_latency_ps +
                                network_config->allocation_latency_ps;
    atomic_init(&engine->quiescence.since_ps, INT64_MAX);
    status_code code = simulate(result, engine, options, status);
    engine_free(engine);
    return code;
}

status_code replay_run_on(struct replay_result **result, struct transport *transport,
                          const struct program *program, const struct placement *placement,
                          const struct replay_config *config,
                          const struct network_config *network_config, uint64_t seed,
                          const struct replay_options *options, struct status *status) {
    struct replay_config effective;
    *result = NULL;
    FORWARD_IF_ERROR(
        effective_settings(&effective, program, config, network_config, options, status));
    return run_on(result, transport, program, placement, &effective, network_config, seed, options,
                  status);
}

/* Several processes: sets *weights to the number of ranks of each group, by which groups are dealt.
 */
static status_code weigh_groups(uint32_t **weights, const struct placement *placement,
                                const struct network_config *network_config,
                                const struct processes *processes, struct status *status) {
    if (processes == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(check_placement(network_config, placement, status));
    FORWARD_IF_ERROR(network_config_check(network_config, status));
    *weights = memory_new(network_config_domains(network_config), sizeof **weights);
    RETURN_ERROR_IF(*weights == NULL, status, STATUS_MEMORY, "out of memory for parts");
    for (uint32_t rank = 0; rank < placement->rank_count; rank++)
        (*weights)[network_config_domain_of_node(network_config, placement->node_of_rank[rank])]++;
    return STATUS_OK;
}

status_code replay_own_ranks(bool *own, const struct placement *placement,
                             const struct network_config *network_config,
                             const struct processes *processes, struct status *status) {
    uint32_t *weights = NULL;
    FORWARD_IF_ERROR(weigh_groups(&weights, placement, network_config, processes, status));
    const uint32_t groups = network_config_domains(network_config);
    unsigned *process_of_group = memory_new(groups, sizeof *process_of_group);
    const bool dealt =
        process_of_group != NULL &&
        network_deal_groups(process_of_group, groups, weights, processes_count(processes));
    for (uint32_t rank = 0; dealt && rank < placement->rank_count; rank++)
        own[rank] =
            process_of_group[network_config_domain_of_node(
                network_config, placement->node_of_rank[rank])] == processes_number(processes);
    free(weights);
    free(process_of_group);
    RETURN_ERROR_IF(!dealt, status, STATUS_MEMORY, "out of memory for parts");
    return STATUS_OK;
}

/* Gives the time bins of ranks and of channels the same width. */
static void align_bins(struct replay_rank_bins *bins, struct network *network) {
    int64_t width_ps = network_history_widen(network, bins->rows[0].width_ps);
    for (uint32_t row = 0; row < bins->row_count; row++)
        time_bins_widen(&bins->rows[row], width_ps);
}

/* Makes the network watch the links, or the waits of the rank, that are asked for. */
static status_code watch_links(struct network *network, const struct replay_options *options,
                               struct status *status) {
    struct network_label_pattern patterns[2];
    if (options->link_count == 0 && !options->has_victim) return STATUS_OK;
    if (options->link_count > 0)
        FORWARD_IF_ERROR(network_watch(network, options->links, options->link_count, status));
    FORWARD_IF_ERROR(network_keep_labels(network, status));
    if (!options->has_victim) return STATUS_OK;
    origins_patterns(patterns, options->victim);
    return network_watch_waits(network, patterns, 2, status);
}

status_code replay_run(struct replay_result **result, struct network **network,
                       const struct program *program, const struct placement *placement,
                       const struct replay_config *config,
                       const struct network_config *network_config, uint64_t seed,
                       const struct replay_options *options, struct status *status) {
    struct replay_config effective;
    struct transport_packet packet;
    *result = NULL;
    *network = NULL;
    FORWARD_IF_ERROR(
        effective_settings(&effective, program, config, network_config, options, status));
    struct network_distribution part = {.processes = options->processes};
    uint32_t *weights = NULL;
    FORWARD_IF_ERROR(weigh_groups(&weights, placement, network_config, options->processes, status));
    part.weights = weights;
    status_code code =
        transport_packet_new(&packet, network_config, seed, options->companion, &part, status);
    free(weights);
    *network = packet.network;
    if (code == STATUS_OK && options->explain) code = network_explain(packet.network, status);
    if (code == STATUS_OK && options->time_bins > 0)
        code = network_keep_history(packet.network, options->time_bins, status);
    if (code == STATUS_OK) code = watch_links(packet.network, options, status);
    if (code != STATUS_OK) return code;
    FORWARD_IF_ERROR(run_on(result, &packet.transport, program, placement, &effective,
                            network_config, seed, options, status));
    if ((*result)->bins != NULL) align_bins((*result)->bins, packet.network);
    return STATUS_OK;
}
