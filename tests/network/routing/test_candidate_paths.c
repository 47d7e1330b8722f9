/*
 * Freedom from deadlock and livelock where packets choose among several candidates, links and
 * routers of their group: as test_dependencies.c, by enumeration.
 */
#include "tests/support/network/path_walk.h"

static const char *const link_choices[] = {"message", "packet", "shortest"};

/* Every policy, with every way of choosing links, VCs of minimal paths and way of turning, in turn
 * with several candidates and, but for the first two, with the shapes. And no VC is one too many.
 */
static void candidates_by_routers_and_links_make_no_circle(void **state) {
    (void)state;
    const struct {
        struct shape shape;
        const char *settings;
    } cases[] = {{{4, 1, 3}, ""},
                 {{3, 2, 3}, ""},
                 {{3, 2, 2}, ""},
                 {{4, 1, 1}, "globals_per_router=0 group.dimensions=2x2"},
                 {{4, 1, 3}, "group.dimensions=2x2 group.links=1x2"},
                 {{6, 1, 1}, "globals_per_router=0 group.dimensions=3x2"},
                 {{8, 1, 1}, "globals_per_router=0 group.dimensions=2x2x2"},
                 {{4, 2, 5}, "failures.locals=3 failures.globals=4"}};
    unsigned runs = 0;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        if (routing_policies()[routing].needs == ROUTING_VC_QUEUES) continue; /* as ugal-l */
        for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
            struct network_config config = config_of(&cases[n / 2].shape, routing);
            network_world_set(&config, cases[n / 2].settings);
            if (n >= 4 && (n / 2 + n + (size_t)routing) % 3 != 0) continue;
            char pairs[200];
            size_t turn = 2 * n + n / 2 + (size_t)routing;
            snprintf(pairs, sizeof pairs,
                     "intragroup_paths=router link_choice=%s ugal.minimal_candidates=%zu "
                     "ugal.nonminimal_candidates=%zu",
                     link_choices[turn % 3], 1 + turn % 4, 1 + turn % 2);
            network_world_set(&config, pairs);
            config.minimal_vcs = n % 2;
            config.valiant = turn / 2 % 2;
            if (!is_valid(&config)) continue;
            unsigned max_hops;
            if (explore(&config, false, &max_hops))
                fail_msg("%s: %s", network_routing_names()[routing], pairs);
            runs++;
            config.vcs = routing_vcs(&config) - 1;
            if (n < 4 && config.vcs > 0) assert_true(explore(&config, false, &max_hops));
        }
    }
    assert_true(runs > 40);
}

/* The longest paths inside a group do occur: two segments of one hop in each dimension, and one
 * more under par. */
static void the_longest_paths_inside_a_group_occur(void **state) {
    (void)state;
    for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
        struct network_config config = config_of(&(struct shape){9, 1, 1}, routing);
        network_world_set(&config, "globals_per_router=0 group.dimensions=3x3 "
                                   "intragroup_paths=router ugal.nonminimal_candidates=2");
        if (!is_valid(&config) || routing_policies()[routing].decide == NULL) continue;
        unsigned max_hops;
        assert_false(explore(&config, false, &max_hops));
        bool par = strcmp(network_routing_names()[routing], "par") == 0;
        assert_int_equal(max_hops, par ? 5 : 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_by_routers_and_links_make_no_circle),
        cmocka_unit_test(the_longest_paths_inside_a_group_occur),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
