/*
 * OFAR on machines with failures: the ring passes all that works, is in reach everywhere, and what
 * ofar-ordered may do makes no circle; hops stay bounded. Runs beyond saturation: test_failures.c,
 * test_conservation.c.
 */
#include "network/network_choices.h"
#include "tests/support/network/transit_walk.h"

struct failing_case {
    int64_t shape[3];
    const char *settings;
};

/* Pairs of groups without a link, routers without neighbours, whole groups, parallel links. */
static const struct failing_case cases[] = {
    {{4, 1, 5}, "failures.globals=3 failures.locals=3"},
    {{3, 2, 4}, "failures.globals=5 failures.routers=2"},
    {{2, 2, 3}, "failures.routers=3"},
    {{4, 1, 3}, "group.dimensions=2x2 failures.locals=2 failures.globals=1"},
    {{3, 1, 3}, "group.links=2 failures.locals=5 failures.routers=1"},
};

/* False if too much has failed. */
static bool is_whole(const struct network_config *config) {
    struct topology topology;
    struct status status = STATUS_INIT;
    bool whole = topology_new(&topology, config, &status) == STATUS_OK;
    topology_free(&topology);
    status_clear(&status);
    return whole;
}

static void rings_pass_all_that_works(void **state) {
    (void)state;
    const char *const kinds[] = {"routing=ofar ofar.ring=embedded",
                                 "routing=ofar ofar.ring=physical",
                                 "routing=ofar misrouting=rrg+l ofar.vcs=1"};
    unsigned runs = 0, cut = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            for (int64_t seed = 1; seed <= 12; seed++) {
                struct network_config config = shaped(cases[i].shape, 0, kinds[k]);
                network_world_set(&config, cases[i].settings);
                config.failures_seed = seed;
                if (!is_whole(&config)) continue;
                struct network_world world;
                network_world_new(&world, &config, 5);
                const struct topology *topology = &world.network->topology;
                uint32_t working = topology->groups * topology->routers_per_group -
                                   topology->failures->failed_routers;
                cut += topology->lacks_links;
                if (working > 1) {
                    uint32_t length = check_ring(world.network);
                    if (length != working && length != 2 * (working - 1))
                        fail_msg("%s, %s, seed %lld: a ring of %u hops past %u routers",
                                 cases[i].settings, kinds[k], (long long)seed, length, working);
                    check_escape(&world);
                }
                network_world_free(&world);
                runs++;
            }
        }
    }
    assert_true(runs > 100); /* the cases are not too broken */
    assert_true(cut > 20);   /* and many lack links between groups */
}

/* All that ofar-ordered may do, under every misrouting policy. */
static void ordered_channels_make_no_circle(void **state) {
    (void)state;
    unsigned runs = 0, max = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int32_t m = 0; network_misrouting_names()[m] != NULL; m++) {
            if (strcmp(network_misrouting_names()[m], "group") == 0) continue;
            for (int64_t seed = 1; seed <= 5; seed++) {
                struct network_config config = shaped(cases[i].shape, 1, "routing=ofar-ordered");
                network_world_set(&config, cases[i].settings);
                config.misrouting = m;
                config.failures_seed = seed;
                if (!is_whole(&config)) continue;
                unsigned hops = check_ordered(&config); /* which bounds them, too */
                if (hops > max) max = hops;
                runs++;
            }
        }
    }
    assert_true(runs > 150); /* the cases are not too broken */
    assert_true(max > 8);    /* longer ways than on any whole machine do occur */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_pass_all_that_works),
        cmocka_unit_test(ordered_channels_make_no_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
