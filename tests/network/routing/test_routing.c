/* Routing: the lengths of paths, and the policies' rules against queues made by hand. */
#include "tests/support/network/network_face.h"

#include "core/simulation/random.h"
#include "network/routing/misrouting.h"
#include "network/routing/observation/round_trips.h"

#include <stdbool.h>

/* ---------------------------------------------------------------- whole runs */

static void count_globals(void *context, const struct network_link *link) {
    if (link->channel_kind == NETWORK_GLOBAL) *(uint64_t *)context += link->packets;
}

/* All pairs of nodes, one packet each, all at once. */
static void run_all_pairs(struct network_world *world, const char *routing) {
    char pairs[500];
    snprintf(pairs, sizeof pairs,
             "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 routing=%s",
             routing);
    struct network_config config = network_world_config(pairs);
    network_world_new(world, &config, 3);
    for (uint32_t source = 0; source < 72; source++) {
        for (uint32_t to = 0; to < 72; to++) {
            if (to != source) network_world_send(world, source, to, 2000, 0);
        }
    }
    network_world_run(world, 1);
    assert_int_equal(world->count, 72 * 71);
}

static void minimal_takes_at_most_one_global_hop(void **state) {
    (void)state;
    struct network_world world;
    run_all_pairs(&world, "minimal");
    uint64_t globals = 0;
    network_visit_links(world.network, count_globals, &globals);
    assert_int_equal(globals, 72 * 64); /* one for each pair of nodes in different groups */
    for (size_t i = 0; i < world.count; i++) {
        assert_true(world.deliveries[i].delivery.routers <= 4);
        assert_true(world.deliveries[i].delivery.is_minimal);
    }
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(totals.minimal_packets, 72 * 71);
    network_world_free(&world);
}

static void valiant_visits_one_other_group(void **state) {
    (void)state;
    struct network_world world;
    run_all_pairs(&world, "valiant");
    uint64_t globals = 0;
    network_visit_links(world.network, count_globals, &globals);
    assert_int_equal(globals, 2 * 72 * 64);
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *delivery = &world.deliveries[i].delivery;
        bool inside = delivery->source_node / 8 == delivery->destination_node / 8;
        assert_int_equal(delivery->is_minimal, inside);
        assert_true(delivery->routers <= (inside ? 2 : 6));
        assert_true(delivery->routers >= (inside ? 1 : 3));
    }
    network_world_free(&world);
}

/* With two groups there is no third one to go by. */
static void valiant_without_a_third_group(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=2 routing=valiant");
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, 0, 3, 100, 0);
    network_world_run(&world, 1);
    assert_true(world.deliveries[0].delivery.is_minimal);
    network_world_free(&world);
}

/* ---------------------------------------------------------------- choices */

static void intermediate_groups_are_uniform(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 routing=valiant");
    struct network_world world;
    network_world_new(&world, &config, 1);
    enum { DRAWS = 7000 };
    for (uint32_t own = 0; own < 9; own += 4) {
        unsigned counts[9] = {0};
        struct network_packet packet = {.source = own * 8,
                                        .target_group = (uint16_t)((own + 3) % 9)};
        for (uint32_t i = 0; i < DRAWS; i++) {
            packet.packet_number = i;
            struct rail_group *home = network_home_of_group(world.network, own);
            counts[face_group_behind(home, misrouting_draw_link(home, 0, &packet, 0))]++;
        }
        assert_int_equal(counts[own], 0);
        assert_int_equal(counts[packet.target_group], 0);
        for (uint32_t group = 0; group < 9; group++) {
            if (group == own || group == packet.target_group) continue;
            /* binomial: 1000 expected, standard deviation 29 */
            assert_true(counts[group] > 1000 - 5 * 29 && counts[group] < 1000 + 5 * 29);
        }
    }
    network_world_free(&world);
}

/* Queues of the outputs of a group of two routers with four ports: bytes waiting for each VC, if
 * network.ugal.waiting counts them, and as network.ugal.queue has it those not credited back, or
 * those of the port not yet sent. */
struct queues {
    int64_t vc[2][4][4];
    int64_t port[2][4];
};

static void fill_queues(struct rail_group *rail_group, uint64_t draw, struct queues *queues) {
    const struct network *network = face_network(rail_group);
    memset(queues, 0, sizeof *queues);
    for (uint32_t output = 0; output < network->tables.ports; output++) {
        uint32_t router = output / 4, port = output % 4;
        if (face_channel_kind(network, output) == NETWORK_TERMINAL) continue;
        bool channel = network->config.ugal_queue == NETWORK_UGAL_QUEUE_CHANNEL;
        uint32_t unsent = random_below(random_draw(9, RANDOM_NOISE, output, draw).word[2], 2) * 60;
        uint32_t all_waiting = 0;
        int64_t sending_ps = channel_serialisation_ps(unsent, INT64_C(25000000000));
        face_set_channel_free(rail_group, output, face_now_ps(rail_group) + sending_ps);
        if (!channel) queues->port[router][port] += unsent;
        for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
            struct random_block block = random_draw(9, RANDOM_NOISE, output * 8 + vc, draw);
            /* few values, so that both sides are often equal */
            uint32_t sent = random_below(block.word[0], 4) * 60;
            uint32_t waiting = random_below(block.word[1], 2) * 60;
            uint32_t port_vc = face_port_vc(network, output, vc);
            face_set_credits(rail_group, port_vc,
                             face_buffer_bytes(network, output) - (int32_t)sent);
            all_waiting += waiting;
            face_set_vc_waiting(rail_group, port_vc, waiting);
            if (!network->config.ugal_waiting) waiting = 0;
            queues->vc[router][port][vc] = waiting + (channel ? sent : unsent);
            queues->port[router][port] += waiting + (channel ? sent : 0);
        }
        face_set_waiting(rail_group, output, all_waiting);
    }
}

/* a=2, h=2, g=5, absolute: link x of group i leads to group x, skipping i; router x/2 owns it. */
static uint32_t link_to(uint32_t from, uint32_t to) {
    return to < from ? to : to - 1;
}

/* The port of a router (p=1: port 0 the node, 1 the other router, 2 and 3 global) to a link, or to
 * the other router (NETWORK_NO_LINK). */
static uint32_t port_of(uint32_t router, uint32_t link) {
    if (link == NETWORK_NO_LINK) return 1;
    return link / 2 == router ? 2 + link % 2 : 1;
}

/* Hops from a router of `from` to a router of `to`, over one or two groups' links. */
static uint32_t hops(uint32_t from, uint32_t router, uint32_t to, uint32_t *end) {
    *end = link_to(to, from) / 2;
    return 1 + (link_to(from, to) / 2 != router);
}

/* What a member of the family takes for q of a path that leaves a router for a link, or for the
 * other router; other_port is that of the other path. */
static int64_t queue_of(const struct network *network, const struct queues *queues, uint32_t router,
                        uint32_t link, uint32_t other_port, uint32_t class) {
    const char *routing = network->routing.policy->name;
    uint32_t port = port_of(router, link);
    bool by_vc = network->config.ugal_measure == NETWORK_UGAL_MEASURE_VC;
    if (strcmp(routing, "ugal-g") == 0) {
        if (link != NETWORK_NO_LINK) router = link / 2;
        if (link != NETWORK_NO_LINK) port = 2 + link % 2;
    } else if (strncmp(routing, "ugal-l-", 7) == 0) {
        by_vc = by_vc || strcmp(routing, "ugal-l-vc") == 0 || port == other_port;
    }
    return by_vc ? queues->vc[router][port][class] : queues->port[router][port];
}

/* By what the rule multiplies the queues, given the hops of both paths; a quarter is the unit. */
static void find_weights(const struct rail_group *rail_group, const struct network_packet *packet,
                         uint32_t via, int64_t *minimal, int64_t *nonminimal) {
    const struct network_config *config = &face_network(rail_group)->config;
    uint32_t end, globals = packet->target_group != network_group_number(rail_group);
    switch (config->ugal_weights) {
    case NETWORK_UGAL_WEIGHTS_RATIO:
        *minimal = 1;
        *nonminimal = 4 * config->ugal_ratio_millionths / 1000000;
        *minimal *= 4;
        return;
    case NETWORK_UGAL_WEIGHTS_LOCAL_HOPS:
        *minimal -= globals;
        *nonminimal -= 2;
        break;
    case NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS: {
        /* as hops on arrival in the third group at the router that is drawn there */
        uint32_t intermediate_router = routing_intermediate_router(rail_group, via, packet);
        *minimal -= globals;
        *nonminimal = hops(network_group_number(rail_group), packet->source % 2, via, &end) - 1;
        *nonminimal += hops(via, intermediate_router, packet->target_group, &end) - 1;
        *nonminimal += end != packet->target_router;
        break;
    }
    default:
        break;
    }
    *minimal *= 4;
    *nonminimal *= 4;
}

static unsigned check_ugal(struct rail_group *rail_group, uint64_t draw, int64_t bias) {
    const struct network *network = face_network(rail_group);
    uint32_t own = network_group_number(rail_group);
    uint32_t router = (uint32_t)(draw % 2);
    uint32_t target_group = (own + 1 + (uint32_t)(draw / 2 % 4)) % 5;
    uint32_t target_router = (uint32_t)(draw / 8 % 2);
    if (network->config.intragroup_paths == NETWORK_INTRAGROUP_POLICY) {
        target_group = own;
        target_router = !router;
    }
    struct network_packet packet = {.source = own * 2 + router,
                                    .destination = target_group * 2 + target_router,
                                    .packet_number = (uint32_t)draw,
                                    .sequence = (uint32_t)draw,
                                    .waypoint = NETWORK_NO_LINK,
                                    .target_group = (uint16_t)target_group,
                                    .target_router = (uint16_t)target_router};
    struct queues queues;
    fill_queues(rail_group, draw, &queues);
    uint16_t link = misrouting_draw_link(rail_group, router, &packet, 0);
    uint32_t via = face_group_behind(rail_group, link);
    uint32_t end, middle;
    int64_t minimal_weight = 1;
    if (target_group != own) minimal_weight = hops(own, router, target_group, &end);
    if (target_group != own) minimal_weight += end != target_router;
    int64_t nonminimal_weight = hops(own, router, via, &middle);
    nonminimal_weight += hops(via, middle, target_group, &end);
    nonminimal_weight += end != target_router;
    find_weights(rail_group, &packet, via, &minimal_weight, &nonminimal_weight);
    uint32_t minimal_link = target_group != own ? link_to(own, target_group) : NETWORK_NO_LINK;
    uint32_t minimal_port = port_of(router, minimal_link), nonminimal_port = port_of(router, link);
    uint32_t vc_class = network->config.minimal_vcs == NETWORK_MINIMAL_FIRST ? 0 : 1;
    int64_t minimal = queue_of(network, &queues, router, minimal_link, nonminimal_port, vc_class) *
                      minimal_weight;
    int64_t nonminimal =
        queue_of(network, &queues, router, link, minimal_port, 0) * nonminimal_weight + 4 * bias;
    face_decide(rail_group, router, &packet);
    assert_int_equal(packet.waypoint, minimal <= nonminimal ? NETWORK_NO_LINK : link);
    return minimal == nonminimal ? 2 : minimal < nonminimal;
}

static void check_ugal_with(const char *routing, const char *settings) {
    const int64_t biases[] = {0, 240, -240};
    unsigned outcomes[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        struct network_config config = network_world_config(
            "nodes_per_router=1 routers_per_group=2 globals_per_router=2 groups=5");
        network_world_set(&config, settings);
        char pair[64];
        snprintf(pair, sizeof pair, "routing=%s", routing);
        network_world_set(&config, pair);
        config.routing_bias_byte_hops = biases[i];
        struct network_world world;
        network_world_new(&world, &config, 1);
        for (uint64_t draw = 0; draw < 3000; draw++)
            outcomes[check_ugal(network_home_of_group(world.network, draw % 5), draw, biases[i])]++;
        network_world_free(&world);
    }
    for (size_t i = 0; i < 3; i++)
        assert_true(outcomes[i] > 200); /* non-minimal, minimal, equal */
}

/* Settings with INSIDE: packets to the other router of the group. */
#define INSIDE "intragroup_paths=policy "

static void ugal_compares_queues_times_hops(void **state) {
    (void)state;
    const char *const members[] = {"ugal-l", "ugal-g", "ugal-l-vc", "ugal-l-vch"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        check_ugal_with(members[i], "ugal.queue=channel");
        check_ugal_with(members[i], "ugal.queue=output");
        check_ugal_with(members[i], "ugal.waiting=off");
        check_ugal_with(members[i], "ugal.waiting=off ugal.queue=output");
        check_ugal_with(members[i], "ugal.measure=vc");
        check_ugal_with(members[i], "ugal.measure=vc minimal_vcs=first");
        check_ugal_with(members[i], "ugal.weights=local-hops");
        check_ugal_with(members[i], "ugal.weights=absolute-local-hops");
        check_ugal_with(members[i], "ugal.weights=ratio ugal.ratio=2");
        check_ugal_with(members[i], "ugal.weights=ratio ugal.ratio=0.5 ugal.waiting=off");
        check_ugal_with(members[i], INSIDE "ugal.queue=output");
        check_ugal_with(members[i], INSIDE "ugal.measure=vc minimal_vcs=first ugal.waiting=off");
        check_ugal_with(members[i], INSIDE "ugal.weights=local-hops");
        check_ugal_with(members[i], INSIDE "ugal.weights=absolute-local-hops");
    }
}

/* With queues that are all alike the weights decide alone. Those of absolute-local-hops are the
 * same whatever the links are wired to. */
static void equal_queues_leave_the_decision_to_weights(void **state) {
    (void)state;
    struct network_config config =
        network_world_config("nodes_per_router=1 routers_per_group=2 globals_per_router=2 groups=5 "
                             "arrangement=relative routing=ugal-l ugal.waiting=off "
                             "ugal.weights=absolute-local-hops");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    for (uint32_t port_vc = 0; port_vc < world.network->tables.ports * world.network->vcs.per_port;
         port_vc++)
        face_take_credits(rail_group, port_vc, 60);
    unsigned minimal = 0;
    for (uint32_t draw = 0; draw < 2000; draw++) {
        struct network_packet packet = {.source = draw % 2,
                                        .destination = 2 + draw / 2 % 8,
                                        .packet_number = draw,
                                        .waypoint = NETWORK_NO_LINK,
                                        .target_group = (uint16_t)(1 + draw / 4 % 4),
                                        .target_router = (uint16_t)(draw / 2 % 2)};
        uint16_t link = misrouting_draw_link(rail_group, draw % 2, &packet, 0);
        uint32_t end;
        int64_t minimal_weight = hops(0, draw % 2, packet.target_group, &end),
                nonminimal_weight = 0;
        minimal_weight += end != packet.target_router;
        find_weights(rail_group, &packet, face_group_behind(rail_group, link), &minimal_weight,
                     &nonminimal_weight);
        face_decide(rail_group, draw % 2, &packet);
        assert_int_equal(packet.waypoint,
                         minimal_weight <= nonminimal_weight ? NETWORK_NO_LINK : link);
        minimal += packet.waypoint == NETWORK_NO_LINK;
    }
    assert_true(minimal > 200 && minimal < 1800);
    network_world_free(&world);
}

/* What a credit takes beyond the least that a round trip can take delays credits upstream. */
static void check_round_trip(const char *release, int64_t min_ps) {
    char settings[300];
    snprintf(settings, sizeof settings,
             "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
             "routing=ugal-l-cr packet=1000B header=0 local.bandwidth=10GB/s local.latency=20ns "
             "terminal.bandwidth=10GB/s global.bandwidth=20GB/s router.latency=60ns "
             "router.release=%s",
             release);
    struct network_config config = network_world_config(settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    uint32_t output = world.network->topology.endpoints_per_router; /* the first local one */
    uint32_t port_vc = face_port_vc(world.network, output, 0);
    for (int64_t excess_ps = 7000; excess_ps >= 0; excess_ps -= 3500) {
        round_trips_record_sent(rail_group, port_vc);
        round_trips_record_credit(rail_group, port_vc, 1000,
                                  face_now_ps(rail_group) + min_ps + excess_ps);
        assert_int_equal(round_trips_delay_ps(rail_group, output, 0), excess_ps);
    }
    network_world_free(&world);
}

/* Head there and back, through the router; its tail by the fastest channel, unless the head is
 * what gives the space back. */
static void the_least_round_trip_has_the_latencies_both_ways(void **state) {
    (void)state;
    check_round_trip("tail", 2 * 20000 + 60000 + 50000);
    check_round_trip("head", 2 * 20000 + 60000);
}

/* On an idle network both sides are 0: minimal. */
static void ugal_is_minimal_without_queues(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 routing=ugal-l");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t i = 0; i < 500; i++)
        network_world_send(&world, i * 7 % 72, (i * 31 + 5) % 72, 2000, i * INT64_C(10000000));
    network_world_run(&world, 1);
    for (size_t i = 0; i < world.count; i++)
        assert_true(world.deliveries[i].delivery.is_minimal);
    network_world_free(&world);
}

/* Of several links to a group, messages use all, about equally; one message keeps to one. */
static void links_are_shared(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=4 globals_per_router=2 groups=3 routing=minimal");
    struct network_world world;
    network_world_new(&world, &config, 1);
    uint32_t count;
    const uint16_t *links = topology_links(&world.network->topology, 0, 1, &count);
    assert_int_equal(count, 4);
    unsigned used[8] = {0};
    for (uint32_t sequence = 0; sequence < 4000; sequence++)
        used[routing_link_of_message(world.network, &world.network->topology, 0, 1, 2, sequence)]++;
    for (uint32_t i = 0; i < count; i++) /* standard deviation 27 */
        assert_true(used[links[i]] > 1000 - 140 && used[links[i]] < 1000 + 140);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_takes_at_most_one_global_hop),
        cmocka_unit_test(valiant_visits_one_other_group),
        cmocka_unit_test(valiant_without_a_third_group),
        cmocka_unit_test(intermediate_groups_are_uniform),
        cmocka_unit_test(ugal_compares_queues_times_hops),
        cmocka_unit_test(equal_queues_leave_the_decision_to_weights),
        cmocka_unit_test(the_least_round_trip_has_the_latencies_both_ways),
        cmocka_unit_test(ugal_is_minimal_without_queues),
        cmocka_unit_test(links_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
