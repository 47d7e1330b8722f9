/*
 * Collectives in two levels, offloaded to NICs, and throttled alltoalls: number, bytes and time of
 * their messages on an idle network, as closed forms of LogGP with two kinds of hops: h between
 * nodes and m within a node.
 */
#include "replay/collectives/collective_families.h"
#include "tests/support/replay/replay_world.h"
#include "tests/support/replay/symbolic_collective.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { S = WORLD_SEND_PS, R = WORLD_RECEIVE_PS, PER_BYTE_PS = 70, LATENCY_PS = 123000 };

static int64_t h(int64_t n) {
    return S + WORLD_MESSAGE_PS(n) + R;
}

static int64_t m(int64_t n) {
    return S + WORLD_MEMORY_PS + 10 * n + R;
}

static int64_t combine(int64_t n) {
    return PER_BYTE_PS * n;
}

static int64_t ceil_log(uint32_t p) {
    return collective_doublings(p);
}

static void begin(struct world *w, uint32_t ranks) {
    world_new(w, ranks);
    w->config.reduction_per_kib_ps = 1024 * PER_BYTE_PS;
    w->config.eager_threshold_bytes = INT64_C(1) << 40;
    w->config.collectives.offload_latency_ps = LATENCY_PS;
}

static void post(struct world *w, uint32_t kind, uint64_t bytes) {
    bool rooted = kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE;
    if (kind == PROGRAM_COLLECTIVE_BARRIER) bytes = 0;
    for (uint32_t rank = 0; rank < w->rank_count; rank++)
        world_collective(w, rank, kind, w->everyone, rooted ? 0 : PROGRAM_NONE, bytes, bytes, 0,
                         BUILDER_NO_REQUEST);
}

/* Nodes and ranks per node that are powers of two: binomial trees within nodes; among the leaders
 * dissemination, a binomial tree, recursive doubling (8 bytes). */
static void two_levels_take_the_closed_form(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 16; nodes *= 2) {
        for (uint32_t each = 1; each <= 8; each *= 2) {
            int64_t n = 8, inside = ceil_log(each), outside = ceil_log(nodes);
            const struct {
                uint32_t kind;
                int32_t id;
                int64_t time_ps;
            } rows[] = {
                {PROGRAM_COLLECTIVE_BARRIER, BARRIER_TWO_LEVEL, 2 * inside * m(0) + outside * h(0)},
                {PROGRAM_COLLECTIVE_BCAST, BCAST_TWO_LEVEL, outside * h(n) + inside * m(n)},
                {PROGRAM_COLLECTIVE_REDUCE, REDUCE_TWO_LEVEL,
                 inside * (m(n) + combine(n)) + outside * (h(n) + combine(n))},
                {PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_TWO_LEVEL,
                 inside * (2 * m(n) + combine(n)) + outside * (h(n) + combine(n))}};
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                struct world w;
                begin(&w, nodes * each);
                w.ranks_per_node = each;
                w.config.collectives.algorithm[rows[i].kind] = rows[i].id;
                post(&w, rows[i].kind, (uint64_t)n);
                assert_int_equal(world_finish(&w)->time_ps, rows[i].time_ps);
                world_free(&w);
            }
        }
    }
}

/* 1 to 4 ranks on a node, in turn. */
static uint32_t uneven(uint32_t ranks, uint32_t *node_of) {
    uint32_t node = 0;
    for (uint32_t i = 0, left = 1; i < ranks; i++, left--) {
        if (left == 0) left = 1 + ++node % 4;
        node_of[i] = node;
    }
    return node + 1;
}

/* For any number of ranks on any nodes: messages and bytes within nodes and between them. */
static void two_levels_send_the_messages_of_the_formula(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 33; ranks++) {
        uint32_t node_of[33], nodes = uneven(ranks, node_of), inside = ranks - nodes;
        uint32_t power = collective_fold_of(nodes).power, extra = nodes - power;
        uint32_t doubling = power * collective_fold_of(nodes).rounds + 2 * extra;
        const struct {
            uint32_t kind;
            int32_t id;
            uint32_t inside, outside;
        } rows[] = {{PROGRAM_COLLECTIVE_BARRIER, BARRIER_TWO_LEVEL, 2 * inside,
                     (uint32_t)ceil_log(nodes) * nodes},
                    {PROGRAM_COLLECTIVE_BARRIER, BARRIER_OFFLOAD, 2 * inside, 2 * (nodes - 1)},
                    {PROGRAM_COLLECTIVE_BCAST, BCAST_TWO_LEVEL, inside, nodes - 1},
                    {PROGRAM_COLLECTIVE_REDUCE, REDUCE_TWO_LEVEL, inside, nodes - 1},
                    {PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_TWO_LEVEL, 2 * inside, doubling},
                    {PROGRAM_COLLECTIVE_ALLREDUCE, ALLREDUCE_OFFLOAD, 2 * inside, 2 * (nodes - 1)}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct world w;
            begin(&w, ranks);
            w.node_of_rank = node_of;
            w.config.collectives.algorithm[rows[i].kind] = rows[i].id;
            post(&w, rows[i].kind, 8);
            const struct replay_result *result = world_finish(&w);
            uint32_t messages = rows[i].inside + rows[i].outside;
            assert_int_equal(result->collective_messages, messages);
            assert_int_equal(w.totals.memory_messages, rows[i].inside);
            assert_int_equal(w.totals.bytes,
                             rows[i].kind == PROGRAM_COLLECTIVE_BARRIER ? 0 : 8 * rows[i].outside);
            world_free(&w);
        }
    }
}

/* Levels below the root of a tree of `nodes` in which each has `radix` children. */
static int64_t depth(uint32_t nodes, uint32_t radix) {
    int64_t levels = 0;
    for (uint64_t level = 1, total = 1; total < nodes; levels++) {
        level *= radix;
        total += level;
    }
    return levels;
}

/* The host hands its part over, the deepest NIC's goes up and its result down, each hop a message
 * and the time of a NIC, and the host takes it. Whatever the eager threshold, and at no cost of
 * combining. */
static void offload_takes_the_closed_form(void **state) {
    (void)state;
    for (uint32_t radix = 2; radix <= 5; radix++) {
        for (uint32_t nodes = 2; nodes <= 33; nodes++) {
            for (uint32_t allreduce = 0; allreduce < 2; allreduce++) {
                struct world w;
                begin(&w, nodes);
                int64_t n = allreduce ? 8 : 0, hops = 2 * depth(nodes, radix);
                w.config.collectives.offload = 1;
                w.config.collectives.offload_radix = radix;
                w.config.eager_threshold_bytes = 0;
                post(&w, allreduce ? PROGRAM_COLLECTIVE_ALLREDUCE : PROGRAM_COLLECTIVE_BARRIER,
                     (uint64_t)n);
                const struct replay_result *result = world_finish(&w);
                assert_int_equal(result->time_ps,
                                 S + hops * (WORLD_MESSAGE_PS(n) + LATENCY_PS) + R);
                for (uint32_t rank = 0; rank < nodes; rank++) {
                    assert_int_equal(result->ranks[rank].send_overhead_ps, S);
                    assert_int_equal(result->ranks[rank].receive_overhead_ps, R);
                    assert_int_equal(result->ranks[rank].reduction_ps, 0);
                }
                world_free(&w);
            }
        }
    }
}

/* With ranks that share nodes, the tree stands between the parts within the nodes. */
static void offload_with_shared_nodes_takes_the_closed_form(void **state) {
    (void)state;
    for (uint32_t each = 1; each <= 8; each *= 2) {
        struct world w;
        begin(&w, 7 * each);
        w.ranks_per_node = each;
        w.config.collectives.offload = 1;
        w.config.collectives.offload_radix = 2;
        post(&w, PROGRAM_COLLECTIVE_ALLREDUCE, 8);
        int64_t inside = ceil_log(each), n = 8;
        int64_t tree_ps = S + 4 * (WORLD_MESSAGE_PS(n) + LATENCY_PS) + R;
        assert_int_equal(world_finish(&w)->time_ps, inside * (2 * m(n) + combine(n)) + tree_ps);
        world_free(&w);
    }
}

/* Larger vectors, other collectives and collectives of one node are not offloaded. */
static void large_vectors_and_one_node_are_not_offloaded(void **state) {
    (void)state;
    static const struct {
        uint32_t kind, ranks_per_node;
        uint64_t bytes;
    } rows[] = {{PROGRAM_COLLECTIVE_ALLREDUCE, 1, 9},
                {PROGRAM_COLLECTIVE_BCAST, 1, 8},
                {PROGRAM_COLLECTIVE_BARRIER, 4, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t time_ps[2];
        for (int32_t offload = 0; offload < 2; offload++) {
            struct world w;
            begin(&w, 4);
            w.ranks_per_node = rows[i].ranks_per_node;
            w.config.collectives.offload = offload;
            post(&w, rows[i].kind, rows[i].bytes);
            time_ps[offload] = world_finish(&w)->time_ps;
            world_free(&w);
        }
        assert_int_equal(time_ps[0], time_ps[1]);
    }
}

/* NICs need no rank inside MPI: only the host's last step waits for the rank's next call. */
static void offload_goes_on_beside_computation(void **state) {
    (void)state;
    const int64_t compute_ps = 100000000;
    for (int32_t offload = 0; offload < 2; offload++) {
        struct world w;
        begin(&w, 8);
        w.config.progress = REPLAY_PROGRESS_SOFTWARE;
        w.config.collectives.offload = offload;
        const uint64_t id = 9;
        for (uint32_t rank = 0; rank < 8; rank++) {
            world_collective(&w, rank, PROGRAM_COLLECTIVE_BARRIER, w.everyone, PROGRAM_NONE, 0, 0,
                             0, id);
            world_compute(&w, rank, compute_ps);
            world_wait(&w, rank, &id, 1);
        }
        int64_t time_ps = world_finish(&w)->time_ps;
        if (offload)
            assert_int_equal(time_ps, compute_ps + R);
        else
            assert_true(time_ps > compute_ps + WORLD_MESSAGE_PS(0));
        world_free(&w);
    }
}

/* A vector above the eager threshold is carried without a request, and the host pays no copies. */
static void large_vectors_are_offloaded_without_a_request(void **state) {
    (void)state;
    struct world w;
    begin(&w, 3);
    w.config.eager_threshold_bytes = 100;
    w.config.eager_send_copy_per_kib_ps = by_size_constant(1024 * 1000);
    w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLREDUCE] = ALLREDUCE_OFFLOAD;
    post(&w, PROGRAM_COLLECTIVE_ALLREDUCE, 5000);
    const struct replay_result *result = world_finish(&w);
    assert_int_equal(result->time_ps, S + 2 * (WORLD_MESSAGE_PS(5000) + LATENCY_PS) + R);
    assert_int_equal(result->collective_messages, 4);
    world_free(&w);
}

/* Rounds of up to `throttle` messages: S for each, the last arrives Z later, R for each. (As R > S,
 * messages queue behind the first; and a round's first comes after its last was sent.) */
static void throttled_rounds_take_the_closed_form(void **state) {
    (void)state;
    static const int32_t ids[] = {ALLTOALL_SCATTERED, ALLTOALL_RANDOM};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (uint32_t p = 2; p <= 17; p++) {
            for (uint32_t throttle = 1; throttle <= 4; throttle++) {
                struct world w;
                begin(&w, p);
                w.config.collectives.algorithm[PROGRAM_COLLECTIVE_ALLTOALL] = ids[i];
                w.config.collectives.throttle = throttle;
                post(&w, PROGRAM_COLLECTIVE_ALLTOALL, 80);
                int64_t whole = (p - 1) / throttle, rest = (p - 1) % throttle;
                int64_t time_ps = whole * (S + WORLD_MESSAGE_PS(80) + throttle * R);
                if (rest > 0) time_ps += S + WORLD_MESSAGE_PS(80) + rest * R;
                const struct replay_result *result = world_finish(&w);
                assert_int_equal(result->time_ps, time_ps);
                assert_int_equal(result->collective_messages, p * (p - 1));
                assert_int_equal(w.totals.bytes, 80 * p * (p - 1));
                world_free(&w);
            }
        }
    }
}

static struct collective_step step_of(const struct collective_call *call, uint32_t number) {
    struct collective_step step;
    collective_describe(collective_algorithm_of(PROGRAM_COLLECTIVE_ALLTOALL, ALLTOALL_RANDOM), call,
                        number, &step);
    return step;
}

/* Each round is a permutation, and everyone meets everyone once. Orders differ between members and
 * between seeds. */
static void random_orders_are_permutations(void **state) {
    (void)state;
    static const struct collective_choice choice = {0};
    for (uint32_t n = 2; n <= 70; n++) {
        static bool met[70][70];
        uint32_t unlike = 0, unlike_seeds = 0;
        memset(met, 0, sizeof met);
        for (uint32_t round = 0; round + 1 < n; round++) {
            bool reached[70] = {false};
            uint32_t distance = 0;
            for (uint32_t me = 0; me < n; me++) {
                struct collective_call call = {.kind = PROGRAM_COLLECTIVE_ALLTOALL,
                                               .size = n,
                                               .own_member = me,
                                               .seed = 5,
                                               .choice = &choice};
                struct collective_step step = step_of(&call, round);
                assert_true(step.to < n && step.to != me && !reached[step.to]);
                assert_false(met[me][step.to]);
                reached[step.to] = met[me][step.to] = true;
                call.own_member = step.to;
                assert_int_equal(step_of(&call, round).from, me);
                call.own_member = me;
                call.seed = 6;
                unlike_seeds += step_of(&call, round).to != step.to;
                unlike += me > 0 && (step.to + n - me) % n != distance;
                distance = (step.to + n - me) % n;
            }
        }
        if (n >= 8) assert_true(unlike > n * n / 2 && unlike_seeds > n * n / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_levels_take_the_closed_form),
        cmocka_unit_test(two_levels_send_the_messages_of_the_formula),
        cmocka_unit_test(offload_takes_the_closed_form),
        cmocka_unit_test(offload_with_shared_nodes_takes_the_closed_form),
        cmocka_unit_test(large_vectors_and_one_node_are_not_offloaded),
        cmocka_unit_test(offload_goes_on_beside_computation),
        cmocka_unit_test(large_vectors_are_offloaded_without_a_request),
        cmocka_unit_test(throttled_rounds_take_the_closed_form),
        cmocka_unit_test(random_orders_are_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
