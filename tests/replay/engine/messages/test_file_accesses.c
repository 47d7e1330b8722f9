/*
 * Reads and writes of files: closed forms on the ideal network, queues at I/O nodes, which of them
 * serves what, conservation, and the same result for any number of threads on the packet-level one.
 */
#include "replay/hosts/storage_nodes.h"
#include "replay/replay_traffic.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, STRIPE = 65536, LATENCY = 7000000 };
#define C             WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES)
#define WRITE_PS(n)   (INT64_C(500) * (n)) /* 2 GB/s */
#define READ_PS(n)    (INT64_C(250) * (n)) /* 4 GB/s */
#define NODES_MACHINE 72

static void new_world(struct world *w, uint32_t ranks, int64_t io_nodes) {
    world_new(w, ranks);
    w->config.storage.nodes = io_nodes;
    w->config.storage.stripe_bytes = STRIPE;
    w->config.storage.stripe_count = 0;
    w->config.storage.write_bytes_per_s = 2000000000;
    w->config.storage.read_bytes_per_s = 4000000000;
    w->config.storage.latency_ps = LATENCY;
}

/* A call of a rank that reads or writes; request: BUILDER_NO_REQUEST waits in the call. */
static void reach(struct world *w, uint32_t rank, uint32_t file, uint64_t offset, uint64_t bytes,
                  unsigned flags, uint64_t request) {
    uint32_t region = builder_define_region(w->builder, "MPI_File_write_at", true);
    assert_int_equal(builder_call(w->builder, rank, region, w->next_call++, 0, &w->status),
                     STATUS_OK);
    assert_int_equal(
        builder_access_file(w->builder, rank, file, offset, bytes, flags, request, &w->status),
        STATUS_OK);
    assert_int_equal(builder_wait_call(w->builder, rank, &w->status), STATUS_OK);
    assert_int_equal(builder_return(w->builder, rank, 0, false, &w->status), STATUS_OK);
}

static void one_write(struct world *w, uint64_t offset, uint64_t bytes) {
    uint32_t file = builder_define_file(w->builder, "out");
    reach(w, 0, file, offset, bytes, OPERATION_FLAG_FILE_WRITE, BUILDER_NO_REQUEST);
}

/* One request: the request, latency, service, the answer; nothing without I/O nodes. */
static void one_request_takes_the_closed_form(void **state) {
    (void)state;
    static const struct {
        int64_t nodes;
        unsigned flags;
        int64_t bytes, there_and_back_ps, storage_ps;
    } rows[] = {
        {1, OPERATION_FLAG_FILE_WRITE, 50000, WORLD_MESSAGE_PS(50000) + C,
         LATENCY + WRITE_PS(50000)},
        {1, 0, 50000, C + WORLD_MESSAGE_PS(50000), LATENCY + READ_PS(50000)},
        {3, OPERATION_FLAG_FILE_WRITE | OPERATION_FLAG_FILE_COLLECTIVE, 8, WORLD_MESSAGE_PS(8) + C,
         LATENCY + WRITE_PS(8)},
        {3, 0, 0, 0, 0},
        {0, OPERATION_FLAG_FILE_WRITE, 50000, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world w;
        new_world(&w, 2, rows[i].nodes);
        uint32_t file = builder_define_file(w.builder, "out");
        reach(&w, 0, file, 0, (uint64_t)rows[i].bytes, rows[i].flags, BUILDER_NO_REQUEST);
        const struct replay_result *result = world_finish(&w);
        const bool costs = rows[i].storage_ps > 0;
        assert_int_equal(result->ranks[0].time_ps,
                         (costs ? S : 0) + rows[i].there_and_back_ps + rows[i].storage_ps);
        assert_int_equal(result->ranks[0].wait_transit_ps, rows[i].there_and_back_ps);
        assert_int_equal(result->ranks[0].wait_late_receiver_ps, rows[i].storage_ps);
        assert_int_equal(result->ranks[0].wait_storage_ps, rows[i].storage_ps);
        assert_int_equal(result->ranks[0].sent_bytes, 0);
        assert_int_equal(result->storage_count, rows[i].nodes);
        assert_int_equal(result->rank_count, 2);
        world_free(&w);
    }
}

/* Three stripes, the first and the last in part, on one I/O node: the first write waits for the
 * network, the others for it. With one request at a time, each waits for the answer before it. */
static void stripes_in_a_row_take_the_closed_form(void **state) {
    (void)state;
    for (int64_t requests = 1; requests <= 8; requests += 7) {
        struct world w;
        new_world(&w, 1, 1);
        w.config.storage.requests_max = requests;
        one_write(&w, STRIPE - 100, 100 + STRIPE + 3);
        const struct replay_result *result = world_finish(&w);
        const int64_t each_ps = C + LATENCY + WRITE_PS(100 + STRIPE + 3);
        if (requests == 1) {
            assert_int_equal(result->time_ps, S + WORLD_MESSAGE_PS(100) + WORLD_MESSAGE_PS(STRIPE) +
                                                  WORLD_MESSAGE_PS(3) + each_ps +
                                                  2 * (C + LATENCY));
        } else { /* the ideal network sends all three at once */
            assert_int_equal(result->time_ps,
                             S + WORLD_MESSAGE_PS(STRIPE) + LATENCY + WRITE_PS(STRIPE) + C);
        }
        assert_int_equal(result->storage[0].requests, 3);
        assert_int_equal(result->storage[0].written_bytes, 100 + STRIPE + 3);
        assert_int_equal(result->storage[0].read_bytes, 0);
        assert_int_equal(result->storage[0].busy_ps, WRITE_PS(100 + STRIPE + 3));
        world_free(&w);
    }
}

/* Two ranks at one I/O node: the second waits for the service of the first. */
static void a_second_rank_waits_for_the_first(void **state) {
    (void)state;
    struct world w;
    new_world(&w, 2, 1);
    uint32_t file = builder_define_file(w.builder, "out");
    for (uint32_t rank = 0; rank < 2; rank++)
        reach(&w, rank, file, 0, 50000, OPERATION_FLAG_FILE_WRITE, BUILDER_NO_REQUEST);
    const struct replay_result *result = world_finish(&w);
    const int64_t alone_ps = S + WORLD_MESSAGE_PS(50000) + LATENCY + WRITE_PS(50000) + C;
    assert_int_equal(result->ranks[0].time_ps + result->ranks[1].time_ps,
                     2 * alone_ps + WRITE_PS(50000));
    assert_int_equal(result->storage[0].waited_ps, WRITE_PS(50000));
    assert_int_equal(result->storage[0].free_ps,
                     S + WORLD_MESSAGE_PS(50000) + LATENCY + 2 * WRITE_PS(50000));
    world_free(&w);
}

/* A rank's 16 requests wait for one another. Their waits add up to more than 64 bits hold. */
static void waits_of_a_long_queue_exceed_64_bits(void **state) {
    (void)state;
    enum { LANES = 16, PARTS = 1000 };
    const int64_t service_ps = INT64_C(2048000000000000); /* a stripe at 32 B/s */
    struct world w;
    new_world(&w, 1, 1);
    w.config.storage.requests_max = LANES;
    w.config.storage.write_bytes_per_s = 32;
    one_write(&w, 0, (uint64_t)PARTS * STRIPE);
    const struct replay_result *result = world_finish(&w);
    const int64_t there_and_back_ps = C + WORLD_MESSAGE_PS(STRIPE) + LATENCY;
    const wide waited_ps = (wide)(LANES * (LANES - 1) / 2 * service_ps) +
                           (wide)((LANES - 1) * service_ps - there_and_back_ps) * (PARTS - LANES);
    assert_true(waited_ps > INT64_MAX);
    assert_true(result->storage[0].waited_ps == waited_ps);
    assert_int_equal(result->storage[0].busy_ps, PARTS * service_ps);
    world_free(&w);
}

/* A service that ends beyond the longest run, though it is short. */
static void a_service_beyond_the_longest_run_is_refused(void **state) {
    (void)state;
    struct world w;
    new_world(&w, 1, 1);
    w.config.storage.write_bytes_per_s = 32;
    world_compute(&w, 0, (INT64_C(1) << 61) - INT64_C(1000000000000000));
    one_write(&w, 0, STRIPE);
    assert_int_equal(world_run(&w), STATUS_RUN);
    assert_non_null(strstr(w.status.text, "I/O node on node 71 ends later than the 26 days"));
    status_clear(&w.status);
    world_free(&w);
}

/* An access that a rank waits for later, one that a test found complete, one that nobody waits for.
 */
static void accesses_may_be_waited_for_tested_or_forgotten(void **state) {
    (void)state;
    struct world w;
    new_world(&w, 1, 4);
    uint32_t file = builder_define_file(w.builder, "out");
    const uint64_t ids[] = {1, 2};
    reach(&w, 0, file, 0, 1000, OPERATION_FLAG_FILE_WRITE, 1);
    reach(&w, 0, file, STRIPE, 2000, 0, 2);
    reach(&w, 0, file, 2 * STRIPE, 500, OPERATION_FLAG_FILE_WRITE | OPERATION_FLAG_DETACHED,
          BUILDER_NO_REQUEST);
    world_wait(&w, 0, &ids[0], 1);
    world_test(&w, 0, &ids[1], 1);
    const struct replay_result *result = world_finish(&w);
    const int64_t write_ps = WORLD_MESSAGE_PS(1000) + LATENCY + WRITE_PS(1000) + C;
    const int64_t read_ps = S + C + LATENCY + READ_PS(2000) + WORLD_MESSAGE_PS(2000);
    assert_int_equal(result->time_ps, S + (write_ps > read_ps ? write_ps : read_ps));
    assert_int_equal(result->storage[0].written_bytes, 1000);
    assert_int_equal(result->storage[1].read_bytes, 2000);
    assert_int_equal(result->storage[2].written_bytes, 500);
    world_free(&w);
}

/* Bytes by I/O node, of two files that two ranks write from the beginning. The files of two
 * stripes each begin at different I/O nodes. */
static void io_nodes_get_the_bytes_of_their_rule(void **state) {
    (void)state;
    static const struct {
        int32_t rule;
        int64_t stripe_count;
        uint64_t bytes[4];
    } rows[] = {
        {STORAGE_RULE_STRIPES, 2, {2 * STRIPE, 1 * STRIPE, 2 * STRIPE, 1 * STRIPE}},
        {STORAGE_RULE_STRIPES, 1, {3 * STRIPE, 3 * STRIPE, 0, 0}},
        {STORAGE_RULE_STRIPES, 0, {2 * STRIPE, 2 * STRIPE, 2 * STRIPE, 0}},
        {STORAGE_RULE_RANK, 1, {3 * STRIPE, 3 * STRIPE, 0, 0}},
        {STORAGE_RULE_NEAREST, 1, {3 * STRIPE, 0, 0, 3 * STRIPE}},
    };
    static const uint32_t nodes[] = {1, NODES_MACHINE - 3}; /* in the first and the last group */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world w;
        new_world(&w, 2, 4);
        w.node_of_rank = nodes;
        w.config.storage.rule = rows[i].rule;
        w.config.storage.stripe_count = rows[i].stripe_count;
        uint32_t files[2] = {builder_define_file(w.builder, "a"),
                             builder_define_file(w.builder, "b")};
        for (uint32_t rank = 0; rank < 2; rank++)
            reach(&w, rank, files[rank], 0, 3 * STRIPE, OPERATION_FLAG_FILE_WRITE,
                  BUILDER_NO_REQUEST);
        const struct replay_result *result = world_finish(&w);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(result->storage[k].written_bytes, rows[i].bytes[k]);
        world_free(&w);
    }
}

static void io_nodes_stand_where_the_setting_says(void **state) {
    (void)state;
    struct world w;
    uint32_t *nodes = NULL, count = 0;
    new_world(&w, 1, 4);
    assert_int_equal(storage_nodes_find(&nodes, &count, &w.config, &w.network_config, &w.status),
                     STATUS_OK);
    static const uint32_t spread[] = {17, 35, 53, 71}, last[] = {68, 69, 70, 71};
    assert_int_equal(count, 4);
    assert_memory_equal(nodes, spread, sizeof spread);
    free(nodes);
    w.config.storage.place = STORAGE_PLACE_LAST;
    w.config.storage.nodes = 0;
    w.config.storage.share_millionths = 60000; /* 4.32 nodes */
    assert_int_equal(storage_nodes_find(&nodes, &count, &w.config, &w.network_config, &w.status),
                     STATUS_OK);
    assert_int_equal(count, 4);
    assert_memory_equal(nodes, last, sizeof last);
    free(nodes);
    static const struct {
        int64_t nodes, share;
        const char *text;
    } wrong[] = {{4, 60000, "give one"},
                 {NODES_MACHINE, 0, "leave none to ranks"},
                 {0, 10000, "gives no I/O node"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        w.config.storage.nodes = wrong[i].nodes;
        w.config.storage.share_millionths = wrong[i].share;
        assert_int_equal(
            storage_nodes_find(&nodes, &count, &w.config, &w.network_config, &w.status),
            STATUS_USAGE);
        assert_non_null(strstr(w.status.text, wrong[i].text));
        assert_null(nodes);
        status_clear(&w.status);
    }
    world_free(&w);
}

/* Ranks of all groups write and read among other messages. The path of the last rank adds up
 * (world_finish fails otherwise), every byte is written once, and threads change nothing. */
static void accesses_on_the_network_do_not_depend_on_threads(void **state) {
    (void)state;
    enum { RANKS = 40 };
    static const uint8_t classes[RANKS]; /* none for I/O nodes */
    uint64_t digest = 0;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct world w;
        new_world(&w, RANKS, 5);
        w.packet_level = true;
        w.options.threads = threads;
        w.options.explain = threads == 1;
        w.options.matrix = REPLAY_MATRIX_BY_RANK;
        w.options.traffic_classes = classes;
        w.config.storage.requests_max = 3;
        uint32_t shared = builder_define_file(w.builder, "shared");
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const uint64_t bytes = STRIPE + 1000 * rank;
            reach(&w, rank, shared, bytes * rank, 5 * bytes, OPERATION_FLAG_FILE_WRITE, 1);
            world_sendrecv(&w, rank, (rank + 7) % RANKS, (rank + RANKS - 7) % RANKS, 20000);
            world_wait(&w, rank, (const uint64_t[]){1}, 1);
            reach(&w, rank, shared, 0, bytes, 0, BUILDER_NO_REQUEST);
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, BUILDER_NO_REQUEST);
        }
        const struct replay_result *result = world_finish(&w);
        struct program_totals totals;
        program_totals_compute(w.program, &totals);
        wide written = 0, read = 0;
        int64_t storage_ps = 0;
        for (uint32_t i = 0; i < result->storage_count; i++) {
            written += result->storage[i].written_bytes;
            read += result->storage[i].read_bytes;
        }
        assert_true(written == totals.file_bytes[1] && read == totals.file_bytes[0]);
        assert_int_equal(totals.file_accesses[1], RANKS);
        for (uint32_t i = 0; w.options.explain && i < result->paths[0].part_count; i++)
            if (strcmp(result->paths[0].parts[i].kind, "storage") == 0)
                storage_ps += result->paths[0].parts[i].time_ps;
        assert_true(!w.options.explain || storage_ps > 0);
        if (threads == 1) digest = result->digest;
        assert_int_equal(result->digest, digest);
        world_free(&w);
    }
}

/* Placements see messages between ranks only. The machine of their traffic may have fewer nodes
 * than there are I/O nodes. */
static void traffic_of_ranks_leaves_out_accesses(void **state) {
    (void)state;
    struct world w;
    struct placement_traffic traffic;
    new_world(&w, 2, 2 * NODES_MACHINE);
    for (uint32_t rank = 0; rank < 2; rank++) {
        uint32_t file = builder_define_file(w.builder, "out");
        reach(&w, rank, file, 0, 3 * STRIPE, rank == 0 ? OPERATION_FLAG_FILE_WRITE : 0,
              BUILDER_NO_REQUEST);
        world_sendrecv(&w, rank, 1 - rank, 1 - rank, 700);
    }
    world_seal(&w);
    assert_int_equal(
        replay_traffic_new(&traffic, w.program, &w.config, &w.network_config, &w.status),
        STATUS_OK);
    assert_int_equal(traffic.edge_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(traffic.edges[i].from, i);
        assert_int_equal(traffic.edges[i].to, 1 - i);
        assert_int_equal(traffic.edges[i].bytes, 700);
    }
    replay_traffic_free(&traffic);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_takes_the_closed_form),
        cmocka_unit_test(stripes_in_a_row_take_the_closed_form),
        cmocka_unit_test(a_second_rank_waits_for_the_first),
        cmocka_unit_test(accesses_may_be_waited_for_tested_or_forgotten),
        cmocka_unit_test(io_nodes_get_the_bytes_of_their_rule),
        cmocka_unit_test(io_nodes_stand_where_the_setting_says),
        cmocka_unit_test(accesses_on_the_network_do_not_depend_on_threads),
        cmocka_unit_test(traffic_of_ranks_leaves_out_accesses),
        cmocka_unit_test(waits_of_a_long_queue_exceed_64_bits),
        cmocka_unit_test(a_service_beyond_the_longest_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
