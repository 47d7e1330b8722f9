/*
 * Windows of NICs in closed form: what a window lets through, who waits for whom, and the latency
 * of messages on an idle network. In the small cases one router has four nodes, a packet takes
 * 100 ns on a channel, and a round trip 240 ns: a packet's time, and 70 ns each way.
 */
#include "tests/support/network/network_face.h"

#define STAR      NETWORK_WORLD_STAR "acknowledgement=delay "
#define PACKET_PS 100000
#define PATH_PS   70000
#define ROUND_PS  240000

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

static int64_t held_ps;

static void find_held(void *context, const struct network_link *link) {
    const uint32_t *node = context;
    if (link->is_injection && link->source == *node) held_ps = link->held_ps;
}

static int64_t held_of(uint32_t node) {
    network_visit_links(world.network, find_held, &node);
    return held_ps;
}

/* A window of k packets lets k packets through in each round trip, or all that the channel takes.
 * The NIC is held for the rest of the round trip. */
static void a_window_lets_its_packets_through_each_round_trip(void **state) {
    (void)state;
    static const char *const settings[] = {"nic.window=%dB", "nic.pair_window=%dB",
                                           "nic.window=%dB nic.pair_window=1GiB"};
    for (size_t i = 0; i < 3; i++) {
        for (int packets = 1; packets <= 4; packets++) {
            char window[100];
            snprintf(window, sizeof window, settings[i], packets * 1000 + (packets > 2));
            open_world(window);
            network_world_send(&world, 0, 1, 120 * 1000, 0);
            run();
            int64_t rounds = 120 / packets;
            int64_t last_ps = 120 * PACKET_PS + PATH_PS;
            if (packets * PACKET_PS < ROUND_PS)
                last_ps = (rounds - 1) * ROUND_PS + packets * PACKET_PS + PATH_PS;
            assert_int_equal(delivered_ps(1), last_ps);
            int64_t idle_ps = ROUND_PS - packets * PACKET_PS;
            assert_int_equal(held_of(0), idle_ps > 0 ? (rounds - 1) * idle_ps : 0);
            network_world_free(&world);
        }
    }
}

/* Messages of 10 B use a window by their bytes, and messages without bytes count as one byte. */
static void small_messages_use_a_window_by_their_bytes(void **state) {
    (void)state;
    for (uint64_t bytes = 0; bytes <= 10; bytes += 10) {
        open_world("nic.window=1000B");
        uint32_t fits = bytes > 0 ? 100 : 1000;
        for (uint32_t k = 0; k <= fits; k++)
            network_world_send(&world, 0, 1 + k % 3, bytes, 0);
        run();
        int64_t each_ps = bytes > 0 ? 1000 : 100;
        for (uint32_t k = 0; k < fits; k++)
            assert_int_equal(delivered_ps(k + 1), (k + 1) * each_ps + PATH_PS);
        /* the next one goes when the first is acknowledged, unless the channel is still busy */
        int64_t start_ps = each_ps + 2 * PATH_PS;
        if (start_ps < fits * each_ps) start_ps = fits * each_ps;
        assert_int_equal(delivered_ps(fits + 1), start_ps + each_ps + PATH_PS);
        network_world_free(&world);
    }
}

/* A window of a pair holds back what goes to one destination only: the message to node 2 has every
 * slot that the others leave. */
static void pairs_do_not_block_each_other(void **state) {
    (void)state;
    open_world("nic.pair_window=1000B");
    for (int k = 0; k < 5; k++)
        network_world_send(&world, 0, 1, 2000, 0);
    network_world_send(&world, 0, 2, 1000, 0);
    network_world_send(&world, 0, 3, 3000, 0);
    run();
    assert_int_equal(delivered_ps(6), 2 * PACKET_PS + PATH_PS);
    /* node 3: slots 3, then one per round trip */
    assert_int_equal(delivered_ps(7), 3 * PACKET_PS + PATH_PS + 2 * ROUND_PS);
    int64_t last_ps = 0;
    for (uint64_t number = 1; number <= 5; number++)
        if (delivered_ps(number) > last_ps) last_ps = delivered_ps(number);
    assert_in_range(last_ps, 9 * ROUND_PS + PACKET_PS + PATH_PS,
                    9 * (ROUND_PS + 2 * PACKET_PS) + PACKET_PS + PATH_PS);
    network_world_free(&world);
}

/* The held messages of a pair take turns packet by packet: of equal messages, none is finished
 * long before the others, and they finish in the order in which they came. */
static void held_messages_take_turns(void **state) {
    (void)state;
    open_world("nic.pair_window=1000B");
    for (int k = 0; k < 4; k++)
        network_world_send(&world, 0, 1, 10000, 0);
    run();
    for (int64_t k = 0; k < 4; k++)
        assert_int_equal(delivered_ps((uint64_t)k + 1), (36 + k) * ROUND_PS + PACKET_PS + PATH_PS);
    network_world_free(&world);
}

static struct network_config group_machine(const char *policy, const char *settings) {
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=5");
    network_world_set(&config, policy);
    network_world_set(&config, settings);
    return config;
}

/* A window that never fills changes nothing, on any number of threads. */
static void wide_windows_change_nothing(void **state) {
    (void)state;
    static const char *const settings[] = {
        "", "acknowledgement=delay", "acknowledgement=delay nic.window=1GiB",
        "acknowledgement=delay nic.window=1GiB nic.pair_window=1GiB"};
    uint64_t digest = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct network_config config = group_machine("routing=ugal-l", settings[i]);
        const uint64_t same = network_world_same_digest(&config, 2000, false);
        if (i == 0) digest = same;
        assert_int_equal(same, digest);
    }
}

/* Narrow windows give the same digest on any number of threads, with rails and hosts, with either
 * kind of acknowledgement, and at the end nothing is outstanding (network_run checks it). */
static void narrow_windows_give_the_same_digest_on_threads(void **state) {
    (void)state;
    static const char *const settings[] = {
        "nic.window=4KiB",
        "nic.pair_window=2KiB",
        "nic.window=6000B nic.pair_window=2500B",
        "nic.window=4KiB rails=2 rail_choice=packet",
        "nic.pair_window=2KiB rails=3 rail_choice=shortest nic.overhead=70ns",
        ("nic.window=8KiB nic.pair_window=2KiB nic.message_gap=300ns nic.overhead=20ns "
         "nic.receive_bandwidth=8GB/s nic.receive_buffer=8KiB nic.host_bandwidth=30GB/s")};
    for (size_t i = 0; i < 2 * (sizeof settings / sizeof *settings); i++) {
        const char *answers = i % 2 == 0
                                  ? "routing=par acknowledgement=delay"
                                  : "routing=par acknowledgement=packet acknowledgement_size=100B";
        const struct network_config config = group_machine(answers, settings[i / 2]);
        network_world_same_digest(&config, 2000, true);
    }
}

/* One message on an idle network takes the time of the closed form, whatever limits it. */
static void messages_on_an_idle_network_take_the_closed_form(void **state) {
    (void)state;
    static const char *const channels[] = {
        "",
        "local.bandwidth=9GB/s",
        "global.bandwidth=3GB/s terminal.latency=100ns",
        "nic.bandwidth=4GB/s nic.overhead=123ns",
        "nic.receive_bandwidth=2GB/s",
        "router.latency=1us router.allocation_latency=300ns",
        "header=0 packet=100B",
        "rails=2 rail_choice=packet global.latency=1us",
        "router.output_buffer=32KiB router.crossbar=input router.speedup=0.5 header=7B"};
    static const int64_t sizes[] = {0,     1,     100,   2047,  2048,   2049,
                                    4095,  4097,  10000, 20479, 20480,  20481,
                                    22528, 40960, 41000, 65535, 100001, 300000};
    for (size_t c = 0; c < sizeof channels / sizeof *channels; c++) {
        for (int64_t window = 2048; window < 40000; window += window % 3 == 0 ? 977 : 1531) {
            for (int kind = 0; kind < 4; kind++) {
                bool pair = kind % 2, packet = kind > 1;
                char pairs[600];
                snprintf(pairs, sizeof pairs,
                         "nodes_per_router=2 routers_per_group=4 globals_per_router=1 groups=5 "
                         "routing=minimal acknowledgement=%s acknowledgement_size=90B "
                         "terminal.buffer=64KiB local.buffer=128KiB global.buffer=512KiB "
                         "nic.%swindow=%dB %s",
                         packet ? "packet" : "delay", pair ? "pair_" : "", (int)window,
                         channels[c]);
                struct network_config config = network_world_config(pairs);
                size_t i = (size_t)(window + pair * 5) % (sizeof sizes / sizeof *sizes);
                for (size_t step = 0; step < 3; step++) {
                    network_world_new(&world, &config, 1);
                    uint32_t to = (uint32_t)(1 + (window + 13 * (int64_t)step) % 39);
                    network_world_send(&world, 0, to, (uint64_t)sizes[i], 0);
                    run();
                    if (world.deliveries[0].time_ps != world.deliveries[0].delivery.zero_load_ps)
                        fail_msg("%s: %d bytes to %u: %lld, closed form %lld", pairs, (int)sizes[i],
                                 to, (long long)world.deliveries[0].time_ps,
                                 (long long)world.deliveries[0].delivery.zero_load_ps);
                    network_world_free(&world);
                    i = (i + 7) % (sizeof sizes / sizeof *sizes);
                }
            }
        }
    }
}

/* When packets are stuck, the report names the NICs that wait for windows. */
static void stuck_windows_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *window, *expected;
    } cases[] = {
        {"nic.pair_window=4KiB",
         "node 4: 4096 bytes without acknowledgement, 3 messages held back"},
        {"nic.window=2KiB", "node 4: 2048 bytes without acknowledgement, 0 messages held back, "
                            "network.nic.window is full"},
    };
    for (size_t i = 0; i < 2; i++) {
        char pairs[300];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=2 routers_per_group=2 globals_per_router=1 groups=3 "
                 "routing=minimal acknowledgement=delay %s",
                 cases[i].window);
        struct network_config config = network_world_config(pairs);
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, 1);
        for (uint32_t output = 0; output < 8; output++)
            if (face_channel_kind(world.network, output) == NETWORK_LOCAL)
                for (uint32_t vc = 0; vc < 2; vc++)
                    face_take_credits(rail_group, face_port_vc(world.network, output, vc), 16384);
        for (int k = 0; k < 3; k++)
            network_world_send(&world, 4, 6, 10000, 0);
        struct status status = STATUS_INIT;
        assert_int_equal(network_world_try(&world, 1, &status), STATUS_RUN);
        if (strstr(status.text, cases[i].expected) == NULL) fail_msg("%s", status.text);
        status_clear(&status);
        network_world_free(&world);
    }
}

/* Settings that contradict each other name what to set. */
static void contradictory_settings_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *pairs, *expected;
    } cases[] = {
        {"nic.window=64KiB", "network.nic.window opens again by acknowledgements"},
        {"nic.pair_window=64KiB", "network.nic.pair_window opens again by acknowledgements"},
        {"acknowledgement=delay nic.window=100B", "set it to 0 (no limit) or to 2KiB or more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        network_world_refused(cases[i].pairs, cases[i].expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_lets_its_packets_through_each_round_trip),
        cmocka_unit_test(small_messages_use_a_window_by_their_bytes),
        cmocka_unit_test(pairs_do_not_block_each_other),
        cmocka_unit_test(held_messages_take_turns),
        cmocka_unit_test(wide_windows_change_nothing),
        cmocka_unit_test(narrow_windows_give_the_same_digest_on_threads),
        cmocka_unit_test(messages_on_an_idle_network_take_the_closed_form),
        cmocka_unit_test(stuck_windows_are_reported),
        cmocka_unit_test(contradictory_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
