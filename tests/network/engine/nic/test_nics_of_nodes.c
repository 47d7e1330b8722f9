/*
 * Nodes with several NICs: every endpoint belongs to one node, messages use the NICs that the
 * choice says, times on an idle network are those of the closed form, ranks of a node never load
 * the network among themselves, and results do not depend on threads.
 */
#include "tests/support/network/failing_world.h"
#include "tests/support/network/notices_world.h"

#include "network/routing/routing.h"
#include "network/topology/failures.h"

#include <unistd.h>

/* 5 groups of 4 routers with 4 endpoints; every two groups have one link. */
#define SMALL "nodes_per_router=4 routers_per_group=4 globals_per_router=1 groups=5 packet=1000B "
#define PAUSE INT64_C(1000000000)

/* ---------------------------------------------------------------- shapes */

/* Checks that the nodes of a machine share its endpoints out, and that the NICs of each are where
 * the settings put them. */
static void check_shape(const struct network_config *config) {
    const struct node_shape shape = network_config_node(config);
    const uint32_t p = (uint32_t)config->nodes_per_router, k = shape.nics_per_node;
    const uint32_t endpoints = (uint32_t)network_config_endpoints(config);
    uint8_t owners[2048] = {0};
    assert_int_equal(network_config_nodes(config) * k, endpoints);
    assert_int_equal(shape.nics_per_router * shape.routers_per_node, k);
    for (uint32_t node = 0; node < network_config_nodes(config); node++) {
        uint32_t first = node_shape_endpoint(&shape, node, 0) / p;
        for (uint32_t nic = 0; nic < k; nic++) {
            uint32_t endpoint = node_shape_endpoint(&shape, node, nic);
            assert_in_range(endpoint, 0, endpoints - 1);
            assert_int_equal(owners[endpoint]++, 0);
            assert_int_equal(node_shape_node(&shape, endpoint), node);
            assert_int_equal(node_shape_nic(&shape, endpoint), nic);
            assert_int_equal(endpoint / p,
                             first + nic / shape.nics_per_router * shape.router_stride);
            assert_int_equal(endpoint / p / config->routers_per_group,
                             network_config_domain_of_node(config, node));
            /* nodes of one set have the same routers, those of another one none of them */
            uint32_t other = node / shape.nodes_per_set * shape.nodes_per_set;
            assert_int_equal(node_shape_endpoint(&shape, other, nic) / p, endpoint / p);
        }
    }
}

static void every_endpoint_belongs_to_one_node(void **state) {
    (void)state;
    unsigned accepted = 0, several = 0;
    for (int64_t p = 1; p <= 6; p++)
        for (int64_t a = 1; a <= 8; a++)
            for (int64_t k = 1; k <= 8; k++)
                for (int64_t routers = 0; routers <= 4; routers++)
                    for (int64_t stride = 1; stride <= 4; stride++) {
                        struct network_config config = network_world_config("globals_per_router=1");
                        config.nodes_per_router = p;
                        config.routers_per_group = a;
                        config.groups = 2;
                        config.node_nics = k;
                        config.node_routers = routers;
                        config.node_router_stride = stride;
                        int64_t used = routers > 0 ? routers : k;
                        bool fits = k % used == 0 && a % (used * stride) == 0 &&
                                    p % (k % used == 0 ? k / used : 1) == 0 &&
                                    (used > 1 || stride == 1);
                        struct status status = STATUS_INIT;
                        bool taken = network_config_check(&config, &status) == STATUS_OK;
                        status_clear(&status);
                        assert_int_equal(taken, fits);
                        if (!taken) continue;
                        check_shape(&config);
                        accepted++;
                        several += k > 1;
                    }
    assert_true(accepted > 100 && several > 50);
}

static void refused(const char *pairs, const char *expected) {
    struct network_config config = network_world_config(SMALL);
    network_world_set(&config, pairs);
    struct status status = STATUS_INIT;
    if (network_config_check(&config, &status) != STATUS_USAGE) fail_msg("%s accepted", pairs);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", pairs, status.text);
    status_clear(&status);
}

static void contradictory_settings_are_refused(void **state) {
    (void)state;
    refused("node.nics=4 node.routers=3", "cannot be divided evenly among 3 routers");
    refused("node.nics=3", "must be a multiple of 3, but network.routers_per_group is 4");
    refused("node.nics=2 node.router_stride=4", "must be a multiple of 8");
    refused("node.nics=3 node.routers=1", "does not divide the 4 of a router");
    refused("node.router_stride=2", "are on one router only");
    refused("node.nics=2 node.stripe=4KiB rails=2 rail_choice=packet",
            "would both cut messages into parts");
}

/* ---------------------------------------------------------------- idle network */

/* The time between two endpoints of the same machine with one NIC per node. */
static int64_t between_ps(const struct network_config *config, uint32_t source,
                          uint32_t destination, uint64_t size_bytes) {
    struct network_world world;
    struct network_config single = *config;
    single.node_nics = 1;
    single.node_routers = 0;
    single.node_router_stride = 1;
    network_world_new(&world, &single, 1);
    int64_t time_ps = network_world_zero_load_ps(world.network, source, destination, size_bytes);
    network_world_free(&world);
    return time_ps;
}

#define IDLE                                                                                       \
    SMALL "routing=minimal nic.overhead=70ns terminal.bandwidth=20GB/s global.bandwidth=11GB/s "

/* Messages of ranks: between the NICs that they name, memory within a node. */
static void messages_of_ranks_take_the_closed_form(void **state) {
    (void)state;
    static const char *const spreads[] = {"node.nics=2", "node.nics=4",
                                          "node.nics=2 node.routers=1",
                                          "node.nics=4 node.routers=2 node.router_stride=2"};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        struct network_config config = network_world_config(IDLE);
        network_world_set(&config, spreads[i]);
        struct node_shape shape = network_config_node(&config);
        struct network_world world;
        network_world_new(&world, &config, 1);
        uint32_t nodes = network_node_count(world.network);
        for (uint32_t to = 0; to < nodes; to++) {
            for (uint32_t pair = 0; pair < shape.nics_per_node * shape.nics_per_node; pair++) {
                struct network_message message = {
                    .source_node = 1,
                    .destination_node = to,
                    .size_bytes = 2500,
                    .source_nic = (uint8_t)(1 + pair / shape.nics_per_node),
                    .destination_nic = (uint8_t)(1 + pair % shape.nics_per_node),
                    .cookie = {{pair, 0, 0}},
                };
                network_send(network_home_of_group(world.network, 0), (int64_t)world.sent++ * PAUSE,
                             &message);
                assert_int_equal(
                    network_zero_load_ps(world.network, &message),
                    to == 1
                        ? config.memory_latency_ps + 125000
                        : between_ps(
                              &config, node_shape_endpoint(&shape, 1, pair / shape.nics_per_node),
                              node_shape_endpoint(&shape, to, pair % shape.nics_per_node), 2500));
            }
        }
        network_world_run(&world, 1);
        assert_int_equal(world.count, world.sent);
        for (size_t m = 0; m < world.count; m++) {
            const struct network_delivery *got = &world.deliveries[m].delivery;
            uint32_t pair = (uint32_t)got->cookie.word[0];
            assert_int_equal(got->source_node, 1);
            int64_t expected_ps =
                got->destination_node == 1
                    ? config.memory_latency_ps + 125000
                    : between_ps(&config,
                                 node_shape_endpoint(&shape, 1, pair / shape.nics_per_node),
                                 node_shape_endpoint(&shape, got->destination_node,
                                                     pair % shape.nics_per_node),
                                 2500);
            assert_int_equal(world.deliveries[m].time_ps - got->ready_ps, expected_ps);
            assert_int_equal(got->zero_load_ps, expected_ps);
        }
        network_world_free(&world);
    }
}

/* Every choice, with and without stripes: simulated times are those that deliveries state. Stripes
 * to another node of the group have links of their own here, so their time is exact, too. */
static void every_choice_takes_the_closed_form(void **state) {
    (void)state;
    const uint64_t sizes[] = {0, 1, 1000, 1001, 3500, 8000, 9001};
    for (int32_t choice = 0; nic_choices()[choice].name != NULL; choice++) {
        for (int stripes = 0; stripes < 2; stripes++) {
            struct network_config config = network_world_config(IDLE "node.nics=2 rails=2");
            config.nic_choice = choice;
            config.rails = 1 + choice % 2;
            if (stripes) config.stripe_bytes = 1001;
            struct network_world world;
            network_world_new(&world, &config, 1);
            uint32_t to_max = stripes ? 8 : 40; /* nodes of the group, or all */
            for (uint32_t to = 0; to < to_max; to++)
                for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                    network_world_send(&world, 2, to, sizes[i], (int64_t)world.sent * PAUSE);
            network_world_run(&world, 1);
            assert_int_equal(world.count, world.sent);
            for (size_t m = 0; m < world.count; m++) {
                const struct network_delivery *got = &world.deliveries[m].delivery;
                assert_int_equal(world.deliveries[m].time_ps - got->ready_ps, got->zero_load_ps);
            }
            network_world_free(&world);
        }
    }
}

/* A message in stripes takes as long as its longest part alone. */
static void stripes_take_as_long_as_the_longest_part(void **state) {
    (void)state;
    struct network_config config = network_world_config(IDLE "node.nics=4 node.stripe=1001B");
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, 0, 1, 9500, 0); /* 10 packets: 3, 3, 2 and 2 with the short one */
    network_world_run(&world, 1);
    assert_int_equal(world.deliveries[0].delivery.size_bytes, 9500);
    assert_int_equal(world.deliveries[0].time_ps, between_ps(&config, 0, 1, 3000));
    network_world_free(&world);
}

/* ---------------------------------------------------------------- who uses what */

struct use {
    struct node_shape shape;
    uint64_t injected[64][4]; /* packets, [node][NIC] */
    uint64_t ejected[64][4];
    uint64_t between; /* on channels between routers */
};

static void count_link(void *context, const struct network_link *link) {
    struct use *use = context;
    if (link->channel_kind != NETWORK_TERMINAL) {
        use->between += link->packets;
        return;
    }
    if (link->is_injection) {
        use->injected[link->source][link->port] += link->packets;
        return;
    }
    uint32_t endpoint = link->source * use->shape.endpoints_per_router + link->port;
    assert_int_equal(link->destination, node_shape_node(&use->shape, endpoint));
    use->ejected[link->destination][node_shape_nic(&use->shape, endpoint)] += link->packets;
}

static void send_all_to_all(struct network_world *world, uint64_t size_bytes, unsigned rounds) {
    uint32_t nodes = network_node_count(world->network);
    for (unsigned round = 0; round < rounds; round++)
        for (uint32_t from = 0; from < nodes; from++)
            for (uint32_t to = 0; to < nodes; to++)
                network_world_send(world, from, to, size_bytes, (int64_t)round * 1000000);
}

/* Sends from every node to every other one, and checks that every NIC of every node sends and
 * receives. Node 0 sends to itself, too, which loads no channel. */
static void every_choice_uses_every_nic(void **state) {
    (void)state;
    for (int32_t choice = 0; nic_choices()[choice].name != NULL; choice++) {
        struct network_config config = network_world_config(SMALL "routing=minimal node.nics=2");
        config.nic_choice = choice;
        struct network_world world;
        network_world_new(&world, &config, 1);
        send_all_to_all(&world, 1000, 4);
        network_world_run(&world, 1);
        struct use use = {.shape = network_config_node(&config)};
        network_visit_links(world.network, count_link, &use);
        uint64_t sum = 0;
        for (uint32_t node = 0; node < 40; node++)
            for (uint32_t nic = 0; nic < 2; nic++) {
                if (use.injected[node][nic] == 0 || use.ejected[node][nic] == 0)
                    fail_msg("%s: node %u, NIC %u: %llu sent, %llu received",
                             nic_choices()[choice].name, node, nic,
                             (unsigned long long)use.injected[node][nic],
                             (unsigned long long)use.ejected[node][nic]);
                sum += use.injected[node][nic];
            }
        assert_int_equal(sum, 4 * 40 * 39);
        struct network_totals totals;
        network_fill_totals(world.network, &totals);
        assert_int_equal(totals.memory_messages, 4 * 40);
        network_world_free(&world);
    }
}

static void own_messages_use_memory(void **state) {
    (void)state;
    struct network_config config =
        network_world_config(SMALL "routing=minimal node.nics=2 node.stripe=2KiB");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t node = 0; node < 40; node++)
        for (uint32_t pair = 0; pair < 4; pair++) {
            struct network_message message = {.source_node = node,
                                              .destination_node = node,
                                              .size_bytes = 10000,
                                              .source_nic = (uint8_t)(1 + pair / 2),
                                              .destination_nic = (uint8_t)(1 + pair % 2)};
            network_send(network_home_of_node(world.network, node), 0, &message);
        }
    network_world_run(&world, 1);
    struct use use = {.shape = network_config_node(&config)};
    network_visit_links(world.network, count_link, &use);
    assert_int_equal(use.between, 0);
    for (uint32_t node = 0; node < 40; node++)
        assert_int_equal(use.injected[node][0] + use.injected[node][1], 0);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(totals.memory_messages, 160);
    assert_int_equal(totals.packets, 0);
    network_world_free(&world);
}

static void processes_are_divided_among_nics(void **state) {
    (void)state;
    struct network_config config = network_world_config(SMALL "node.nics=4");
    const uint32_t blocks[] = {1, 1, 2, 2, 3, 3, 4, 4};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(network_nic_of_process(&config, i, 8), blocks[i]);
    assert_int_equal(network_nic_of_process(&config, 1, 2), 3); /* spread if there are too few */
    network_world_set(&config, "node.nic_choice=round-robin");
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(network_nic_of_process(&config, i, 8), 1 + i % 4);
    network_world_set(&config, "node.nic_choice=message");
    assert_int_equal(network_nic_of_process(&config, 3, 8), NETWORK_NIC_ANY);
    network_world_set(&config, "node.nic_choice=block node.nics=1");
    assert_int_equal(network_nic_of_process(&config, 3, 8), NETWORK_NIC_ANY);
}

/* In a group, the nearest NICs of two nodes of the same routers are on one router; a large message
 * at one NIC keeps later ones to the others. */
static void the_nearest_and_the_shortest_queue_are_chosen(void **state) {
    (void)state;
    struct network_config config =
        network_world_config(SMALL "routing=minimal node.nics=2 node.nic_choice=nearest");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t to = 1; to < 4; to++)
        network_world_send(&world, 0, to, 1000, 0);
    network_world_run(&world, 1);
    for (size_t m = 0; m < world.count; m++)
        assert_int_equal(world.deliveries[m].delivery.routers, 1);
    network_world_free(&world);

    network_world_set(&config, "node.nic_choice=shortest");
    network_world_new(&world, &config, 1);
    network_world_send(&world, 0, 13, 100000, 0);
    for (int i = 0; i < 10; i++)
        network_world_send(&world, 0, 13, 1000, 0);
    network_world_run(&world, 1);
    struct use use = {.shape = network_config_node(&config)};
    network_visit_links(world.network, count_link, &use);
    assert_int_equal(use.injected[0][0], 100);
    assert_int_equal(use.injected[0][1], 10);
    network_world_free(&world);
}

/* ---------------------------------------------------------------- every policy */

static void every_policy_and_choice_gives_the_same_digest_on_threads(void **state) {
    (void)state;
    for (int32_t routing = 0; routing_policies()[routing].name != NULL; routing++)
        for (int32_t choice = 0; nic_choices()[choice].name != NULL; choice++) {
            struct network_config config = network_world_config(SMALL "node.nics=2");
            config.routing = routing;
            config.nic_choice = choice;
            config.stripe_bytes = choice % 2 == 0 ? 2000 : 0;
            config.rails = 1 + routing % 2;
            network_world_same_digest(&config, 400, false);
        }
    struct network_config limited = network_world_config(
        SMALL "node.nics=4 node.routers=2 node.stripe=2KiB nic.overhead=50ns nic.message_gap=200ns "
              "nic.receive_overhead=50ns nic.receive_buffer=4KiB nic.host_bandwidth=20GB/s "
              "nic.send_latency=300ns");
    network_world_same_digest(&limited, 400, false);
}

/* ---------------------------------------------------------------- notices, giving up */

#define TWO_NICS                                                                                   \
    SMALL "routing=minimal header=0 terminal.bandwidth=10GB/s node.nics=2 node.stripe=2KiB"

/* Packets take 100 ns. Messages of which any stripe has begun are sent as a whole. */
static void striped_messages_tell_when_they_are_sent_and_given_up(void **state) {
    (void)state;
    struct notices notices = notices_of(TWO_NICS, 5, 2, 10000, 1, 0); /* five packets on each NIC */
    assert_int_equal(notices.sents, 1);
    assert_int_equal(notices.sent_node, 5);
    assert_int_equal(notices.sent_ps, 500000);
    notices = notices_of(TWO_NICS, 5, 2, 10000, 5,
                         150000); /* packet by packet: the first two have begun */
    assert_int_equal(notices.waiting, 5);
    assert_int_equal(notices.abandoned, 3);
    assert_int_equal(notices.sents, 2);
    assert_true(notices.delivered_ps > 0);
}

/* ---------------------------------------------------------------- failures */

/* A node works as long as one of its NICs does; messages use the NICs that work. */
static void messages_use_the_nics_that_work(void **state) {
    (void)state;
    for (int32_t choice = 0; nic_choices()[choice].name != NULL; choice++) {
        struct network_config config =
            with_file("router 0 0\n", SMALL "routing=minimal node.nics=2");
        config.nic_choice = choice;
        config.stripe_bytes = choice % 2 == 0 ? 0 : 2000;
        struct network_world world;
        network_world_new(&world, &config, 1);
        assert_int_equal(network_working_nodes(world.network), 40);
        bool failed[40] = {false};
        assert_int_equal(failures_mark_nodes(failed, &config, NULL), STATUS_OK);
        for (uint32_t node = 0; node < 40; node++)
            assert_false(failed[node]);
        send_all_to_all(&world, 3000, 4);
        network_world_run(&world, 1);
        assert_int_equal(world.count, world.sent);
        struct use use = {.shape = network_config_node(&config)};
        network_visit_links(world.network, count_link, &use);
        for (uint32_t node = 0; node < 4; node++) { /* on routers 0 and 1 */
            assert_int_equal(use.injected[node][0] + use.ejected[node][0], 0);
            assert_int_equal(use.injected[node][1], 4 * 39 * 3);
        }
        network_world_free(&world);
        unlink(config.failures_file);
    }
    struct network_config config =
        with_file("router 0 0\nrouter 0 1\n", SMALL "routing=minimal node.nics=2");
    struct network_world world;
    network_world_new(&world, &config, 1);
    assert_int_equal(network_working_nodes(world.network), 36);
    assert_false(network_node_works(world.network, 3));
    assert_true(network_node_works(world.network, 4));
    bool failed[40] = {false};
    assert_int_equal(failures_mark_nodes(failed, &config, NULL), STATUS_OK);
    for (uint32_t node = 0; node < 40; node++)
        assert_int_equal(failed[node], node < 4);
    network_world_free(&world);
    unlink(config.failures_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_endpoint_belongs_to_one_node),
        cmocka_unit_test(contradictory_settings_are_refused),
        cmocka_unit_test(messages_of_ranks_take_the_closed_form),
        cmocka_unit_test(every_choice_takes_the_closed_form),
        cmocka_unit_test(stripes_take_as_long_as_the_longest_part),
        cmocka_unit_test(every_choice_uses_every_nic),
        cmocka_unit_test(own_messages_use_memory),
        cmocka_unit_test(processes_are_divided_among_nics),
        cmocka_unit_test(the_nearest_and_the_shortest_queue_are_chosen),
        cmocka_unit_test(every_policy_and_choice_gives_the_same_digest_on_threads),
        cmocka_unit_test(striped_messages_tell_when_they_are_sent_and_given_up),
        cmocka_unit_test(messages_use_the_nics_that_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
