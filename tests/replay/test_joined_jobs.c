/* Jobs side by side on a network without contention take as long as alone, whenever they start; and
 * what a program sends is known without a network. */
#include "replay/replay_traffic.h"
#include "tests/support/replay/ideal_transport.h"
#include "tests/support/replay/random_replay.h"
#include "traces/program/edit/program_join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { JOBS = 3 };

static int64_t part_of(const struct replay_rank_result *rank, int part) {
    const int64_t parts[] = {rank->compute_ps,          rank->send_overhead_ps,
                             rank->receive_overhead_ps, rank->reduction_ps,
                             rank->wait_late_sender_ps, rank->wait_late_receiver_ps,
                             rank->wait_transit_ps,     rank->wait_queueing_ps,
                             rank->collective_ps,       rank->time_ps};
    return parts[part];
}

static struct replay_result *run_joined(struct world *worlds, const struct program *joined,
                                        const int64_t *start_ps) {
    struct placement_config config = {.policy = 0, .ranks_per_node = 1};
    struct placement_machine machine = {joined->rank_count, 1, joined->rank_count};
    struct placement *placement = NULL;
    struct replay_result *result = NULL;
    struct status status = STATUS_INIT;
    struct replay_options options = {.threads = 1, .start_ps = start_ps};
    struct placement_request request = {&config, &machine, joined->rank_count, 1, NULL, NULL, NULL};
    assert_int_equal(placement_new(&placement, &request, &status), STATUS_OK);
    struct network_config shape = worlds[0].network_config;
    shape.nodes_per_router = 1;
    shape.routers_per_group = joined->rank_count;
    shape.groups = 1;
    struct transport *ideal = ideal_transport_new(&shape);
    if (replay_run_on(&result, ideal, joined, placement, &worlds[0].config, &shape, 1, &options,
                      &status) != STATUS_OK)
        fail_msg("%s", status.text);
    ideal_transport_free(ideal);
    placement_free(placement);
    return result;
}

static void jobs_take_as_long_together_as_alone(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 25; seed++) {
        struct world worlds[JOBS];
        const struct program *parts[JOBS];
        struct program *joined = NULL;
        int64_t start_ps[JOBS * RANDOM_REPLAY_RANKS], end_ps = 0;
        for (uint32_t i = 0; i < JOBS; i++) {
            random_replay(&worlds[i], seed * JOBS + i);
            worlds[i].config = worlds[0].config;
            world_finish(&worlds[i]);
            parts[i] = worlds[i].program;
        }
        for (uint32_t rank = 0; rank < JOBS * RANDOM_REPLAY_RANKS; rank++)
            start_ps[rank] = rank / RANDOM_REPLAY_RANKS * INT64_C(123457) * seed;
        assert_int_equal(program_join(&joined, parts, JOBS, NULL), STATUS_OK);
        struct replay_result *result = run_joined(worlds, joined, start_ps);
        for (uint32_t rank = 0; rank < JOBS * RANDOM_REPLAY_RANKS; rank++) {
            const struct world *w = &worlds[rank / RANDOM_REPLAY_RANKS];
            const struct replay_rank_result *alone = &w->result->ranks[rank % RANDOM_REPLAY_RANKS];
            for (int part = 0; part < 10; part++)
                assert_int_equal(part_of(&result->ranks[rank], part), part_of(alone, part));
            if (start_ps[rank] + alone->time_ps > end_ps) end_ps = start_ps[rank] + alone->time_ps;
        }
        assert_int_equal(result->time_ps, end_ps);
        replay_result_free(result);
        program_free(joined);
        for (uint32_t i = 0; i < JOBS; i++)
            world_free(&worlds[i]);
    }
}

/* As many messages as a replay sends if all is eager, and every send counted once. */
static void traffic_counts_every_send_once(void **state) {
    (void)state;
    for (uint32_t seed = 500; seed < 525; seed++) {
        struct world w;
        random_replay(&w, seed);
        w.config.eager_threshold_bytes = INT64_C(1) << 40;
        const struct replay_result *result = world_finish(&w);
        struct placement_traffic traffic;
        assert_int_equal(
            replay_traffic_new(&traffic, w.program, &w.config, &w.network_config, NULL), STATUS_OK);
        uint64_t messages = 0, bytes = 0, sent = 0;
        for (size_t i = 0; i < traffic.edge_count; i++) {
            messages += traffic.edges[i].messages;
            bytes += traffic.edges[i].bytes;
            if (i > 0)
                assert_true(traffic.edges[i - 1].from < traffic.edges[i].from ||
                            (traffic.edges[i - 1].from == traffic.edges[i].from &&
                             traffic.edges[i - 1].to < traffic.edges[i].to));
        }
        for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++)
            sent += result->ranks[rank].sent_bytes;
        assert_int_equal(messages, result->eager_messages + result->rendezvous_messages +
                                       result->collective_messages);
        assert_true(bytes >= sent);
        replay_traffic_free(&traffic);
        world_free(&w);
    }
}

/* Synchronous sends that wait for each other in a circle: no network helps. */
static void a_stall_has_no_traffic(void **state) {
    (void)state;
    struct world w;
    struct status status = STATUS_INIT;
    struct placement_traffic traffic;
    world_new(&w, 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_send(&w, rank, 1 - rank, 10, OPERATION_FLAG_SEND_SYNCHRONOUS);
        world_receive(&w, rank, 1 - rank, 10);
    }
    world_seal(&w);
    assert_int_equal(replay_traffic_new(&traffic, w.program, &w.config, &w.network_config, &status),
                     STATUS_RUN);
    assert_non_null(strstr(status.text, "2 of 2 ranks cannot go on"));
    status_clear(&status);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_take_as_long_together_as_alone),
        cmocka_unit_test(traffic_counts_every_send_once),
        cmocka_unit_test(a_stall_has_no_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
