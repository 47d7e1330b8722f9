/* Distances, paths and links of topologies, held against plain enumeration on small machines. */
#include "network/analysis/topology_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROUTERS_MAX = 80 };

struct machine {
    struct network_config config;
    struct topology topology;
    struct topology_facts facts;
    uint32_t routers;
    bool joined[ROUTERS_MAX][ROUTERS_MAX];   /* by some channel */
    uint32_t hops[ROUTERS_MAX][ROUTERS_MAX]; /* of shortest paths */
};

static bool machine_make(struct machine *machine, uint32_t p, uint32_t a, uint32_t h, uint32_t g,
                         int32_t arrangement) {
    memset(machine, 0, sizeof *machine);
    machine->config = (struct network_config){.nodes_per_router = p,
                                              .routers_per_group = a,
                                              .globals_per_router = h,
                                              .groups = g,
                                              .arrangement = arrangement,
                                              .arrangement_seed = 3};
    if (topology_new(&machine->topology, &machine->config, NULL) != STATUS_OK) {
        topology_free(&machine->topology);
        return false;
    }
    assert_int_equal(topology_facts_find(&machine->facts, &machine->topology, NULL), STATUS_OK);
    machine->routers = a * g;
    assert_true(machine->routers <= ROUTERS_MAX);
    return true;
}

static void machine_free(struct machine *machine) {
    topology_facts_free(&machine->facts);
    topology_free(&machine->topology);
}

/* All shortest paths, by relaxing over every router in turn. */
static void measure(struct machine *machine) {
    uint32_t n = machine->routers, a = machine->topology.routers_per_group,
             h = machine->topology.globals_per_router;
    for (uint32_t place = 0; place < n * h; place++) {
        uint32_t end = machine->topology.link_peers[place];
        if (end != TOPOLOGY_UNCONNECTED) machine->joined[place / h][end / h] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            if (i != j && i / a == j / a) machine->joined[i][j] = true;
            machine->hops[i][j] = i == j ? 0 : machine->joined[i][j] ? 1 : 99;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (machine->hops[i][k] + machine->hops[k][j] < machine->hops[i][j])
                    machine->hops[i][j] = machine->hops[i][k] + machine->hops[k][j];
}

static void check_distances(const struct machine *machine) {
    uint64_t at[TOPOLOGY_HOPS_MAX + 1] = {0}, p = machine->topology.endpoints_per_router;
    uint64_t sum = 0, pairs = 0;
    uint32_t diameter = 0;
    for (uint32_t i = 0; i < machine->routers; i++) {
        for (uint32_t j = 0; j < machine->routers; j++) {
            uint32_t hops = machine->hops[i][j];
            assert_true(hops <= TOPOLOGY_HOPS_MAX);
            at[hops]++;
            sum += hops * p * p;
            pairs += i == j ? p * (p - 1) : p * p;
            if (hops > diameter) diameter = hops;
        }
    }
    assert_memory_equal(at, machine->facts.pairs_at, sizeof at);
    assert_int_equal(machine->facts.diameter, diameter);
    assert_true(machine->facts.shortest_sum == sum);
    assert_int_equal(machine->facts.endpoint_pairs, pairs);
}

/* Minimal routes over every link between two groups; their mean is whole times the links. */
static void check_minimal(const struct machine *machine) {
    const struct topology *topology = &machine->topology;
    uint32_t a = topology->routers_per_group, h = topology->globals_per_router, max = 0;
    double sum = 0;
    for (uint32_t i = 0; i < machine->routers; i++) {
        for (uint32_t j = 0; j < machine->routers; j++) {
            if (i / a == j / a) {
                sum += i != j;
                if (i != j && max < 1) max = 1;
                continue;
            }
            uint32_t count, hops = 0;
            const uint16_t *links = topology_links(topology, i / a, j / a, &count);
            for (uint32_t n = 0; n < count; n++) {
                uint32_t end = topology->link_peers[i / a * topology->links_per_group + links[n]];
                uint32_t route = 1 + (links[n] / h != i % a) + (end / h != j);
                hops += route;
                if (route > max) max = route;
            }
            sum += (double)hops / count;
        }
    }
    double nodes = topology->endpoints_per_router;
    double expected = (double)machine->facts.minimal_millionths / 1e6;
    assert_true(sum * nodes * nodes > expected - 1e-6 && sum * nodes * nodes < expected + 1e-6);
    assert_int_equal(machine->facts.minimal_diameter, max);
}

static void check_links(const struct machine *machine) {
    const struct topology *topology = &machine->topology;
    uint32_t g = topology->groups;
    uint64_t global_links = 0, local_links = 0, min = UINT64_MAX, max = 0, sum = 0;
    uint64_t pairs[ROUTERS_MAX * 8] = {0};
    for (uint32_t i = 0; i < g; i++) {
        local_links += topology->routers_per_group * (topology->routers_per_group - 1) / 2;
        for (uint32_t j = 0; j < g; j++) {
            uint32_t direct, first, second;
            uint64_t nonminimal_paths = 0;
            if (i == j) continue;
            topology_links(topology, i, j, &direct);
            if (i < j) pairs[direct]++;
            if (i < j) global_links += direct;
            for (uint32_t k = 0; k < g; k++) {
                if (k == i || k == j) continue;
                topology_links(topology, i, k, &first);
                topology_links(topology, k, j, &second);
                nonminimal_paths += first * second;
            }
            sum += nonminimal_paths;
            if (nonminimal_paths < min) min = nonminimal_paths;
            if (nonminimal_paths > max) max = nonminimal_paths;
        }
    }
    const struct topology_facts *facts = &machine->facts;
    assert_int_equal(facts->global_links, global_links);
    assert_int_equal(facts->local_links, local_links);
    assert_int_equal(facts->free_globals,
                     machine->routers * topology->globals_per_router - 2 * global_links);
    assert_true(facts->nonminimal_paths_sum == sum);
    assert_true(facts->nonminimal_range_known);
    assert_int_equal(facts->nonminimal_paths_min, g > 1 ? min : 0);
    assert_int_equal(facts->nonminimal_paths_max, max);
    for (uint32_t n = 0; n < facts->spread_count; n++) {
        assert_int_equal(facts->spread[n].pairs, pairs[facts->spread[n].links]);
        assert_true(facts->spread[n].pairs > 0);
        assert_true(n == 0 || facts->spread[n].links > facts->spread[n - 1].links);
        pairs[facts->spread[n].links] = 0;
    }
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        assert_int_equal(pairs[n], 0);
}

static void facts_agree_with_enumeration(void **state) {
    (void)state;
    const uint32_t shapes[][4] = {{2, 4, 2, 9}, {1, 3, 3, 10}, {3, 4, 3, 5}, {2, 1, 4, 5},
                                  {2, 1, 4, 3}, {1, 5, 2, 2},  {2, 6, 0, 1}, {1, 1, 0, 1},
                                  {2, 3, 1, 3}, {1, 5, 3, 16}, {2, 2, 6, 7}};
    static struct machine machine;
    unsigned made = 0;
    for (int32_t arrangement = 0; arrangements()[arrangement].name != NULL; arrangement++) {
        for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
            const uint32_t *shape = shapes[n];
            if (!machine_make(&machine, shape[0], shape[1], shape[2], shape[3], arrangement))
                continue;
            measure(&machine);
            check_distances(&machine);
            check_minimal(&machine);
            check_links(&machine);
            machine_free(&machine);
            made++;
        }
    }
    assert_true(made > 60);
}

/* Kim 2008: the virtual radix of Figure 5's groups is 16, and a full machine has one link a pair.
 */
static void kim_72_has_the_virtual_radix_of_the_paper(void **state) {
    (void)state;
    static struct machine machine;
    assert_true(machine_make(&machine, 2, 4, 2, 9, 0));
    assert_int_equal(machine.facts.virtual_radix, 16);
    assert_int_equal(machine.topology.radix, 7);
    assert_int_equal(machine.facts.endpoints, 72);
    assert_int_equal(machine.facts.spread_count, 1);
    assert_int_equal(machine.facts.spread[0].links, 1);
    assert_int_equal(machine.facts.nonminimal_paths_min, 7);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_agree_with_enumeration),
        cmocka_unit_test(kim_72_has_the_virtual_radix_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
