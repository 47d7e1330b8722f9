/*
 * Buffers that the VCs of an input share: what a VC can take of them, what it leaves to the others,
 * and that a run with them ends. A reserve is network.KIND.buffer, of each VC; a pool is
 * network.KIND.shared_buffer, of all VCs of an input.
 */
#include "network/network_choices.h"
#include "tests/support/network/network_face.h"

#include "core/simulation/random.h"
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
    network_fill_totals(world.network, &totals);
    *packets = totals.packets;
    if (last_ps != NULL) *last_ps = totals.latency_max_ps;
    network_world_free(&world);
    return totals.digest;
}

/* Minimal routing within one group uses one VC of each local channel. Then a pool and a reserve are
 * as good as one buffer of their sum, to the picosecond. */
static void a_pool_and_a_reserve_are_one_buffer_for_one_vc(void **state) {
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
static void a_pool_is_better_than_divided_and_worse_than_whole_buffers(void **state) {
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
static void reserves_of_one_packet_deliver_everything(void **state) {
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
            for (unsigned threads = 2; i == 3 && threads <= 3; threads++)
                assert_int_equal(run(&config, threads, &others, NULL), digest);
            assert_true(packets > 3000);
        }
    }
}

/* All that three VCs of an output can hold, in packets of 2 and 3 units, by enumeration: each holds
 * a list of packets whose credits come back in order. */
#define UNIT    100
#define RESERVE 300 /* the largest packet */
#define POOL    700
struct enumeration {
    struct rail_group *rail_group;
    uint32_t first; /* VC of the output */
    int64_t now_ps;
    uint64_t states;
    uint32_t held[3][8];
    uint32_t count[3];
};

static uint32_t held_bytes(const struct enumeration *all, unsigned vc) {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < all->count[vc]; i++)
        bytes += all->held[vc][i];
    return bytes;
}

/* What the output says agrees with what the VCs hold. */
static void check_state(struct enumeration *all, const struct network *network) {
    uint32_t sum = 0, beyond = 0;
    assert_false(
        face_has_room(all->rail_group, all->first, 1 << 20)); /* applies credits that came */
    for (unsigned vc = 0; vc < 3; vc++) {
        uint32_t bytes = held_bytes(all, vc);
        sum += bytes;
        beyond += bytes > RESERVE ? bytes - RESERVE : 0;
        assert_int_equal(face_credits(all->rail_group, all->first + vc), RESERVE - (int32_t)bytes);
    }
    assert_int_equal(
        face_shared_free_bytes(all->rail_group, all->first / face_port_vc(network, 1, 0)),
        POOL - (int32_t)beyond);
    assert_true(beyond <= POOL && sum <= 3 * RESERVE + POOL);
    for (unsigned vc = 0; vc < 3; vc++) {
        uint32_t bytes = held_bytes(all, vc);
        for (uint32_t size = 2 * UNIT; size <= 3 * UNIT; size += UNIT) {
            uint32_t own = bytes < RESERVE ? RESERVE - bytes : 0;
            assert_int_equal(face_has_room(all->rail_group, all->first + vc, size),
                             own + POOL - beyond >= size);
            if (bytes == 0) assert_true(face_has_room(all->rail_group, all->first + vc, size));
        }
    }
}

static void enumerate(struct enumeration *all, const struct network *network, unsigned depth) {
    check_state(all, network);
    all->states++;
    if (depth == 0) return;
    for (unsigned vc = 0; vc < 3; vc++) {
        uint32_t port_vc = all->first + vc;
        for (uint32_t size = 2 * UNIT; size <= 3 * UNIT; size += UNIT) {
            if (!face_has_room(all->rail_group, port_vc, size)) continue;
            face_take_shared(all->rail_group, port_vc, size);
            all->held[vc][all->count[vc]++] = size;
            enumerate(all, network, depth - 1);
            uint32_t last = all->held[vc][--all->count[vc]];
            face_give_back(all->rail_group, port_vc, ++all->now_ps, last);
            face_set_time(all->rail_group, all->now_ps);
        }
    }
}

static void room_follows_reserve_and_pool_in_every_state(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 routing=ugal-l "
        "packet=300B header=0 local.buffer=300B local.shared_buffer=700B");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct enumeration all = {.rail_group = face_rail_group(world.network, 0)};
    face_set_time(all.rail_group, 0);
    all.first = face_port_vc(world.network, face_output(world.network, 0, 1), 0);
    enumerate(&all, world.network, 6);
    assert_true(all.states > 10000);
    /* Credits of one VC make room for another, at the time at which enough of them have come. */
    uint32_t one = all.first, two = all.first + 1;
    for (int i = 0; i < 4; i++)
        face_take_shared(all.rail_group, two, 250); /* 300 of its own, the pool */
    assert_false(face_has_room(all.rail_group, two, 1));
    assert_true(face_has_room(all.rail_group, one, 300));
    face_take_shared(all.rail_group, one, 300);
    assert_int_equal(face_room_ps(all.rail_group, one, 300), INT64_MAX);
    int64_t now_ps = all.now_ps;
    face_give_back(all.rail_group, two, now_ps + 10, 250);
    face_give_back(all.rail_group, one, now_ps + 20, 40);
    face_give_back(all.rail_group, two, now_ps + 30, 250);
    assert_int_equal(face_room_ps(all.rail_group, one, 250), now_ps + 10);
    assert_int_equal(face_room_ps(all.rail_group, one, 290), now_ps + 20);
    assert_int_equal(face_room_ps(all.rail_group, one, 300), now_ps + 30);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_follows_reserve_and_pool_in_every_state),
        cmocka_unit_test(a_pool_and_a_reserve_are_one_buffer_for_one_vc),
        cmocka_unit_test(a_pool_is_better_than_divided_and_worse_than_whole_buffers),
        cmocka_unit_test(reserves_of_one_packet_deliver_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
