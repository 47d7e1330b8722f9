/*
 * Freedom from deadlock and livelock, as in test_dependencies.c, on machines whose groups are not
 * completely connected, or not by single links, and where links and routers have failed.
 */
#include "dependency_walk.h"

/* Groups that are not completely connected, or not by single links: every policy with every
 * misrouting policy and way of turning; no VC is one too many. */
static void test_flattened_butterflies(void **state) {
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
                unsigned most_hops;
                assert_false(explore(&config, misrouting > 0, &most_hops));
                assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
                if (misrouting > 0 || n > 1) continue;
                config.vcs = routing_vcs(&config) - 1;
                assert_true(explore(&config, false, &most_hops));
            }
        }
    }
    assert_true(runs > 40);
}

/* Groups of two dimensions under every policy, misrouting policy and arrangement, in turn with ways
 * of turning; of three in two arrangements. Always with fewer groups than could be joined. */
static void test_flattened_butterflies_in_all_wirings(void **state) {
    (void)state;
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        for (int32_t misrouting = 0; network_misrouting_names()[misrouting] != NULL; misrouting++) {
            for (int32_t i = 0; network_arrangement_names()[i] != NULL; i++) {
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
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                assert_true(most_hops <= bound_of(&config, network_config_group(&config).diameter));
                runs++;
            }
        }
    }
    assert_true(runs > 200);
}

/* Machines with failures, of every kind, drawn many times: packets go by what works alone, within
 * the hops that the longest way round inside a group allows, and channels cannot wait in circles.
 */
static void test_failures(void **state) {
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
                cut += topology.cut;
                topology_free(&topology);
                status_clear(&status);
                if (!whole) continue; /* too much has failed */
                unsigned most_hops;
                assert_false(explore(&config, false, &most_hops));
                runs++;
                turning += config.valiant > 0;
            }
        }
    }
    assert_true(runs > 100);
    assert_true(turning > 20);
    assert_true(cut > 10);
}

/* Where links have failed, minimal paths that go by third groups need all VCs that they ask for. */
static void test_minimal_needs_its_vcs_where_links_have_failed(void **state) {
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
        unsigned most_hops;
        assert_false(explore(&config, false, &most_hops));
        config.vcs--;
        circle = explore(&config, true, &most_hops);
    }
    assert_true(circle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flattened_butterflies),
        cmocka_unit_test(test_flattened_butterflies_in_all_wirings),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_minimal_needs_its_vcs_where_links_have_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
