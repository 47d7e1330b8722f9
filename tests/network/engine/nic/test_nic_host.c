/*
 * Rates that hosts and NICs set, and the order in which a NIC serves, in closed form: the gap
 * between messages, the receiving side with its buffer, the host interface of both directions. One
 * router with four nodes; a packet takes 100 ns on a channel.
 */
#include "tests/support/network/network_world.h"

#define STAR                                                                                       \
    "nodes_per_router=4 routers_per_group=1 globals_per_router=0 groups=1 routing=minimal "        \
    "packet=1000B header=0 terminal.bandwidth=10GB/s terminal.latency=10ns router.latency=50ns "   \
    "terminal.buffer=64KiB "
#define PACKET_PS 100000
#define PATH_PS   70000 /* latencies and the router */

static struct network_world world;
static int64_t stalled_ps; /* of the channel to node 0, for credits */

static void open_world(const char *settings) {
    network_world_open(&world, STAR, settings);
}

static void find_stalled(void *context, const struct network_link *link) {
    (void)context;
    if (!link->is_injection && link->destination == 0) stalled_ps = link->numbers.stalled_ps;
}

static void run(void) {
    network_world_run(&world, 1);
    assert_int_equal(world.count, world.sent);
    network_visit_links(world.network, find_stalled, NULL);
}

/* When a message was delivered, by its number from 1 on. */
static int64_t delivered_ps(uint64_t number) {
    return network_world_delivered_ps(&world, number);
}

static int64_t last_ps(void) {
    return world.deliveries[world.count - 1].time_ps;
}

/* Messages of 100 B leave by the gap, or by overhead and channel where these take longer. */
static void messages_leave_by_the_gap(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int64_t first_ps, each_ps;
    } cases[] = {{"nic.message_gap=300ns", 10000, 300000},
                 {"nic.message_gap=5ns", 10000, 10000},
                 {"nic.message_gap=300ns nic.overhead=70ns", 80000, 300000},
                 {"nic.message_gap=30ns nic.overhead=70ns", 80000, 80000},
                 {"nic.message_gap=300ns nic.send_latency=2us", 2010000, 300000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_world(cases[i].settings);
        for (uint32_t k = 0; k < 20; k++)
            network_world_send(&world, 0, 1 + k % 3, 100, 0);
        run();
        for (uint32_t k = 0; k < 20; k++)
            assert_int_equal(delivered_ps(k + 1),
                             cases[i].first_ps + k * cases[i].each_ps + PATH_PS);
        network_world_free(&world);
    }
}

/* The gap counts from the beginning of the last message, however long ago that ended. */
static void the_gap_counts_from_the_last_beginning(void **state) {
    (void)state;
    open_world("nic.message_gap=1us");
    static const int64_t ready_ps[] = {0, 200000, 1300000, 5000000};
    static const int64_t begins_ps[] = {0, 1000000, 2000000, 5000000};
    for (size_t k = 0; k < 4; k++)
        network_world_send(&world, 0, 1, 1000, ready_ps[k]);
    run();
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(delivered_ps(k + 1), begins_ps[k] + PACKET_PS + PATH_PS);
    network_world_free(&world);
}

/* Messages that may not begin yet let those go on that have begun: message 1 has the slots from 0,
 * 100, 200, 400 and 500 ns on, 2 that from 300 ns on, 3 that from 600 ns on. */
static void the_gap_lets_begun_messages_go_on(void **state) {
    (void)state;
    open_world("nic.message_gap=250ns");
    network_world_send(&world, 0, 1, 5000, 0);
    network_world_send(&world, 0, 2, 1000, 0);
    network_world_send(&world, 0, 3, 1000, 0);
    run();
    assert_int_equal(delivered_ps(2), 4 * PACKET_PS + PATH_PS);
    assert_int_equal(delivered_ps(1), 6 * PACKET_PS + PATH_PS);
    assert_int_equal(delivered_ps(3), 7 * PACKET_PS + PATH_PS);
    network_world_free(&world);
}

/* Latencies delay every message, and none waits for another one's. */
static void latencies_are_pipelined(void **state) {
    (void)state;
    open_world("nic.send_latency=1us nic.receive_latency=2us");
    for (uint32_t k = 0; k < 10; k++)
        network_world_send(&world, 0, 1, 1000, 0);
    run();
    for (uint32_t k = 0; k < 10; k++)
        assert_int_equal(delivered_ps(k + 1), 3000000 + (k + 1) * PACKET_PS + PATH_PS);
    network_world_free(&world);
}

/* What comes together from two nodes is taken one packet after the other. */
static void receiving_takes_packets_one_by_one(void **state) {
    (void)state;
    open_world("nic.receive_bandwidth=5GB/s");
    network_world_send(&world, 1, 0, 4000, 0);
    network_world_send(&world, 2, 0, 4000, 0);
    run();
    assert_int_equal(last_ps(), PATH_PS + 8 * 2 * PACKET_PS);
    assert_int_equal(stalled_ps, 0);
    network_world_free(&world);
    open_world("nic.receive_bandwidth=20GB/s"); /* no bottleneck: the last tail counts */
    network_world_send(&world, 1, 0, 4000, 0);
    run();
    assert_int_equal(last_ps(), PATH_PS + 4 * PACKET_PS);
    network_world_free(&world);
}

/* The receiving side is busy after each message, not after each packet. */
static void receive_overhead_is_paid_once_for_each_message(void **state) {
    (void)state;
    open_world("nic.receive_overhead=200ns");
    for (uint32_t k = 0; k < 10; k++)
        network_world_send(&world, 1, 0, 100, 0);
    network_world_send(&world, 2, 3, 4000, 0);
    run();
    for (uint32_t k = 0; k < 10; k++)
        assert_int_equal(delivered_ps(k + 1), 10000 + PATH_PS + (k + 1) * 200000);
    assert_int_equal(delivered_ps(11), 4 * PACKET_PS + PATH_PS + 200000);
    network_world_free(&world);
}

/* Two nodes that send each other all the time get half of the host interface each way, but for the
 * moments at which a node's channel is busy and nothing has come; one way alone the channel is the
 * limit. */
static void host_interface_is_shared(void **state) {
    (void)state;
    const int64_t bytes = 1000000;
    for (int ways = 1; ways <= 2; ways++) {
        open_world("nic.host_bandwidth=15GB/s");
        for (int way = 0; way < ways; way++)
            network_world_send(&world, (uint32_t)way, (uint32_t)(1 - way), (uint64_t)bytes, 0);
        run();
        int64_t ideal_ps = ways == 1 ? bytes * 100 : bytes * 1000000 / 7500;
        assert_in_range(last_ps(), ideal_ps, ideal_ps + ideal_ps / 33);
        if (ways == 1) assert_int_equal(last_ps(), ideal_ps + PATH_PS);
        assert_in_range(delivered_ps(1), last_ps() - 2 * PACKET_PS, last_ps());
        network_world_free(&world);
    }
}

/* A node that sends to one and receives from another one shares it in the same way, whichever of
 * the two began. */
static void the_host_interface_is_shared_among_different_partners(void **state) {
    (void)state;
    const int64_t bytes = 1000000, ideal_ps = bytes * 1000000 / 5000;
    for (int64_t late_ps = -50000; late_ps <= 50000; late_ps += 50000) {
        open_world("nic.host_bandwidth=10GB/s");
        network_world_send(&world, 0, 1, (uint64_t)bytes, late_ps > 0 ? late_ps : 0);
        network_world_send(&world, 2, 0, (uint64_t)bytes, late_ps < 0 ? -late_ps : 0);
        run();
        for (uint64_t number = 1; number <= 2; number++)
            assert_in_range(delivered_ps(number), ideal_ps - 3 * PACKET_PS,
                            ideal_ps + 5 * PACKET_PS);
        network_world_free(&world);
    }
}

/* Three nodes send to one that takes half of what its channel brings. Room for two packets keeps
 * the receiving side busy; with room for one it waits for each packet until the credit has gone
 * back and the head has come. Either way the last router holds back what there is no room for. */
static void a_full_receive_buffer_holds_packets_in_the_router(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int64_t each_ps;
    } cases[] = {{"nic.receive_bandwidth=5GB/s", 200000},
                 {"nic.receive_bandwidth=5GB/s nic.receive_buffer=2000B", 200000},
                 {"nic.receive_bandwidth=5GB/s nic.receive_buffer=1000B", 220000},
                 {"nic.receive_bandwidth=5GB/s nic.receive_buffer=1999B", 220000},
                 {"nic.host_bandwidth=5GB/s nic.receive_buffer=1000B", 220000}};
    const int64_t packets = 60;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_world(cases[i].settings);
        bool held_back = cases[i].each_ps > 200000;
        for (uint32_t node = 1; node <= 3; node++)
            network_world_send(&world, node, 0, 1000 * packets / 3, 0);
        run();
        int64_t slow_nic = strstr(cases[i].settings, "host") != NULL;
        assert_int_equal(last_ps(), PATH_PS + 200000 + (packets - 1) * cases[i].each_ps);
        if (i == 0)
            assert_int_equal(stalled_ps, 0);
        else if (held_back && !slow_nic) /* all the time but while it sends */
            assert_int_equal(stalled_ps, (packets - 1) * (cases[i].each_ps - PACKET_PS));
        else
            assert_true(stalled_ps > 0);
        network_world_free(&world);
    }
}

/* What waits for a full receive buffer keeps others behind it waiting: without the buffer they
 * overtake nothing, for nothing waits in the router. */
static void receive_buffer_blocks_those_behind(void **state) {
    (void)state;
    int64_t victim_ps[2];
    for (int full = 0; full < 2; full++) {
        open_world(full ? "nic.vcs=1 nic.receive_bandwidth=1GB/s nic.receive_buffer=1000B"
                        : "nic.vcs=1 nic.receive_bandwidth=1GB/s");
        network_world_send(&world, 1, 0, 10000, 0);
        network_world_send(&world, 1, 2, 1000, 1100000);
        run();
        victim_ps[full] = delivered_ps(2);
        network_world_free(&world);
    }
    assert_int_equal(victim_ps[0], 1100000 + PATH_PS + 1000000);
    assert_true(victim_ps[1] > victim_ps[0] + 7000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_leave_by_the_gap),
        cmocka_unit_test(the_gap_counts_from_the_last_beginning),
        cmocka_unit_test(the_gap_lets_begun_messages_go_on),
        cmocka_unit_test(latencies_are_pipelined),
        cmocka_unit_test(receiving_takes_packets_one_by_one),
        cmocka_unit_test(receive_overhead_is_paid_once_for_each_message),
        cmocka_unit_test(host_interface_is_shared),
        cmocka_unit_test(the_host_interface_is_shared_among_different_partners),
        cmocka_unit_test(a_full_receive_buffer_holds_packets_in_the_router),
        cmocka_unit_test(receive_buffer_blocks_those_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
