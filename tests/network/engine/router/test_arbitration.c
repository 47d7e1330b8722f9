/*
 * Arbitration: who goes first when several inputs ask for one output. Single packets, so that the
 * order of deliveries is the order of service.
 *
 * A NIC spreads its messages over its injection VCs in turn (two of them under minimal routing).
 * Arbiters choose among ports, however many VCs of one ask.
 */
#include "tests/support/network/network_world.h"

#define PACKET_BYTES 1000
#define PACKET_PS    100000 /* 1000 B at 10 GB/s */
#define TERMINAL_PS  10000  /* latency of a channel between a node and its router */
#define ROUTER_PS    50000  /* latency of a router */

#define CHANNELS                                                                                   \
    "routing=minimal packet=1000B header=0 terminal.bandwidth=10GB/s local.bandwidth=10GB/s "      \
    "global.bandwidth=10GB/s "                                                                     \
    "terminal.latency=10ns local.latency=20ns router.latency=50ns terminal.buffer=128KiB "
/* One router with four nodes; nodes 0, 1, 2 send to node 3. */
#define STAR "nodes_per_router=4 routers_per_group=1 globals_per_router=0 groups=1 " CHANNELS
/* Two routers with two nodes each. */
#define PAIR "nodes_per_router=2 routers_per_group=2 globals_per_router=0 groups=1 " CHANNELS

static const char *const crossbars[] = {"router.crossbar=ideal", "router.crossbar=input",
                                        "router.crossbar=vc"};
#define CROSSBARS 3

static void open_world(struct network_world *world, const char *machine, const char *crossbar,
                       const char *more) {
    char pairs[1000];
    snprintf(pairs, sizeof pairs, "%s %s %s", machine, crossbar, more);
    struct network_config config = network_world_config(pairs);
    network_world_new(world, &config, 1);
}

static uint32_t source_of(const struct network_world *world, size_t delivery) {
    assert_true(delivery < world->count);
    return world->deliveries[delivery].delivery.source_node;
}

/* While all three have packets waiting, each is served once in any three, back to back; though node
 * 2 sends one message of 20 packets, by one VC, and nodes 0 and 1 send 20 messages each, by two:
 *
 *     service    a b 2  a b 2  a b 2 ... a b 2        a, b: nodes 0 and 1 in their order
 *     delivery   a b    a b    a b   ... a b 2        node 2's message counts when it is whole
 *
 * So 40 deliveries alternate between nodes 0 and 1, with a gap of one packet more after each two,
 * and node 2's is the last. */
static void check_equal_turns(const char *arbitration) {
    for (size_t i = 0; i < CROSSBARS; i++) {
        struct network_world world;
        open_world(&world, STAR, crossbars[i], arbitration);
        for (uint32_t message = 0; message < 20; message++) {
            for (uint32_t node = 0; node < 2; node++)
                network_world_send(&world, node, 3, PACKET_BYTES, 0);
        }
        network_world_send(&world, 2, 3, 20 * PACKET_BYTES, 0);
        network_world_run(&world, 1);
        assert_int_equal(world.count, 41);
        const uint32_t a = source_of(&world, 0);
        assert_in_range(a, 0, 1);
        for (size_t j = 0; j < 40; j++)
            assert_int_equal(source_of(&world, j), j % 2 == 0 ? a : 1 - a);
        for (size_t j = 1; j < 40; j++)
            assert_int_equal(world.deliveries[j].time_ps - world.deliveries[j - 1].time_ps,
                             j % 2 == 0 ? 2 * PACKET_PS : PACKET_PS);
        assert_int_equal(source_of(&world, 40), 2);
        assert_int_equal(world.deliveries[40].time_ps - world.deliveries[39].time_ps, PACKET_PS);
        network_world_free(&world);
    }
}

static void round_robin_takes_turns(void **state) {
    (void)state;
    check_equal_turns("router.arbitration=round-robin");
}

static void least_recent_takes_turns(void **state) {
    (void)state;
    check_equal_turns("router.arbitration=least-recent");
}

/*
 * Nodes 0 and 1 of a router and node 2 of its neighbour send over the router's global link, which
 * carries as much as a node sends. Each port has one turn in three: once both ports from nodes have
 * had theirs, the port from the other router follows, and then the nodes again.
 */
static void nodes_and_transit_take_turns(void **state) {
    (void)state;
    enum { MESSAGES = 30, FIRST = 6, CHECKED = 60 };
    for (size_t i = 0; i < CROSSBARS; i++) {
        struct network_world world;
        open_world(&world,
                   "nodes_per_router=2 routers_per_group=2 globals_per_router=1 groups=3 "
                   "arrangement=absolute local.buffer=128KiB global.buffer=128KiB " CHANNELS,
                   crossbars[i], "router.arbitration=round-robin");
        for (uint32_t message = 0; message < MESSAGES; message++)
            for (uint32_t node = 0; node < 3; node++)
                network_world_send(&world, node, 4, PACKET_BYTES, 0); /* in group 1 */
        network_world_run(&world, 1);
        assert_int_equal(world.count, 3 * MESSAGES);
        /* the first packets of node 2 are one router later than those of the others */
        for (size_t j = FIRST; j < CHECKED; j++) {
            unsigned seen = 0;
            for (size_t k = j; k < j + 3; k++)
                seen |= 1u << source_of(&world, k);
            assert_int_equal(seen, 7); /* nodes 0, 1 and 2 */
        }
        network_world_free(&world);
    }
}

/*
 * Node 2 is served alone first, then nodes 0 and 1, which ask together. Now 1 and 2 ask together:
 * round robin goes on after 0, to 1; least recently served is 2.
 */
static uint32_t winner_after_history(const char *crossbar, const char *arbitration) {
    struct network_world world;
    open_world(&world, STAR, crossbar, arbitration);
    network_world_send(&world, 2, 3, PACKET_BYTES, 0);
    network_world_send(&world, 0, 3, PACKET_BYTES, 1000000);
    network_world_send(&world, 1, 3, PACKET_BYTES, 1000000);
    network_world_send(&world, 1, 3, PACKET_BYTES, 10000000);
    network_world_send(&world, 2, 3, PACKET_BYTES, 10000000);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 5);
    assert_int_equal(source_of(&world, 1), 0);
    assert_int_equal(source_of(&world, 2), 1);
    const uint32_t winner = source_of(&world, 3), loser = source_of(&world, 4);
    assert_true((winner == 1 && loser == 2) || (winner == 2 && loser == 1));
    network_world_free(&world);
    return winner;
}

static void least_recent_is_not_round_robin(void **state) {
    (void)state;
    for (size_t i = 0; i < CROSSBARS; i++) {
        assert_int_equal(winner_after_history(crossbars[i], "router.arbitration=round-robin"), 1);
        assert_int_equal(winner_after_history(crossbars[i], "router.arbitration=least-recent"), 2);
    }
}

/*
 * Node 0's message of five packets is older than node 2's, which is older than node 1's: all are
 * waiting when the first packet is through.
 */
static void check_ages(const char *crossbar, const char *arbitration, const uint32_t *expected) {
    struct network_world world;
    open_world(&world, STAR, crossbar, arbitration);
    network_world_send(&world, 0, 3, 5 * PACKET_BYTES, 0);
    network_world_send(&world, 2, 3, PACKET_BYTES, 10000);
    network_world_send(&world, 1, 3, PACKET_BYTES, 20000);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(source_of(&world, i), expected[i]);
    network_world_free(&world);
}

static void oldest_goes_first(void **state) {
    (void)state;
    for (size_t i = 0; i < CROSSBARS; i++) {
        check_ages(crossbars[i], "router.arbitration=oldest", (const uint32_t[]){0, 2, 1});
        check_ages(crossbars[i], "router.arbitration=round-robin", (const uint32_t[]){1, 2, 0});
    }
}

/* Of the same age: in order of nodes, and of their sending. */
static void oldest_breaks_ties(void **state) {
    (void)state;
    for (size_t i = 0; i < CROSSBARS; i++) {
        struct network_world world;
        open_world(&world, STAR, crossbars[i], "router.arbitration=oldest");
        for (uint32_t message = 0; message < 12; message++)
            network_world_send(&world, 2 - message % 3, 3, PACKET_BYTES, 0);
        network_world_run(&world, 1);
        uint64_t last[3] = {0};
        for (size_t j = 0; j < 12; j++) {
            uint64_t *previous = &last[source_of(&world, j)];
            uint64_t number = world.deliveries[j].delivery.cookie.word[0];
            assert_true(number > *previous);
            *previous = number;
        }
        assert_int_equal(source_of(&world, 11), 2);
        network_world_free(&world);
    }
}

/* Packets of node 1, just injected, that pass packets of node 2, in transit from another router. */
static unsigned passed_by(const char *crossbar, const char *priority) {
    struct network_world world;
    open_world(&world, PAIR, crossbar, priority);
    for (uint32_t message = 0; message < 30; message++) {
        network_world_send(&world, 2, 0, PACKET_BYTES, 0);
        network_world_send(&world, 1, 0, PACKET_BYTES, 200000);
    }
    network_world_run(&world, 1);
    assert_int_equal(world.count, 60);
    unsigned passed = 0;
    unsigned transit = 0;
    for (size_t i = 0; i < 60; i++) {
        transit += source_of(&world, i) == 2;
        passed += source_of(&world, i) == 1 && transit < 30;
    }
    network_world_free(&world);
    return passed;
}

static void transit_goes_before_injection(void **state) {
    (void)state;
    for (size_t i = 0; i < CROSSBARS; i++) {
        /* Injection starves as long as there is transit … */
        assert_int_equal(passed_by(crossbars[i], "router.transit_priority=on"), 0);
        /* … under any arbitration, whatever the ages. */
        assert_int_equal(passed_by(crossbars[i], "router.transit_priority=on "
                                                 "router.arbitration=least-recent"),
                         0);
        assert_int_equal(
            passed_by(crossbars[i], "router.transit_priority=on router.arbitration=oldest"), 0);
        /* Without it the two ports take turns. Three of the 30 packets in transit were through
         * before node 1 asked; node 1 passes once for each of the other 27. */
        enum { IN_TURN = 30 - 3 };
        assert_int_equal(passed_by(crossbars[i], "router.transit_priority=off"), IN_TURN);
        /* By itself it is what the policy asks for. */
        assert_int_equal(passed_by(crossbars[i], ""), IN_TURN);
        assert_int_equal(passed_by(crossbars[i], "routing=ofar-ordered"), 0);
        assert_true(passed_by(crossbars[i], "routing=ofar-ordered router.transit_priority=off") >
                    0);
    }
}

/*
 * How far apart two packets arrive that come in by one port 100 ns apart and leave by two different
 * channels, each of which takes 1000 ns for one.
 */
static int64_t apart_from_one_input(const char *router) {
    struct network_world world;
    open_world(&world,
               "nodes_per_router=1 routers_per_group=3 globals_per_router=0 groups=1 " CHANNELS,
               "local.bandwidth=1GB/s", router);
    network_world_send(&world, 0, 1, PACKET_BYTES, 0);
    network_world_send(&world, 0, 2, PACKET_BYTES, 0);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 2);
    assert_int_equal(source_of(&world, 0), 0);
    assert_int_equal(world.deliveries[0].delivery.destination_node, 1);
    int64_t apart_ps = world.deliveries[1].time_ps - world.deliveries[0].time_ps;
    network_world_free(&world);
    return apart_ps;
}

static void a_busy_input_delays_its_second_packet(void **state) {
    (void)state;
    /* An ideal crossbar sends both at once; else the second waits for the first one's tail, … */
    assert_int_equal(apart_from_one_input("router.crossbar=ideal"), PACKET_PS);
    assert_int_equal(apart_from_one_input("router.crossbar=input"), 10 * PACKET_PS);
    /* … or for that of the same VC only. Two VCs of a port go a cycle apart, a phit of 2000 B on a
     * local channel, … */
    assert_int_equal(apart_from_one_input("router.crossbar=vc nic.vcs=1"), 10 * PACKET_PS);
    assert_int_equal(apart_from_one_input("router.crossbar=vc nic.vcs=2"), PACKET_PS);
    assert_int_equal(apart_from_one_input("router.crossbar=vc nic.vcs=2 phit=2000B"),
                     20 * PACKET_PS);
    /* … which with output buffers is through the crossbar at that one's own speed: 10 GB/s times
     * the speedup; and not before it has come in. */
    assert_int_equal(apart_from_one_input("router.crossbar=input router.output_buffer=4KiB"),
                     PACKET_PS);
    assert_int_equal(
        apart_from_one_input("router.crossbar=input router.output_buffer=4KiB router.speedup=0.5"),
        2 * PACKET_PS);
    assert_int_equal(
        apart_from_one_input("router.crossbar=input router.output_buffer=4KiB router.speedup=4"),
        PACKET_PS);
}

/* With network.router.vc_allocation first input VCs have the turns: nodes 0 and 1, who send by two
 * of them, go twice as often as node 2, who sends by one. */
static void input_vcs_take_turns(void **state) {
    (void)state;
    for (size_t i = 1; i < CROSSBARS; i++) {
        struct network_world world;
        open_world(&world, STAR, crossbars[i], "router.vc_allocation=first");
        for (uint32_t message = 0; message < 40; message++) {
            for (uint32_t node = 0; node < 2; node++)
                network_world_send(&world, node, 3, PACKET_BYTES, 0);
        }
        for (uint32_t message = 0; message < 20; message++)
            network_world_send(&world, 2, 3, PACKET_BYTES, 0);
        network_world_run(&world, 1);
        assert_int_equal(world.count, 100);
        uint32_t served[3] = {0};
        for (size_t j = 20; j < 60; j++)
            served[source_of(&world, j)]++;
        /* Node 2's messages take turns on its two VCs, too: of 40 deliveries in the middle each of
         * the three nodes has a third, 13 or 14. */
        for (size_t j = 0; j < 3; j++)
            assert_in_range(served[j], 13, 14);
        network_world_free(&world);
        open_world(&world, STAR, crossbars[i], "router.vc_allocation=first");
        for (uint32_t message = 0; message < 40; message++) {
            for (uint32_t node = 0; node < 2; node++)
                network_world_send(&world, node, 3, PACKET_BYTES, 0);
        }
        network_world_send(&world, 2, 3, 20 * PACKET_BYTES, 0);
        network_world_run(&world, 1);
        /* Node 2's message of 20 packets counts when it is whole. It has one input VC of five, so
         * every fifth turn: the 80 messages of the others are through before its last packet, or
         * all but the last two. */
        size_t before = 0;
        while (source_of(&world, before) != 2)
            before++;
        assert_in_range(before, 78, 80);
        network_world_free(&world);
    }
}

/* One packet at a time fits the buffer of the other router: they are apart by a round trip, in
 * which network.router.credit_latency counts once. */
static int64_t apart_by_credits(const char *more) {
    struct network_world world;
    open_world(&world, PAIR, "local.buffer=1000B", more);
    for (int message = 0; message < 5; message++)
        network_world_send(&world, 0, 2, PACKET_BYTES, 0);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 5);
    int64_t apart_ps = world.deliveries[4].time_ps - world.deliveries[3].time_ps;
    network_world_free(&world);
    return apart_ps;
}

static void credits_take_their_latency_to_the_allocator(void **state) {
    (void)state;
    int64_t apart_ps = apart_by_credits("");
    assert_true(apart_ps > PACKET_PS);
    assert_int_equal(apart_by_credits("router.credit_latency=30ns"), apart_ps + 30000);
    const char *first = "router.crossbar=input router.vc_allocation=first";
    assert_int_equal(apart_by_credits(first), apart_ps);
}

/* The widest router there can be: every node sends to the next one. */
static void the_widest_router_serves_all_ports(void **state) {
    (void)state;
    for (size_t i = 0; i < CROSSBARS; i++) {
        struct network_world world;
        open_world(
            &world,
            "nodes_per_router=1024 routers_per_group=1 globals_per_router=0 groups=1 " CHANNELS,
            crossbars[i], "router.arbitration=least-recent");
        for (uint32_t node = 0; node < 1024; node++)
            network_world_send(&world, node, (node + 1) % 1024, PACKET_BYTES, 0);
        network_world_run(&world, 1);
        assert_int_equal(world.count, 1024);
        /* No two packets meet: each takes two channels, the router, and its own length once. */
        for (size_t j = 0; j < 1024; j++)
            assert_int_equal(world.deliveries[j].time_ps, 2 * TERMINAL_PS + ROUTER_PS + PACKET_PS);
        network_world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_takes_turns),
        cmocka_unit_test(nodes_and_transit_take_turns),
        cmocka_unit_test(least_recent_takes_turns),
        cmocka_unit_test(least_recent_is_not_round_robin),
        cmocka_unit_test(oldest_goes_first),
        cmocka_unit_test(oldest_breaks_ties),
        cmocka_unit_test(transit_goes_before_injection),
        cmocka_unit_test(a_busy_input_delays_its_second_packet),
        cmocka_unit_test(input_vcs_take_turns),
        cmocka_unit_test(credits_take_their_latency_to_the_allocator),
        cmocka_unit_test(the_widest_router_serves_all_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
