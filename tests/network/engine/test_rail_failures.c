/*
 * Failures in machines with several rails: what has failed in which, which nodes take part, and
 * that messages go only by rails in which both of their routers work.
 */
#include "tests/support/network/failing_world.h"

#include "network/routing/routing.h"
#include "tests/support/network/network_face.h"

#define SMALL                                                                                      \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 packet=1000B rails=2 "

static status_code make(struct network **made, const struct network_config *config,
                        struct status *status) {
    struct network_sink sink = {0};
    return network_new(made, config, 1, &sink, status);
}

/* Each rail has failures of its own; a line of the file is about one rail, or about all. */
static void each_rail_has_failures_of_its_own(void **state) {
    (void)state;
    struct network_config config = with_file(
        "rail 1 router 0 1\nrail 0 global 2 0 0\nlocal 3 0 1\n", SMALL "failures.globals=2");
    struct network *network = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(make(&network, &config, &status), STATUS_OK);
    const struct topology *one = face_topology(network, 0), *two = face_topology(network, 9);
    assert_ptr_not_equal(one, two);
    assert_int_equal(one->failures->failed_routers, 0);
    assert_int_equal(two->failures->failed_routers, 1);
    assert_true(two->failures->router_failed[1]);
    assert_int_equal(one->failures->failed_locals, 1);
    assert_int_equal(two->failures->failed_locals, 1 + 3);
    assert_int_equal(one->failures->failed_globals, 1 + 2);
    assert_int_equal(two->failures->failed_globals, 2 + 2); /* two go with the router */
    assert_int_equal(one->link_peers[2 * 8], TOPOLOGY_UNCONNECTED);
    assert_memory_not_equal(one->link_peers, two->link_peers, 72 * sizeof *one->link_peers);
    assert_int_equal(rails_between(network, 0, 2), 1);
    assert_int_equal(rails_between(network, 0, 4), 3);
    for (uint32_t node = 0; node < 72; node++)
        assert_true(network_node_works(network, node));
    assert_int_equal(network_working_nodes(network), 72);
    network_free(network);
    unlink(config.failures_file);
    /* What is drawn in the first rail is what is drawn in a machine of one. */
    struct topology first;
    config = network_world_config(SMALL "failures.globals=2 rails=1");
    assert_int_equal(topology_new(&first, &config, &status), STATUS_OK);
    config.rails = 2;
    network = NULL;
    assert_int_equal(make(&network, &config, &status), STATUS_OK);
    assert_memory_equal(network->topology.link_peers, first.link_peers,
                        72 * sizeof *first.link_peers);
    assert_memory_not_equal(network->rails.other_topologies[0].link_peers, first.link_peers,
                            72 * sizeof *first.link_peers);
    network_free(network);
    topology_free(&first);
}

/* Where no rail's minimal paths go by third groups, their VCs are known before packets are routed.
 */
static void vcs_of_minimal_paths_are_known_at_launch(void **state) {
    (void)state;
    const char *const lines[] = {"rail 1 local 0 0 1\n", "rail 1 global 0 0 0\n",
                                 "rail 0 global 0 0 0\n"};
    for (size_t i = 0; i < 3; i++) {
        struct network_config config = with_file(lines[i], SMALL "routing=minimal");
        struct network *network = NULL;
        assert_int_equal(make(&network, &config, NULL), STATUS_OK);
        assert_int_equal(network->routing.injection_flags, i == 0 ? NETWORK_PACKET_ROUTED : 0);
        network_free(network);
        unlink(config.failures_file);
    }
}

static void expect_fault(const char *lines, const char *text) {
    struct network_config config = with_file(lines, SMALL);
    struct network *network = NULL;
    struct status status = STATUS_INIT;
    assert_int_not_equal(make(&network, &config, &status), STATUS_OK);
    if (strstr(status.text, text) == NULL) fail_msg("%s\nlacks: %s", status.text, text);
    status_clear(&status);
    unlink(config.failures_file);
}

static void wrong_lists_are_refused(void **state) {
    (void)state;
    expect_fault("rail 2 router 0 1\n", "rail");
    expect_fault("rail 0\n", ":1:");
    expect_fault("rail 0 router 0 0\nrail 1 router 0 1\n",
                 "no rail in which node 0 and node 2 both have a router");
    expect_fault("rail 1 local 0 0 1\nrail 1 local 0 0 2\nrail 1 local 0 0 3\n", "rail 1: ");
    expect_fault("rail 1 local 0 0 1\nrail 1 local 0 0 2\nrail 1 local 0 0 3\n",
                 "nodes 0 to 1 (router 0 of group 0)");
}

/* Nodes are marked as failed when their router has failed in every rail. */
static void nodes_fail_when_no_rail_reaches_them(void **state) {
    (void)state;
    struct network_config config = with_file("rail 1 router 0 1\nrouter 2 0\n", SMALL);
    bool nodes[72] = {false};
    assert_int_equal(failures_mark_nodes(nodes, &config, NULL), STATUS_OK);
    for (uint32_t node = 0; node < 72; node++)
        assert_int_equal(nodes[node], node / 2 == 8);
    unlink(config.failures_file);
}

/* Every policy and every choice of rail delivers everything, over what works alone. */
static void packets_use_the_rails_that_work(void **state) {
    (void)state;
    struct network_config config = with_file("rail 0 router 0 1\nrail 1 router 4 2\nrouter 5 0\n"
                                             "rail 1 global 0 0 0\nrail 1 global 0 0 1\n",
                                             SMALL "failures.locals=3 failures.globals=3 rails=3");
    for (int32_t routing = 0; routing_policies()[routing].name != NULL; routing++) {
        for (int32_t choice = 0; rail_choices()[choice].name != NULL; choice++) {
            config.routing = routing;
            config.rail_choice = choice;
            uint64_t digest = send_all(&config, 1, false);
            if ((routing + choice) % 4 == 0) assert_int_equal(send_all(&config, 3, false), digest);
        }
    }
    unlink(config.failures_file);
}

/* On the idle network no message is faster than the best of its rails, and where it has only one,
 * none slower. */
static void idle_messages_take_the_best_rail_that_works(void **state) {
    (void)state;
    struct network_config config =
        with_file("rail 0 router 0 1\nrail 0 global 3 0 0\n", SMALL "routing=minimal");
    for (config.rail_choice = 0; rail_choices()[config.rail_choice].name != NULL;
         config.rail_choice++) {
        struct network_world world;
        network_world_new(&world, &config, 3);
        unsigned exact = 0;
        for (uint32_t source = 0; source < 72; source++)
            for (uint32_t to = source % 3; to < 72; to += 3)
                network_world_send(&world, source, to, 3500,
                                   (int64_t)world.sent * INT64_C(100000000));
        network_world_run(&world, 1);
        for (size_t i = 0; i < world.count; i++) {
            const struct network_delivery *delivery = &world.deliveries[i].delivery;
            int64_t took_ps = world.deliveries[i].time_ps - delivery->ready_ps;
            bool one = delivery->source_node / 2 == 1 || delivery->destination_node / 2 == 1;
            assert_true(took_ps >= delivery->zero_load_ps);
            if (one) assert_int_equal(took_ps, delivery->zero_load_ps);
            exact += one;
        }
        assert_int_equal(world.count, 72 * 24);
        assert_true(exact > 80);
        network_world_free(&world);
    }
    unlink(config.failures_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rail_has_failures_of_its_own),
        cmocka_unit_test(vcs_of_minimal_paths_are_known_at_launch),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(nodes_fail_when_no_rail_reaches_them),
        cmocka_unit_test(packets_use_the_rails_that_work),
        cmocka_unit_test(idle_messages_take_the_best_rail_that_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
