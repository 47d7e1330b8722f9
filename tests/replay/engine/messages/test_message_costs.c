/*
 * What messages cost the CPUs at both ends, by their size and by the way they take: the equations
 * of docs/model.md, 9.1 and 9.3, on the ideal network, to the picosecond.
 */
#include "tests/support/core/dice.h"
#include "tests/support/replay/replay_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS };
static const int64_t request = WORLD_MESSAGE_PS(WORLD_CONTROL_BYTES); /* either way */
#define LARGE INT64_C(100000)

/* Messages of two ranks take at both ends what they do at their size, copied or announced. */
static int64_t send_ps(const struct replay_config *c, uint64_t bytes, bool eager) {
    int64_t n = (int64_t)bytes;
    return by_size_at(&c->send_overhead_ps, bytes) +
           n * by_size_at(&c->send_overhead_per_kib_ps, bytes) / 1024 +
           (eager ? n * by_size_at(&c->eager_send_copy_per_kib_ps, bytes) / 1024
                  : by_size_at(&c->rendezvous_send_overhead_ps, bytes));
}

static int64_t receive_ps(const struct replay_config *c, uint64_t bytes, bool eager) {
    int64_t n = (int64_t)bytes;
    return by_size_at(&c->receive_overhead_ps, bytes) +
           n * by_size_at(&c->receive_overhead_per_kib_ps, bytes) / 1024 +
           (eager ? n * by_size_at(&c->eager_receive_copy_per_kib_ps, bytes) / 1024
                  : by_size_at(&c->rendezvous_receive_overhead_ps, bytes));
}

static void draw_costs(struct replay_config *c, struct dice *dice) {
    struct by_size *const costs[] = {&c->send_overhead_ps,
                                     &c->receive_overhead_ps,
                                     &c->send_overhead_per_kib_ps,
                                     &c->receive_overhead_per_kib_ps,
                                     &c->eager_send_copy_per_kib_ps,
                                     &c->eager_receive_copy_per_kib_ps,
                                     &c->rendezvous_send_overhead_ps,
                                     &c->rendezvous_receive_overhead_ps};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        int64_t from_bytes = 0, value = dice_below(dice, 500000);
        *costs[i] = by_size_constant(value);
        for (uint32_t steps = dice_below(dice, 4); steps > 0; steps--)
            costs[i]->steps[costs[i]->count++] = (struct by_size_step){
                from_bytes += 1 + dice_below(dice, 4000), value += 1 + dice_below(dice, 500000)};
    }
}

/* Both ways, one after the other; the receives stand long before. */
static void costs_follow_size_and_way(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct dice dice = {seed, 1, 0};
        struct world w;
        world_new(&w, 2);
        draw_costs(&w.config, &dice);
        w.config.rendezvous = dice_below(&dice, 2) ? REPLAY_RENDEZVOUS_GET : REPLAY_RENDEZVOUS_PUT;
        uint64_t bytes =
            dice_below(&dice, 3) == 0 ? dice_below(&dice, 3) : dice_below(&dice, 12000);
        w.config.eager_threshold_bytes = dice_below(&dice, 12000);
        bool eager = bytes <= (uint64_t)w.config.eager_threshold_bytes;
        const uint64_t id = 1;
        world_irecv(&w, 0, 1, bytes, id);
        world_send(&w, 0, 1, bytes, 0);
        world_wait(&w, 0, &id, 1);
        world_receive(&w, 1, 0, bytes);
        world_send(&w, 1, 0, bytes, 0);
        const struct replay_result *result = world_finish(&w);
        int64_t way_ps = send_ps(&w.config, bytes, eager) + WORLD_MESSAGE_PS(bytes) +
                         receive_ps(&w.config, bytes, eager) + (eager ? 0 : 2 * request);
        assert_int_equal(result->ranks[0].time_ps, 2 * way_ps);
        assert_int_equal(result->ranks[0].send_overhead_ps, send_ps(&w.config, bytes, eager));
        assert_int_equal(result->ranks[0].receive_overhead_ps, receive_ps(&w.config, bytes, eager));
        assert_int_equal(result->ranks[1].send_overhead_ps, send_ps(&w.config, bytes, eager));
        assert_int_equal(result->ranks[1].receive_overhead_ps, receive_ps(&w.config, bytes, eager));
        world_free(&w);
    }
}

/* A large ready send goes into a receive that is posted: copied at neither end, nor announced. A
 * buffered one is copied at both. */
static void large_ready_and_buffered_sends_do_not_wait(void **state) {
    (void)state;
    for (unsigned buffered = 0; buffered < 2; buffered++) {
        for (unsigned late = 0; late < 2; late++) {
            struct world w;
            world_new(&w, 2);
            w.config.eager_send_copy_per_kib_ps = by_size_constant(7000);
            w.config.eager_receive_copy_per_kib_ps = by_size_constant(9000);
            w.config.rendezvous_send_overhead_ps = by_size_constant(400000);
            w.config.rendezvous_receive_overhead_ps = by_size_constant(500000);
            int64_t there_ps = late ? 100000000 : 0;
            if (late) world_compute(&w, 1, there_ps);
            world_send(&w, 0, 1, LARGE,
                       buffered ? OPERATION_FLAG_SEND_BUFFERED : OPERATION_FLAG_SEND_READY);
            world_receive(&w, 1, 0, LARGE);
            const struct replay_result *result = world_finish(&w);
            int64_t sent_ps = S + (buffered ? 7000 * LARGE / 1024 : 0);
            if (!late) there_ps = sent_ps + WORLD_MESSAGE_PS(LARGE);
            assert_int_equal(result->ranks[0].send_overhead_ps, sent_ps);
            assert_int_equal(result->ranks[1].time_ps,
                             there_ps + R + (buffered ? 9000 * LARGE / 1024 : 0));
            world_free(&w);
        }
    }
}

/* Messages of collectives cost what others do: a root that sends to all at once. */
static void messages_of_collectives_cost_what_others_do(void **state) {
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        for (unsigned large = 0; large < 2; large++) {
            struct world w;
            world_new(&w, 2);
            struct dice dice = {7 + large, 1, 0};
            draw_costs(&w.config, &dice);
            w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BCAST] = 1; /* binomial */
            uint64_t bytes = large ? LARGE : 1000;
            const uint64_t id = 1;
            for (uint32_t rank = 0; rank < 2; rank++) {
                world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, bytes, bytes, 0,
                                 waits ? id : BUILDER_NO_REQUEST);
                if (waits) world_wait(&w, rank, &id, 1);
            }
            const struct replay_result *result = world_finish(&w);
            assert_int_equal(result->ranks[1].time_ps,
                             send_ps(&w.config, bytes, !large) + (large ? 2 * request : 0) +
                                 WORLD_MESSAGE_PS(bytes) + receive_ps(&w.config, bytes, !large));
            world_free(&w);
        }
    }
}

/* The completion of a send delays the sender's next operation, and not the message: 190 ns or 640
 * ns each, and 99 ns or 61 ns per KiB. */
static void completion_delays_the_sender(void **state) {
    (void)state;
    const int64_t small_ps = 190000 + 100 * 99000 / 1024, large_ps = 640000 + 1000 * 61000 / 1024;
    for (unsigned collective = 0; collective < 2; collective++) {
        struct world w;
        world_new(&w, 2);
        w.config.send_completion_ps = (struct by_size){2, {{0, 190000}, {500, 640000}}};
        w.config.send_completion_per_kib_ps = (struct by_size){2, {{0, 99000}, {600, 61000}}};
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BCAST] = 1; /* binomial */
        const uint64_t bytes[] = {100, 1000, 100};
        for (unsigned i = 0; i < 3; i++) {
            for (uint32_t rank = 0; rank < 2 && collective; rank++)
                world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, bytes[i],
                                 bytes[i], 0, BUILDER_NO_REQUEST);
            if (!collective) world_send(&w, 0, 1, bytes[i], 0);
            if (!collective) world_receive(&w, 1, 0, bytes[i]);
        }
        const struct replay_result *result = world_finish(&w);
        const int64_t last_ps = 3 * S + small_ps + large_ps; /* the last message leaves */
        assert_int_equal(result->ranks[0].time_ps, last_ps + small_ps);
        assert_int_equal(result->ranks[0].send_overhead_ps, 3 * S + 2 * small_ps + large_ps);
        assert_int_equal(result->ranks[1].time_ps, last_ps + WORLD_MESSAGE_PS(100) + R);
        world_free(&w);
    }
}

/* Time of n bytes within a node. */
static int64_t memory_ps(const struct world *w, uint64_t bytes) {
    return w->network_config.memory_latency_ps +
           (int64_t)bytes * INT64_C(1000000000000) / w->network_config.memory_bandwidth_bytes_per_s;
}

/* Within a node, messages cost what the settings for memory say and nothing else; between nodes
 * they cost what they do without these settings. Ranks 0 and 1 share a node. */
static void costs_within_a_node_are_those_of_memory(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct dice dice = {seed, 2, 0};
        const bool collective = seed % 3 == 0;
        const uint32_t peer = 1 + seed % 2; /* 1: on the same node */
        struct world w;
        world_new(&w, collective ? 2 : 3);
        w.ranks_per_node = collective ? peer == 1 ? 2 : 1 : 2;
        draw_costs(&w.config, &dice);
        w.config.memory_send_overhead_ps = (struct by_size){
            2, {{0, dice_below(&dice, 90000)}, {3000, 90000 + dice_below(&dice, 9000)}}};
        w.config.memory_receive_overhead_ps = by_size_constant(dice_below(&dice, 90000));
        w.config.eager_threshold_bytes = dice_below(&dice, 8000);
        w.config.collectives.algorithm[PROGRAM_COLLECTIVE_BCAST] = 1; /* binomial */
        w.config.send_completion_ps = by_size_constant(33000);
        const uint64_t bytes = 1 + dice_below(&dice, 8000);
        const bool eager = bytes <= (uint64_t)w.config.eager_threshold_bytes;
        for (uint32_t rank = 0; rank < 2 && collective; rank++)
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BCAST, w.everyone, 0, bytes, bytes, 0,
                             BUILDER_NO_REQUEST);
        if (!collective) world_send(&w, 0, peer, bytes, 0);
        if (!collective) world_receive(&w, peer, 0, bytes);
        const struct replay_result *result = world_finish(&w);
        const int64_t sent_ps = peer == 1 ? by_size_at(&w.config.memory_send_overhead_ps, bytes)
                                          : send_ps(&w.config, bytes, eager);
        const int64_t received_ps = peer == 1
                                        ? by_size_at(&w.config.memory_receive_overhead_ps, bytes)
                                        : receive_ps(&w.config, bytes, eager);
        const int64_t way_ps =
            peer == 1 ? memory_ps(&w, bytes) + (eager ? 0 : 2 * memory_ps(&w, WORLD_CONTROL_BYTES))
                      : WORLD_MESSAGE_PS(bytes) + (eager ? 0 : 2 * request);
        assert_int_equal(result->ranks[collective ? 1 : peer].time_ps,
                         sent_ps + way_ps + received_ps);
        assert_int_equal(result->ranks[0].send_overhead_ps, sent_ps + (peer == 1 ? 0 : 33000));
        world_free(&w);
    }
}

/* Costs within a node are known at both ends, or at neither. */
static void costs_within_a_node_are_known_at_both_ends_or_neither(void **state) {
    (void)state;
    for (unsigned sends = 0; sends < 2; sends++) {
        struct world w;
        world_new(&w, 2);
        *(sends ? &w.config.memory_send_overhead_ps : &w.config.memory_receive_overhead_ps) =
            by_size_constant(1);
        world_send(&w, 0, 1, 8, 0);
        world_receive(&w, 1, 0, 8);
        assert_int_equal(world_run(&w), STATUS_USAGE);
        assert_non_null(strstr(w.status.text, "set both, or none"));
        world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(completion_delays_the_sender),
        cmocka_unit_test(costs_follow_size_and_way),
        cmocka_unit_test(large_ready_and_buffered_sends_do_not_wait),
        cmocka_unit_test(messages_of_collectives_cost_what_others_do),
        cmocka_unit_test(costs_within_a_node_are_those_of_memory),
        cmocka_unit_test(costs_within_a_node_are_known_at_both_ends_or_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
