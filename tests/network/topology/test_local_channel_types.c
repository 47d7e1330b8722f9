/*
 * Types of local channels: which channel is of which type, and what unequal bandwidths change in
 * the analyses: prices, bisections, the links that take longest for a placement's traffic.
 */
#include "network/analysis/bisection/bisection.h"
#include "network/analysis/expected_load.h"
#include "network/analysis/floor_plan.h"
#include "tests/support/network/network_world.h"

#include <stdbool.h>

static const char *const shapes[] = {
    "routers_per_group=6 group.drawer=2",
    "routers_per_group=7 group.drawer=3",
    "routers_per_group=4 group.drawer=4",
    "routers_per_group=6 group.dimensions=3x2 group.links=2x1",
    "routers_per_group=8 group.dimensions=2x2x2 group.links=1x2x3",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct network_config machine_of(size_t shape, const char *more) {
    struct network_config config = network_world_config("nodes_per_router=1 globals_per_router=1 "
                                                        "groups=2");
    network_world_set(&config, shapes[shape]);
    network_world_set(&config, more);
    return config;
}

/* From the numbers of two neighbours, without the code under test. */
static uint32_t type_of(const struct network_config *config, uint32_t from, uint32_t to) {
    uint32_t drawer = (uint32_t)config->drawer_routers;
    if (drawer > 0) return from / drawer != to / drawer;
    uint32_t type = 0;
    for (; from % units_dimension(config->group_dimensions, type) ==
           to % units_dimension(config->group_dimensions, type);
         type++) {
        from /= units_dimension(config->group_dimensions, type);
        to /= units_dimension(config->group_dimensions, type);
    }
    return type;
}

static void every_channel_has_the_type_of_its_position(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config = machine_of(i, "");
        struct group_shape group = network_config_group(&config);
        uint32_t seen = 0;
        for (uint32_t router = 0; router < group.routers; router++) {
            for (uint32_t port = 0; port < group.ports_per_router; port++) {
                uint32_t type = group_shape_local_type(&group, router, port);
                assert_int_equal(
                    type, type_of(&config, router, group_shape_end(&group, router, port).router));
                seen |= 1u << type;
            }
        }
        assert_true(seen < 1u << group_shape_local_types(&group));
    }
}

/* With bandwidths of 2, 3 and 7 times a unit, a bisection counts each link so often. */
static void bisections_count_the_bandwidth_of_types(void **state) {
    (void)state;
    const uint32_t times[] = {2, 3, 7};
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config = machine_of(i, "");
        struct topology topology;
        struct bisection_graph graph;
        struct bisection_result result;
        struct bisection_options options = {.threads = 1, .exact_routers = BISECTION_MAX};
        assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
        assert_int_equal(bisection_graph_from_topology(&graph, &topology, NULL), STATUS_OK);
        bisection_graph_apply_bandwidths(&graph, &topology.group_shape, times);
        assert_int_equal(bisection_run(&result, &graph, &options, NULL), STATUS_OK);
        assert_true(result.proven);
        uint32_t a = topology.routers_per_group, n = 2 * a;
        uint64_t min = UINT64_MAX, sum = 0;
        for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
            if ((uint32_t)__builtin_popcount(set) * 2 != n) continue;
            uint64_t cost = 0;
            for (uint32_t r = 0; r < n; r++) {
                if ((set >> r & 1) == 0) continue;
                uint32_t end = topology.link_peers[r]; /* h = 1 */
                cost += end != TOPOLOGY_UNCONNECTED && (set >> end & 1) == 0;
                for (uint32_t port = 0; port < topology.group_shape.ports_per_router; port++) {
                    uint32_t to = group_shape_end(&topology.group_shape, r % a, port).router;
                    if ((set >> (r - r % a + to) & 1) == 0)
                        cost += times[type_of(&config, r % a, to)];
                }
            }
            if (cost < min) min = cost;
        }
        for (uint32_t r = 0; r < a; r++)
            for (uint32_t port = 0; port < topology.group_shape.ports_per_router; port++)
                sum += times[type_of(&config, r,
                                     group_shape_end(&topology.group_shape, r, port).router)];
        assert_int_equal(graph.local_links, sum); /* of two groups, each link once */
        uint64_t found = UINT64_MAX;
        for (size_t line = 0; line < result.line_count; line++) {
            uint64_t cost = result.lines[line].local_links + result.lines[line].global_links;
            if (cost < found) found = cost;
        }
        assert_int_equal(found, min);
        bisection_result_free(&result);
        bisection_graph_free(&graph);
        topology_free(&topology);
    }
}

/* Cables and ports cost what their bandwidth says. */
static void cables_and_ports_cost_what_their_bandwidth_says(void **state) {
    (void)state;
    struct floor_config floor;
    struct setting_section section = {floor_setting_rows, floor_setting_count, &floor};
    struct settings settings = {&section, 1};
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    floor.router_price_bandwidth_microdollars = 1000000;
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config =
            machine_of(i, "local.bandwidth=4GB/s local2.bandwidth=4GB/s");
        struct topology topology;
        struct floor_bill equal, none, twice;
        config.more_locals[1].bandwidth_bytes_per_s = 0;
        assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
        assert_int_equal(floor_bill_make(&equal, &floor, &config, &topology, NULL), STATUS_OK);
        config.more_locals[0].bandwidth_bytes_per_s = 0;
        assert_int_equal(floor_bill_make(&none, &floor, &config, &topology, NULL), STATUS_OK);
        assert_int_equal(equal.cable_price_microdollars, none.cable_price_microdollars);
        assert_int_equal(equal.router_price_microdollars, none.router_price_microdollars);
        config.more_locals[0].bandwidth_bytes_per_s = INT64_C(8000000000);
        assert_int_equal(floor_bill_make(&twice, &floor, &config, &topology, NULL), STATUS_OK);
        uint32_t a = topology.routers_per_group, second = 0, all = 0;
        for (uint32_t r = 0; r < a; r++)
            for (uint32_t port = 0; port < topology.group_shape.ports_per_router; port++, all++)
                second += type_of(&config, r,
                                  group_shape_end(&topology.group_shape, r, port).router) == 1;
        /* all cables of a group have one length here; rounding is at most a millionth each */
        __int128 local = none.level[NETWORK_LOCAL].price;
        __int128 more = twice.level[NETWORK_LOCAL].price - local - local * second / all;
        assert_true(more >= -2 && more <= 2);
        assert_true((twice.router_price_microdollars > none.router_price_microdollars) ==
                    (second > 0));
        assert_int_equal(twice.level[NETWORK_LOCAL].cables, none.level[NETWORK_LOCAL].cables);
        topology_free(&topology);
    }
}

/* A slow link with fewer bytes takes longer than a fast one with more. */
static void slow_links_with_fewer_bytes_take_longer(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=4 globals_per_router=1 groups=2 group.drawer=2 "
        "local.bandwidth=24GB/s local2.bandwidth=5GB/s local.framing=1/2");
    struct expected_links sums[EXPECTED_KINDS];
    struct expected_load *load = NULL;
    assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
    expected_load_add(load, &(struct network_message){.source_node = 0, .destination_node = 1},
                      48000);
    expected_load_add(load, &(struct network_message){.source_node = 0, .destination_node = 2},
                      10001);
    expected_load_sum(load, sums);
    expected_load_free(load);
    assert_true(sums[EXPECTED_LOCAL].max_bytes == 10001);
    assert_int_equal(sums[EXPECTED_LOCAL].bandwidth_bytes_per_s, 2500000000);
    assert_int_equal(sums[EXPECTED_LOCAL].destination, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_channel_has_the_type_of_its_position),
        cmocka_unit_test(bisections_count_the_bandwidth_of_types),
        cmocka_unit_test(cables_and_ports_cost_what_their_bandwidth_says),
        cmocka_unit_test(slow_links_with_fewer_bytes_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
