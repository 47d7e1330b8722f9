/*
 * Buffers that the VCs of an input share: what a VC can take of them, what it leaves to the others,
 * and that a run with them ends. A reserve is network.KIND.buffer, of each VC; a pool is
 * network.KIND.shared_buffer, of all VCs of an input.
 */
#include "network/network_choices.h"
#include "network_world.h"

#include "core/random.h"
#include "network/routing/routing.h"

/* Runs random messages. Returns the digest. */
static uint64_t run(const struct network_config *config, unsigned threads, uint64_t *packets,
                    int64_t *last_ps) {
    struct network_world world;
    network_world_new(&world, config, 7);
    uint32_t nodes = network_node_count(world.network);
    for (uint64_t i = 0; i < 3000; i++) {
        struct random_block draw = random_draw(3, RANDOM_PATTERN, 1, i);
        uint32_t source = random_below(draw.word[0], nodes);
        uint32_t destination = i % 3 == 0 ? nodes - 1 : random_below(draw.word[1], nodes);
        network_world_send(&world, source, destination, random_below(draw.word[2], 4000),
                           (int64_t)i * 10000);
    }
    network_world_run(&world, threads);
    struct network_totals totals;
    network_totals_of(world.network, &totals);
    *packets = totals.packets;
    if (last_ps != NULL) *last_ps = totals.latency_max_ps;
    network_world_free(&world);
    return totals.digest;
}

/* Minimal routing within one group uses one VC of each local channel. Then a pool and a reserve are
 * as good as one buffer of their sum, to the picosecond. */
static void test_one_vc_takes_all(void **state) {
    (void)state;
    const char *const sizes[][2] = {{"local.buffer=1100B", "local.shared_buffer=5000B"},
                                    {"local.buffer=3000B", "local.shared_buffer=3100B"},
                                    {"local.buffer=6099B", "local.shared_buffer=1B"}};
    const char *shape = "nodes_per_router=3 routers_per_group=4 globals_per_router=0 groups=1 "
                        "routing=minimal packet=1KiB local.latency=300ns local.bandwidth=10GB/s "
                        "terminal.buffer=64KiB nic.vcs=1";
    for (int output_buffer = 0; output_buffer < 2; output_buffer++) {
        struct network_config config = network_world_config(shape);
        if (output_buffer) network_world_set(&config, "router.output_buffer=4KiB");
        network_world_set(&config, "local.buffer=6100B");
        uint64_t packets;
        uint64_t expected = run(&config, 1, &packets, NULL);
        for (int i = 0; i < 3; i++) {
            struct network_config shared = config;
            network_world_set(&shared, sizes[i][0]);
            assert_int_not_equal(run(&shared, 1, &packets, NULL), expected);
            network_world_set(&shared, sizes[i][1]);
            assert_int_equal(run(&shared, 1, &packets, NULL), expected);
        }
    }
}

/* Packets of two VCs meet at an input: what one of them does not use, the other can. So a pool is
 * better than the same bytes divided among the VCs, and worse than the whole of it for each. */
static void test_pool_is_shared(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 routing=valiant "
        "packet=1KiB local.latency=400ns global.latency=2us terminal.buffer=64KiB "
        "local.buffer=1056B global.buffer=1056B");
    struct network_config shared = config, each = config;
    network_world_set(&shared, "local.shared_buffer=6336B global.shared_buffer=12672B");
    network_world_set(&each, "local.buffer=7392B global.buffer=13728B");
    uint64_t packets;
    int64_t alone_ps, shared_ps, each_ps;
    run(&config, 1, &packets, &alone_ps);
    run(&shared, 1, &packets, &shared_ps);
    run(&each, 1, &packets, &each_ps);
    assert_true(shared_ps < alone_ps);
    assert_true(each_ps <= shared_ps);
}

/* Whatever the other VCs hold, a VC whose buffer is empty has room for the largest packet: with
 * reserves of one packet every policy delivers all packets, in every order, on any number of
 * threads. */
static void test_reserves_suffice(void **state) {
    (void)state;
    for (unsigned policy = 0; network_routing_names()[policy] != NULL; policy++) {
        for (int i = 0; i < 4; i++) {
            struct network_config config = network_world_config(
                "nodes_per_router=2 routers_per_group=2 globals_per_router=1 groups=3 packet=1KiB "
                "terminal.buffer=1056B local.buffer=1056B global.buffer=1056B "
                "global.latency=500ns local.shared_buffer=3000B global.shared_buffer=5000B "
                "terminal.shared_buffer=1500B");
            config.routing = (int32_t)policy;
            if (routing_policies()[policy].transit != NULL) /* the ring has a bubble */
                network_world_set(&config, "local.buffer=2112B global.buffer=2112B");
            if (i & 1) network_world_set(&config, "router.crossbar=vc router.output_buffer=2KiB");
            if (i & 2)
                network_world_set(&config, "router.allocation_latency=5ns flit=24B "
                                           "local.buffer=2112B global.buffer=2112B "
                                           "terminal.buffer=1056B");
            uint64_t packets, others;
            uint64_t digest = run(&config, 1, &packets, NULL);
            for (unsigned threads = 2; threads <= 3; threads++)
                assert_int_equal(run(&config, threads, &others, NULL), digest);
            assert_true(packets > 3000);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_vc_takes_all),
        cmocka_unit_test(test_pool_is_shared),
        cmocka_unit_test(test_reserves_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
