/*
 * The lengths of minimal routes on machines with failures, against what routing itself finds, and
 * on machines of which nothing has failed against the closed form.
 */
#include "tests/support/network/failing_world.h"

#include "network/analysis/minimal_routes.h"
#include "network/analysis/topology_facts.h"
#include "network/routing/routing.h"

/* A file of failures that lists none: all is whole, but counted as if it were not. */
static void whole_machines_have_the_lengths_of_the_closed_form(void **state) {
    (void)state;
    const char *shapes[] = {
        "routers_per_group=4 globals_per_router=2 groups=9",
        "routers_per_group=4 globals_per_router=2 groups=4",
        "routers_per_group=3 globals_per_router=1 groups=4 group.links=2",
        "routers_per_group=12 globals_per_router=2 groups=7 group.dimensions=4x3",
        "routers_per_group=5 globals_per_router=0 groups=1",
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct topology_facts closed, counted;
        struct topology one, two;
        struct network_config config = network_world_config(shapes[i]);
        assert_int_equal(topology_new(&one, &config, NULL), STATUS_OK);
        config = with_file("# nothing\n", shapes[i]);
        assert_int_equal(topology_new(&two, &config, NULL), STATUS_OK);
        assert_non_null(two.failures);
        assert_int_equal(topology_facts_find(&closed, &one, NULL), STATUS_OK);
        assert_int_equal(topology_facts_find(&counted, &two, NULL), STATUS_OK);
        uint64_t apart = closed.minimal_millionths > counted.minimal_millionths
                             ? (uint64_t)(closed.minimal_millionths - counted.minimal_millionths)
                             : (uint64_t)(counted.minimal_millionths - closed.minimal_millionths);
        assert_true(apart <= 16u * 81); /* rounding: half a millionth for each pair of groups, p² */
        assert_int_equal(closed.minimal_diameter, counted.minimal_diameter);
        topology_facts_free(&closed);
        topology_facts_free(&counted);
        topology_free(&one);
        topology_free(&two);
        unlink(config.failures_file);
    }
}

/* Routing's own minimal paths, over many messages for each pair of routers; or over one, where all
 * take the same path. */
static void check_sampled(const struct network_config *config, uint32_t messages) {
    struct network_world world;
    network_world_new(&world, config, 7);
    const struct topology *topology = &world.network->topology;
    uint32_t routers = topology->groups * topology->routers_per_group, max = 0;
    uint64_t sum = 0, pairs = 0;
    for (uint32_t source = 0; source < routers; source++) {
        for (uint32_t to = 0; to < routers; to++) {
            if (!failures_router_works(topology, source) || !failures_router_works(topology, to))
                continue;
            struct network_packet packet = {
                .source = source,
                .target_group = (uint16_t)(to / topology->routers_per_group),
                .target_router = (uint16_t)(to % topology->routers_per_group)};
            for (packet.sequence = 0; packet.sequence < messages; packet.sequence++) {
                uint32_t hops = routing_minimal_hops(
                    network_home_of_group(world.network, source / topology->routers_per_group),
                    source % topology->routers_per_group, &packet);
                sum += hops;
                if (hops > max) max = hops;
            }
            pairs++;
        }
    }
    struct minimal_routes routes;
    assert_int_equal(minimal_routes_find(&routes, topology, NULL), STATUS_OK);
    assert_int_equal(routes.max, max);
    if (messages == 1) assert_int_equal(routes.millionths, sum * 1000000);
    double mean = (double)routes.millionths / 1e6 / (double)pairs;
    double sampled = (double)sum / messages / (double)pairs;
    /* Standard deviation, by the few pairs of groups that all draws are for: about 0.0014. */
    if (mean < 0.996 * sampled || mean > 1.004 * sampled)
        fail_msg("mean %.5f, sampled %.5f", mean, sampled);
    network_world_free(&world);
}

static void lengths_are_those_of_the_routing(void **state) {
    (void)state;
    const char *cases[] = {
        "routers_per_group=4 globals_per_router=2 groups=9 failures.routers=3 failures.locals=8 "
        "failures.globals=5",
        "routers_per_group=4 globals_per_router=1 groups=5 failures.globals=3 failures.locals=2",
        "routers_per_group=3 globals_per_router=4 groups=4 failures.globals=7 failures.routers=1",
        "routers_per_group=6 globals_per_router=1 groups=4 group.dimensions=3x2 group.links=1x2 "
        "failures.locals=6 failures.globals=2",
    };
    unsigned runs = 0, cut = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int64_t seed = 1; seed <= 4; seed++) {
            struct network_config config = network_world_config("nodes_per_router=1");
            network_world_set(&config, cases[i]);
            config.failures_seed = seed;
            struct topology topology;
            struct status status = STATUS_INIT;
            bool possible = topology_new(&topology, &config, &status) == STATUS_OK;
            cut += topology.lacks_links;
            topology_free(&topology);
            status_clear(&status);
            if (!possible) continue;
            check_sampled(&config, 2000);
            runs++;
        }
    }
    assert_true(runs >= 8 && cut >= 3);
}

/* Paths round failures may take more hops one way than the other: with one link between any two
 * groups, all is exact. */
static void lengths_there_and_back_may_differ(void **state) {
    (void)state;
    unsigned uneven = 0;
    for (int64_t seed = 1; seed <= 30; seed++) {
        struct network_config config =
            network_world_config("nodes_per_router=1 routers_per_group=8 globals_per_router=1 "
                                 "groups=9 failures.locals=45%");
        config.failures_seed = seed;
        struct topology topology;
        bool possible = topology_new(&topology, &config, NULL) == STATUS_OK;
        for (uint32_t i = 0; possible && i < 9 * 8; i++)
            for (uint32_t to = 0; to < i % 8; to++)
                uneven += topology_local_hops(&topology, i / 8, i % 8, to) !=
                          topology_local_hops(&topology, i / 8, to, i % 8);
        topology_free(&topology);
        if (possible) check_sampled(&config, 1);
    }
    assert_true(uneven > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_machines_have_the_lengths_of_the_closed_form),
        cmocka_unit_test(lengths_are_those_of_the_routing),
        cmocka_unit_test(lengths_there_and_back_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
