/*
 * Freedom from deadlock and livelock, shown by enumeration: all that packets can do under a routing
 * policy is walked with the routing functions themselves (tests/support/network/path_walk.h), on
 * small machines of every arrangement. What channels can wait for has no circles, every walk ends
 * where it should, within the policy's hops, and with one VC less there are circles.
 */
#include "tests/support/network/path_walk.h"

/* The search for circles does find one. */
static void a_circle_is_found(void **state) {
    (void)state;
    uint64_t edges[3] = {2, 4, 0};
    struct graph graph = {.channels = 3, .edges = edges, .words = 1};
    assert_false(has_circle(&graph));
    edges[2] = 1;
    assert_true(has_circle(&graph));
}

/* ---------------------------------------------------------------- machines and policies */

/* Policies that keep state of queues differ from ugal-l in what they compare only, and walks go by
 * either outcome. The four of them take turns in large products: whether it is this one's. */
static bool has_turn(int32_t routing, size_t combination) {
    return routing_policies()[routing].needs == 0 || (combination + (size_t)routing) % 4 == 0;
}

/* Every policy on every small shape. */
static void small_shapes_have_no_circle(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        size_t shapes = 0;
        for (int64_t a = 1; a <= 4; a++) {
            for (int64_t h = 1; h <= 3 && a * h <= 6; h++) {
                for (int64_t g = 1; g <= a * h + 1; g++) {
                    if (!has_turn(routing, shapes++)) continue;
                    struct network_config config = config_of(&(struct shape){a, h, g}, routing);
                    if (is_valid(&config)) check_free_of_circles(&config);
                }
            }
        }
    }
}

/* Every policy with every misrouting policy, arrangement and way of turning, and minimal paths in
 * turn with either VCs. */
static void combinations_of_policies_have_no_circle(void **state) {
    (void)state;
    const struct shape shapes[] = {{3, 2, 7}, {2, 2, 4}};
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                for (size_t n = 0; n < 2 * sizeof shapes / sizeof *shapes; n++) {
                    struct network_config config = config_of(&shapes[n / 2], routing);
                    config.misrouting = misrouting;
                    config.arrangement = i;
                    config.valiant = n % 2;
                    config.minimal_vcs = (int32_t)(n + n / 2 + (size_t)i) % 2;
                    if (!is_valid(&config)) continue;
                    if (!has_turn(routing, n + (size_t)i + (size_t)misrouting)) continue;
                    check_free_of_circles(&config);
                    runs++;
                }
            }
        }
    }
    assert_true(runs > 200);
}

/* Packets whose draw of a third group is the minimal path, with either VCs of minimal paths. */
static void minimal_paths_by_drawn_third_groups_have_no_circle(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int kind = 0; kind < 8; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 6}, routing);
            config.third_group = kind % 2 == 0 ? NETWORK_THIRD_NOT_OWN : (int32_t)NETWORK_THIRD_ANY;
            config.minimal_vcs = kind / 2 % 2;
            config.valiant = kind / 4;
            if (!is_valid(&config)) continue;
            unsigned max_hops;
            assert_false(explore(&config, false, &max_hops));
            assert_true(max_hops <= bound_of(&config, 1));
        }
    }
}

/* Packets within a group that leave it and come back, with either VCs of minimal paths and way of
 * turning, in groups of one and two dimensions, where links have failed, and in turn with who can
 * be the third group; every kind of candidate with one of these. And no VC is one too many. */
static void paths_out_of_a_group_and_back_have_no_circle(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *settings;
    } cases[] = {{{3, 2, 7}, ""},
                 {{2, 2, 4}, "third_group=not-own"},
                 {{2, 1, 2}, ""},
                 {{3, 2, 3}, "third_group=any"},
                 {{4, 1, 4}, "group.dimensions=2x2"},
                 {{4, 2, 5}, "failures.locals=3 failures.globals=4"}};
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (size_t n = 0; n < 4 * sizeof cases / sizeof *cases; n++) {
                struct network_config config = config_of(&cases[n / 4].shape, routing);
                network_world_set(&config, cases[n / 4].settings);
                config.intragroup_paths = NETWORK_INTRAGROUP_POLICY;
                config.misrouting = misrouting;
                config.minimal_vcs = n % 2;
                config.valiant = n / 2 % 2;
                bool turn = n >= 4 && (n + (size_t)routing) % 4 == 0;
                if (!is_valid(&config) || (misrouting > 0 && !turn)) continue;
                if (n >= 4 && !has_turn(routing, n + n / 4)) continue;
                unsigned max_hops;
                assert_false(explore(&config, false, &max_hops));
                assert_true(max_hops <= bound_of(&config, 4));
                runs++;
                if (misrouting > 0 || n >= 4) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &max_hops));
            }
        }
    }
    assert_true(runs > 100);
}

/* Several virtual networks, of traffic classes and of responses: packets of one never take a
 * channel of another, and with one VC less there are circles in all. So data and responses do not
 * wait for each other in the network, and NICs take responses whatever data they hold. */
static void virtual_networks_keep_to_their_channels(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int64_t networks = 2; networks <= 3; networks++) {
            struct network_config config = config_of(&(struct shape){3, 2, 7}, routing);
            bool responses = (networks + routing) % 2 == 0;
            config.classes = networks - responses;
            if (responses) config.acknowledgement = NETWORK_ACKNOWLEDGEMENT_PACKET;
            config.injection_vcs = networks == 3 ? 5 : 0;
            config.valiant = networks == 3 && routing_policies()[routing].has_intermediate_router;
            assert_true(is_valid(&config));
            assert_int_equal(network_config_virtual_networks(&config), networks);
            check_free_of_circles(&config);
            config.vcs = routing_vcs(&config) - 1;
            unsigned max_hops;
            assert_true(explore(&config, true, &max_hops));
        }
    }
}

/* Routers that use fewer of their global ports than they have. */
static void tapered_machines_have_no_circle(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        struct network_config config = config_of(&(struct shape){3, 3, 4}, routing);
        config.globals_used = 1;
        assert_true(is_valid(&config));
        check_free_of_circles(&config);
    }
}

/* The longest paths do occur, and no longer ones. */
static void the_longest_paths_occur(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t valiant = 0; valiant <= 1; valiant++) {
            struct network_config config = config_of(&(struct shape){4, 2, 9}, routing);
            config.valiant = valiant;
            if (!is_valid(&config)) continue;
            unsigned max_hops;
            assert_false(explore(&config, true, &max_hops));
            assert_int_equal(max_hops, bound_of(&config, network_config_group(&config).diameter));
            if (valiant > 0 || routing_policies()[routing].needs > 0) continue; /* as others */
            config.globals_per_router = 1;
            config.groups = 5;
            network_world_set(&config, "group.dimensions=2x2");
            assert_false(explore(&config, false, &max_hops));
            assert_true(max_hops <= bound_of(&config, network_config_group(&config).diameter) &&
                        max_hops + 1 >= bound_of(&config, network_config_group(&config).diameter));
        }
    }
}

/* Groups that are not completely connected, or not by single links: every policy with every
 * misrouting policy and way of turning; no VC is one too many. */
static void flattened_butterflies_have_no_circle(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *group;
    } cases[] = {
        {{4, 1, 4}, "group.dimensions=2x2"},
        {{6, 1, 3}, "group.dimensions=3x2 group.links=1x2"},
        {{8, 1, 2}, "group.dimensions=2x2x2 group.links=1x2x1"},
        {{3, 1, 4}, "group.dimensions=3x1"},
        {{3, 1, 4}, "group.links=2"},
    };
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
                struct network_config config = config_of(&cases[n / 2].shape, routing);
                network_world_set(&config, cases[n / 2].group);
                config.misrouting = misrouting;
                config.valiant = n % 2;
                const char *name = network_routing_names()[routing];
                if (misrouting > 0 && strcmp(name, n % 2 > 0 ? "ugal-l" : "par") != 0) continue;
                if (!is_valid(&config)) continue;
                unsigned max_hops;
                assert_false(explore(&config, misrouting > 0, &max_hops));
                assert_true(max_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
                if (misrouting > 0 || n > 1) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &max_hops));
            }
        }
    }
    assert_true(runs > 40);
}

/* Groups of two dimensions under every policy, misrouting policy and arrangement, in turn with ways
 * of turning; of three in two arrangements. Always with fewer groups than could be joined. */
static void flattened_butterflies_have_no_circle_in_any_wiring(void **state) {
    (void)state;
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
                if (!has_turn(routing, (size_t)misrouting + (size_t)i)) continue;
                bool solid = misrouting == 0 && i < 2;
                struct network_config config =
                    config_of(solid ? &(struct shape){8, 1, 3} : &(struct shape){4, 1, 3}, routing);
                network_world_set(&config,
                                  solid ? "group.dimensions=2x2x2" : "group.dimensions=2x2");
                config.misrouting = misrouting;
                config.arrangement = i;
                config.valiant = (routing + misrouting + i) % 2;
                if (!is_valid(&config)) config.valiant = NETWORK_VALIANT_GROUP;
                if (!is_valid(&config)) continue;
                unsigned max_hops;
                assert_false(explore(&config, false, &max_hops));
                assert_true(max_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
            }
        }
    }
    assert_true(runs > 150);
}

/* Machines with failures, of every kind, drawn many times: packets go by what works alone, within
 * the hops that the longest way round inside a group allows, and channels cannot wait in circles.
 */
static void machines_with_failures_have_no_circle(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *settings;
    } cases[] = {
        {{5, 1, 6}, "failures.locals=6"},
        {{4, 1, 5}, "failures.globals=2 failures.locals=2"},
        {{3, 2, 4}, "failures.globals=4 failures.routers=1"},
        {{4, 2, 5}, "failures.locals=5 failures.globals=5 failures.routers=2"},
        {{6, 1, 4}, "group.dimensions=3x2 group.links=1x2 failures.locals=6 failures.globals=1"},
    };
    unsigned runs = 0, cut = 0, turning = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
            for (int64_t seed = 1; seed <= 4; seed++) {
                struct network_config config = config_of(&cases[n].shape, routing);
                network_world_set(&config, cases[n].settings);
                config.failures_seed = seed;
                config.valiant = seed > 3;
                config.minimal_vcs = (seed + routing) % 2;
                if (!is_valid(&config)) continue;
                config.misrouting = routing_policies()[routing].misrouting != NULL ? seed % 5 : 0;
                struct topology topology;
                struct status status = STATUS_INIT;
                bool whole = topology_new(&topology, &config, &status) == STATUS_OK;
                cut += topology.lacks_links;
                topology_free(&topology);
                status_clear(&status);
                if (!whole) continue; /* too much has failed */
                unsigned max_hops;
                assert_false(explore(&config, false, &max_hops));
                runs++;
                turning += config.valiant > 0;
            }
        }
    }
    assert_true(runs > 100);
    assert_true(turning > 20);
    assert_true(cut > 10);
}

/* No policy asks for more VCs than it needs: with one less, channels wait in a circle. */
static void every_vc_is_needed(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t kind = 0; kind < 4; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 7}, routing);
            config.valiant = kind % 2;
            config.minimal_vcs = kind / 2;
            if (!is_valid(&config)) continue;
            config.vcs = routing_vcs(&config) - 1;
            unsigned max_hops;
            if (!explore(&config, true, &max_hops))
                fail_msg("%s needs only %lld VCs", network_routing_names()[routing],
                         (long long)config.vcs);
        }
    }
}

/* Nor do minimal paths where they go by third groups, because that is all that is left. */
static void minimal_needs_its_vcs_where_links_have_failed(void **state) {
    (void)state;
    bool circle = false;
    for (int64_t seed = 1; seed <= 20 && !circle; seed++) {
        struct network_config config = config_of(&(struct shape){2, 2, 5}, 0);
        network_world_set(&config, "routing=minimal failures.globals=40%");
        config.failures_seed = seed;
        struct topology topology;
        bool whole = topology_new(&topology, &config, NULL) == STATUS_OK;
        topology_free(&topology);
        if (!whole) continue;
        config.vcs = routing_vcs(&config);
        assert_int_equal(config.vcs, 3);
        unsigned max_hops;
        assert_false(explore(&config, false, &max_hops));
        config.vcs--;
        circle = explore(&config, true, &max_hops);
    }
    assert_true(circle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tapered_machines_have_no_circle),
        cmocka_unit_test(a_circle_is_found),
        cmocka_unit_test(small_shapes_have_no_circle),
        cmocka_unit_test(combinations_of_policies_have_no_circle),
        cmocka_unit_test(minimal_paths_by_drawn_third_groups_have_no_circle),
        cmocka_unit_test(paths_out_of_a_group_and_back_have_no_circle),
        cmocka_unit_test(the_longest_paths_occur),
        cmocka_unit_test(virtual_networks_keep_to_their_channels),
        cmocka_unit_test(flattened_butterflies_have_no_circle),
        cmocka_unit_test(flattened_butterflies_have_no_circle_in_any_wiring),
        cmocka_unit_test(machines_with_failures_have_no_circle),
        cmocka_unit_test(minimal_needs_its_vcs_where_links_have_failed),
        cmocka_unit_test(every_vc_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
