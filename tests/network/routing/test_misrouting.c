/* Misrouting policies: which links they draw from, with which chances, and what they go with. */
#include "network/network_choices.h"
#include "tests/support/network/network_face.h"

#include "network/arrangement/arrangement.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

#include <stdbool.h>

enum { LINKS = 64 };

static int32_t number_of(const char *name) {
    for (int32_t i = 0; network_misrouting_names()[i] != NULL; i++)
        if (strcmp(network_misrouting_names()[i], name) == 0) return i;
    fail_msg("no policy %s", name);
    return -1;
}

/* Whether a link may be drawn, by the definitions of Garcia et al. 2013, section 3. */
static bool allowed(const struct rail_group *rail_group, const char *name, uint32_t router,
                    const struct network_packet *packet, uint32_t link) {
    const struct topology *topology = &face_network(rail_group)->topology;
    uint32_t peer =
        topology->link_peers[(size_t)network_group_number(rail_group) * topology->links_per_group +
                             link];
    if (peer == TOPOLOGY_UNCONNECTED || peer / topology->links_per_group == packet->target_group)
        return false;
    bool own = link / topology->globals_per_router == router;
    if (strcmp(name, "crg") == 0) return own;
    if (strcmp(name, "nrg") == 0) return !own;
    if (strcmp(name, "mm") == 0) return packet->routers == 0 ? own : !own;
    return true;
}

/* Draws for every router, destination group and both places of a packet: only what is allowed, and
 * everything that is; nothing only if nothing is. */
static void check_draws(struct rail_group *rail_group, const char *name) {
    const struct topology *topology = &face_network(rail_group)->topology;
    assert_true(topology->links_per_group <= LINKS);
    for (uint32_t router = 0; router < topology->routers_per_group; router++) {
        for (uint32_t target = 0; target < topology->groups; target++) {
            for (uint8_t passed = 0; passed < 2; passed++) {
                struct network_packet packet = {
                    .source = 1, .target_group = (uint16_t)target, .routers = passed};
                bool drawn[LINKS] = {false};
                unsigned none = 0, possible = 0;
                if (target == network_group_number(rail_group)) continue;
                for (packet.packet_number = 0; packet.packet_number < 200; packet.packet_number++) {
                    uint16_t link = misrouting_draw_link(rail_group, router, &packet, 0);
                    if (link == NETWORK_NO_LINK) {
                        none++;
                        continue;
                    }
                    assert_true(allowed(rail_group, name, router, &packet, link));
                    drawn[link] = true;
                }
                for (uint32_t link = 0; link < topology->links_per_group; link++) {
                    if (!allowed(rail_group, name, router, &packet, link)) continue;
                    possible++;
                    if (strcmp(name, "group") != 0) assert_true(drawn[link]);
                }
                assert_int_equal(none, possible == 0 ? 200 : 0);
            }
        }
    }
}

static void candidates_are_those_of_the_policy(void **state) {
    (void)state;
    const int64_t shapes[][3] = {{1, 3, 4}, {2, 1, 3}, {3, 1, 4}, {4, 2, 9},
                                 {4, 2, 3}, {2, 2, 2}, {3, 2, 6}, {4, 2, 4}};
    const char *const names[] = {"group", "rrg", "crg", "nrg", "mm"};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                struct network_config config =
                    network_world_config("nodes_per_router=1 routing=valiant");
                config.routers_per_group = shapes[s][0];
                config.globals_per_router = shapes[s][1];
                config.groups = shapes[s][2];
                config.arrangement = i;
                struct arrangement_input input = {.shape = {(uint32_t)config.routers_per_group,
                                                            (uint32_t)config.globals_per_router,
                                                            (uint32_t)config.groups}};
                if (arrangement_check(&arrangements()[i], &input, NULL) != STATUS_OK) continue;
                config.misrouting = number_of(names[n]);
                /* odd h, or from a file */
                if (network_config_check(&config, NULL) != STATUS_OK) continue;
                struct network_world world;
                network_world_new(&world, &config, 4);
                for (uint32_t group = 0; group < shapes[s][2]; group++)
                    check_draws(network_home_of_group(world.network, group), names[n]);
                network_world_free(&world);
            }
        }
    }
}

/* a=4, h=3, g=13: link 5 of router 1 leads to the destination's group. rrg: 11 links alike; nrg: 3
 * routers alike, then their links. */
static void links_are_drawn_with_the_chances_of_the_policy(void **state) {
    (void)state;
    enum { DRAWS = 11000 };
    const char *const names[] = {"rrg", "nrg"};
    for (size_t n = 0; n < 2; n++) {
        char pairs[200];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=1 routers_per_group=4 globals_per_router=3 groups=13 "
                 "routing=valiant misrouting=%s",
                 names[n]);
        struct network_config config = network_world_config(pairs);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct rail_group *rail_group = network_home_of_group(world.network, 0);
        struct network_packet packet = {.source = 2,
                                        .target_group = (uint16_t)face_group_behind(rail_group, 5)};
        unsigned counts[12] = {0};
        for (packet.packet_number = 0; packet.packet_number < DRAWS; packet.packet_number++)
            counts[misrouting_draw_link(rail_group, 2, &packet, 0)]++;
        for (uint32_t link = 0; link < 12; link++) {
            double expected = DRAWS / 11.0;
            if (n == 1) expected = link / 3 == 2 ? 0 : DRAWS / 3.0 / (link / 3 == 1 ? 2 : 3);
            if (link == 5) expected = 0;
            /* five standard deviations are less than 5·sqrt(expected) */
            double off = counts[link] - expected;
            assert_true(off * off <= 25 * expected);
        }
        network_world_free(&world);
    }
}

/* Draws with different numbers are different draws, also where a packet is decided on anew. */
static void draws_with_different_numbers_differ(void **state) {
    (void)state;
    static const char *const configs[] = {"routing=valiant misrouting=rrg",
                                          "routing=par misrouting=rrg reroute=4"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct network_config config = network_world_config(configs[i]);
        struct network_world world;
        network_world_new(&world, &config, 1);
        struct network_packet packet = {.source = 2, .target_group = 7};
        unsigned equal = 0;
        for (packet.packet_number = 0; packet.packet_number < 1000; packet.packet_number++)
            equal += misrouting_draw_link(network_home_of_group(world.network, 0), 0, &packet, 0) ==
                     misrouting_draw_link(network_home_of_group(world.network, 0), 0, &packet, 1);
        assert_true(equal > 5 && equal < 80); /* 1000 / 31 expected */
        network_world_free(&world);
    }
}

/* Under valiant with crg no packet takes a local hop before its first global one: every path is
 * g-l-g-l at most, 5 routers. */
static void crg_saves_the_first_hop(void **state) {
    (void)state;
    const char *const names[] = {"crg", "nrg"};
    for (size_t n = 0; n < 2; n++) {
        char pairs[200];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                 "routing=valiant misrouting=%s",
                 names[n]);
        struct network_config config = network_world_config(pairs);
        struct network_world world;
        network_world_new(&world, &config, 3);
        for (uint32_t source = 0; source < 72; source++)
            for (uint32_t to = 0; to < 72; to++)
                if (to / 8 != source / 8) network_world_send(&world, source, to, 2000, 0);
        network_world_run(&world, 1);
        uint32_t max = 0, min = 99;
        for (size_t i = 0; i < world.count; i++) {
            const struct network_delivery *delivery = &world.deliveries[i].delivery;
            assert_false(delivery->is_minimal);
            if (delivery->routers > max) max = delivery->routers;
            if (delivery->routers < min) min = delivery->routers;
        }
        assert_int_equal(max, n == 0 ? 5 : 6);
        assert_int_equal(min, n == 0 ? 3 : 4);
        network_world_free(&world);
    }
}

/* Every combination with a routing policy either runs or is refused with a reason. */
static void combinations_run_or_are_refused(void **state) {
    (void)state;
    unsigned refused = 0, run = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            struct network_config config = network_world_config(
                "nodes_per_router=1 routers_per_group=3 globals_per_router=1 groups=4");
            config.routing = routing;
            config.misrouting = misrouting;
            const struct routing_policy *policy = &routing_policies()[routing];
            const struct misrouting_policy *row = &misrouting_policies()[misrouting];
            bool fits =
                misrouting == 0 ||
                (policy->misrouting != NULL && (!row->allows_local || policy->local_vcs > 0) &&
                 (row->injected != MISROUTING_GROUP || policy->transit == NULL));
            struct status status = STATUS_INIT;
            if (network_config_check(&config, &status) != STATUS_OK) {
                assert_false(fits);
                assert_non_null(strstr(status.text, row->name));
                assert_non_null(strstr(status.text, policy->name));
                status_clear(&status);
                refused++;
                continue;
            }
            assert_true(fits);
            struct network_world world;
            network_world_new(&world, &config, 1);
            for (uint32_t i = 0; i < 144; i++)
                network_world_send(&world, i / 12, i % 12, 3000, 0);
            network_world_run(&world, 1);
            assert_int_equal(world.count, 144);
            network_world_free(&world);
            run++;
        }
    }
    assert_true(refused > 8 && run > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_those_of_the_policy),
        cmocka_unit_test(links_are_drawn_with_the_chances_of_the_policy),
        cmocka_unit_test(draws_with_different_numbers_differ),
        cmocka_unit_test(crg_saves_the_first_hop),
        cmocka_unit_test(combinations_run_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
