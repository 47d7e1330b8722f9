/*
 * Replays the programs of benchmarks. Must not know what is fitted.
 *
 * Invariant: one program contains all sizes, and each size begins on an idle machine.
 */
#include "api/calibrate/benchmark_run.h"

#include "api/api_progress.h"
#include "api/calibrate/calibrate_config.h"
#include "api/run/place.h"
#include "api/run/region_times.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rounds between groups, where messages take different links, so that several are averaged. */
enum { ROUNDS_OF_GROUPS = 16 };

uint32_t benchmark_window(const anax_config *config, const struct measurement *table) {
    if (table->kind == MEASUREMENT_SENDRECV) return 1;
    if (table->kind == MEASUREMENT_EXCHANGE) return 2;
    return table->window > 0 ? table->window : (uint32_t)config->calibrate.window;
}

uint32_t benchmark_processes(const anax_config *config, const struct measurement *table) {
    return table->processes > 0 ? table->processes : (uint32_t)config->calibrate.ranks;
}

/* ---------------------------------------------------------------------------- nodes */

/* Returns the time of an 8-byte message from the first rank of node 0 to that of another node. */
static int64_t first_rank_ps(const struct network *network,
                             const struct network_config *network_config, uint32_t node) {
    const uint8_t nic = (uint8_t)network_nic_of_process(network_config, 0, 1);
    const struct network_message message = {
        .destination_node = node, .size_bytes = 8, .source_nic = nic, .destination_nic = nic};
    return network_zero_load_ps(network, &message);
}

/* Chooses a node of another group at the median distance: the first router's node to which an
 * 8-byte message takes the median time over the routers of other groups. */
static status_code find_other_group(struct benchmark_nodes *nodes, const anax_config *config,
                                    struct status *status) {
    const struct network_config *network_config = &config->network;
    const struct network_sink sink = {0};
    struct network *network = NULL;
    FORWARD_IF_ERROR(
        network_new(&network, network_config, (uint64_t)config->run.seed, &sink, status));
    const struct node_shape shape = network_config_node(network_config);
    const uint32_t per_router = shape.nodes_per_set, per_group = shape.nodes_per_group;
    const uint32_t count = network_node_count(network);
    size_t earlier = 0, half = ((count - per_group) / per_router - 1) / 2;
    int64_t median_ps = 0;
    /* finds the least time that more than half of the routers' first nodes do not exceed */
    for (int64_t bound_ps = 0; earlier <= half;) {
        int64_t next_ps = INT64_MAX;
        earlier = 0;
        for (uint32_t node = per_group; node < count; node += per_router) {
            const int64_t time_ps = first_rank_ps(network, network_config, node);
            if (time_ps <= bound_ps) earlier++;
            if (time_ps > bound_ps && time_ps < next_ps) next_ps = time_ps;
        }
        median_ps = bound_ps;
        bound_ps = next_ps;
    }
    for (uint32_t node = per_group; node < count && nodes->second == 0; node += per_router)
        if (first_rank_ps(network, network_config, node) == median_ps) nodes->second = node;
    network_free(network);
    return STATUS_OK;
}

status_code benchmark_nodes_find(struct benchmark_nodes *nodes, const anax_config *config,
                                 struct status *status) {
    const struct network_config *network_config = &config->network;
    const struct node_shape shape = network_config_node(network_config);
    *nodes = (struct benchmark_nodes){0, 0};
    switch ((calibrate_distance)config->calibrate.distance) {
    case CALIBRATE_SAME_ROUTER:
        RETURN_ERROR_IF(shape.nodes_per_set < 2, status, STATUS_USAGE,
                        "calibrate.distance=same-router: the machine has one node per router; the "
                        "nodes were on neighbouring routers (same-group) or further apart");
        nodes->second = 1;
        return STATUS_OK;
    case CALIBRATE_SAME_GROUP:
        RETURN_ERROR_IF(
            shape.nodes_per_set == shape.nodes_per_group, status, STATUS_USAGE,
            "calibrate.distance=same-group: the machine has one router per group; the nodes were "
            "on one router (same-router) or further apart");
        nodes->second = shape.nodes_per_set;
        return STATUS_OK;
    case CALIBRATE_OTHER_GROUP:
        RETURN_ERROR_IF(
            network_config->groups < 2, status, STATUS_USAGE,
            "calibrate.distance=other-group: the machine has one group; the nodes were closer "
            "(same-group, same-router)");
        return find_other_group(nodes, config, status);
    case CALIBRATE_SAME_NODE:
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- runs */

/* Places even ranks on the first node, odd ranks on the second, which may be the same. */
static status_code place_pairs(struct placement **placement, const struct benchmark_run *run,
                               uint32_t ranks, struct status *status) {
    const uint32_t nodes = (uint32_t)network_config_nodes(&run->config->network);
    struct placement *made = memory_new(1, sizeof *made);
    *placement = made;
    RETURN_ERROR_IF(made == NULL, status, STATUS_MEMORY, "out of memory for a placement");
    made->rank_count = ranks;
    made->node_count = nodes;
    made->node_of_rank = memory_new(ranks, sizeof *made->node_of_rank);
    made->first_rank = memory_new((size_t)nodes + 1, sizeof *made->first_rank);
    made->ranks = memory_new(ranks, sizeof *made->ranks);
    RETURN_ERROR_IF(made->node_of_rank == NULL || made->first_rank == NULL || made->ranks == NULL,
                    status, STATUS_MEMORY, "out of memory for a placement");
    const bool one = run->nodes.first == run->nodes.second;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        made->node_of_rank[rank] = rank % 2 == 0 ? run->nodes.first : run->nodes.second;
        made->ranks[one ? rank : rank / 2 + (rank % 2) * (ranks / 2)] = rank;
    }
    for (uint32_t node = 0; node <= nodes; node++)
        made->first_rank[node] =
            (node > run->nodes.first ? ranks / 2 : 0) + (node > run->nodes.second ? ranks / 2 : 0);
    return STATUS_OK;
}

static status_code place_collective(struct placement **placement, const anax_config *config,
                                    const struct program *program, struct status *status) {
    struct place_nodes nodes;
    FORWARD_IF_ERROR(place_nodes_find(&nodes, config, status));
    status_code code = place_on_free_nodes(placement, config, &config->placement, program,
                                           (uint64_t)config->run.seed, &nodes, NULL, status);
    place_nodes_free(&nodes);
    return code;
}

static bool is_of_pairs(const struct measurement *table) {
    return table->kind != MEASUREMENT_ALLREDUCE;
}

static struct traces_benchmark benchmark_of(const struct benchmark_run *run,
                                            const struct measurement *table) {
    static const traces_benchmark_kind kinds[MEASUREMENT_KINDS] = {
        [MEASUREMENT_LATENCY] = TRACES_BENCHMARK_PING_PONG,
        [MEASUREMENT_STREAM] = TRACES_BENCHMARK_STREAM,
        [MEASUREMENT_BISTREAM] = TRACES_BENCHMARK_BOTH_WAYS,
        [MEASUREMENT_SENDRECV] = TRACES_BENCHMARK_BOTH_WAYS,
        [MEASUREMENT_EXCHANGE] = TRACES_BENCHMARK_BOTH_WAYS,
        [MEASUREMENT_ALLREDUCE] = TRACES_BENCHMARK_ALLREDUCE,
    };
    const bool spread = run->config->calibrate.distance == CALIBRATE_OTHER_GROUP;
    const bool one = table->kind == MEASUREMENT_LATENCY;
    return (struct traces_benchmark){
        .kind = kinds[table->kind],
        .ranks = is_of_pairs(table) ? 2 * table->pairs : benchmark_processes(run->config, table),
        .window = benchmark_window(run->config, table),
        .rounds = one && spread ? ROUNDS_OF_GROUPS : 1,
    };
}

/* Returns the number of messages by which the benchmark divides the time of a size's region. */
static double messages_of(const struct traces_benchmark *benchmark,
                          const struct measurement *table) {
    const bool windows = measurement_is_stream(table->kind);
    return benchmark->rounds * (table->kind == MEASUREMENT_LATENCY ? 2.0 : 1.0) *
           (windows ? benchmark->window : 1.0);
}

static status_code replay(double *times_ps, const struct benchmark_run *run,
                          const struct traces_benchmark *benchmark,
                          const struct placement *placement, const struct program *program,
                          struct status *status) {
    const anax_config *config = run->config;
    struct api_progress progress = {run->options, "replaying the benchmarks"};
    const struct replay_options options = {
        .threads = run->options->threads,
        .progress = run->options->progress != NULL ? api_progress_run : NULL,
        .progress_context = &progress,
        .timeline = true,
    };
    struct replay_result *result = NULL;
    struct network *network = NULL;
    struct region_time *regions = NULL;
    uint32_t count = 0;
    status_code code = replay_run(&result, &network, program, placement, &config->replay,
                                  &config->network, (uint64_t)config->run.seed, &options, status);
    if (code == STATUS_OK)
        code = region_times_compute(program, result->timeline, &regions, &count, status);
    for (size_t i = 0; i < benchmark->size_count && code == STATUS_OK; i++)
        times_ps[i] = (double)regions[i].time_ps / regions[i].ranks;
    free(regions);
    replay_result_free(result);
    network_free(network);
    return code;
}

status_code benchmark_times(double *times_ps, const struct benchmark_run *run,
                            const struct measurement *table, const uint64_t *sizes_bytes,
                            size_t count, struct status *status) {
    struct traces_benchmark benchmark = benchmark_of(run, table);
    benchmark.sizes_bytes = sizes_bytes;
    benchmark.size_count = count;
    struct program *program = NULL;
    struct placement *placement = NULL;
    if (count == 0) return STATUS_OK;
    status_code code = traces_benchmark_new(&program, &benchmark, status);
    if (code == STATUS_OK)
        code = is_of_pairs(table) ? place_pairs(&placement, run, benchmark.ranks, status)
                                  : place_collective(&placement, run->config, program, status);
    if (code == STATUS_OK) code = replay(times_ps, run, &benchmark, placement, program, status);
    if (code != STATUS_OK) status_prefix(status, "the benchmark of %s", table->name);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        times_ps[i] /= messages_of(&benchmark, table);
    placement_free(placement);
    program_free(program);
    return code;
}
