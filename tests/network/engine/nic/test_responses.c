/*
 * Acknowledgements as packets (network.acknowledgement packet): what they take from channels and
 * from windows in closed form, that they go before data and pass by blocked data, and how they are
 * counted. In the small cases one router has four nodes, a packet takes 100 ns on a channel, and
 * the way without bytes takes 70 ns.
 */
#include "tests/support/network/network_face.h"

#define STAR      NETWORK_WORLD_STAR "acknowledgement=packet "
#define PACKET_PS 100000
#define PATH_PS   70000
#define BYTE_PS   100

static struct network_world world;

static void open_world(const char *settings) {
    network_world_open(&world, STAR, settings);
}

static void run(void) {
    network_world_run(&world, 1);
    assert_int_equal(world.count, world.sent);
}

/* When a message was delivered, by its number from 1 on. */
static int64_t delivered_ps(uint64_t number) {
    return network_world_delivered_ps(&world, number);
}

static struct network_totals totals(void) {
    struct network_totals made;
    network_fill_totals(world.network, &made);
    return made;
}

/* The bytes of responses: of whole flits, and by the cells of the packet. */
static void responses_occupy_whole_flits_and_cells(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int64_t payload, bytes;
    } cases[] = {
        {"acknowledgement_size=40B", 1000, 40},
        {"acknowledgement_size=40B", 0, 40},
        {"acknowledgement_size=0", 1000, 1},
        {"acknowledgement_size=40B flit=6B", 1000, 42},
        {"acknowledgement_size=0 acknowledgement_cell=6B cell=64B cell_header=18B flit=6B", 0, 6},
        {"acknowledgement_size=0 acknowledgement_cell=6B cell=64B cell_header=18B flit=6B", 64, 6},
        {"acknowledgement_size=0 acknowledgement_cell=6B cell=64B cell_header=18B flit=6B", 65, 12},
        {"acknowledgement_size=0 acknowledgement_cell=6B cell=64B cell_header=18B flit=6B", 1000,
         96},
        {"acknowledgement_size=4B acknowledgement_cell=3B cell=100B header=7B flit=5B", 1000, 35},
        {"acknowledgement_size=9B acknowledgement_cell=1B cell=100B header=0", 0, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_world(cases[i].settings);
        network_world_send(&world, 0, 1, (uint64_t)cases[i].payload, 0);
        run();
        assert_int_equal(totals().packets, 1);
        assert_int_equal(totals().responses, 1);
        assert_int_equal(totals().response_bytes, cases[i].bytes);
        assert_int_equal(totals().response_hops, 1);
        assert_int_equal(totals().packet_hops, 1);
        network_world_free(&world);
    }
}

/* A window of k packets lets k packets through in each round trip: a packet, the way there, a
 * response, and the way back. */
static void a_window_lets_its_packets_through_each_round_trip(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 50, 300, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int packets = 1; packets <= 4; packets++) {
            char settings[100];
            snprintf(settings, sizeof settings, "nic.%swindow=%dB acknowledgement_size=%dB",
                     i % 2 > 0 ? "pair_" : "", packets * 1000, (int)sizes[i]);
            open_world(settings);
            network_world_send(&world, 0, 1, 120 * 1000, 0);
            run();
            int64_t round_ps = PACKET_PS + PATH_PS + sizes[i] * BYTE_PS + PATH_PS;
            int64_t last_ps = 120 * PACKET_PS + PATH_PS;
            if (packets * PACKET_PS < round_ps)
                last_ps = (120 / packets - 1) * round_ps + packets * PACKET_PS + PATH_PS;
            assert_int_equal(delivered_ps(1), last_ps);
            network_world_free(&world);
        }
    }
}

/* Two nodes send to each other. Each channel carries a response for every packet that comes the
 * other way, and packets of P bytes have P / (P + R) of it. By hand: whenever the channel is free,
 * the next response goes if a packet has arrived whose response has not been sent, else the next
 * packet. */
static void data_both_ways_leave_room_for_responses(void **state) {
    (void)state;
    static const int64_t sizes[] = {10, 64, 250, 1000};
    enum { PACKETS = 400 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char settings[100];
        snprintf(settings, sizeof settings, "acknowledgement_size=%dB", (int)sizes[i]);
        open_world(settings);
        network_world_send(&world, 0, 1, PACKETS * 1000, 0);
        network_world_send(&world, 1, 0, PACKETS * 1000, 0);
        run();
        int64_t starts_ps[PACKETS], now_ps = 0;
        for (int sent = 0, responses = 0; sent < PACKETS;) {
            bool owes = responses < sent && starts_ps[responses] + PACKET_PS + PATH_PS <= now_ps;
            if (owes)
                responses++;
            else
                starts_ps[sent++] = now_ps;
            now_ps += owes ? sizes[i] * BYTE_PS : PACKET_PS;
        }
        int64_t last_ps = starts_ps[PACKETS - 1] + PACKET_PS + PATH_PS;
        assert_int_equal(delivered_ps(1), last_ps);
        assert_int_equal(delivered_ps(2), last_ps);
        int64_t share_ps = PACKETS * (PACKET_PS + sizes[i] * BYTE_PS);
        assert_in_range(last_ps, share_ps - 3 * sizes[i] * BYTE_PS - PACKET_PS, share_ps + 200000);
        assert_int_equal(totals().responses, 2 * PACKETS);
        network_world_free(&world);
    }
}

/* One way, responses take nothing from data, and without windows nothing waits for them. */
static void one_way_is_not_slower(void **state) {
    (void)state;
    open_world("acknowledgement_size=1000B");
    network_world_send(&world, 0, 1, 50 * 1000, 0);
    run();
    assert_int_equal(delivered_ps(1), 50 * PACKET_PS + PATH_PS);
    network_world_free(&world);
}

/* A response goes before the data that its NIC holds, but does not cut into a packet, nor into the
 * overhead of a message: node 1 sends messages while a packet of node 0 arrives. */
static void responses_go_first(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t messages;
        uint64_t bytes;
        int64_t last_ps; /* delivery of the last message of node 1 */
    } cases[] = {
        /* the packet has arrived at 170 ns, the response goes from 200 to 250 ns */
        {"", 1, 10000, 950000 + PACKET_PS + PATH_PS},
        /* arrived at 300 ns; response from 330 to 380 ns */
        {"nic.overhead=130ns", 1, 10000, 1080000 + PACKET_PS + PATH_PS},
        /* overhead 0 to 130 ns, packet to 230 ns, overhead to 360 ns, response to 410 ns, packet to
           510 ns, overhead to 640 ns */
        {"nic.overhead=130ns", 3, 1000, 640000 + PACKET_PS + PATH_PS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "acknowledgement_size=500B %s", cases[i].settings);
        open_world(settings);
        network_world_send(&world, 0, 1, 1000, 0);
        for (uint32_t k = 0; k < cases[i].messages; k++)
            network_world_send(&world, 1, 2, cases[i].bytes, 0);
        run();
        int64_t last_ps = 0;
        for (uint64_t number = 2; number <= 1 + cases[i].messages; number++)
            if (delivered_ps(number) > last_ps) last_ps = delivered_ps(number);
        assert_int_equal(last_ps, cases[i].last_ps);
        network_world_free(&world);
    }
}

/* A router sends a response before the data that wait for the same channel: six nodes keep the
 * channel to node 0 busy, and each response to node 0's own packets waits for at most one packet on
 * it. */
static void responses_go_first_at_routers(void **state) {
    (void)state;
    enum { PACKETS = 10, OTHERS = 60, RESPONSE_BYTES = 100 };
    const int64_t round_ps = PACKET_PS + PATH_PS + RESPONSE_BYTES * BYTE_PS + PATH_PS;
    const int64_t idle_ps = (PACKETS - 1) * round_ps + PACKET_PS + PATH_PS;
    open_world("nodes_per_router=8 nic.window=1000B acknowledgement_size=100B");
    network_world_send(&world, 0, 1, PACKETS * 1000, 0);
    for (uint32_t node = 2; node < 8; node++)
        network_world_send(&world, node, 0, OTHERS * 1000, 0);
    run();
    assert_in_range(delivered_ps(1), idle_ps + 1, idle_ps + (PACKETS - 1) * PACKET_PS);
    for (uint64_t number = 2; number < 8; number++) /* the channel is busy all the while */
        assert_true(delivered_ps(number) > delivered_ps(1));
    network_world_free(&world);
}

/* NICs take responses at once: a message that is one of many for a node with a slow receiving side
 * and a full receive buffer waits, and the responses to that node's own packets do not. */
static void receiving_side_does_not_delay_responses(void **state) {
    (void)state;
    open_world("acknowledgement_size=100B nic.receive_bandwidth=1GB/s nic.receive_buffer=1000B "
               "nic.pair_window=1000B");
    for (int k = 0; k < 40; k++)
        network_world_send(&world, 2 + k % 2, 0, 1000, 0);
    network_world_send(&world, 0, 1, 10 * 1000, 0);
    run();
    int64_t receiving_ps = 10 * PACKET_PS; /* of a packet by node 1 */
    int64_t round_ps = receiving_ps + PATH_PS + 100 * BYTE_PS + PATH_PS;
    int64_t channel_ps = PACKET_PS; /* at most one packet is ahead of a response */
    assert_in_range(delivered_ps(41), 10 * round_ps - PATH_PS - 100 * BYTE_PS - PATH_PS + PATH_PS,
                    10 * (round_ps + channel_ps) + PATH_PS);
    assert_int_equal(totals().responses, 50);
    network_world_free(&world);
}

/* Data and responses do not wait for each other: where one of them has no credits, the other goes
 * on. */
static void neither_blocks_the_other(void **state) {
    (void)state;
    for (uint32_t blocked = 0; blocked < 2; blocked++) {
        open_world("nic.pair_window=1000B");
        struct rail_group *rail_group = network_home_of_group(world.network, 0);
        uint32_t output = world.network->tables.ports + 1; /* the NIC of node 1 */
        for (uint32_t vc = 0; vc < world.network->vcs.per_port; vc++)
            if (face_virtual_network(world.network, vc) == blocked)
                face_take_credits(rail_group, face_port_vc(world.network, output, vc), 65536);
        network_world_send(&world, 0, 1, 3000, 0);
        network_world_send(&world, 1, 2, 1000, 0);
        struct status status = STATUS_INIT;
        assert_int_equal(network_world_try(&world, 1, &status), STATUS_RUN);
        assert_int_equal(world.count, 1);
        bool of_node_0 = world.deliveries[0].delivery.source_node == 0;
        assert_int_equal(of_node_0, blocked == 0);
        if (blocked > 0 && strstr(status.text, "deadlock: 1 packet under way") == NULL)
            fail_msg("%s", status.text);
        status_clear(&status);
        network_world_free(&world);
    }
}

static void add_link(void *context, const struct network_link *link) {
    struct network_totals *sums = context;
    if (link->is_injection) {
        sums->packets += link->packets;
        sums->bytes += link->bytes;
    } else {
        sums->packet_hops += link->packets;
    }
}

/* Each packet has one response. Links count both, and results are the same on any number of
 * threads, with classes, hosts, rails, several NICs, congestion control and policies that decide
 * again in transit. */
static void every_packet_has_one_response_on_any_number_of_threads(void **state) {
    (void)state;
    static const char *const settings[] = {
        "routing=minimal",
        "routing=par classes=2 class0.minimum=25% class1.priority=1",
        "routing=ofar router.crossbar=input",
        "routing=ugal-l rails=2 rail_choice=packet nic.window=8KiB router.arbitration=oldest",
        "routing=valiant node.nics=2 nic.pair_window=4KiB router.arbitration=least-recent",
        "routing=ugal-l congestion_control=endpoint local.shared_buffer=8KiB global.latency=2ns",
        "routing=piggyback cell=100B cell_header=4B flit=8B acknowledgement_cell=8B",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        uint64_t digest = 0;
        for (unsigned threads = 1; threads <= 3; threads++) {
            char pairs[600];
            snprintf(pairs, sizeof pairs,
                     "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=5 "
                     "acknowledgement=packet acknowledgement_size=20B header=10B %s",
                     settings[i]);
            struct network_config config = network_world_config(pairs);
            network_world_new(&world, &config, 1);
            uint32_t nodes = network_node_count(world.network);
            for (uint32_t k = 0; k < 1500; k++) {
                uint32_t to = k % 3 == 0 ? 0 : (k + 1 + k / 40 * 7 % (nodes - 1)) % nodes;
                network_world_send(&world, k % nodes, to, k * 37 % 9000, k / 40 * 1000);
            }
            network_world_run(&world, threads);
            struct network_totals sums = {0}, all = totals();
            network_visit_links(world.network, add_link, &sums);
            assert_true(all.packets > 1000);
            assert_int_equal(all.responses, all.packets);
            assert_int_equal(sums.packets, all.packets + all.responses);
            assert_int_equal(sums.packet_hops, all.packet_hops + all.response_hops);
            assert_true(sums.bytes > all.bytes + all.response_bytes);
            if (threads == 1) digest = all.digest;
            assert_int_equal(all.digest, digest);
            network_world_free(&world);
        }
    }
}

/* Settings that contradict each other name what to set. */
static void contradictory_settings_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *pairs, *expected;
    } cases[] = {
        {"acknowledgement=packet acknowledgement_cell=6B", "network.cell is 0"},
        {"acknowledgement=packet acknowledgement_size=4KiB",
         "the acknowledgement of a full packet is 4KiB"},
        {"nic.window=64KiB", "set it to delay or packet"},
        {"congestion_control=endpoint", "set it to delay or packet"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network_config config = network_world_config(cases[i].pairs);
        struct status status = STATUS_INIT;
        assert_int_equal(network_config_check(&config, &status), STATUS_USAGE);
        if (strstr(status.text, cases[i].expected) == NULL) fail_msg("%s", status.text);
        status_clear(&status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_occupy_whole_flits_and_cells),
        cmocka_unit_test(a_window_lets_its_packets_through_each_round_trip),
        cmocka_unit_test(data_both_ways_leave_room_for_responses),
        cmocka_unit_test(one_way_is_not_slower),
        cmocka_unit_test(responses_go_first),
        cmocka_unit_test(responses_go_first_at_routers),
        cmocka_unit_test(receiving_side_does_not_delay_responses),
        cmocka_unit_test(neither_blocks_the_other),
        cmocka_unit_test(every_packet_has_one_response_on_any_number_of_threads),
        cmocka_unit_test(contradictory_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
