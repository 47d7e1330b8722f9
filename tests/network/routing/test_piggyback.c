/*
 * Routing by what routers learn on the way: piggyback, by links that other routers report as
 * saturated, and PAR, which decides again at the next router.
 */
#include "tests/support/network/network_face.h"

#include "network/routing/observation/saturation.h"

#include <stdbool.h>

/* a=2, h=3, g=7, absolute: links 0 to 2 of a group are router 0's. */
static struct network_config pair_config(const char *routing) {
    struct network_config config =
        network_world_config("nodes_per_router=1 routers_per_group=2 globals_per_router=3 groups=7 "
                             "packet=100B header=0");
    char pair[64];
    snprintf(pair, sizeof pair, "routing=%s", routing);
    network_world_set(&config, pair);
    return config;
}

/* Of group 0, from its first router to group 4, whose link (3) is the other router's. */
static struct network_packet pair_packet(void) {
    return (struct network_packet){.source = 0,
                                   .destination = 8,
                                   .packet_number = 1,
                                   .waypoint = NETWORK_NO_LINK,
                                   .target_group = 4,
                                   .target_router = 0};
}

static bool takes_nonminimal(struct rail_group *rail_group, uint32_t router,
                             struct network_packet packet) {
    routing_route(rail_group, router, &packet);
    assert_true(packet.flags & NETWORK_PACKET_ROUTED || packet.flags & NETWORK_PACKET_TENTATIVE);
    assert_int_equal((packet.flags & NETWORK_PACKET_NONMINIMAL) != 0,
                     packet.waypoint != NETWORK_NO_LINK);
    return packet.waypoint != NETWORK_NO_LINK;
}

/* A link is saturated above 2 · mean + 5 packets: alone, above 15 packets. The others hear of it.
 */
static void piggyback_tells_of_saturated_links(void **state) {
    (void)state;
    struct network_config config = pair_config("piggyback");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    saturation_count(rail_group, 3, 1500);
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    saturation_count(rail_group, 3, 1);
    saturation_settle(rail_group);
    assert_true(saturation_known(rail_group, 1, 3)); /* its own */
    assert_false(saturation_known(rail_group, 0, 3));
    assert_false(takes_nonminimal(rail_group, 0, pair_packet()));
    assert_int_equal(face_next_event_ps(rail_group),
                     face_now_ps(rail_group) + config.channels[NETWORK_LOCAL].latency_ps);
    network_world_run(&world, 1);
    assert_true(saturation_known(rail_group, 0, 3));
    assert_true(takes_nonminimal(rail_group, 0, pair_packet()));
    assert_false(saturation_known(rail_group, 0, 4));

    /* the end of a run leaves the group at the end of time */
    face_let_run_again(world.network);
    face_set_time(rail_group, 1000000);
    saturation_count(rail_group, 4, 1); /* the mean grows */
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    assert_true(saturation_known(rail_group, 0, 3)); /* not heard yet */
    network_world_run(&world, 1);
    assert_false(takes_nonminimal(rail_group, 0, pair_packet()));
    network_world_free(&world);
}

/* The link that leads to group 4 is saturated by VC 0 of its port alone, where minimal paths go by
 * that (minimal_vcs first) and VCs are what is measured. Port VC: of that port, router 1's first.
 */
static void piggyback_measures_vcs_where_asked(void **state) {
    (void)state;
    struct network_config config = pair_config("piggyback");
    network_world_set(&config, "ugal.measure=vc minimal_vcs=first");
    struct network_world world;
    network_world_new(&world, &config, 1);
    const struct network *network = world.network;
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    uint32_t output = network->topology.radix + network->topology.first_global_port;
    uint32_t port_vc = face_port_vc(network, output, 0);
    saturation_count_waiting(rail_group, port_vc + 1, 100000);
    saturation_count_waiting(rail_group, port_vc, 1500);
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    saturation_count_waiting(rail_group, port_vc, 1);
    saturation_settle(rail_group);
    assert_true(saturation_known(rail_group, 1, 3));
    saturation_remove_credit(rail_group, port_vc, 1);
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    saturation_count_sent(rail_group, port_vc, 1); /* has waited, and is counted */
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    network_world_free(&world);
}

/* Without those that wait, bytes count from when they are sent. */
static void piggyback_without_waiting_counts_sent_bytes(void **state) {
    (void)state;
    struct network_config config = pair_config("piggyback");
    network_world_set(&config, "ugal.waiting=off");
    struct network_world world;
    network_world_new(&world, &config, 1);
    const struct network *network = world.network;
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    uint32_t output = network->topology.radix + network->topology.first_global_port;
    uint32_t port_vc = face_port_vc(network, output, 1);
    saturation_count_waiting(rail_group, port_vc, 100000);
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 1, 3));
    saturation_count_sent(rail_group, port_vc, 1501);
    saturation_settle(rail_group);
    assert_true(saturation_known(rail_group, 1, 3));
    network_world_free(&world);
}

/* Packets from group 0 to group 1 take the link, whichever candidate is drawn first. */
static void expect_link(struct rail_group *rail_group, uint16_t link) {
    for (uint32_t number = 0; number < 8; number++) {
        struct network_packet packet = {.destination = 1,
                                        .packet_number = number,
                                        .waypoint = NETWORK_NO_LINK,
                                        .target_group = 1};
        face_decide(rail_group, 0, &packet);
        assert_int_equal(packet.waypoint, link);
    }
}

/* One router in each of three groups, with two links to each other group: of two minimal paths, one
 * by a link that is not saturated comes first, although its queue is longer. Of two that are alike
 * in this, the one with the shorter queue does. */
static void paths_by_saturated_links_come_last(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=1 globals_per_router=4 groups=3 packet=100B header=0 "
        "routing=piggyback ugal.minimal_candidates=2");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    const struct topology *topology = face_topology(world.network, 0);
    uint32_t count;
    const uint16_t *minimal = topology_links(topology, 0, 1, &count);
    assert_int_equal(count, 2);
    for (uint32_t link = 0; link < 4; link++) /* the links to group 2 are too full to be taken */
        face_set_waiting(rail_group, topology->first_global_port + link, 100000);
    face_set_waiting(rail_group, topology->first_global_port + minimal[0], 100);
    face_set_waiting(rail_group, topology->first_global_port + minimal[1], 200);
    expect_link(rail_group, minimal[0]);
    /* far more than twice the mean of the router's four links, which is a quarter of it */
    saturation_count(rail_group, minimal[0], 1000000);
    saturation_settle(rail_group);
    assert_true(saturation_known(rail_group, 0, minimal[0]));
    assert_false(saturation_known(rail_group, 0, minimal[1]));
    expect_link(rail_group, minimal[1]);
    network_world_free(&world);
}

/* What the router of a run knows: its global queues, counted, are those that UGAL would find. */
static void check_forgets(const char *settings) {
    struct network_config config = pair_config("piggyback");
    network_world_set(&config, settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t i = 0; i < 400; i++) /* node 0, by router 0's first link */
        network_world_send(&world, 0, 2 + i % 2, 100, 0);
    network_world_run(&world, 1);
    /* All credits are back: nothing is saturated, and one byte more than the limit still is. */
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    face_set_time(rail_group, 1000000000);
    for (uint32_t link = 0; link < 6; link++)
        assert_false(saturation_known(rail_group, link / 3, link));
    saturation_count(rail_group, 0, 1500);
    saturation_settle(rail_group);
    assert_false(saturation_known(rail_group, 0, 0));
    saturation_count(rail_group, 0, 1);
    saturation_settle(rail_group);
    assert_true(saturation_known(rail_group, 0, 0));
    network_world_free(&world);
}

static void piggyback_forgets_links_that_recover(void **state) {
    (void)state;
    check_forgets("");
    check_forgets("ugal.waiting=off");
    check_forgets("ugal.measure=vc");
    check_forgets("ugal.measure=vc ugal.waiting=off minimal_vcs=first reroute=100");
}

/* The first router sees nothing; the second one sees its own queue, unless the first has decided.
 */
static void par_decides_twice(void **state) {
    (void)state;
    struct network_config config = pair_config("par");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    uint32_t owner_port = world.network->topology.radix + world.network->topology.first_global_port;
    struct network_packet packet = pair_packet();
    routing_route(rail_group, 0, &packet);
    assert_true(packet.flags & NETWORK_PACKET_TENTATIVE);
    assert_int_equal(packet.vc, 0);
    struct network_packet there = packet;
    routing_route(rail_group, 1, &there);
    assert_int_equal(there.waypoint, NETWORK_NO_LINK);
    assert_int_equal(there.flags, NETWORK_PACKET_ROUTED);
    assert_int_equal(there.vc, 2);
    face_set_waiting(rail_group, owner_port, 1000);
    there = packet;
    routing_route(rail_group, 1, &there);
    assert_int_not_equal(there.waypoint, NETWORK_NO_LINK);
    assert_int_not_equal(there.waypoint, 3);
    assert_int_equal(there.flags, NETWORK_PACKET_ROUTED | NETWORK_PACKET_NONMINIMAL);
    assert_int_equal(there.vc, 1);
    /* at the owner itself, a first decision is final */
    face_set_waiting(rail_group, owner_port, 0);
    struct network_packet own = pair_packet();
    own.source = 1;
    routing_route(rail_group, 1, &own);
    assert_int_equal(own.flags, NETWORK_PACKET_ROUTED);
    assert_int_equal(own.vc, 2);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piggyback_tells_of_saturated_links),
        cmocka_unit_test(piggyback_measures_vcs_where_asked),
        cmocka_unit_test(piggyback_without_waiting_counts_sent_bytes),
        cmocka_unit_test(paths_by_saturated_links_come_last),
        cmocka_unit_test(piggyback_forgets_links_that_recover),
        cmocka_unit_test(par_decides_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
