/*
 * Freedom from deadlock and livelock, shown by enumeration: all that packets can do under a routing
 * policy is walked with the routing functions themselves, on small machines of every arrangement.
 * What channels can wait for has no circles, every walk ends where it should, within the policy's
 * hops, and with one VC less there are circles. test_dependencies_groups.c has groups with other
 * links, and failures.
 */
#include "dependency_walk.h"

/* The search for circles does find one. */
static void test_circles_are_found(void **state) {
    (void)state;
    uint64_t edges[3] = {2, 4, 0};
    struct graph graph = {.channels = 3, .edges = edges, .words = 1};
    assert_false(has_circle(&graph));
    edges[2] = 1;
    assert_true(has_circle(&graph));
}

/* Every policy on every small shape. */
static void test_all_small_shapes(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int64_t a = 1; a <= 4; a++) {
            for (int64_t h = 1; h <= 3 && a * h <= 6; h++) {
                for (int64_t g = 1; g <= a * h + 1; g++) {
                    struct network_config config = config_of(&(struct shape){a, h, g}, routing);
                    if (is_valid(&config)) check_free_of_circles(&config);
                }
            }
        }
    }
}

/* Every policy with every misrouting policy, arrangement and way of turning, and minimal paths in
 * turn with either VCs. */
static void test_all_combinations(void **state) {
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
                    check_free_of_circles(&config);
                    runs++;
                }
            }
        }
    }
    assert_true(runs > 200);
}

/* Packets whose draw of a third group is the minimal path, with either VCs of minimal paths. */
static void test_third_groups(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int kind = 0; kind < 8; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 6}, routing);
            config.third_group = kind % 2 == 0 ? NETWORK_THIRD_NOT_OWN : (int32_t)NETWORK_THIRD_ANY;
            config.minimal_vcs = kind / 2 % 2;
            config.valiant = kind / 4;
            if (!is_valid(&config)) continue;
            unsigned most_hops;
            assert_false(explore(&config, false, &most_hops));
            assert_true(most_hops <= bound_of(&config, 1));
        }
    }
}

/* Packets within a group that leave it and come back, with either VCs of minimal paths and way of
 * turning, in groups of one and two dimensions, where links have failed, and in turn with who can
 * be the third group; every kind of candidate with one of these. And no VC is one too many. */
static void test_intragroup_paths(void **state) {
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
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                assert_true(most_hops <= bound_of(&config, 4));
                runs++;
                if (misrouting > 0 || n >= 4) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &most_hops));
            }
        }
    }
    assert_true(runs > 100);
}

/* Routers that use fewer of their global ports than they have. */
static void test_tapered(void **state) {
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
static void test_hops(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t valiant = 0; valiant <= 1; valiant++) {
            struct network_config config = config_of(&(struct shape){4, 2, 9}, routing);
            config.valiant = valiant;
            if (!is_valid(&config)) continue;
            unsigned most_hops;
            assert_false(explore(&config, true, &most_hops));
            assert_int_equal(most_hops, bound_of(&config, network_config_group(&config).diameter));
            if (valiant > 0 || routing_policies()[routing].needs > 0) continue; /* as others */
            config.globals_per_router = 1;
            config.groups = 5;
            network_world_set(&config, "group.dimensions=2x2");
            assert_false(explore(&config, false, &most_hops));
            assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter) &&
                        most_hops + 1 >= bound_of(&config, network_config_group(&config).diameter));
        }
    }
}

/* No policy asks for more VCs than it needs: with one less, channels wait in a circle. */
static void test_every_vc_is_needed(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].transit != NULL) continue; /* test_ofar.c */
        for (int32_t kind = 0; kind < 4; kind++) {
            struct network_config config = config_of(&(struct shape){3, 2, 7}, routing);
            config.valiant = kind % 2;
            config.minimal_vcs = kind / 2;
            if (!is_valid(&config)) continue;
            config.vcs = routing_vcs(&config) - 1;
            unsigned most_hops;
            if (!explore(&config, true, &most_hops))
                fail_msg("%s needs only %lld VCs", network_routing_names()[routing],
                         (long long)config.vcs);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tapered),
        cmocka_unit_test(test_circles_are_found),
        cmocka_unit_test(test_all_small_shapes),
        cmocka_unit_test(test_all_combinations),
        cmocka_unit_test(test_third_groups),
        cmocka_unit_test(test_intragroup_paths),
        cmocka_unit_test(test_hops),
        cmocka_unit_test(test_every_vc_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
