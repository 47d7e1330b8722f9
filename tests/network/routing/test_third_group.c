/*
 * network.third_group: which groups are drawn for non-minimal paths, with which chances, by every
 * policy that draws groups; and that a path is minimal where the packet's own group or its
 * destination's is drawn. network.intragroup_paths: the same for packets within a group.
 */
#include "tests/support/network/traffic_world.h"

#include "tests/support/network/network_face.h"

#include <stdbool.h>

#define SHAPE                                                                                      \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 arrangement=relative "
enum { GROUPS = 9, DRAWS = 18000, SOURCE_GROUP = 3, TARGET_GROUP = 5 };

static const struct {
    const char *name;
    unsigned drawn;   /* groups drawn from … */
    unsigned minimal; /* … and those of them that make the path minimal */
} values[] = {{"others", GROUPS - 2, 0}, {"not-own", GROUPS - 1, 1}, {"any", GROUPS, 2}};
#define VALUES (sizeof values / sizeof *values)

static struct network_config config_of(const char *routing, const char *value) {
    char pairs[200];
    snprintf(pairs, sizeof pairs, SHAPE "routing=%s third_group=%s", routing, value);
    return network_world_config(pairs);
}

static struct network_packet packet_between(uint32_t number) {
    return (struct network_packet){.source = SOURCE_GROUP * 8,
                                   .destination = TARGET_GROUP * 8,
                                   .packet_number = number,
                                   .waypoint = NETWORK_NO_LINK,
                                   .target_group = TARGET_GROUP};
}

/* Every group with the same chance, five standard deviations allowed. */
static void check_count(unsigned count, double chance) {
    double expected = DRAWS * chance, off = count - expected;
    assert_true(off * off <= 25 * expected);
}

static void groups_are_drawn_with_the_chances_of_the_setting(void **state) {
    (void)state;
    for (size_t i = 0; i < VALUES; i++) {
        struct network_config config = config_of("valiant", values[i].name);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, SOURCE_GROUP);
        unsigned counts[GROUPS] = {0}, minimal = 0;
        for (uint32_t number = 0; number < DRAWS; number++) {
            struct network_packet packet = packet_between(number);
            routing_route(rail_group, 0, &packet);
            assert_int_equal((packet.flags & NETWORK_PACKET_NONMINIMAL) != 0,
                             packet.waypoint != NETWORK_NO_LINK);
            if (packet.waypoint == NETWORK_NO_LINK)
                minimal++;
            else
                counts[face_group_behind(rail_group, packet.waypoint)]++;
        }
        check_count(minimal, (double)values[i].minimal / values[i].drawn);
        assert_int_equal(counts[SOURCE_GROUP], 0);
        assert_int_equal(counts[TARGET_GROUP], 0);
        for (uint32_t group = 0; group < GROUPS; group++)
            if (group != SOURCE_GROUP && group != TARGET_GROUP)
                check_count(counts[group], 1.0 / values[i].drawn);
        network_world_free(&world);
    }
}

/* Policies that choose prefer the non-minimal path here whatever queues say, so packets take the
 * minimal one only where that is what is drawn. par decides again at the next router, if the
 * minimal path's first hop is a local one: of the group's routers the first owns the link. */
static void drawn_minimal_groups_give_minimal_paths(void **state) {
    (void)state;
    unsigned policies = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        const struct routing_policy *policy = &routing_policies()[routing];
        if (policy->misrouting == NULL || strcmp(policy->misrouting, "group") != 0) continue;
        policies++;
        for (size_t i = 0; i < VALUES; i++) {
            struct network_config config = config_of(policy->name, values[i].name);
            config.routing_bias_byte_hops = -(1 << 30);
            struct network_world world;
            network_world_new(&world, &config, 1);
            struct rail_group *rail_group = network_home_of_group(world.network, SOURCE_GROUP);
            unsigned minimal = 0, again = 0;
            uint32_t router = i % 2 == 0 ? 0 : 3;
            for (uint32_t number = 0; number < DRAWS; number++) {
                struct network_packet packet = packet_between(number);
                packet.source += 2 * router;
                routing_route(rail_group, router, &packet);
                again += (packet.flags & NETWORK_PACKET_TENTATIVE) != 0;
                minimal += packet.waypoint == NETWORK_NO_LINK;
            }
            check_count(minimal, (double)values[i].minimal / values[i].drawn);
            bool decides_again = strcmp(policy->name, "par") == 0 && router > 0;
            assert_int_equal(again, decides_again ? minimal : 0);
            network_world_free(&world);
        }
    }
    assert_true(policies >= 8);
}

/* A packet within its group, from router 3 to router 0. */
static struct network_packet packet_inside(uint32_t number) {
    struct network_packet packet = packet_between(number);
    packet.source += 2 * 3;
    packet.destination = SOURCE_GROUP * 8;
    packet.target_group = SOURCE_GROUP;
    return packet;
}

/* Packets within a group leave it only with network.intragroup_paths=policy. Their source group is
 * their destination group. */
static void packets_leave_their_group_only_if_allowed(void **state) {
    (void)state;
    for (size_t n = 0; n < 2 * VALUES; n++) {
        size_t i = n / 2;
        struct network_config config = config_of("valiant", values[i].name);
        if (n % 2 > 0) network_world_set(&config, "intragroup_paths=policy");
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = face_rail_group(world.network, SOURCE_GROUP);
        unsigned counts[GROUPS] = {0}, minimal = 0;
        for (uint32_t number = 0; number < DRAWS; number++) {
            struct network_packet packet = packet_inside(number);
            routing_route(rail_group, 3, &packet);
            if (packet.waypoint == NETWORK_NO_LINK)
                minimal++;
            else
                counts[face_group_behind(rail_group, packet.waypoint)]++;
        }
        if (n % 2 == 0) assert_int_equal(minimal, DRAWS);
        for (uint32_t group = 0; n % 2 > 0 && group < GROUPS; group++)
            check_count(group == SOURCE_GROUP ? minimal : counts[group],
                        group == SOURCE_GROUP ? (values[i].minimal > 1 ? 1.0 / GROUPS : 0)
                                              : 1.0 / (GROUPS - (values[i].minimal < 2)));
        network_world_free(&world);
    }
}

/* All policies send packets within a group by another one and back, if queues say so, two groups
 * being enough; but a packet to its own router stays there, unless no queue is looked at. */
static void all_policies_leave_the_group_if_queues_say_so(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        const struct routing_policy *policy = &routing_policies()[routing];
        if (policy->misrouting == NULL || strcmp(policy->misrouting, "group") != 0) continue;
        for (int other_router = 0; other_router <= 1; other_router++) {
            struct network_config config = config_of(policy->name, "others");
            network_world_set(&config, "intragroup_paths=policy groups=2");
            config.routing_bias_byte_hops = -(1 << 30);
            struct network_world world;
            network_world_new(&world, &config, 1);
            for (uint32_t number = 0; number < 50; number++)
                network_world_send(&world, 0, other_router ? 2 : 1, 1000, 0);
            network_world_run(&world, 1);
            bool leaves = other_router || strcmp(policy->name, "valiant") == 0;
            assert_int_equal(world.count, 50);
            for (size_t k = 0; k < world.count; k++) {
                const struct network_delivery *delivery = &world.deliveries[k].delivery;
                assert_int_equal(delivery->is_minimal, !leaves);
                assert_in_range(delivery->routers, leaves ? 3 : 1, leaves ? 6 : 1);
            }
            network_world_free(&world);
        }
    }
}

/* Where the links to a third group have failed another one is drawn, but not for a minimal path. */
static void failed_links_draw_another_third_group(void **state) {
    (void)state;
    for (size_t i = 0; i < VALUES; i++) {
        struct network_config config = config_of("valiant", values[i].name);
        network_world_set(&config, "failures.globals=10");
        struct network_world world;
        network_world_new(&world, &config, 1);
        assert_true(world.network->topology.lacks_links);
        uint64_t minimal = 0, packets = 0;
        for (uint32_t source = 0; source < GROUPS * 8; source++) {
            for (uint32_t to = 0; to < GROUPS * 8; to++) {
                if (source / 8 == to / 8) continue;
                network_world_send(&world, source, to, 1000, 0);
                packets++;
            }
        }
        network_world_run(&world, 1);
        for (size_t k = 0; k < world.count; k++) {
            const struct network_delivery *delivery = &world.deliveries[k].delivery;
            minimal += delivery->is_minimal;
            assert_true(delivery->routers <= 6);
        }
        assert_int_equal(world.count, packets);
        assert_int_equal(minimal > 0, values[i].minimal > 0);
        network_world_free(&world);
    }
}

/* network.ugal.weights local-hops: the hops of a minimal path without its global ones. There are
 * none inside the group, one to a group to which a link leads, and two where failures have left
 * none. */
static void local_hops_leave_out_all_global_hops(void **state) {
    (void)state;
    enum { HOPS = 5 };
    struct network_config config = config_of("ugal-l", "others");
    network_world_set(&config, "failures.globals=10 ugal.weights=local-hops");
    struct network_world world;
    network_world_new(&world, &config, 1);
    const struct topology *topology = face_topology(world.network, 0);
    unsigned joined = 0, apart = 0;
    for (uint32_t group = 0; group < GROUPS; group++) {
        const struct rail_group *rail_group = network_home_of_group(world.network, group);
        for (uint32_t target = 0; target < GROUPS; target++) {
            struct network_packet packet = {.source = group * 8,
                                            .destination = target * 8,
                                            .waypoint = NETWORK_NO_LINK,
                                            .target_group = (uint16_t)target};
            const bool is_joined =
                group != target && topology_groups_are_joined(topology, group, target);
            const int64_t globals = group == target ? 0 : is_joined ? 1 : 2;
            assert_int_equal(routing_minimal_weight(rail_group, 0, &packet, HOPS), HOPS - globals);
            joined += is_joined;
            apart += globals == 2;
        }
    }
    assert_int_equal(apart, 2 * 10); /* each failed link, both ways */
    assert_int_equal(joined, GROUPS * (GROUPS - 1) - apart);
    network_world_free(&world);
}

/* Machines of two groups have no third one, whatever is drawn. */
static void two_groups_have_no_third_one(void **state) {
    (void)state;
    for (size_t i = 0; i < VALUES; i++) {
        struct network_config config = config_of("valiant", values[i].name);
        config.groups = 2;
        struct network_world world;
        network_world_new(&world, &config, 1);
        for (uint32_t number = 0; number < 100; number++)
            network_world_send(&world, number % 8, 8 + number % 5, 1000, 0);
        network_world_run(&world, 1);
        for (size_t k = 0; k < world.count; k++)
            assert_true(world.deliveries[k].delivery.is_minimal);
        network_world_free(&world);
    }
}

/* Of the worst case, whose minimal paths all go by one link of 16 to a group, non-minimal routing
 * takes the less the more packets are sent there whatever is drawn: 1/(a·p · share) at most. */
static void forced_minimal_packets_limit_the_worst_case(void **state) {
    (void)state;
    for (size_t i = 1; i < VALUES; i++) {
        struct network_config config = config_of("valiant", values[i].name);
        network_world_set(&config, "packet=2KiB header=0 global.latency=50ns");
        struct traffic_config traffic =
            traffic_world_config("worst-case", 100000000, 200000000, 1000000);
        struct traffic_point point =
            traffic_world_run(&config, &traffic, 900000, 1, &(struct traffic_options){0}, NULL);
        double share = (double)values[i].minimal / values[i].drawn;
        double accepted = (double)point.accepted_millionths / 1e6;
        print_message("valiant, third_group %s: accepts %.4f, at most %.4f\n", values[i].name,
                      accepted, 1 / (8 * share));
        assert_true(accepted <= 1.02 / (8 * share));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_drawn_with_the_chances_of_the_setting),
        cmocka_unit_test(drawn_minimal_groups_give_minimal_paths),
        cmocka_unit_test(packets_leave_their_group_only_if_allowed),
        cmocka_unit_test(all_policies_leave_the_group_if_queues_say_so),
        cmocka_unit_test(failed_links_draw_another_third_group),
        cmocka_unit_test(local_hops_leave_out_all_global_hops),
        cmocka_unit_test(two_groups_have_no_third_one),
        cmocka_unit_test(forced_minimal_packets_limit_the_worst_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
