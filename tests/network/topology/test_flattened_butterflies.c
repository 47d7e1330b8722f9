/*
 * Groups that are flattened butterflies: shapes and tours by themselves, figures of machines
 * against enumeration, idle and overloaded networks under every policy. Freedom from deadlock by
 * enumeration: test_dependencies.c, test_ofar.c.
 */
#include "network/network_choices.h"
#include "tests/support/network/traffic_world.h"

#include "network/analysis/bisection/bisection.h"
#include "network/analysis/expected_load.h"
#include "network/analysis/floor_plan.h"
#include "network/analysis/topology_facts.h"
#include "network/routing/observation/saturation.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"
#include "network/topology/hamiltonian_path.h"
#include "tests/support/network/network_face.h"

#include <stdbool.h>

enum { ROUTERS_MAX = 64 };

static const struct {
    const char *dimensions, *links;
    uint32_t routers;
} shapes[] = {
    {"0", "1", 1},      {"0", "2", 5},     {"6", "1", 6},          {"1x4", "1x3", 4},
    {"4x1", "2", 4},    {"2x2", "1", 4},   {"3x2", "1", 6},        {"2x5", "3x1", 10},
    {"4x3", "1x2", 12}, {"2x2x2", "2", 8}, {"3x3", "1", 9},        {"8x2", "2", 16},
    {"2x3x2", "1", 12}, {"3x1x3", "1", 9}, {"4x3x5", "1x2x3", 60},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct group_shape shape_of(size_t i) {
    int64_t dimensions, links;
    assert_int_equal(units_parse_dimensions(shapes[i].dimensions, &dimensions, NULL), STATUS_OK);
    assert_int_equal(units_parse_dimensions(shapes[i].links, &links, NULL), STATUS_OK);
    return group_shape_of(shapes[i].routers, dimensions, links);
}

/* ---------------------------------------------------------------- shapes */

static void check_path(const struct group_shape *shape, uint32_t from, uint32_t to) {
    uint32_t last = 0, here = from;
    for (uint32_t left = group_shape_hops(shape, from, to); left > 0; left--) {
        assert_int_equal(group_shape_hops(shape, here, to), left);
        uint32_t port = group_shape_port(shape, here, to);
        assert_true(port >= last); /* in order of dimensions */
        last = port;
        struct group_end end = group_shape_end(shape, here, port);
        assert_int_equal(group_shape_hops(shape, here, end.router), 1);
        for (uint32_t k = 0; k < group_shape_links(shape, port); k++)
            assert_int_equal(group_shape_end(shape, here, port + k).router, end.router);
        here = end.router;
        last = port + 1;
    }
    assert_int_equal(here, to);
}

static void paths_and_distances_follow_the_shape(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct group_shape shape = shape_of(i);
        uint32_t diameter = 0;
        for (uint32_t from = 0; from < shape.routers; from++) {
            uint64_t sum = 0;
            for (uint32_t to = 0; to < shape.routers; to++) {
                check_path(&shape, from, to);
                uint32_t hops = group_shape_hops(&shape, from, to);
                sum += hops;
                if (hops > diameter) diameter = hops;
            }
            assert_int_equal(sum, group_shape_hop_sum(&shape));
            for (uint32_t port = 0; port < shape.ports_per_router; port++) {
                struct group_end end = group_shape_end(&shape, from, port);
                struct group_end back = group_shape_end(&shape, end.router, end.port);
                assert_true(end.router < shape.routers && end.router != from);
                assert_int_equal(back.router, from);
                assert_int_equal(back.port, port);
            }
        }
        assert_int_equal(diameter, shape.diameter);
    }
}

/* Between all pairs, but in groups with no dimension of more than two routers. */
static void tours_visit_each_router_once(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct group_shape shape = shape_of(i);
        bool narrow = true;
        for (unsigned d = 0; d < shape.dimension_count; d++)
            narrow = narrow && shape.dimensions[d].extent <= 2;
        for (uint32_t pair = 0; pair < shape.routers * shape.routers; pair++) {
            uint32_t from = pair / shape.routers, to = pair % shape.routers, path[ROUTERS_MAX];
            if (!hamiltonian_path_find(&shape, from, to, path)) {
                assert_true(narrow || from == to);
                continue;
            }
            bool seen[ROUTERS_MAX] = {false};
            assert_int_equal(path[0], from);
            assert_int_equal(path[shape.routers - 1], to);
            for (uint32_t k = 0; k < shape.routers; k++) {
                assert_false(seen[path[k]]);
                seen[path[k]] = true;
                if (k > 0) assert_int_equal(group_shape_hops(&shape, path[k - 1], path[k]), 1);
            }
        }
    }
}

/* ---------------------------------------------------------------- machines without simulation */

static struct network_config machine_of(size_t i, const char *pairs) {
    struct network_config config = network_world_config(pairs);
    char text[100];
    snprintf(text, sizeof text, "routers_per_group=%u group.dimensions=%s group.links=%s",
             shapes[i].routers, shapes[i].dimensions, shapes[i].links);
    network_world_set(&config, text);
    return config;
}

static uint32_t hops_between[4 * ROUTERS_MAX][4 * ROUTERS_MAX];

/* All shortest paths over a wiring, by relaxing over every router in turn. */
static void measure(const struct topology *topology) {
    uint32_t a = topology->routers_per_group, n = a * topology->groups;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            hops_between[i][j] = i == j ? 0 : 99;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < a; j++) /* neighbours differ in one coordinate */
            if (group_shape_hops(&topology->group_shape, i % a, j) == 1)
                hops_between[i][i - i % a + j] = 1;
        for (uint32_t k = 0; k < topology->globals_per_router; k++) {
            uint32_t end = topology->link_peers[i * topology->globals_per_router + k];
            if (end != TOPOLOGY_UNCONNECTED)
                hops_between[i][end / topology->globals_per_router] = 1;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (hops_between[i][k] + hops_between[k][j] < hops_between[i][j])
                    hops_between[i][j] = hops_between[i][k] + hops_between[k][j];
}

/* Hops of minimal routes between two routers, times links: the mean over links is exact. */
static uint64_t minimal_hops(const struct topology *topology, uint32_t from, uint32_t to,
                             uint32_t *count) {
    uint32_t a = topology->routers_per_group, h = topology->globals_per_router;
    const struct group_shape *group = &topology->group_shape;
    *count = 1;
    if (from / a == to / a) return group_shape_hops(group, from % a, to % a);
    const uint16_t *links = topology_links(topology, from / a, to / a, count);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t peer = topology->link_peers[from / a * topology->links_per_group + links[i]];
        sum += 1 + group_shape_hops(group, from % a, links[i] / h) +
               group_shape_hops(group, peer % topology->links_per_group / h, to % a);
    }
    return sum;
}

static void facts_agree_with_enumeration(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config =
            machine_of(i, "nodes_per_router=2 globals_per_router=1 groups=2 arrangement=relative");
        struct topology topology;
        struct topology_facts facts;
        assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
        assert_int_equal(topology_facts_find(&facts, &topology, NULL), STATUS_OK);
        measure(&topology);
        uint32_t n = topology.routers_per_group * topology.groups, diameter = 0, links = 0,
                 longest = 0;
        uint64_t at[TOPOLOGY_HOPS_MAX + 1] = {0}, shortest = 0, minimal = 0;
        for (uint32_t from = 0; from < n; from++) {
            for (uint32_t to = 0; to < n; to++) {
                uint32_t count, hops = hops_between[from][to];
                uint64_t routes = minimal_hops(&topology, from, to, &count);
                at[hops]++;
                shortest += hops;
                if (hops > diameter) diameter = hops;
                assert_int_equal(routes * 5040 % count, 0);
                minimal += routes * 5040 / count;
                if (count == 1 && routes > longest) longest = (uint32_t)routes;
                if (from / topology.routers_per_group == to / topology.routers_per_group)
                    for (uint32_t k = 0; k < topology.group_shape.ports_per_router; k++)
                        links += group_shape_end(&topology.group_shape,
                                                 from % topology.routers_per_group, k)
                                     .router == to % topology.routers_per_group;
            }
        }
        assert_memory_equal(at, facts.pairs_at, sizeof at);
        assert_int_equal(facts.diameter, diameter);
        assert_true(facts.shortest_sum == 4 * shortest);
        assert_true(topology.links_per_group > 9 ||
                    facts.minimal_millionths * 5040 == (__uint128_t)4000000 * minimal);
        assert_true(longest <= facts.minimal_diameter);
        assert_int_equal(facts.local_links * 2, links);
        struct bisection_graph graph;
        assert_int_equal(bisection_graph_from_topology(&graph, &topology, NULL), STATUS_OK);
        assert_int_equal(graph.local_links, facts.local_links);
        bisection_graph_free(&graph);
        struct floor_config floor = {.groups_per_cabinet = 1, .cabinets_per_group = 1};
        struct floor_bill bill;
        assert_int_equal(floor_bill_count(&bill, &floor, &topology, NULL), STATUS_OK);
        assert_int_equal(bill.level[NETWORK_LOCAL].cables, facts.local_links);
        topology_facts_free(&facts);
        topology_free(&topology);
    }
}

/* Exact bisections of small machines against all cuts, with the links of each as shapes say. */
static void bisections_agree_with_enumeration(void **state) {
    (void)state;
    const char *const machines[] = {
        "routers_per_group=4 group.dimensions=2x2 groups=3",
        "routers_per_group=4 group.dimensions=2x2 group.links=1x3 groups=4",
        "routers_per_group=6 group.dimensions=3x2 group.links=2x1 groups=2",
        "routers_per_group=8 group.dimensions=2x2x2 group.links=1x2x3 groups=2",
    };
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        struct network_config config =
            network_world_config("nodes_per_router=1 globals_per_router=1");
        network_world_set(&config, machines[m]);
        struct topology topology;
        struct bisection_graph graph;
        struct bisection_result result;
        struct bisection_options options = {.threads = 1, .exact_routers = BISECTION_MAX};
        assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
        assert_int_equal(bisection_graph_from_topology(&graph, &topology, NULL), STATUS_OK);
        assert_int_equal(bisection_run(&result, &graph, &options, NULL), STATUS_OK);
        assert_true(result.proven);
        uint32_t n = topology.routers_per_group * topology.groups, local[16][16] = {{0}},
                 global[16] = {0};
        for (uint32_t i = 0; i < n; i++) {
            uint32_t inside = i % topology.routers_per_group, end = topology.link_peers[i];
            global[i] = end == TOPOLOGY_UNCONNECTED ? i : end; /* h = 1 */
            for (uint32_t port = 0; port < topology.group_shape.ports_per_router; port++)
                local[i]
                     [i - inside + group_shape_end(&topology.group_shape, inside, port).router]++;
        }
        uint64_t min[3] = {UINT64_MAX, UINT64_MAX, UINT64_MAX}; /* at alpha 1/4, 1, 4 */
        const uint64_t weights[3][2] = {{4, 1}, {1, 1}, {1, 4}};
        for (uint32_t set = 0; set < UINT32_C(1) << (n - 1); set++) {
            if ((uint32_t)__builtin_popcount(set) * 2 != n) continue;
            uint64_t locals = 0, globals = 0;
            for (uint32_t i = 0; i < n; i++) {
                if ((set >> i & 1) == 0) continue;
                globals += (set >> global[i] & 1) == 0;
                for (uint32_t j = 0; j < n; j++)
                    locals += (set >> j & 1) == 0 ? local[i][j] : 0;
            }
            for (int w = 0; w < 3; w++) {
                uint64_t cost = weights[w][0] * locals + weights[w][1] * globals;
                if (cost < min[w]) min[w] = cost;
            }
        }
        for (int w = 0; w < 3; w++) {
            uint64_t found = UINT64_MAX;
            for (size_t i = 0; i < result.line_count; i++) {
                uint64_t cost = weights[w][0] * result.lines[i].local_links +
                                weights[w][1] * result.lines[i].global_links;
                if (cost < found) found = cost;
            }
            assert_int_equal(found, min[w]);
        }
        bisection_result_free(&result);
        bisection_graph_free(&graph);
        topology_free(&topology);
    }
}

/* Every message's bytes are on as many local links as its paths have local hops. */
static void loads_agree_with_the_hops_of_paths(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config =
            machine_of(i, "nodes_per_router=1 globals_per_router=1 groups=2 arrangement=relative");
        struct topology topology;
        struct expected_load *load;
        struct expected_links sums[EXPECTED_KINDS];
        assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
        assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
        uint64_t hops = 0, bytes = 720720;
        uint32_t n = topology.routers_per_group * 2;
        for (uint32_t from = 0; from < n; from++) {
            uint32_t count, to = (from * 7 + 3) % n;
            expected_load_add(
                load, &(struct network_message){.source_node = from, .destination_node = to},
                bytes);
            uint64_t routes = minimal_hops(&topology, from, to, &count);
            hops += routes * bytes / count -
                    (from / topology.routers_per_group != to / topology.routers_per_group) * bytes;
        }
        expected_load_sum(load, sums);
        assert_int_equal(sums[EXPECTED_LOCAL].links, n * topology.group_shape.ports_per_router);
        assert_in_range(sums[EXPECTED_LOCAL].total_bytes + n, hops, hops + 2 * n);
        expected_load_free(load);
        topology_free(&topology);
    }
}

static void wrong_shapes_are_refused(void **state) {
    (void)state;
    const struct {
        const char *pairs, *says;
    } cases[] = {
        {"routers_per_group=8 group.dimensions=2x3", "make a group of 6 routers"},
        {"routers_per_group=6 group.dimensions=2x3 group.links=1x2x3", "groups have 2 dimensions"},
        {"routers_per_group=6 group.links=1x2", "groups have 1 dimension;"},
        {"routers_per_group=64 group.links=17", "p + local ones + h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        network_world_refused(cases[i].pairs, cases[i].says);
}

/* ---------------------------------------------------------------- idle networks */

#define PAUSE_PS INT64_C(1000000000)

/* One packet over c channels of one bandwidth and latency takes c·latency + (c-1)·hop + ser. */
static void packets_take_the_closed_form(void **state) {
    (void)state;
    const char *const routings[] = {"routing=minimal", "routing=ugal-l", "routing=ofar-ordered"};
    for (size_t n = 0; n < 3 * SHAPES; n++) {
        size_t i = n / 3;
        if (shapes[i].routers > 12) continue;
        struct network_config config =
            machine_of(i, "nodes_per_router=1 globals_per_router=1 groups=2 arrangement=relative "
                          "packet=1000B header=0 terminal.bandwidth=1GB/s local.bandwidth=1GB/s "
                          "global.bandwidth=1GB/s terminal.latency=10ns local.latency=10ns "
                          "global.latency=10ns router.latency=100ns");
        network_world_set(&config, routings[n % 3]);
        struct network_world world;
        network_world_new(&world, &config, 1);
        const struct topology *topology = &world.network->topology;
        uint32_t nodes = network_node_count(world.network);
        for (uint32_t pair = 0; pair < nodes * nodes; pair++)
            if (pair / nodes != pair % nodes)
                network_world_send(&world, pair / nodes, pair % nodes, 1000, pair * PAUSE_PS);
        network_world_run(&world, 1);
        for (size_t k = 0; k < world.count; k++) {
            const struct network_delivery *delivery = &world.deliveries[k].delivery;
            int64_t took_ps = world.deliveries[k].time_ps - delivery->ready_ps;
            assert_int_equal(delivery->zero_load_ps, took_ps);
            uint32_t count, from = delivery->source_node, to = delivery->destination_node;
            uint64_t routes = minimal_hops(topology, from, to, &count);
            uint32_t channels = delivery->routers + 1;
            if (count == 1) assert_int_equal(channels, routes + 2);
            assert_int_equal(took_ps, channels * 10000 + delivery->routers * 100000 + 1000000);
            assert_true(delivery->is_minimal);
        }
        network_world_free(&world);
    }
}

/* Messages take all parallel links to a neighbour; with an adaptive policy packets do, and never
 * wait for one while another is free. */
static void count_port(void *context, const struct network_link *link) {
    uint64_t *packets = context;
    if (link->channel_kind == NETWORK_LOCAL && link->source == 0)
        packets[link->port] += link->packets;
}

static void parallel_links_share_the_load(void **state) {
    (void)state;
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        struct network_config config = network_world_config(
            "nodes_per_router=1 routers_per_group=2 globals_per_router=0 groups=1 group.links=3 "
            "packet=1000B header=0 local.bandwidth=1GB/s terminal.bandwidth=3GB/s");
        network_world_set(&config, adaptive ? "routing=ugal-l" : "routing=minimal");
        struct network_world world;
        network_world_new(&world, &config, 1);
        for (int i = 0; i < 30; i++)
            network_world_send(&world, 0, 1, 1000, 0);
        network_world_send(&world, 0, 1, 300000, 1000 * PAUSE_PS);
        network_world_run(&world, 1);
        uint64_t packets[4] = {0};
        network_visit_links(world.network, count_port, packets);
        assert_int_equal(packets[1] + packets[2] + packets[3], 330);
        for (int port = 1; port < 4; port++)
            assert_true(packets[port] > 0 &&
                        (!adaptive || (packets[port] > 100 && packets[port] < 120)));
        const struct network_delivery *last = &world.deliveries[30].delivery;
        int64_t took_ps = world.deliveries[30].time_ps - last->ready_ps;
        if (adaptive)
            assert_true(took_ps < 110000000);
        else
            assert_true(took_ps > 300000000);
        network_world_free(&world);
    }
}

struct listener {
    struct rail_group *rail_group;
    int64_t heard_ps[3]; /* by routers 0, 1 and 4: at 0, 1 and 2 hops */
};

static void listen(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                   uint64_t data) {
    (void)entity;
    (void)data;
    struct listener *listener = context;
    const uint32_t routers[] = {0, 1, 4};
    for (int i = 0; i < 3; i++)
        if (listener->heard_ps[i] < 0 && saturation_known(rail_group, routers[i], 0))
            listener->heard_ps[i] = now_ps;
}

/* News of a saturated link takes a local latency for each hop. */
static void news_takes_a_local_latency_for_each_hop(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=6 globals_per_router=3 groups=4 group.dimensions=3x2 "
        "routing=piggyback local.latency=20ns");
    struct listener listener = {.heard_ps = {-1, -1, -1}};
    struct network_sink sink = {.context = &listener, .timer = listen};
    struct network *network;
    assert_int_equal(network_new(&network, &config, 1, &sink, NULL), STATUS_OK);
    struct rail_group *rail_group = network_home_of_group(network, 0);
    face_set_time(rail_group, 0);
    saturation_count(rail_group, 0, 1 << 20);
    saturation_settle(rail_group);
    for (int i = 0; i < 60; i++) /* timers come after the news of their instant */
        network_set_timer(rail_group, i * 1000, 0, 0);
    struct status status = STATUS_INIT;
    struct network_run_options options = {.threads = 1};
    assert_int_equal(network_run(network, &options, &status), STATUS_OK);
    for (int hops = 0; hops < 3; hops++)
        assert_int_equal(listener.heard_ps[hops], hops * 20000);
    network_free(network);
}

/* ---------------------------------------------------------------- loaded networks */

#define SMALL                                                                                      \
    "nodes_per_router=2 globals_per_router=1 packet=64B header=0 terminal.bandwidth=8GB/s "        \
    "local.bandwidth=8GB/s global.bandwidth=8GB/s phit=8B terminal.latency=1ns "                   \
    "local.latency=10ns global.latency=30ns router.latency=0 terminal.buffer=128B "                \
    "local.buffer=128B global.buffer=256B starvation=100us "

static const char *const groups[] = {
    "routers_per_group=6 groups=5 group.dimensions=3x2 group.links=1x2",
    "routers_per_group=8 groups=4 group.dimensions=2x2x2",
    "routers_per_group=3 groups=4 group.links=2",
};

static struct traffic_point run(const struct network_config *config, char *pattern,
                                unsigned threads) {
    struct traffic_config traffic = traffic_world_config(pattern, 1000000, 1500000, 100000);
    traffic.queue_messages = 4;
    struct traffic_options options = {.threads = threads};
    return traffic_world_run(config, &traffic, 1000000, 1, &options, NULL);
}

/* Offered all that can be injected, every policy keeps delivering, loses nothing (network_run
 * looks) and does the same on two threads. */
static void every_policy_delivers_beyond_saturation(void **state) {
    (void)state;
    static char uniform[] = "uniform", ahead[] = "adv+1";
    for (size_t n = 0; n < sizeof groups / sizeof *groups; n++) {
        for (int32_t routing = 0; network_routing_names()[routing] != NULL; routing++) {
            for (int kind = 0; kind < 2; kind++) {
                struct network_config config = network_world_config(SMALL);
                network_world_set(&config, groups[n]);
                config.routing = routing;
                const struct routing_policy *policy = &routing_policies()[routing];
                if (kind == 1 && policy->has_intermediate_router)
                    config.valiant = NETWORK_VALIANT_ROUTER;
                if (kind == 1 && policy->local_vcs > 0)
                    network_world_set(&config, "misrouting=mm+l ofar.ring=physical");
                if (n == 1) config.ofar_ring = RING_PHYSICAL;
                char *pattern = kind == 0 ? uniform : ahead;
                struct traffic_point serial = run(&config, pattern, 1);
                assert_true(serial.accepted_millionths > 20000);
                if ((size_t)routing % 3 != n) continue; /* for time's sake */
                struct traffic_point parallel = run(&config, pattern, 2);
                assert_int_equal(parallel.totals.digest, serial.totals.digest);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_distances_follow_the_shape),
        cmocka_unit_test(tours_visit_each_router_once),
        cmocka_unit_test(facts_agree_with_enumeration),
        cmocka_unit_test(bisections_agree_with_enumeration),
        cmocka_unit_test(loads_agree_with_the_hops_of_paths),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(packets_take_the_closed_form),
        cmocka_unit_test(parallel_links_share_the_load),
        cmocka_unit_test(news_takes_a_local_latency_for_each_hop),
        cmocka_unit_test(every_policy_delivers_beyond_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
