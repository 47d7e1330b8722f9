/*
 * Random programs on the ideal network: all finish, every rank's parts add up to its time (checked
 * by world_finish), messages are conserved, nothing queues where there is no contention, and what
 * must not change the result does not.
 */
#include "tests/support/replay/random_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void all_finish_and_add_up(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct world w;
        uint64_t sent_bytes = random_replay(&w, seed);
        w.ranks_per_node = 1 + seed % 3;
        const struct replay_result *result = world_finish(&w);
        struct program_totals totals;
        program_totals_compute(w.program, &totals);
        assert_int_equal(result->eager_messages + result->rendezvous_messages, totals.messages);
        uint64_t bytes = 0, digest = result->digest;
        for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++) {
            bytes += result->ranks[rank].sent_bytes;
            assert_int_equal(result->ranks[rank].wait_queueing_ps, 0);
        }
        assert_int_equal(bytes, sent_bytes);
        assert_int_equal(world_finish(&w)->digest, digest);
        world_free(&w);
    }
}

/* With everything eager, or nothing, they finish too. */
static void any_threshold_lets_programs_finish(void **state) {
    (void)state;
    for (uint32_t seed = 300; seed < 320; seed++) {
        struct world w;
        random_replay(&w, seed);
        w.config.eager_threshold_bytes = 0;
        uint64_t max = world_finish(&w)->rendezvous_messages;
        w.config.eager_threshold_bytes = 1 << 30; /* all but synchronous sends are eager */
        assert_true(world_finish(&w)->rendezvous_messages < max);
        world_free(&w);
    }
}

/* The longest chain of what a rank does alone is a lower bound; more network time never helps. */
static void slower_networks_are_slower(void **state) {
    (void)state;
    for (uint32_t seed = 400; seed < 420; seed++) {
        struct world w;
        random_replay(&w, seed);
        const struct replay_result *result = world_finish(&w);
        int64_t fast_ps = result->time_ps, alone_ps = 0;
        for (uint32_t rank = 0; rank < RANDOM_REPLAY_RANKS; rank++) {
            const struct replay_rank_result *r = &result->ranks[rank];
            int64_t busy_ps = r->compute_ps + r->send_overhead_ps + r->receive_overhead_ps;
            if (busy_ps > alone_ps) alone_ps = busy_ps;
        }
        assert_true(fast_ps >= alone_ps);
        w.network_config.channels[NETWORK_GLOBAL].latency_ps *= 50;
        assert_true(world_finish(&w)->time_ps > fast_ps);
        world_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_finish_and_add_up),
        cmocka_unit_test(any_threshold_lets_programs_finish),
        cmocka_unit_test(slower_networks_are_slower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
