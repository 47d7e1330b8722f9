/*
 * Several candidates: which links and routers are drawn, which candidate is taken under loads made
 * by hand, how fast a message is whose packets use several paths of its group, and biases by hop.
 */
#include "tests/support/network/network_face.h"

#include "core/simulation/random.h"
#include "network/routing/misrouting.h"

#include <stdbool.h>

/* Three groups of four routers with two global links each: every pair of groups has four links. */
#define SHAPE                                                                                      \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=3 arrangement=relative "
enum { LINKS = 4, DRAWS = 8000, OWN = 1, TARGET = 2 };

static struct network_packet packet_to(uint32_t router, uint32_t number) {
    return (struct network_packet){.source = OWN * 8 + 2,
                                   .destination = TARGET * 8 + 2 * router,
                                   .packet_number = number,
                                   .sequence = 7,
                                   .waypoint = NETWORK_NO_LINK,
                                   .target_group = TARGET,
                                   .target_router = (uint16_t)router};
}

/* The hops of the path from a router of OWN over a link to a router of TARGET. */
static uint32_t hops_over(const struct network *network, uint32_t router, uint32_t link,
                          uint32_t to) {
    const struct topology *topology = face_topology(network, 0);
    uint32_t end = topology->link_peers[OWN * topology->links_per_group + link];
    assert_int_equal(end / topology->links_per_group, TARGET);
    return (link / 2 != router) + 1 + (end % topology->links_per_group / 2 != to);
}

static uint32_t fewest_hops(const struct network *network, uint32_t router, uint32_t to,
                            unsigned *equal) {
    uint32_t count, fewest = UINT32_MAX;
    const uint16_t *links = topology_links(face_topology(network, 0), OWN, TARGET, &count);
    assert_int_equal(count, LINKS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hops = hops_over(network, router, links[i], to);
        *equal = hops < fewest ? 1 : *equal + (hops == fewest);
        if (hops < fewest) fewest = hops;
    }
    return fewest;
}

static void check_even(const unsigned *counts, uint32_t places, unsigned chosen) {
    unsigned hit = 0;
    for (uint32_t i = 0; i < places; i++) {
        double off = counts[i] - (double)DRAWS / chosen;
        if (counts[i] == 0) continue;
        assert_true(off * off <= 25.0 * DRAWS / chosen);
        hit++;
    }
    assert_int_equal(hit, chosen);
}

/* network.link_choice: one link for a message; any link for a packet; any of the shortest paths. */
static void link_choice_draws_for_messages_or_packets(void **state) {
    (void)state;
    const char *const choices[] = {"message", "packet", "shortest"};
    const char *const policies[] = {"minimal", "ugal-l", "par"};
    for (size_t n = 0; n < 9; n++) {
        struct network_config config = network_world_config(SHAPE);
        char pairs[100];
        snprintf(pairs, sizeof pairs, "link_choice=%s routing=%s", choices[n / 3], policies[n % 3]);
        network_world_set(&config, pairs);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, OWN);
        for (uint32_t to = 0; to < 4; to++) {
            unsigned counts[8] = {0}, shortest = 0;
            uint32_t fewest = fewest_hops(world.network, 1, to, &shortest);
            for (uint32_t number = 0; number < DRAWS; number++) {
                struct network_packet packet = packet_to(to, number);
                uint32_t link = routing_link_from(rail_group, OWN, 1, &packet);
                counts[link]++;
                if (n / 3 == 2) assert_int_equal(hops_over(world.network, 1, link, to), fewest);
                if (number > 50) continue;
                packet.flags = face_network(rail_group)->routing.injection_flags;
                routing_route(rail_group, 1, &packet);
                uint32_t port = face_topology(world.network, 0)->first_global_port + link % 2;
                if (link / 2 == 1) assert_int_equal(packet.output_port, port);
            }
            check_even(counts, 8, n / 3 == 0 ? 1 : n / 3 == 1 ? LINKS : shortest);
        }
        network_world_free(&world);
    }
}

/* Candidates differ; the first is that of network.link_choice, the others are drawn evenly. */
static void candidates_are_drawn_evenly_among_links(void **state) {
    (void)state;
    struct network_config config = network_world_config(SHAPE "routing=ugal-l");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, OWN);
    for (uint32_t max = 1; max <= 6; max++) {
        unsigned counts[8] = {0};
        uint32_t expected = max < LINKS ? max : LINKS;
        for (uint32_t number = 0; number < DRAWS; number++) {
            struct network_packet packet = packet_to(0, number);
            uint16_t links[NETWORK_CANDIDATES_MAX];
            uint32_t count = routing_find_link_candidates(rail_group, 1, &packet, max, links);
            assert_int_equal(count, expected);
            assert_int_equal(links[0], routing_link_from(rail_group, OWN, 1, &packet));
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(face_group_behind(rail_group, links[i]), TARGET);
                for (uint32_t k = 0; k < i; k++)
                    assert_int_not_equal(links[i], links[k]);
                if (i == 1) counts[links[i]]++;
            }
        }
        if (max > 1) check_even(counts, 8, LINKS - 1);
    }
    network_world_free(&world);
}

/* ---------------------------------------------------------------- which candidate is taken */

/* What waits for an output. */
static uint32_t load_of(uint32_t output, uint32_t draw) {
    return random_below(random_draw(3, RANDOM_NOISE, output, draw).word[0], 4) * 60;
}

static void set_loads(struct rail_group *rail_group, uint32_t draw) {
    for (uint32_t output = 0; output < face_network(rail_group)->tables.ports; output++)
        face_set_waiting(rail_group, output, load_of(output, draw));
}

struct choice {
    uint32_t via;
    int64_t weighted;
    uint32_t hops;
};

static void offer(struct choice *best, uint32_t via, int64_t load, uint32_t hops) {
    int64_t weighted = load * hops;
    bool better = weighted < best->weighted || (weighted == best->weighted && hops < best->hops);
    if (best->via == NETWORK_NO_LINK || better) *best = (struct choice){via, weighted, hops};
}

/* The output that stands for a path over a link: the router's port, or under ugal-g the link's. */
static uint32_t output_of(const struct rail_group *rail_group, uint32_t router, uint32_t link,
                          bool of_link) {
    const struct network *network = face_network(rail_group);
    uint32_t owner = link / 2;
    if (owner == router || of_link)
        return face_output(network, owner, face_topology(network, 0)->first_global_port + link % 2);
    return face_output(network, router,
                       topology_local_port(face_topology(network, 0), OWN, router, owner));
}

/* The best of each kind by their definition, and UGAL's rule for the two. */
static void the_lightest_candidate_of_each_kind_wins(void **state) {
    (void)state;
    const char *const policies[] = {"ugal-l", "ugal-g", "piggyback", "par"};
    for (uint32_t n = 0; n < 16; n++) {
        uint32_t max_minimal = 1 + n / 4 % 2 * 2, max_nonminimal = 1 + n / 8;
        struct network_config config = network_world_config(
            "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=4 "
            "arrangement=relative link_choice=packet piggyback_packets=1000");
        char pairs[120];
        snprintf(pairs, sizeof pairs,
                 "routing=%s ugal.minimal_candidates=%u ugal.nonminimal_candidates=%u",
                 policies[n % 4], max_minimal, max_nonminimal);
        network_world_set(&config, pairs);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, OWN);
        unsigned minimal_count = 0, nonminimal_count = 0;
        for (uint32_t draw = 0; draw < 2000; draw++) {
            uint32_t router = draw % 4;
            struct network_packet packet = packet_to(draw / 4 % 4, draw);
            set_loads(rail_group, draw);
            struct choice best = {NETWORK_NO_LINK, 0, 0}, nonminimal = {NETWORK_NO_LINK, 0, 0};
            uint16_t links[NETWORK_CANDIDATES_MAX];
            uint32_t count =
                routing_find_link_candidates(rail_group, router, &packet, max_minimal, links);
            for (uint32_t i = 0; i < count; i++)
                offer(&best, links[i],
                      load_of(output_of(rail_group, router, links[i], n % 4 == 1), draw),
                      routing_hops_over(rail_group, router, &packet, links[i]));
            for (uint32_t i = 0; i < max_nonminimal; i++) {
                uint32_t link = misrouting_draw_link(rail_group, router, &packet, i);
                offer(&nonminimal, link,
                      load_of(output_of(rail_group, router, link, n % 4 == 1), draw),
                      routing_nonminimal_hops(rail_group, router, &packet, link));
            }
            face_decide(rail_group, router, &packet);
            bool takes_nonminimal = best.weighted > nonminimal.weighted;
            bool keeps = max_minimal > 1 || max_nonminimal > 1;
            if (takes_nonminimal || keeps)
                assert_int_equal(packet.waypoint, takes_nonminimal ? nonminimal.via : best.via);
            minimal_count += !takes_nonminimal;
            nonminimal_count += takes_nonminimal;
        }
        if (minimal_count <= 50 || nonminimal_count <= 50)
            fail_msg("%s: %u, %u", pairs, minimal_count, nonminimal_count);
        network_world_free(&world);
    }
}

/* In a third group, too, a packet takes the link with the least load, and keeps it. */
static void links_from_third_groups_are_the_lightest(void **state) {
    (void)state;
    struct network_config config =
        network_world_config(SHAPE "routing=ugal-l ugal.minimal_candidates=4");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, OWN);
    unsigned taken[8] = {0};
    for (uint32_t draw = 0; draw < 400; draw++) {
        struct network_packet packet = packet_to(draw % 4, draw);
        packet.source = 0; /* of another group */
        packet.flags = NETWORK_PACKET_ROUTED | NETWORK_PACKET_NONMINIMAL;
        packet.vc_class = 1;
        packet.routers = 2;
        set_loads(rail_group, draw);
        struct choice best = {NETWORK_NO_LINK, 0, 0};
        uint16_t links[NETWORK_CANDIDATES_MAX];
        uint32_t count = routing_find_link_candidates(rail_group, 1, &packet, 4, links);
        for (uint32_t i = 0; i < count; i++)
            offer(&best, links[i], load_of(output_of(rail_group, 1, links[i], false), draw),
                  routing_hops_over(rail_group, 1, &packet, links[i]));
        routing_route(rail_group, 1, &packet);
        assert_int_equal(packet.waypoint, best.via);
        assert_int_equal(packet.vc, 1);
        taken[packet.waypoint]++;
        if (best.via / 2 == 1) continue;
        set_loads(rail_group, draw + 1000);
        routing_route(rail_group, best.via / 2, &packet);
        assert_int_equal(packet.output_port,
                         face_topology(world.network, 0)->first_global_port + best.via % 2);
    }
    unsigned hit = 0;
    for (uint32_t i = 0; i < 8; i++)
        hit += taken[i] > 0;
    assert_int_equal(hit, LINKS);
    network_world_free(&world);
}

/* Routers that paths inside a group pass: all but the ends, each with the same chance. */
static void candidates_are_drawn_evenly_among_routers(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=6 globals_per_router=0 groups=1 routing=valiant "
        "intragroup_paths=router");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    for (uint32_t to = 0; to < 6; to++) {
        unsigned counts[6] = {0};
        for (uint32_t number = 0; number < DRAWS; number++) {
            struct network_packet packet = {.source = 2,
                                            .destination = to,
                                            .packet_number = number,
                                            .waypoint = NETWORK_NO_LINK,
                                            .target_router = (uint16_t)to};
            routing_route(rail_group, 2, &packet);
            if (to == 2) {
                assert_int_equal(packet.flags & NETWORK_PACKET_NONMINIMAL, 0);
                continue;
            }
            uint32_t by =
                topology_local_end(face_topology(world.network, 0), 2, packet.output_port).router;
            assert_true(by != to);
            assert_true(packet.flags & NETWORK_PACKET_NONMINIMAL);
            assert_int_equal(packet.vc, 0);
            counts[by]++;
            routing_route(rail_group, by, &packet);
            assert_int_equal(packet.vc, 1);
            assert_int_equal(
                topology_local_end(face_topology(world.network, 0), by, packet.output_port).router,
                to);
        }
        if (to != 2) check_even(counts, 6, 4);
    }
    network_world_free(&world);
}

/*
 * A packet whose path takes all three dimensions x, y, z of its group compares at most as many
 * orders as network.ugal.minimal_candidates says: the usual one, which begins with x, and others.
 * Only the port that begins with z is free. The search for another order begins with one of the
 * eight sets of dimensions that come first, each with the same chance, and goes on to the next set:
 * {y} (from {}, {x}, {y} and {x,y,z}) and {y,z} (from {x,z} and {y,z}) begin with y, {z} (from
 * {x,y} and {z}) with z. So of two candidates one begins with z in a quarter of all draws.
 */
static void orders_of_dimensions_are_limited_by_the_candidates(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=27 globals_per_router=0 groups=1 "
        "group.dimensions=3x3x3 routing=ugal-l intragroup_paths=router "
        "ugal.minimal_candidates=2 routing_bias=1000000000");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, 0);
    const struct topology *topology = face_topology(world.network, 0);
    enum { TO = 26, FIRST_OF_Z = 9 }; /* the router at (2, 2, 2), and the one at (0, 0, 1) */
    for (uint32_t output = 0; output < face_network(rail_group)->tables.ports; output++)
        face_set_waiting(rail_group, output, 1000);
    for (uint32_t z = 1; z < 3; z++)
        face_set_waiting(rail_group, topology_local_port(topology, 0, 0, z * FIRST_OF_Z), 0);
    unsigned begin_with_z = 0;
    for (uint32_t number = 0; number < DRAWS; number++) {
        struct network_packet packet = {.destination = TO,
                                        .packet_number = number,
                                        .waypoint = NETWORK_NO_LINK,
                                        .target_router = TO};
        face_decide(rail_group, 0, &packet);
        assert_int_equal(packet.flags & NETWORK_PACKET_NONMINIMAL, 0);
        begin_with_z += packet.waypoint == 2 * FIRST_OF_Z;
    }
    /* five standard deviations: 5 * sqrt(8000 * 1/4 * 3/4) */
    assert_in_range(begin_with_z, DRAWS / 4 - 194, DRAWS / 4 + 194);
    network_world_free(&world);
}

/* ---------------------------------------------------------------- whole messages */

#define TWO     "ugal.minimal_candidates=2 ugal.nonminimal_candidates=2"
#define BY_LOAD "ugal.nonminimal_candidates=8 ugal.weights=ratio ugal.ratio=1"

static int64_t time_of_message(const char *settings, uint32_t to, struct network_world *world) {
    struct network_config config = network_world_config(
        "nodes_per_router=1 globals_per_router=0 groups=1 packet=1KiB header=0 "
        "terminal.bandwidth=16GB/s local.bandwidth=2GB/s terminal.latency=10ns local.latency=25ns "
        "router.latency=75ns terminal.buffer=8KiB local.buffer=8KiB");
    network_world_set(&config, settings);
    network_world_new(world, &config, 1);
    network_world_send(world, 0, to, 4 << 20, 0);
    network_world_run(world, 1);
    assert_int_equal(world->count, 1);
    return world->deliveries[0].time_ps;
}

/* Two nodes of a group: with minimal paths alone a message is as fast as the links to the next
 * router; by other routers it is as fast as all disjoint paths together, or as its NIC. Where paths
 * are the limit, the loads alone must decide: with hops as weights, UGAL leaves half of a path idle
 * that is twice as long. */
static void messages_are_as_fast_as_all_disjoint_paths(void **state) {
    (void)state;
    const struct {
        const char *settings;
        uint32_t to;
        int64_t links, paths; /* links to the next router; bandwidth of all paths or the NIC, as the
                                 bandwidth of so many links */
    } cases[] = {
        {"routers_per_group=2", 1, 1, 1},
        {"routers_per_group=3 " BY_LOAD, 2, 1, 2},
        {"routers_per_group=4 " BY_LOAD, 1, 1, 3},
        {"routers_per_group=5 " BY_LOAD, 2, 1, 4},
        {"routers_per_group=16 nic.bandwidth=4GB/s " TWO, 9, 1, 2},
        {"routers_per_group=9 group.dimensions=3x3 nic.bandwidth=4GB/s " TWO, 1, 1, 2},
        {"routers_per_group=9 group.dimensions=3x3 nic.bandwidth=4GB/s " TWO, 8, 1, 2},
        {"routers_per_group=16 group.dimensions=4x4 group.links=1x3 nic.bandwidth=4GB/s " TWO, 3, 1,
         2},
        {"routers_per_group=16 group.dimensions=4x4 group.links=1x3 nic.bandwidth=8GB/s " TWO, 12,
         3, 4},
    };
    const char *const policies[] = {"ugal-l", "ugal-g", "piggyback", "par"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t n = 0; n < 4; n++) {
            char pairs[300];
            struct network_world world;
            snprintf(pairs, sizeof pairs, "%s routing=%s", cases[i].settings, policies[n]);
            int64_t minimal_ps = time_of_message(pairs, cases[i].to, &world);
            network_world_free(&world);
            snprintf(pairs, sizeof pairs, "%s routing=%s intragroup_paths=router",
                     cases[i].settings, policies[n]);
            int64_t took_ps = time_of_message(pairs, cases[i].to, &world);
            network_world_free(&world);
            int64_t alone_ps = (INT64_C(4) << 20) * 500; /* over one local link */
            assert_in_range(minimal_ps, alone_ps / cases[i].links,
                            alone_ps / cases[i].links * 102 / 100);
            int64_t expected_ps = alone_ps / cases[i].paths;
            if (took_ps < expected_ps || took_ps > expected_ps + expected_ps / 20)
                fail_msg("%s: %lld ps, expected %lld", pairs, (long long)took_ps,
                         (long long)expected_ps);
        }
    }
}

/* A group of Piz Daint: 4 MiB between two routers of a chassis, there and back, take 2.35 ms with a
 * high bias and 0.93 ms without (De Sensi et al. 2019, Figure 7a). The model has the local link's
 * 68.6 % of payload and a NIC of 10.2 GB/s. */
static void a_group_of_piz_daint_takes_the_measured_times(void **state) {
    (void)state;
    char pairs[400];
    struct network_world world;
    const char *const policies[] = {"ugal-l", "par", "piggyback"};
    for (size_t i = 0; i < 6; i++) {
        snprintf(
            pairs, sizeof pairs,
            "routers_per_group=96 group.dimensions=16x6 group.links=1x3 local.bandwidth=5.25GB/s "
            "header=469B nic.bandwidth=14.87GB/s intragroup_paths=router routing_mode=%s " TWO
            " routing=%s",
            i < 3 ? "adaptive-3" : "adaptive-0", policies[i % 3]);
        int64_t took_us = time_of_message(pairs, 1, &world) / 1000000;
        network_world_free(&world);
        if (i < 3)
            assert_in_range(2 * took_us, 2290, 2410);
        else
            assert_in_range(2 * took_us, 820, 930);
    }
}

struct parallel {
    uint64_t packets[32]; /* [port] of router 0 */
};

static void note_link(void *context, const struct network_link *link) {
    struct parallel *parallel = context;
    if (link->channel_kind == NETWORK_LOCAL && link->source == 0)
        parallel->packets[link->port] = link->packets;
}

/* Every one of several parallel links is used by the packets of one message, under every policy
 * that compares queues, and with network.link_choice packet under the others. */
static void all_parallel_local_links_are_used(void **state) {
    (void)state;
    const char *const settings[] = {"routing=minimal link_choice=packet",
                                    "routing=valiant link_choice=packet",
                                    "routing=ofar-ordered link_choice=packet", "routing=ugal-l",
                                    "routing=par ugal.minimal_candidates=2"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char pairs[200];
        snprintf(pairs, sizeof pairs, "routers_per_group=4 group.dimensions=2x2 group.links=1x3 %s",
                 settings[i]);
        struct network_world world;
        struct parallel parallel = {{0}};
        time_of_message(pairs, 2, &world);
        network_visit_links(world.network, note_link, &parallel);
        for (uint32_t port = 2; port < 5; port++)
            assert_in_range(parallel.packets[port], 4096 / 3 - 200, 4096 / 3 + 200);
        network_world_free(&world);
    }
}

/* ---------------------------------------------------------------- biases */

/* Whether par sends a packet by its non-minimal candidate after so many hops. */
static bool goes_round(const char *settings, uint8_t hops) {
    struct network_config config = network_world_config(SHAPE "local.buffer=4000B packet=500B "
                                                              "header=0 routing=par");
    network_world_set(&config, settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct rail_group *rail_group = network_home_of_group(world.network, OWN);
    unsigned away = 0, decided = 0;
    for (uint32_t number = 0; number < 200; number++) {
        struct network_packet packet = packet_to(0, number);
        packet.routers = hops;
        uint32_t link = routing_link(rail_group, TARGET, &packet);
        uint32_t router = link / 2;
        for (uint32_t output = 0; output < face_network(rail_group)->tables.ports; output++)
            face_set_waiting(rail_group, output, 0);
        face_set_waiting(rail_group, output_of(rail_group, router, link, true), 2000);
        uint32_t weight = routing_hops_over(rail_group, router, &packet, link);
        if (weight != 2) continue; /* 4000 bytes times hops */
        face_decide(rail_group, router, &packet);
        decided++;
        away += packet.waypoint != NETWORK_NO_LINK &&
                face_group_behind(rail_group, packet.waypoint) != TARGET;
    }
    assert_true(decided > 0 && (away == 0 || away == decided));
    network_world_free(&world);
    return away > 0;
}

static void biases_apply_by_hop(void **state) {
    (void)state;
    assert_true(goes_round("", 0));
    assert_true(goes_round("routing_bias=3999", 0));
    assert_false(goes_round("routing_bias=4000", 0));
    assert_false(goes_round("routing_bias_by_hop=4000:3999", 0));
    assert_true(goes_round("routing_bias_by_hop=4000:3999", 1));
    assert_true(goes_round("routing_bias_by_hop=4000:3999", 2));
    assert_true(goes_round("routing_bias_by_hop=3000 routing_bias=999", 0));
    assert_false(goes_round("routing_bias_by_hop=3000 routing_bias=1000", 0));
    assert_false(goes_round("routing_bias_by_hop=0:0:4000", 2));
    assert_true(goes_round("routing_bias_by_hop=0:0:4000", 1));
    /* a local buffer has 4000 bytes */
    const char *const modes[] = {"routing_mode=adaptive-0", "routing_mode=adaptive-1",
                                 "routing_mode=adaptive-2", "routing_mode=adaptive-3"};
    const bool away[4][3] = {
        {true, true, true}, {true, true, false}, {true, true, true}, {false, false, false}};
    for (size_t mode = 0; mode < 4; mode++)
        for (uint8_t hops = 0; hops < 3; hops++)
            assert_int_equal(goes_round(modes[mode], hops), away[mode][hops]);
    assert_true(goes_round("routing_mode=adaptive-2 routing_bias=2999", 0));
    assert_false(goes_round("routing_mode=adaptive-2 routing_bias=3000", 0));
    network_world_refused("routing_mode=adaptive-2 routing_bias_by_hop=0:1",
                          "network.routing_mode adaptive-2 has biases of its own");
    struct network_config config =
        network_world_config("routing_mode=none routing_bias_by_hop=0:1");
    assert_int_equal(network_config_check(&config, NULL), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(link_choice_draws_for_messages_or_packets),
        cmocka_unit_test(candidates_are_drawn_evenly_among_links),
        cmocka_unit_test(the_lightest_candidate_of_each_kind_wins),
        cmocka_unit_test(links_from_third_groups_are_the_lightest),
        cmocka_unit_test(candidates_are_drawn_evenly_among_routers),
        cmocka_unit_test(orders_of_dimensions_are_limited_by_the_candidates),
        cmocka_unit_test(messages_are_as_fast_as_all_disjoint_paths),
        cmocka_unit_test(a_group_of_piz_daint_takes_the_measured_times),
        cmocka_unit_test(all_parallel_local_links_are_used),
        cmocka_unit_test(biases_apply_by_hop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
