/* Appends operations to the program of a test, replays the program on a network without contention
 * or on a packet-level network, and frees all. */
#include "tests/support/replay/replay_world.h"

#include "tests/support/replay/ideal_transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(const struct world *w, status_code code) {
    if (code != STATUS_OK) fail_msg("%s", w->status.text);
}

/* Of all settings there are. */
static void use_defaults(struct world *w) {
    struct setting_section sections[] = {
        {replay_setting_rows, replay_setting_count, &w->config},
        {network_setting_rows, network_setting_count, &w->network_config}};
    struct settings settings = {sections, 2};
    check(w, settings_set_defaults(&settings, &w->status));
}

static void set_channels(struct world *w, network_channel_kind channel_kind, int64_t latency_ps,
                         int64_t buffer_bytes) {
    w->network_config.channels[channel_kind].bandwidth_bytes_per_s = WORLD_BYTES_PER_S;
    w->network_config.channels[channel_kind].latency_ps = latency_ps;
    w->network_config.channels[channel_kind].buffer_bytes = buffer_bytes;
}

void world_new(struct world *w, uint32_t rank_count) {
    *w = (struct world){
        .rank_count = rank_count, .ranks_per_node = 1, .seed = 1, .options = {.threads = 1}};
    w->builder = builder_new(rank_count, &w->status);
    assert_non_null(w->builder);
    uint32_t *members = malloc(rank_count * sizeof *members);
    for (uint32_t i = 0; i < rank_count; i++)
        members[i] = i;
    check(w, builder_define_communicator(w->builder, "MPI_COMM_WORLD", members, rank_count,
                                         &w->everyone, &w->status));
    free(members);
    check(w, builder_define_communicator_self(w->builder, "MPI_COMM_SELF", &w->self, &w->status));
    use_defaults(w);
    w->config.eager_threshold_bytes = WORLD_THRESHOLD_BYTES;
    w->config.send_overhead_ps = by_size_constant(WORLD_SEND_PS);
    w->config.receive_overhead_ps = by_size_constant(WORLD_RECEIVE_PS);
    w->config.control_bytes = WORLD_CONTROL_BYTES;
    w->config.reduction_per_kib_ps = 0;
    w->network_config.nodes_per_router = 2;
    w->network_config.routers_per_group = 4;
    w->network_config.globals_per_router = 2;
    w->network_config.groups = 9;
    set_channels(w, NETWORK_TERMINAL, 10000, 1 << 16);
    set_channels(w, NETWORK_LOCAL, 20000, 1 << 16);
    set_channels(w, NETWORK_GLOBAL, WORLD_LATENCY_PS, 1 << 18);
    w->network_config.routing = 0; /* minimal */
    w->network_config.packet_bytes = 1024;
    w->network_config.header_bytes = 0;
    w->network_config.phit_bytes = 8;
    w->network_config.router_latency_ps = 50000;
    w->network_config.memory_latency_ps = WORLD_MEMORY_PS;
    w->network_config.memory_bandwidth_bytes_per_s = WORLD_MEMORY_BYTES_PER_S;
}

void world_free(struct world *w) {
    builder_free(w->builder);
    program_free(w->program);
    replay_result_free(w->result);
    network_free(w->network);
    status_clear(&w->status);
}

static void begin(struct world *w, uint32_t rank, const char *name) {
    uint32_t region = builder_define_region(w->builder, name, true);
    int64_t trace_ps = 1000000 * (int64_t)w->next_call;
    check(w, builder_call(w->builder, rank, region, w->next_call++, trace_ps, &w->status));
}

static void end(struct world *w, uint32_t rank) {
    check(w, builder_wait_call(w->builder, rank, &w->status));
    check(w, builder_return(w->builder, rank, 1000000 * (int64_t)w->next_call, false, &w->status));
}

static void post_send(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, unsigned flags,
                      uint64_t request) {
    check(w, builder_send(w->builder, rank, w->everyone, to, 5, bytes, flags, request, &w->status));
}

static void post_receive(struct world *w, uint32_t rank, uint32_t from, uint64_t bytes,
                         uint64_t request) {
    check(w,
          builder_receive(w->builder, rank, w->everyone, from, 5, bytes, 0, request, &w->status));
}

void world_send(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, unsigned flags) {
    begin(w, rank,
          flags & OPERATION_FLAG_SEND_SYNCHRONOUS ? "MPI_Ssend"
          : flags & OPERATION_FLAG_SEND_READY     ? "MPI_Rsend"
          : flags & OPERATION_FLAG_SEND_BUFFERED  ? "MPI_Bsend"
                                                  : "MPI_Send");
    post_send(w, rank, to, bytes, flags, BUILDER_NO_REQUEST);
    end(w, rank);
}

void world_receive(struct world *w, uint32_t rank, uint32_t from, uint64_t bytes) {
    begin(w, rank, "MPI_Recv");
    post_receive(w, rank, from, bytes, BUILDER_NO_REQUEST);
    end(w, rank);
}

void world_sendrecv(struct world *w, uint32_t rank, uint32_t to, uint32_t from, uint64_t bytes) {
    begin(w, rank, "MPI_Sendrecv");
    post_send(w, rank, to, bytes, 0, BUILDER_NO_REQUEST);
    post_receive(w, rank, from, bytes, BUILDER_NO_REQUEST);
    end(w, rank);
}

void world_isend(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, uint64_t request) {
    begin(w, rank, "MPI_Isend");
    post_send(w, rank, to, bytes, 0, request);
    end(w, rank);
}

void world_irecv(struct world *w, uint32_t rank, uint32_t from, uint64_t bytes, uint64_t request) {
    begin(w, rank, "MPI_Irecv");
    post_receive(w, rank, from, bytes, request);
    end(w, rank);
}

void world_wait(struct world *w, uint32_t rank, const uint64_t *requests, uint32_t count) {
    begin(w, rank, "MPI_Waitall");
    check(w, builder_wait(w->builder, rank, requests, count, &w->status));
    end(w, rank);
}

void world_test(struct world *w, uint32_t rank, const uint64_t *requests, uint32_t count) {
    uint64_t given = 0;
    begin(w, rank, "MPI_Testall");
    check(w, builder_wait_tested(w->builder, rank, requests, count, &given, &w->status));
    end(w, rank);
}

void world_start(struct world *w, uint32_t rank, uint32_t to, uint64_t bytes, uint64_t request) {
    begin(w, rank, "MPI_Start");
    post_send(w, rank, to, bytes, OPERATION_FLAG_SEND_PERSISTENT, request);
    end(w, rank);
}

void world_compute(struct world *w, uint32_t rank, int64_t duration_ps) {
    check(w, builder_compute(w->builder, rank, duration_ps, &w->status));
}

void world_collective(struct world *w, uint32_t rank, uint32_t kind, uint32_t communicator,
                      uint32_t root, uint64_t send_bytes, uint64_t receive_bytes, unsigned flags,
                      uint64_t request) {
    struct program_collective_arguments arguments = {.kind = kind,
                                                     .communicator = communicator,
                                                     .root = root,
                                                     .send_bytes = send_bytes,
                                                     .receive_bytes = receive_bytes};
    begin(w, rank, request == BUILDER_NO_REQUEST ? "MPI_Collective" : "MPI_Icollective");
    check(w, builder_collective(w->builder, rank, &arguments, flags, request, &w->status));
    end(w, rank);
}

void world_pairs(struct world *w, uint32_t rank, uint32_t kind, uint32_t communicator,
                 const uint64_t *bytes, uint32_t count, uint64_t receive_bytes) {
    struct program_collective_arguments arguments = {
        .kind = kind, .communicator = communicator, .receive_bytes = receive_bytes};
    for (uint32_t i = 0; i < count; i++)
        arguments.send_bytes += bytes[i];
    begin(w, rank, "MPI_Alltoallv");
    check(w, builder_collective(w->builder, rank, &arguments, 0, BUILDER_NO_REQUEST, &w->status));
    check(w, builder_set_bytes_to_members(w->builder, rank, bytes, count, &w->status));
    end(w, rank);
}

void world_reduction(struct world *w, uint32_t rank, uint32_t kind, uint64_t bytes,
                     uint64_t element_bytes) {
    struct program_collective_arguments arguments = {.kind = kind,
                                                     .communicator = w->everyone,
                                                     .root = 0,
                                                     .send_bytes = bytes,
                                                     .receive_bytes = bytes};
    begin(w, rank, "MPI_Allreduce");
    check(w, builder_collective(w->builder, rank, &arguments, 0, BUILDER_NO_REQUEST, &w->status));
    check(w, builder_set_element(w->builder, rank, element_bytes, &w->status));
    end(w, rank);
}

void world_seal(struct world *w) {
    if (w->program != NULL) return;
    check(w, builder_seal(w->builder, 1, &w->program, &w->status));
    check(w, program_check(w->program, &w->status));
}

status_code world_run(struct world *w) {
    world_seal(w);
    replay_result_free(w->result);
    network_free(w->network);
    w->network = NULL;
    uint32_t node_count = (uint32_t)network_config_nodes(&w->network_config);
    uint32_t *nodes = malloc(w->rank_count * sizeof *nodes);
    for (uint32_t i = 0; i < w->rank_count; i++)
        nodes[i] = w->node_of_rank != NULL ? w->node_of_rank[i] : i / w->ranks_per_node;
    struct placement placement = {
        .rank_count = w->rank_count, .node_count = node_count, .node_of_rank = nodes};
    status_code code;
    if (w->packet_level) {
        code = replay_run(&w->result, &w->network, w->program, &placement, &w->config,
                          &w->network_config, w->seed, &w->options, &w->status);
        if (w->network != NULL) network_fill_totals(w->network, &w->totals);
    } else {
        struct transport *ideal = ideal_transport_new(&w->network_config);
        code = replay_run_on(&w->result, ideal, w->program, &placement, &w->config,
                             &w->network_config, w->seed, &w->options, &w->status);
        w->totals = *ideal_transport_totals(ideal);
        ideal_transport_free(ideal);
    }
    free(nodes);
    return code;
}

/* All time outside computation is that of some call, and all waiting too. */
static void check_calls(const struct replay_result *result) {
    __int128 time_ps = 0, wait_ps = 0;
    for (uint32_t i = 0; i < result->rank_count; i++) {
        const struct replay_rank_result *rank = &result->ranks[i];
        time_ps -= rank->time_ps - rank->compute_ps;
        wait_ps -= rank->wait_late_sender_ps + rank->wait_late_receiver_ps + rank->wait_transit_ps +
                   rank->wait_queueing_ps + rank->collective_ps;
    }
    for (uint32_t i = 0; i < result->mpi_function_count; i++) {
        time_ps += result->mpi_functions[i].time_ps;
        wait_ps += result->mpi_functions[i].wait_ps;
    }
    assert_true(time_ps == 0 && wait_ps == 0);
}

/* The time of a rank in a state, and in a row of time bins. */
static int64_t time_in_state(const struct replay_rank_result *rank, uint32_t state) {
    const struct replay_collective_wait *wait = &rank->collective;
    const int64_t times_ps[REPLAY_STATES] = {
        rank->compute_ps,      rank->send_overhead_ps,    rank->receive_overhead_ps,
        rank->reduction_ps,    rank->wait_late_sender_ps, rank->wait_late_receiver_ps,
        rank->wait_transit_ps, rank->wait_queueing_ps,    wait->late_ps,
        wait->transit_ps,      wait->queueing_ps,         wait->other_ps};
    return times_ps[state];
}

static int64_t time_in_bins(const struct time_bins *bins, uint32_t state) {
    int64_t sum_ps = 0;
    for (uint32_t bin = 0; bin < bins->count; bin++)
        sum_ps += bins->sums[(size_t)state * bins->count + bin];
    return sum_ps;
}

/* Over all bins, each rank is in each state for as long as its result says. */
static void check_bins(const struct replay_result *result) {
    assert_int_equal(result->bins->row_count, result->rank_count);
    for (uint32_t i = 0; i < result->rank_count; i++)
        for (uint32_t state = 0; state < REPLAY_STATES; state++)
            assert_int_equal(time_in_bins(&result->bins->rows[i], state),
                             time_in_state(&result->ranks[i], state));
}

/* Replays with explanation of times, each rank as a job of its own, so that the path of every rank
 * must add up to its end, and with time bins. Returns the digest. */
static uint64_t explained_digest(struct world *w) {
    uint32_t *ends = malloc(w->rank_count * sizeof *ends);
    for (uint32_t i = 0; i < w->rank_count; i++)
        ends[i] = i + 1;
    struct replay_options plain = w->options;
    w->options.explain = true;
    w->options.time_bins = 5;
    w->options.job_ends = ends;
    w->options.job_count = w->rank_count;
    check(w, world_run(w));
    free(ends);
    w->options = plain;
    assert_int_equal(w->result->paths[0].time_ps, w->result->time_ps);
    for (uint32_t i = 0; i < w->result->path_count; i++) {
        const struct replay_critical_path *path = &w->result->paths[i];
        int64_t sum_ps = 0;
        for (uint32_t part = 0; part < path->part_count; part++)
            sum_ps += path->parts[part].time_ps;
        assert_int_equal(sum_ps, path->time_ps);
    }
    if (w->rank_count <= REPLAY_BIN_ROWS) check_bins(w->result);
    return w->result->digest;
}

const struct replay_result *world_finish(struct world *w) {
    uint64_t explained = w->options.companion == NULL ? explained_digest(w) : 0;
    check(w, world_run(w));
    if (w->options.companion == NULL) assert_int_equal(explained, w->result->digest);
    int64_t slowest_ps = 0;
    for (uint32_t i = 0; i < w->rank_count; i++) {
        const struct replay_rank_result *rank = &w->result->ranks[i];
        const int64_t parts[] = {
            rank->compute_ps,      rank->send_overhead_ps,    rank->receive_overhead_ps,
            rank->reduction_ps,    rank->wait_late_sender_ps, rank->wait_late_receiver_ps,
            rank->wait_transit_ps, rank->wait_queueing_ps,    rank->collective_ps};
        int64_t sum_ps = 0;
        for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++) {
            assert_true(parts[part] >= 0);
            sum_ps += parts[part];
        }
        assert_int_equal(sum_ps, rank->time_ps);
        const struct replay_collective_wait *wait = &rank->collective;
        assert_true(wait->late_ps >= 0 && wait->transit_ps >= 0 && wait->queueing_ps >= 0);
        assert_int_equal(wait->late_ps + wait->transit_ps + wait->queueing_ps + wait->other_ps,
                         rank->collective_ps);
        if (rank->time_ps > slowest_ps) slowest_ps = rank->time_ps;
    }
    assert_int_equal(slowest_ps, w->result->time_ps);
    check_calls(w->result);
    return w->result;
}
