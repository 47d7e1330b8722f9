/*
 * Failed routers and links: who has failed, paths round them, what is refused, and that nothing
 * ever goes over what has failed. That channels cannot wait in circles: test_dependencies.c.
 */
#include "tests/support/network/failing_world.h"

#include "network/routing/routing.h"

#define SMALL  "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 packet=1000B "
#define SPARSE "nodes_per_router=1 routers_per_group=4 globals_per_router=1 groups=5 packet=1000B "

static status_code wire(struct topology *topology, const char *settings, struct status *status) {
    struct network_config config = network_world_config(settings);
    return topology_new(topology, &config, status);
}

/* ---------------------------------------------------------------- which */

static void random_failures_follow_the_seed(void **state) {
    (void)state;
    const char *settings = SMALL "failures.routers=2 failures.locals=5 failures.globals=3";
    struct topology one, two, other;
    struct status status = STATUS_INIT;
    assert_int_equal(wire(&one, settings, &status), STATUS_OK);
    assert_int_equal(wire(&two, settings, &status), STATUS_OK);
    assert_int_equal(wire(&other,
                          SMALL "failures.routers=2 failures.locals=5 failures.globals=3 "
                                "failures.seed=2",
                          &status),
                     STATUS_OK);
    uint32_t routers = 0, locals = 0, globals = 0, all = 0;
    for (uint32_t i = 0; i < 36; i++) {
        routers += one.failures->router_failed[i];
        for (uint32_t port = 0; port < 3; port++) {
            struct group_end end = group_shape_end(&one.group_shape, i % 4, port);
            uint8_t failed = one.failures->local_failed[i * 3 + port];
            assert_int_equal(failed,
                             one.failures->local_failed[(i - i % 4 + end.router) * 3 + end.port]);
            locals += failed;
            if (one.failures->router_failed[i]) assert_int_equal(failed, 1);
        }
    }
    for (uint32_t x = 0; x < 72; x++) {
        if (one.link_peers[x] == TOPOLOGY_UNCONNECTED)
            globals++;
        else
            assert_int_equal(one.link_peers[one.link_peers[x]], x);
        all++;
    }
    assert_int_equal(routers, 2);
    assert_int_equal(one.failures->failed_routers, 2);
    assert_int_equal(locals, 2 * one.failures->failed_locals);
    assert_int_equal(globals, 2 * one.failures->failed_globals);
    assert_in_range(one.failures->failed_locals, 5 + 5, 5 + 6); /* three each go with a router */
    assert_in_range(one.failures->failed_globals, 3 + 3, 3 + 4);
    assert_int_equal(all, 72);
    assert_memory_equal(one.link_peers, two.link_peers, 72 * sizeof *one.link_peers);
    assert_memory_equal(one.failures->local_failed, two.failures->local_failed, 36 * 3);
    assert_memory_not_equal(one.failures->local_failed, other.failures->local_failed, 36 * 3);
    topology_free(&one);
    topology_free(&two);
    topology_free(&other);
}

static status_code wire_file(struct topology *topology, const char *lines, const char *settings,
                             struct status *status) {
    struct network_config config = with_file(lines, settings);
    status_code code = topology_new(topology, &config, status);
    unlink(config.failures_file);
    return code;
}

static void listed_failures_are_those_that_fail(void **state) {
    (void)state;
    struct topology topology;
    struct status status = STATUS_INIT;
    assert_int_equal(wire_file(&topology,
                               "# a comment\nrouter 1 2\nlocal 0 0 1\nlocal 0 1 0 # again\n"
                               "global 0 3 1\n",
                               SMALL, &status),
                     STATUS_OK);
    assert_int_equal(topology.failures->failed_routers, 1);
    assert_int_equal(topology.failures->failed_locals, 1 + 3);
    assert_true(topology.failures->router_failed[4 + 2]);
    assert_int_equal(topology.link_peers[3 * 2 + 1], TOPOLOGY_UNCONNECTED);
    assert_false(failures_port_works(&topology, 0, 2)); /* to router 1: the first local port */
    assert_true(failures_port_works(&topology, 0, 3));
    topology_free(&topology);
    /* one of several parallel links */
    assert_int_equal(wire_file(&topology, "local 0 0 1 1\n", SMALL "group.links=3", &status),
                     STATUS_OK);
    assert_int_equal(topology.failures->failed_locals, 1);
    assert_true(failures_port_works(&topology, 0, 2));
    assert_false(failures_port_works(&topology, 0, 3));
    assert_true(failures_port_works(&topology, 0, 4));
    assert_int_equal(topology_local_hops(&topology, 0, 0, 1), 1);
    topology_free(&topology);
}

static void expect_fault(const char *lines, const char *settings, const char *text) {
    struct topology topology;
    struct status status = STATUS_INIT;
    assert_int_not_equal(wire_file(&topology, lines, settings, &status), STATUS_OK);
    if (strstr(status.text, text) == NULL) fail_msg("%s\nlacks: %s", status.text, text);
    status_clear(&status);
    topology_free(&topology);
}

static void wrong_lists_are_refused_with_the_line(void **state) {
    (void)state;
    expect_fault("router 1 2\nrooter 1 2\n", SMALL, ":2:");
    expect_fault("rooter 1 2\n", SMALL, "cannot fail");
    expect_fault("router 9 0\n", SMALL, "group");
    expect_fault("router 0 4\n", SMALL, "router");
    expect_fault("router 0 1 1\n", SMALL, "router GROUP ROUTER");
    expect_fault("local 0 1 1\n", SMALL, "no local link joins router 1 with router 1");
    expect_fault("local 0 0 3\n", SMALL "group.dimensions=2x2", "no local link joins");
    expect_fault("global 0 1 2\n", SMALL, "global link");
    expect_fault("local 0 0 1\nlocal 0 0 2\nlocal 0 0 3\n", SMALL,
                 "nodes 0 to 1 (router 0 of group 0)");
    expect_fault("", SMALL "failures.routers=36", "all routers of the machine have failed");
    expect_fault("", SMALL "failures.globals=37", "only 36 global links");
    /* five groups with a link for each pair: without three of a group's four, it is alone */
    expect_fault("global 0 0 0\nglobal 0 1 0\nglobal 0 2 0\nglobal 0 3 0\n", SPARSE,
                 "group 0 (nodes 0 to 3) and group 1 (nodes 4 to 7)");
}

/* Of 36 routers, 54 local and 36 global links. */
static void shares_round_to_whole_links(void **state) {
    (void)state;
    struct topology topology;
    assert_int_equal(wire(&topology, SMALL "failures.locals=2.5%", NULL), STATUS_OK);
    assert_int_equal(topology.failures->failed_locals, 1);
    topology_free(&topology);
    assert_int_equal(wire(&topology, SMALL "failures.globals=12.5%", NULL), STATUS_OK);
    assert_int_equal(topology.failures->failed_globals, 5); /* 4.5 */
    topology_free(&topology);
    assert_int_equal(wire(&topology, SMALL "failures.routers=1%", NULL), STATUS_OK);
    assert_int_equal(topology.failures->failed_routers, 0); /* 0.36 */
    topology_free(&topology);
    struct status status = STATUS_INIT;
    assert_int_equal(wire(&topology, SMALL "failures.routers=100%", &status), STATUS_USAGE);
    status_clear(&status);
    topology_free(&topology);
}

/* ---------------------------------------------------------------- paths inside groups */

/* From every router to every other: by links that work, in as many hops as the table says, first up
 * in some order and then down, directly where a link works. */
static void check_group(const struct topology *topology, uint32_t group) {
    uint32_t a = topology->routers_per_group;
    for (uint32_t from = 0; from < a; from++) {
        for (uint32_t to = 0; to < a; to++) {
            if (!failures_router_works(topology, group * a + from) ||
                !failures_router_works(topology, group * a + to))
                continue;
            uint32_t here = from, hops = 0;
            while (here != to) {
                uint32_t port = topology_local_port(topology, group, here, to), working = 0;
                for (uint32_t i = 0; i < topology_parallel_ports(topology, port); i++)
                    working += failures_port_works(topology, group * a + here, port + i);
                assert_true(working > 0);
                assert_int_equal(topology_local_hops(topology, group, here, to),
                                 topology_local_hops(topology, group, from, to) - hops);
                here = topology_local_end(topology, here, port).router;
                assert_true(failures_router_works(topology, group * a + here));
                assert_true(++hops <= topology->local_diameter);
            }
            assert_int_equal(hops, topology_local_hops(topology, group, from, to));
            for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port;
                 port++)
                if (topology_local_end(topology, from, port).router == to &&
                    failures_port_works(topology, group * a + from, port))
                    assert_int_equal(hops, 1);
        }
    }
}

static void paths_inside_groups_go_round_failures(void **state) {
    (void)state;
    const char *shapes[] = {"routers_per_group=5 groups=6", "routers_per_group=8 groups=5",
                            "routers_per_group=6 groups=5 group.dimensions=3x2 group.links=1x2",
                            "routers_per_group=8 groups=5 group.dimensions=2x2x2"};
    unsigned possible = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int64_t seed = 0; seed < 40; seed++) {
            struct network_config config =
                network_world_config("nodes_per_router=1 globals_per_router=2");
            network_world_set(&config, shapes[i]);
            config.failures_seed = seed;
            config.failed_locals = 3 + seed % 10;
            config.failed_routers = seed % 3;
            struct topology topology;
            struct status status = STATUS_INIT;
            if (topology_new(&topology, &config, &status) == STATUS_OK) {
                for (uint32_t group = 0; group < topology.groups; group++)
                    check_group(&topology, group);
                possible++;
            }
            status_clear(&status);
            topology_free(&topology);
        }
    }
    assert_true(possible > 80);
}

/* ---------------------------------------------------------------- packets */

static void packets_never_cross_what_has_failed(void **state) {
    (void)state;
    const char *cases[] = {
        SMALL "failures.routers=3 failures.locals=8 failures.globals=5",
        SPARSE "failures.globals=3 failures.locals=2", /* pairs of groups without a link */
        SPARSE "failures.routers=1",
        SMALL "group.dimensions=2x2 group.links=1x2 failures.locals=4 failures.globals=6",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t n = 0; routing_policies()[n / 2].name != NULL; n++) {
            struct network_config config = network_world_config(cases[i]);
            config.routing = n / 2;
            config.valiant = n % 2;
            if (config.valiant > 0 && !routing_policies()[n / 2].has_intermediate_router) continue;
            uint64_t digest = send_all(&config, 1, false);
            assert_int_equal(send_all(&config, 3, false), digest);
        }
        struct network_config config = network_world_config(cases[i]);
        network_world_set(&config, "routing=minimal");
        send_all(&config, 1, true);
    }
}

/* Between two groups without a link, adaptive policies choose among third groups: the message's own
 * while its queue is short, else the candidate. */
static void without_a_link_policies_choose_among_third_groups(void **state) {
    (void)state;
    struct network_config config =
        with_file("global 0 0 0\n", "nodes_per_router=1 routers_per_group=1 globals_per_router=4 "
                                    "groups=5 packet=1000B");
    unsigned policies = 0;
    for (config.routing = 0; routing_policies()[config.routing].name != NULL; config.routing++) {
        if (!routing_reads_queues(&config)) continue;
        struct network_world world;
        network_world_new(&world, &config, 3);
        struct network *network = world.network;
        struct rail_group *rail_group = network_home_of_group(network, 0);
        struct network_packet packet = {
            .source = 0, .destination = 1, .target_group = 1, .waypoint = NETWORK_NO_LINK};
        uint32_t own = routing_link(rail_group, 1, &packet);
        assert_in_range(own, 1, 3);
        unsigned taken[4] = {0};
        for (unsigned full = 0; full < 2; full++) {
            for (uint32_t vc = 0; full && vc < network->vcs.per_port; vc++)
                face_set_credits(rail_group, face_port_vc(network, 1 + own, vc), 0);
            for (packet.packet_number = 0; packet.packet_number < 60; packet.packet_number++) {
                struct network_packet routed = packet;
                routing_route(rail_group, 0, &routed);
                assert_int_equal(routed.waypoint + 1, routed.output_port);
                if (full)
                    taken[routed.waypoint]++;
                else
                    assert_int_equal(routed.waypoint, own);
            }
        }
        assert_int_equal(taken[0], 0);
        for (uint32_t link = 1; link < 4; link++) /* the candidate is its own in a third of cases */
            assert_in_range(taken[link], 8, 35);
        policies++;
        network_world_free(&world);
    }
    unlink(config.failures_file);
    assert_true(policies >= 7);
}

/* A group of which nothing is left is no third group. */
static void a_failed_group_is_no_third_group(void **state) {
    (void)state;
    struct network_config config = with_file("router 4 0\nrouter 4 1\nrouter 4 2\nrouter 4 3\n",
                                             SPARSE "arrangement=relative");
    for (config.routing = 0; routing_policies()[config.routing].name != NULL; config.routing++) {
        uint64_t digest = send_all(&config, 1, false);
        assert_int_equal(send_all(&config, 3, false), digest);
    }
    unlink(config.failures_file);
}

/* Groups that failures have left without a link: messages of one packet take the closed form of
 * their way round; if packets choose their links, third groups too, that of the shortest one. */
static void messages_round_failures_take_the_closed_form(void **state) {
    (void)state;
    static const char *const choices[] = {"message", "packet", "shortest"};
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        unsigned rounds = 0, equal = 0;
        for (int seed = 1; seed <= 2; seed++) {
            char pairs[300];
            snprintf(pairs, sizeof pairs,
                     "nodes_per_router=1 routers_per_group=4 globals_per_router=2 groups=9 "
                     "routing=minimal failures.globals=6 failures.seed=%d link_choice=%s "
                     "global.bandwidth=3GB/s",
                     seed, choices[c]);
            struct network_config config = network_world_config(pairs);
            struct network_world world;
            network_world_new(&world, &config, 1);
            const struct topology *topology = face_topology(world.network, 0);
            for (uint32_t i = 0; i < 36 * 36; i++)
                network_world_send(&world, i % 36, i / 36, 1000, i * INT64_C(1000000000));
            network_world_run(&world, 1);
            for (size_t i = 0; i < world.count; i++) {
                const struct network_delivery *delivery = &world.deliveries[i].delivery;
                uint32_t from = delivery->source_node / 4, to = delivery->destination_node / 4;
                if (from == to || topology_groups_are_joined(topology, from, to)) continue;
                rounds++;
                if (c > 0)
                    equal +=
                        world.deliveries[i].time_ps - delivery->ready_ps == delivery->zero_load_ps;
                int64_t took_ps = world.deliveries[i].time_ps - delivery->ready_ps;
                if (c == 0 ? took_ps != delivery->zero_load_ps : took_ps < delivery->zero_load_ps)
                    fail_msg("%s: %u to %u takes %lld, closed form %lld", pairs,
                             delivery->source_node, delivery->destination_node, (long long)took_ps,
                             (long long)delivery->zero_load_ps);
            }
            network_world_free(&world);
        }
        assert_true(rounds > 20);
        if (c > 0) assert_in_range(equal, 1, rounds - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_failures_follow_the_seed),
        cmocka_unit_test(listed_failures_are_those_that_fail),
        cmocka_unit_test(wrong_lists_are_refused_with_the_line),

        cmocka_unit_test(paths_inside_groups_go_round_failures),
        cmocka_unit_test(shares_round_to_whole_links),
        cmocka_unit_test(packets_never_cross_what_has_failed),
        cmocka_unit_test(without_a_link_policies_choose_among_third_groups),
        cmocka_unit_test(a_failed_group_is_no_third_group),
        cmocka_unit_test(messages_round_failures_take_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
