/*
 * Congestion control at endpoints: an incast hardly slows those who send elsewhere, and takes at
 * most a tenth longer; without it they wait for the incast. Groups of 8 nodes on 4 routers.
 */
#include "tests/support/network/network_world.h"

#define MACHINE                                                                                    \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=8 routing=minimal "        \
    "packet=1KiB header=0 terminal.buffer=8KiB local.buffer=8KiB global.buffer=16KiB "
#define CONTROL                                                                                    \
    "acknowledgement=delay congestion_control=endpoint congestion.begin=8KiB congestion.end=4KiB " \
    "congestion.hold=1.25 "
#define NODES 64

static struct network_world world;

static void open_world(const char *settings) {
    network_world_open(&world, MACHINE, settings);
}

/* When the last message of those with numbers first … last was delivered; and the mean of their
 * times against those of an idle network, in thousandths. */
static int64_t last_ps(uint64_t first, uint64_t last, int64_t *mean) {
    int64_t time_ps = 0, sum = 0, count = 0;
    for (size_t i = 0; i < world.count; i++) {
        const struct world_delivery *at = &world.deliveries[i];
        uint64_t number = at->delivery.cookie.word[0];
        if (number < first || number > last) continue;
        if (at->time_ps > time_ps) time_ps = at->time_ps;
        int64_t took_ps = at->time_ps - at->delivery.ready_ps;
        sum += took_ps * 1000 / at->delivery.zero_load_ps;
        count++;
    }
    if (mean != NULL) *mean = sum / count;
    return time_ps;
}

/* All nodes but those of the first group send 200 KiB to node 0 from the beginning, which keeps its
 * port busy for 459 us. From 100 us on, small messages go from senders of the incast to other nodes
 * of the first group, by the same global links. */
static int64_t incast(const char *settings, int64_t *victim) {
    open_world(settings);
    for (uint32_t node = 8; node < NODES; node++)
        network_world_send(&world, node, 0, 200 * 1024, 0);
    uint64_t incast = world.sent;
    for (uint32_t k = 0; k < 300; k++)
        network_world_send(&world, 9 + k % 50, 1 + k % 7, 100, 100000000 + k * 1000000);
    network_world_run(&world, 1);
    assert_int_equal(world.count, world.sent);
    last_ps(incast + 1, world.sent, victim);
    int64_t end_ps = last_ps(1, incast, NULL);
    network_world_free(&world);
    return end_ps;
}

static void an_incast_hardly_slows_others(void **state) {
    (void)state;
    int64_t without = 0, with = 0;
    int64_t busy_ps = INT64_C(56) * 200 * 1024 * 40; /* at 25 GB/s */
    int64_t end_ps = incast("", &without);
    assert_in_range(end_ps, busy_ps, busy_ps + busy_ps / 50);
    end_ps = incast(CONTROL, &with);
    assert_in_range(end_ps, busy_ps, busy_ps + busy_ps / 10);
    print_message("victims: %lld without, %lld with, in thousandths\n", (long long)without,
                  (long long)with);
    assert_true(without > 5000);
    assert_true(with < 1500);
}

/* A source that was told to wait longer recovers later: many sources keep out of the buffers though
 * the least recovery is shorter than their turns, and few sources far away let the port idle for
 * less than with a fixed recovery that is longer than all turns. */
#define WAITS CONTROL "congestion.recovery=2us congestion.recovery_waits=4 "
#define FAR   "global.latency=1us global.buffer=64KiB "

static int64_t few_sources(const char *settings) {
    open_world(settings);
    for (uint32_t node = 8; node <= 24; node += 8)
        network_world_send(&world, node, 0, 400 * 1024, 0);
    network_world_run(&world, 1);
    int64_t end_ps = last_ps(1, world.sent, NULL);
    network_world_free(&world);
    return end_ps;
}

static void rates_recover_by_waits(void **state) {
    (void)state;
    int64_t victim = 0, busy_ps = INT64_C(56) * 200 * 1024 * 40;
    int64_t end_ps = incast(WAITS, &victim);
    assert_in_range(end_ps, busy_ps, busy_ps + busy_ps / 10);
    assert_true(victim < 1500);
    busy_ps = INT64_C(3) * 400 * 1024 * 40;
    int64_t fixed_ps = few_sources(FAR CONTROL), waits_ps = few_sources(FAR WAITS);
    print_message("three sources: %lld ps busy, %lld by waits, %lld fixed\n", (long long)busy_ps,
                  (long long)waits_ps, (long long)fixed_ps);
    assert_true(waits_ps >= busy_ps);
    assert_true(5 * waits_ps < 3 * fixed_ps);
}

/* A pair that does not meet congestion is not slowed: one message, and a permutation. */
static void without_congestion_nothing_is_slowed(void **state) {
    (void)state;
    int64_t time_ps[2];
    for (int control = 0; control < 2; control++) {
        open_world(control ? CONTROL : "");
        for (uint32_t node = 0; node < NODES; node++)
            network_world_send(&world, node, node ^ 1, 100000, 0);
        network_world_run(&world, 1);
        time_ps[control] = last_ps(1, world.sent, NULL);
        assert_int_equal(time_ps[control], world.deliveries[0].delivery.zero_load_ps);
        network_world_free(&world);
    }
    assert_int_equal(time_ps[0], time_ps[1]);
}

/* Two senders share a port, and one of them also sends to another node: that message is as fast as
 * alone, though those before it in the NIC are held. */
static void messages_to_other_destinations_pass(void **state) {
    (void)state;
    open_world(CONTROL "congestion.hold=100");
    for (uint32_t node = 8; node < 24; node++)
        network_world_send(&world, node, 0, 100000, 0);
    network_world_send(&world, 8, 30, 1000, 20000000);
    network_world_run(&world, 1);
    int64_t slowdown = 0;
    last_ps(world.sent, world.sent, &slowdown);
    assert_in_range(slowdown, 1000, 1200);
    network_world_free(&world);
}

/* Traffic classes: the port counts the packets of all classes, so an incast of one class is held
 * back, whichever it is. Another class, of higher priority, sends by the same NICs to other nodes
 * as if there were no incast. */
static void incasts_of_any_class_are_held_back(void **state) {
    (void)state;
    for (uint8_t class = 0; class < 2; class ++) {
        open_world(class == 0 ? CONTROL "classes=2 class1.priority=1"
                              : CONTROL "classes=2 class0.priority=1");
        for (uint32_t node = 8; node < NODES; node++) {
            struct network_message message = {.source_node = node,
                                              .size_bytes = 200 * 1024,
                                              .traffic_class = class,
                                              .cookie = {{++world.sent, 0, 0}}};
            network_send(network_home_of_node(world.network, node), 0, &message);
        }
        uint64_t incast = world.sent;
        for (uint32_t k = 0; k < 300; k++) {
            struct network_message message = {.source_node = 9 + k % 50,
                                              .destination_node = 1 + k % 7,
                                              .size_bytes = 100,
                                              .traffic_class = 1 - class,
                                              .cookie = {{++world.sent, 0, 0}}};
            network_send(network_home_of_node(world.network, message.source_node),
                         100000000 + k * 1000000, &message);
        }
        network_world_run(&world, 1);
        int64_t victim = 0, busy_ps = INT64_C(56) * 200 * 1024 * 40;
        last_ps(incast + 1, world.sent, &victim);
        assert_in_range(victim, 1000, 1200);
        assert_in_range(last_ps(1, incast, NULL), busy_ps, busy_ps + busy_ps / 10);
        network_world_free(&world);
    }
}

/* Any number of threads gives the same digest, with windows, rails and policies; network_run checks
 * that at the end nothing is outstanding and no pair is remembered. */
static void any_number_of_threads_gives_the_same_digest(void **state) {
    (void)state;
    static const char *const settings[] = {
        "",
        "terminal.latency=0",
        "nic.window=8KiB nic.pair_window=4KiB",
        "rails=2",
        "rails=2 rail_choice=packet congestion.hold=3",
        "routing=par congestion.recovery=1us",
        "routing=par congestion.recovery=1us congestion.recovery_waits=2.5",
        "routing=ofar nic.receive_bandwidth=10GB/s nic.receive_buffer=8KiB",
        "router.crossbar=input router.output_buffer=4KiB congestion.window=5000B"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct network_config config = network_world_config(MACHINE CONTROL);
        network_world_set(&config, settings[i]);
        network_world_same_digest(&config, 3000, true);
    }
}

/* Three sources send one packet each, which reach the port of node 0 at the same time: 3 KiB wait
 * there. Returns when the packets that the sources send a little later are delivered, added up. */
static int64_t second_packets_ps(const char *begin) {
    char settings[300];
    int64_t sum_ps = 0;
    snprintf(settings, sizeof settings,
             "acknowledgement=delay congestion_control=endpoint congestion.end=1KiB "
             "congestion.hold=1.25 terminal.bandwidth=1GB/s congestion.begin=%s",
             begin);
    open_world(settings);
    for (uint32_t node = 2; node <= 6; node += 2)
        network_world_send(&world, node, 0, 1024, 0);
    for (uint32_t node = 2; node <= 6; node += 2)
        network_world_send(&world, node, 0, 1024, 2000000);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 6);
    for (size_t i = 0; i < world.count; i++)
        if (world.deliveries[i].delivery.cookie.word[0] > 3) sum_ps += world.deliveries[i].time_ps;
    network_world_free(&world);
    return sum_ps;
}

/* A port is congested from network.congestion.begin on, and not only above it. */
static void a_port_is_congested_from_its_begin_on(void **state) {
    (void)state;
    const int64_t free_ps = second_packets_ps("4KiB");
    assert_int_equal(second_packets_ps("3073B"), free_ps);
    assert_true(second_packets_ps("3KiB") > free_ps);
}

static void contradictory_settings_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *pairs, *expected;
    } cases[] = {
        {"congestion_control=endpoint", "network.congestion_control limits what is not yet"},
        {CONTROL "packet=4KiB", "must be more than two packets"},
        {CONTROL "congestion.end=8KiB", "congestion.end must be less than"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        network_world_refused(cases[i].pairs, cases[i].expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_incast_hardly_slows_others),
        cmocka_unit_test(rates_recover_by_waits),
        cmocka_unit_test(without_congestion_nothing_is_slowed),
        cmocka_unit_test(messages_to_other_destinations_pass),
        cmocka_unit_test(incasts_of_any_class_are_held_back),
        cmocka_unit_test(any_number_of_threads_gives_the_same_digest),
        cmocka_unit_test(a_port_is_congested_from_its_begin_on),
        cmocka_unit_test(contradictory_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
