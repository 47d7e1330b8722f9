/*
 * Traffic classes: how they divide a channel between routers, the channel to a node and the channel
 * of a NIC; maximum shares; what unused shares are good for; priorities.
 *
 * A channel of 1 GB/s moves a packet of 1000 bytes in 1 us, without headers, so that counts of
 * messages of one packet are times.
 */
#include "tests/support/network/network_world.h"

#define US INT64_C(1000000)

#define MACHINE                                                                                    \
    "nodes_per_router=4 routers_per_group=2 globals_per_router=1 groups=3 routing=minimal "        \
    "packet=1000B header=0 terminal.bandwidth=1GB/s local.bandwidth=1GB/s "                        \
    "global.bandwidth=1GB/s terminal.latency=1ns local.latency=1ns global.latency=1ns "            \
    "terminal.buffer=8kB local.buffer=8kB global.buffer=8kB router.latency=0 "

/* Where two or more flows meet: at the NIC of one node, at a channel between routers, or at the
 * channel to one node. */
enum place { AT_NIC, AT_LOCAL, AT_GLOBAL, AT_NODE, PLACES };

static uint32_t source_of(enum place place, uint32_t flow) {
    return place == AT_NIC ? 0 : flow;
}

static uint32_t destination_of(enum place place, uint32_t flow) {
    return place == AT_NODE ? 3 : place == AT_GLOBAL ? 8 + flow : 4 + flow;
}

static void send(struct network_world *world, enum place place, uint32_t flow, uint8_t class,
                 uint64_t size_bytes, int64_t ready_ps) {
    uint32_t source = source_of(place, flow);
    struct network_message message = {.source_node = source,
                                      .destination_node = destination_of(place, flow),
                                      .size_bytes = size_bytes,
                                      .traffic_class = class,
                                      .cookie = {{1, class, 0}}};
    network_send(network_home_of_node(world->network, source), ready_ps, &message);
}

/* A world with so many messages of one packet for each class from time 0 on. */
static void flood(struct network_world *world, const char *settings, enum place place,
                  const unsigned *counts, unsigned classes) {
    struct network_config config = network_world_config(MACHINE);
    network_world_set(&config, settings);
    network_world_new(world, &config, 1);
    for (uint8_t class = 0; class < classes; class ++)
        for (unsigned i = 0; i < counts[class]; i++)
            send(world, place, class, class, 1000, 0);
    network_world_run(world, 1);
}

/* Messages of a class delivered by a time. */
static unsigned delivered(const struct network_world *world, uint64_t class, int64_t by_ps) {
    unsigned count = 0;
    for (size_t i = 0; i < world->count; i++)
        count += world->deliveries[i].delivery.cookie.word[1] == class &&
                 world->deliveries[i].time_ps <= by_ps;
    return count;
}

/* At every time the classes have had their shares of all packets so far, give or take what the
 * caller allows in packets. */
static void check_shares(const struct network_world *world, const double *shares, unsigned classes,
                         int64_t to_ps, double allowed) {
    for (int64_t at_ps = 20 * US; at_ps <= to_ps; at_ps += US) {
        unsigned all = 0;
        for (unsigned class = 0; class < classes; class ++)
            all += delivered(world, class, at_ps);
        assert_true(all + 3 >= at_ps / US); /* the channel has not been idle */
        for (unsigned class = 0; class < classes; class ++) {
            double off = delivered(world, class, at_ps) - shares[class] * all;
            if (off > allowed || off < -allowed)
                fail_msg("at %lld us class %u has %u of %u packets, not %.3f of them",
                         (long long)(at_ps / US), class, delivered(world, class, at_ps), all,
                         shares[class]);
        }
    }
}

/* Two classes that saturate a channel get the shares that they are promised, to the packet. */
static void saturating_classes_get_their_minimum_shares(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        flood(&world, "classes=2 class0.minimum=25% class1.minimum=75%", place,
              (unsigned[]){400, 400}, 2);
        check_shares(&world, (double[]){0.25, 0.75}, 2, 300 * US, 1.01);
        network_world_free(&world);
        flood(&world, "classes=3 class0.minimum=0.2 class1.minimum=0.5 class2.minimum=0.3", place,
              (unsigned[]){300, 300, 300}, 3);
        check_shares(&world, (double[]){0.2, 0.5, 0.3}, 3, 300 * US, 2.01);
        network_world_free(&world);
    }
}

/* So they do where windows let NICs send no more than they need to keep their channels busy, where
 * messages are held, and where all classes share buffers. */
static void windows_keep_minimum_shares(void **state) {
    (void)state;
    const char *const kinds[] = {"acknowledgement=delay nic.window=4kB",
                                 "acknowledgement=delay nic.pair_window=2kB",
                                 "acknowledgement=delay nic.window=9kB nic.pair_window=4kB",
                                 "terminal.buffer=1kB local.buffer=1kB global.buffer=1kB "
                                 "terminal.shared_buffer=8kB local.shared_buffer=8kB "
                                 "global.shared_buffer=8kB",
                                 "node.nics=2 node.nic_choice=message"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char settings[400];
        snprintf(settings, sizeof settings, "classes=2 class0.minimum=25%% class1.minimum=75%% %s",
                 kinds[k]);
        struct network_world world;
        flood(&world, settings, AT_NIC, (unsigned[]){400, 400}, 2);
        check_shares(&world, (double[]){0.25, 0.75}, 2, 300 * US, 2.01);
        network_world_free(&world);
    }
}

/* A message that is held comes back to the queue of its class: of two packets of the higher
 * class to one node, the second goes as soon as the first is acknowledged, and not after the
 * messages of the lower class. */
static void messages_come_back_to_the_queue_of_their_class(void **state) {
    (void)state;
    struct network_world world;
    struct network_config config = network_world_config(MACHINE);
    network_world_set(&config,
                      "classes=2 class1.priority=1 acknowledgement=delay nic.pair_window=1kB");
    network_world_new(&world, &config, 1);
    send(&world, AT_NIC, 0, 1, 2000, 0);
    for (unsigned i = 0; i < 40; i++)
        send(&world, AT_NIC, 1 + i % 3, 0, 1000, 0);
    network_world_run(&world, 1);
    assert_int_equal(delivered(&world, 1, 3 * US), 0); /* it was held, for one packet */
    assert_int_equal(delivered(&world, 0, 2 * US + US / 2), 1);
    assert_int_equal(delivered(&world, 1, 3 * US + US / 2), 1);
    network_world_free(&world);
}

/* Shares count what packets occupy on the channel: small packets that are filled up to the size of
 * large ones. */
static void shares_count_bytes_on_the_channel(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        struct network_config config = network_world_config(MACHINE);
        network_world_set(&config, "classes=2 flit=1000B");
        if (place == AT_NIC) network_world_set(&config, "local.bandwidth=4GB/s");
        network_world_new(&world, &config, 1);
        for (unsigned i = 0; i < 300; i++) {
            send(&world, place, 0, 0, 1000, 0);
            send(&world, place, 1, 1, 10, 0);
        }
        network_world_run(&world, 1);
        check_shares(&world, (double[]){0.5, 0.5}, 2, 300 * US, 1.01);
        network_world_free(&world);
    }
}

/* Without promises classes get equal shares. A class whose promise is more than that gets its
 * promise, and the others equal shares of the rest. */
static void the_rest_is_shared_equally(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        flood(&world, "classes=2", place, (unsigned[]){300, 300}, 2);
        check_shares(&world, (double[]){0.5, 0.5}, 2, 300 * US, 1.01);
        network_world_free(&world);
        flood(&world, "classes=3 class1.minimum=0.6", place, (unsigned[]){300, 300, 300}, 3);
        check_shares(&world, (double[]){0.2, 0.6, 0.2}, 3, 300 * US, 2.01);
        network_world_free(&world);
        flood(&world, "classes=2 class0.minimum=0.1 class1.minimum=0.4", place,
              (unsigned[]){300, 300}, 2);
        check_shares(&world, (double[]){0.5, 0.5}, 2, 300 * US, 2.01);
        network_world_free(&world);
    }
}

/* What a class does not use goes to the others, and it is not paid back later. */
static void unused_shares_are_lent(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        struct network_config config = network_world_config(MACHINE);
        network_world_set(&config, "classes=2 class0.minimum=80% class1.minimum=20%");
        network_world_new(&world, &config, 1);
        for (unsigned i = 0; i < 400; i++) {
            send(&world, place, 1, 1, 1000, 0);
            send(&world, place, 0, 0, 1000, 100 * US);
        }
        network_world_run(&world, 1);
        unsigned alone = delivered(&world, 1, 100 * US);
        assert_true(alone >= 99 - 2);
        /* in the next 100 packets both have their shares: credit of two packets at most */
        unsigned later = delivered(&world, 1, 200 * US) - alone;
        assert_true(later >= 17 && later <= 23);
        /* when class 0 is done, class 1 has all */
        assert_true(delivered(&world, 1, 801 * US) == 400 && delivered(&world, 0, 801 * US) == 400);
        network_world_free(&world);
    }
}

/* A class never exceeds its maximum share: packets of one message start 1/M packet times apart. */
static void a_class_never_exceeds_its_maximum_share(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        flood(&world, "classes=2 class1.maximum=25%", place, (unsigned[]){0, 100}, 2);
        for (size_t i = 1; i < world.count; i++)
            assert_int_equal(world.deliveries[i].time_ps - world.deliveries[i - 1].time_ps, 4 * US);
        network_world_free(&world);
        flood(&world, "classes=2 class1.maximum=25%", place, (unsigned[]){200, 100}, 2);
        check_shares(&world, (double[]){0.75, 0.25}, 2, 200 * US, 1.01);
        network_world_free(&world);
        /* one class is enough for a maximum */
        flood(&world, "class0.maximum=50%", place, (unsigned[]){100}, 1);
        assert_int_equal(world.deliveries[99].time_ps - world.deliveries[0].time_ps, 198 * US);
        network_world_free(&world);
    }
}

/* Of higher priority: beyond minimum shares it goes first. */
static void higher_priority_goes_first_beyond_minimum_shares(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        struct network_world world;
        flood(&world, "classes=2 class1.priority=1", place, (unsigned[]){100, 100}, 2);
        assert_true(delivered(&world, 1, 103 * US) == 100);
        assert_true(delivered(&world, 0, 103 * US) <= 3);
        network_world_free(&world);
        flood(&world, "classes=2 class1.priority=1 class0.minimum=30%", place,
              (unsigned[]){200, 200}, 2);
        check_shares(&world, (double[]){0.3, 0.7}, 2, 250 * US, 2.01);
        network_world_free(&world);
    }
}

/* The longest latency of a message of class 1 every 10 us, of a tenth of a packet, beside a class 0
 * that floods the channel. */
static int64_t small_latency_ps(const char *settings, enum place place) {
    struct network_world world;
    struct network_config config = network_world_config(MACHINE);
    network_world_set(&config, settings);
    network_world_new(&world, &config, 1);
    for (unsigned i = 0; i < 400; i++)
        send(&world, place, 0, 0, 1000, 0);
    for (unsigned i = 0; i < 30; i++)
        send(&world, place, 1, (uint8_t)(config.classes - 1), 100, (50 + 10 * i) * US);
    network_world_run(&world, 1);
    int64_t longest_ps = 0;
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *delivery = &world.deliveries[i].delivery;
        int64_t latency_ps = world.deliveries[i].time_ps - delivery->ready_ps;
        if (delivery->size_bytes == 100 && latency_ps > longest_ps) longest_ps = latency_ps;
    }
    network_world_free(&world);
    return longest_ps;
}

/* A small class of high priority waits for the packet on the channel, and no longer. */
static void priority_lowers_latency(void **state) {
    (void)state;
    for (enum place place = 0; place < PLACES; place++) {
        int64_t first_ps = small_latency_ps("classes=2 class1.priority=1", place);
        assert_true(first_ps <= US + US / 2);
        if (place == AT_NIC) assert_true(small_latency_ps("classes=1", place) > 10 * US);
        assert_true(small_latency_ps("classes=2 class0.priority=1", place) > 100 * US);
    }
}

/* A class that is blocked for lack of credits does not hold up others: buffers are its own. Class 0
 * sends to a node that takes little, class 1 to another, by the same channels. */
static void classes_have_their_own_buffers(void **state) {
    (void)state;
    const char *const cases[] = {"classes=1", "classes=2"};
    int64_t end_ps[2] = {0, 0};
    for (int n = 0; n < 2; n++) {
        struct network_world world;
        struct network_config config = network_world_config(MACHINE);
        network_world_set(&config, cases[n]);
        network_world_new(&world, &config, 1);
        for (unsigned i = 0; i < 200; i++)
            for (uint32_t source = 0; source < 3; source++) /* three nodes for node 4 */
                network_send(network_home_of_node(world.network, source), 0,
                             &(struct network_message){
                                 .source_node = source, .destination_node = 4, .size_bytes = 1000});
        network_send(network_home_of_node(world.network, 0), 100 * US,
                     &(struct network_message){.source_node = 0,
                                               .destination_node = 5,
                                               .size_bytes = 20000,
                                               .traffic_class = (uint8_t)(config.classes - 1)});
        network_world_run(&world, 1);
        for (size_t i = 0; i < world.count; i++)
            if (world.deliveries[i].delivery.size_bytes == 20000)
                end_ps[n] = world.deliveries[i].time_ps - 100 * US;
        network_world_free(&world);
    }
    assert_true(end_ps[1] < 45 * US); /* half of each channel, at least */
    assert_true(end_ps[0] > 2 * end_ps[1]);
}

/* The same digest over threads, for all allocators, with several classes at once. */
static void any_number_of_threads_gives_the_same_digest(void **state) {
    (void)state;
    const char *const kinds[] = {
        "routing=ugal-l",
        "routing=par router.crossbar=input router.speedup=2 router.output_buffer=4kB",
        "routing=ofar terminal.buffer=16kB local.buffer=16kB global.buffer=16kB",
        "routing=ofar-ordered router.arbitration=least-recent",
        "routing=ugal-l nic.receive_overhead=1us nic.host_bandwidth=1GB/s",
        "routing=piggyback rails=2 rail_choice=packet"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint64_t digests[2];
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct network_config config = network_world_config(MACHINE);
            network_world_set(&config, "routers_per_group=3 groups=4 classes=3 class0.minimum=0.3 "
                                       "class1.maximum=0.5 class2.priority=2");
            network_world_set(&config, kinds[k]);
            struct network_world world;
            network_world_new(&world, &config, 3);
            for (uint32_t i = 0; i < 4000; i++) {
                uint32_t source = i * 7 % 48, to = (i * 29 + i / 48 + 1) % 48;
                network_send(network_home_of_node(world.network, source), i / 4 * US / 10,
                             &(struct network_message){.source_node = source,
                                                       .destination_node = to,
                                                       .size_bytes = 500 + i % 5 * 700,
                                                       .traffic_class = (uint8_t)(i % 3)});
            }
            network_world_run(&world, threads);
            struct network_totals totals, sum = {0};
            network_fill_totals(world.network, &totals);
            digests[threads - 1] = totals.digest;
            for (uint32_t class = 0; class < 3; class ++) {
                struct network_totals part;
                network_fill_class_totals(world.network, class, &part);
                sum.messages += part.messages;
                sum.bytes += part.bytes;
                sum.latency_sum_ps += part.latency_sum_ps;
            }
            assert_true(sum.messages == totals.messages && sum.bytes == totals.bytes &&
                        sum.latency_sum_ps == totals.latency_sum_ps && sum.messages > 3000);
            network_world_free(&world);
        }
        assert_int_equal(digests[0], digests[1]);
    }
}

/* A message alone takes exactly the closed form, whatever its class. */
static void every_class_takes_the_closed_form_on_an_idle_network(void **state) {
    (void)state;
    const char *const kinds[] = {
        "routing=ugal-l routing_bias=100MB",
        "routing=minimal router.crossbar=vc router.allocation_latency=30ns",
        ("routing=par routing_bias=100MB router.crossbar=input router.speedup=2 "
         "router.output_buffer=4kB"),
        "routing=minimal nic.overhead=300ns nic.host_bandwidth=900MB/s",
        "routing=minimal local.bandwidth=300MB/s header=13B rails=2 rail_choice=packet",
        "routing=minimal node.nics=2",
        "routing=minimal cell=64B cell_header=7B flit=16B",
        "routing=minimal acknowledgement=delay nic.window=3500B nic.pair_window=2700B"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct network_config config = network_world_config(MACHINE);
        network_world_set(&config, "classes=4 class0.minimum=0.3 class1.maximum=0.37 "
                                   "class2.priority=2 class3.minimum=0.011 class3.maximum=0.123");
        network_world_set(&config, kinds[k]);
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t to = i % ((uint32_t)network_config_nodes(&config) - 1) + 1;
            uint8_t class = (uint8_t)(i % 4);
            uint64_t size_bytes = (uint64_t)i * i * 9;
            struct network_world world;
            network_world_new(&world, &config, 3);
            const struct network_message message = {
                .destination_node = to, .size_bytes = size_bytes, .traffic_class = class};
            network_send(network_home_of_node(world.network, 0), 17, &message);
            network_world_run(&world, 1);
            int64_t idle_ps = network_zero_load_ps(world.network, &message);
            if (world.deliveries[0].time_ps - 17 != idle_ps)
                fail_msg("%s: %llu bytes of class %u to node %u took %lld ps, not %lld", kinds[k],
                         (unsigned long long)size_bytes, class, to,
                         (long long)world.deliveries[0].time_ps - 17, (long long)idle_ps);
            assert_int_equal(world.deliveries[0].delivery.zero_load_ps, idle_ps);
            network_world_free(&world);
        }
    }
}

/* Contradictions are refused, with the setting that is wrong. */
static void contradictory_classes_are_refused(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"classes=2 class0.minimum=60% class1.minimum=50%", "add up to 110.0000 %"},
        {"classes=2 class2.priority=1", "network.class2 is set, but there are only 2"},
        {"class1.minimum=1%", "network.class1 is set, but there is only 1"},
        {"classes=2 class1.minimum=60% class1.maximum=50%", "network.class1.minimum is more than"},
        {"classes=2 nic.message_gap=1us", "network.nic.message_gap does not go"},
        {"class0.maximum=50% nic.receive_buffer=8KiB", "network.nic.receive_buffer, which all"},
        {"class0.maximum=50% routing=ofar ofar.trigger=granted router.crossbar=input "
         "router.allocation_rounds=2",
         "network.ofar.trigger granted does not go"},
        {"classes=4 nic.vcs=16 nodes_per_router=1000 packet=100B routing=ofar",
         "lower network.classes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        network_world_refused(cases[i][0], cases[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturating_classes_get_their_minimum_shares),
        cmocka_unit_test(windows_keep_minimum_shares),
        cmocka_unit_test(messages_come_back_to_the_queue_of_their_class),
        cmocka_unit_test(shares_count_bytes_on_the_channel),
        cmocka_unit_test(the_rest_is_shared_equally),
        cmocka_unit_test(unused_shares_are_lent),
        cmocka_unit_test(a_class_never_exceeds_its_maximum_share),
        cmocka_unit_test(higher_priority_goes_first_beyond_minimum_shares),
        cmocka_unit_test(priority_lowers_latency),
        cmocka_unit_test(classes_have_their_own_buffers),
        cmocka_unit_test(any_number_of_threads_gives_the_same_digest),
        cmocka_unit_test(every_class_takes_the_closed_form_on_an_idle_network),
        cmocka_unit_test(contradictory_classes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
