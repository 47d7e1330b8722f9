/*
 * The replay on the packet-level network: exact times where it is idle, the same digest for any
 * number of threads, and every rank's parts adding up under contention.
 */
#include "tests/support/network/network_world.h"
#include "tests/support/replay/random_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS };

/* One message to each sort of distance (node, router, group, machine), on an idle network. */
static void check_idle_network(bool hosts) {
    static const uint64_t sizes[] = {0, 1, 1000, 1024, 1025, 100000};
    static const uint32_t receivers[] = {1, 2, 3, 7, 8, 15, 16, 100, 143};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned k = 0; k < sizeof receivers / sizeof *receivers; k++) {
            struct world w;
            world_new(&w, 144);
            w.packet_level = true;
            w.ranks_per_node = 2;
            if (hosts) {
                w.network_config.nic_send_latency_ps = by_size_constant(300001);
                w.network_config.nic_receive_latency_ps = 400001;
                w.network_config.nic_message_gap_ps = 500000;
                w.network_config.nic_receive_overhead_ps = 60000;
                w.network_config.nic_receive_bandwidth_bytes_per_s = 8000000000;
                w.network_config.nic_receive_buffer_bytes = 65536;
                w.network_config.nic_host_bandwidth_bytes_per_s = 9000000000;
            }
            uint32_t to = receivers[k];
            world_send(&w, 0, to, sizes[i], 0);
            world_receive(&w, to, 0, sizes[i]);
            const struct replay_result *result = world_finish(&w);
            int64_t control = network_world_zero_load_ps(w.network, 0, to / 2, WORLD_CONTROL_BYTES);
            int64_t back = network_world_zero_load_ps(w.network, to / 2, 0, WORLD_CONTROL_BYTES);
            int64_t data = network_world_zero_load_ps(w.network, 0, to / 2, sizes[i]);
            int64_t before = sizes[i] <= WORLD_THRESHOLD_BYTES ? 0 : control + back;
            assert_int_equal(result->ranks[to].time_ps, S + before + data + R);
            assert_int_equal(result->ranks[to].wait_transit_ps, before + data);
            assert_int_equal(result->ranks[to].wait_queueing_ps, 0);
            world_free(&w);
        }
    }
}

static void messages_on_an_idle_network_take_the_closed_form(void **state) {
    (void)state;
    check_idle_network(false);
    check_idle_network(true);
}

static void any_number_of_threads_gives_the_same_digest(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 10; seed++) {
        struct world w;
        random_replay(&w, seed);
        /* Ranks on nodes of several groups. */
        w.network_config.nodes_per_router = 1;
        w.network_config.routers_per_group = 2;
        w.network_config.globals_per_router = 2;
        w.network_config.groups = 5;
        w.ranks_per_node = 2;
        uint64_t digest = world_finish(&w)->digest;
        for (unsigned threads = 1; threads <= 3; threads++) {
            w.options.threads = threads;
            assert_int_equal(world_finish(&w)->digest, digest);
        }
        w.config.eager_threshold_bytes = 0;
        assert_int_not_equal(world_finish(&w)->digest, digest);
        world_free(&w);
    }
}

/* Everyone wants the locks of a few at the same instants: who gets them first does not depend on
 * threads either. */
static void locks_do_not_depend_on_threads(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 20);
    w.packet_level = true;
    w.network_config.nodes_per_router = 1;
    w.network_config.routers_per_group = 2;
    w.network_config.globals_per_router = 2;
    w.network_config.groups = 5;
    w.ranks_per_node = 2;
    uint32_t region = builder_define_region(w.builder, "MPI_Win_lock", true);
    for (uint32_t rank = 0; rank < 20; rank++) {
        for (uint32_t i = 0; i < 12; i++) {
            uint32_t target = (rank / 2 + i) % 3 * 7;
            int kind = i % 4 == 3 ? PROGRAM_LOCK_SHARED : PROGRAM_LOCK_EXCLUSIVE;
            for (int part = 0; part < 2; part++) {
                builder_call(w.builder, rank, region, w.next_call++, 0, &w.status);
                builder_send(w.builder, rank, w.everyone, target,
                             PROGRAM_TAG_LOCK + (part == 0 ? kind : PROGRAM_LOCK_RELEASE), 0,
                             OPERATION_FLAG_RMA_WRITE, BUILDER_NO_REQUEST, &w.status);
                builder_wait_call(w.builder, rank, &w.status);
                builder_return(w.builder, rank, 0, false, &w.status);
                world_compute(&w, rank, 200000);
            }
        }
    }
    uint64_t digest = world_finish(&w)->digest;
    for (unsigned threads = 1; threads <= 3; threads++) {
        w.options.threads = threads;
        const struct replay_result *result = world_finish(&w);
        assert_int_equal(result->digest, digest);
        assert_true(result->ranks[5].wait_late_receiver_ps > 0);
    }
    world_free(&w);
}

/* Several to one at the same time, from one distance: the last channel serves them one by one. What
 * would have passed on an idle network is transit, what the last comes later is queueing. */
static void an_incast_divides_waits_into_transit_and_queueing(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 5);
    w.packet_level = true;
    w.ranks_per_node = 1;
    w.config.receive_overhead_ps = by_size_constant(0);
    uint64_t ids[5];
    for (uint32_t rank = 2; rank < 5; rank++) {
        ids[rank] = rank;
        world_irecv(&w, 0, rank, 1000, ids[rank]);
        world_send(&w, rank, 0, 1000, 0);
    }
    world_wait(&w, 0, &ids[2], 3);
    const struct replay_result *result = world_finish(&w);
    int64_t idle_ps = network_world_zero_load_ps(w.network, 2, 0, 1000);
    const struct replay_rank_result *receiver = &result->ranks[0];
    assert_int_equal(network_world_zero_load_ps(w.network, 4, 0, 1000), idle_ps);
    assert_int_equal(receiver->wait_late_sender_ps, S);
    assert_int_equal(receiver->wait_transit_ps, idle_ps);
    assert_int_equal(receiver->wait_queueing_ps, 2 * 100 * 1000);
    world_free(&w);
}

/* The report is the same on any network: only order, matching and threshold matter. */
static void stalls_are_reported(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    w.packet_level = true;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_compute(&w, rank, 1000000);
        world_send(&w, rank, 1 - rank, 70000, 0);
        world_receive(&w, rank, 1 - rank, 70000);
    }
    w.options.threads = 2;
    assert_int_equal(world_run(&w), STATUS_RUN);
    assert_null(w.result);
    assert_non_null(strstr(w.status.text, "these wait for each other: 0 -> 1 -> 0"));
    assert_non_null(strstr(w.status.text, "mpi.eager_threshold=70000B"));
    w.config.eager_threshold_bytes = 70000;
    world_finish(&w);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_on_an_idle_network_take_the_closed_form),
        cmocka_unit_test(any_number_of_threads_gives_the_same_digest),
        cmocka_unit_test(locks_do_not_depend_on_threads),
        cmocka_unit_test(an_incast_divides_waits_into_transit_and_queueing),
        cmocka_unit_test(stalls_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
