/* Link arrangements over all small shapes, and the wiring that is built from them. */
#include "network/arrangement.h"
#include "network/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUTERS_MOST 12
#define GLOBALS_MOST 8
#define LINKS_MOST   (ROUTERS_MOST * GLOBALS_MOST)

static void fail_at(const arrangement *arrangement, const arrangement_shape *shape, uint32_t group,
                    uint32_t link, const char *what) {
    fail_msg("%s, a=%u h=%u g=%u, group %u, link %u: %s", arrangement->name, shape->routers,
             shape->globals, shape->groups, group, link, what);
}

/* Involution, no link to the own group; counts the links of every pair of groups. */
static void check_links(const arrangement *arrangement, const arrangement_shape *shape,
                        uint32_t *joined) {
    uint32_t links = shape->routers * shape->globals;
    for (uint32_t group = 0; group < shape->groups; group++) {
        for (uint32_t x = 0; x < links; x++) {
            arrangement_link end =
                arrangement_peer(arrangement, shape, (arrangement_link){group, x});
            if (end.group == UINT32_MAX) continue;
            if (end.group >= shape->groups || end.link >= links || end.group == group)
                fail_at(arrangement, shape, group, x, "leads nowhere");
            arrangement_link back = arrangement_peer(arrangement, shape, end);
            if (back.group != group || back.link != x)
                fail_at(arrangement, shape, group, x, "is not the other end of its other end");
            joined[group * shape->groups + end.group]++;
        }
    }
}

/*
 * Links are spread evenly: any two pairs of groups differ by one at most. Only where one link a
 * group is left over and there is an odd number of groups, one group keeps a link free; no shape
 * leaves more than that one unconnected.
 */
static void check_spread(const arrangement *arrangement, const arrangement_shape *shape,
                         const uint32_t *joined) {
    uint32_t links = shape->routers * shape->globals;
    uint32_t least = UINT32_MAX, most = 0, sum = 0;
    for (uint32_t i = 0; i < shape->groups; i++) {
        for (uint32_t j = 0; j < shape->groups; j++) {
            if (i == j) continue;
            uint32_t count = joined[i * shape->groups + j];
            if (count < least) least = count;
            if (count > most) most = count;
            sum += count;
        }
    }
    uint32_t left = links % (shape->groups - 1);
    uint32_t unconnected = shape->groups * links - sum;
    if (unconnected != (left % 2 == 1 && shape->groups % 2 == 1))
        fail_at(arrangement, shape, 0, 0, "wrong number of unconnected links");
    if (least == 0) fail_at(arrangement, shape, 0, 0, "two groups are not connected");
    bool uneven = left % 2 == 1 && left > 1; /* the odd one may double one of the others */
    if (most - least > 1u + uneven) fail_at(arrangement, shape, 0, 0, "unevenly spread");
    if (shape->groups == links + 1 && (least != 1 || most != 1))
        fail_at(arrangement, shape, 0, 0, "the full size has not one link a pair");
}

static void test_all_small_shapes(void **state) {
    (void)state;
    static uint32_t joined[(LINKS_MOST + 1) * (LINKS_MOST + 1)];
    for (const arrangement *row = arrangements(); row->name != NULL; row++) {
        for (uint32_t a = 1; a <= ROUTERS_MOST; a++) {
            for (uint32_t h = 1; h <= GLOBALS_MOST; h++) {
                for (uint32_t g = 2; g <= a * h + 1; g++) {
                    arrangement_shape shape = {a, h, g};
                    memset(joined, 0, (size_t)g * g * sizeof *joined);
                    check_links(row, &shape, joined);
                    check_spread(row, &shape, joined);
                }
            }
        }
    }
}

/* A machine of one group has no global link in use. */
static void test_one_group(void **state) {
    (void)state;
    for (const arrangement *row = arrangements(); row->name != NULL; row++) {
        arrangement_shape shape = {4, 2, 1};
        for (uint32_t x = 0; x < 8; x++)
            assert_int_equal(arrangement_peer(row, &shape, (arrangement_link){0, x}).group,
                             UINT32_MAX);
    }
}

/* Where the papers' formulas say link k of switch j leads, for full machines. */
static void test_definitions(void **state) {
    (void)state;
    const uint32_t a = 4, h = 2, g = 9;
    arrangement_shape shape = {a, h, g};
    for (uint32_t i = 0; i < g; i++) {
        for (uint32_t j = 0; j < a; j++) {
            for (uint32_t k = 0; k < h; k++) {
                uint32_t x = j * h + k;
                arrangement_link link = {i, x};
                assert_int_equal(arrangement_peer(&arrangements()[0], &shape, link).group,
                                 x < i ? x : x + 1);
                assert_int_equal(arrangement_peer(&arrangements()[1], &shape, link).group,
                                 (i + x + 1) % g);
            }
        }
    }
    assert_string_equal(arrangements()[0].name, "absolute");
    assert_string_equal(arrangements()[1].name, "relative");
}

static network_config config_of(const arrangement_shape *shape, int32_t arrangement) {
    return (network_config){.nodes_per_router = 2,
                            .routers_per_group = shape->routers,
                            .globals_per_router = shape->globals,
                            .groups = shape->groups,
                            .arrangement = arrangement};
}

/* The tables of the wiring say the same as the arrangement: ends, and links by destination. */
static void check_topology(const arrangement_shape *shape, int32_t arrangement) {
    network_config config = config_of(shape, arrangement);
    topology topology;
    status status = STATUS_INIT;
    if (topology_new(&topology, &config, &status) != STATUS_OK) fail_msg("%s", status.text);
    for (uint32_t group = 0; group < shape->groups; group++) {
        uint32_t listed = 0;
        uint32_t connected = 0;
        for (uint32_t x = 0; x < topology.links; x++) {
            arrangement_link end =
                arrangement_peer(&arrangements()[arrangement], shape, (arrangement_link){group, x});
            uint32_t expected = end.group == UINT32_MAX ? TOPOLOGY_UNCONNECTED
                                                        : end.group * topology.links + end.link;
            assert_int_equal(topology.peer[group * topology.links + x], expected);
            connected += expected != TOPOLOGY_UNCONNECTED;
        }
        for (uint32_t other = 0; other < shape->groups; other++) {
            uint32_t count;
            const uint16_t *links = topology_links(&topology, group, other, &count);
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(topology.peer[group * topology.links + links[i]] / topology.links,
                                 other);
                assert_true(i == 0 || links[i] > links[i - 1]);
            }
            assert_true(other == group ? count == 0 : count >= 1);
            listed += count;
        }
        assert_int_equal(listed, connected);
    }
    topology_free(&topology);
}

static void test_topology_tables(void **state) {
    (void)state;
    for (int32_t arrangement = 0; arrangements()[arrangement].name != NULL; arrangement++) {
        for (uint32_t a = 1; a <= 6; a++) {
            for (uint32_t h = 1; h <= 3; h++) {
                for (uint32_t g = 1; g <= a * h + 1; g++)
                    check_topology(&(arrangement_shape){a, h, g}, arrangement);
            }
        }
    }
}

/* Ports: terminals, then the other routers of the group in order, then global ports. */
static void test_ports(void **state) {
    (void)state;
    arrangement_shape shape = {4, 2, 9};
    network_config config = config_of(&shape, 0);
    topology topology;
    assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
    assert_int_equal(topology.radix, 2 + 3 + 2);
    const network_level levels[] = {NETWORK_TERMINAL, NETWORK_TERMINAL, NETWORK_LOCAL,
                                    NETWORK_LOCAL,    NETWORK_LOCAL,    NETWORK_GLOBAL,
                                    NETWORK_GLOBAL};
    for (uint32_t port = 0; port < 7; port++)
        assert_int_equal(topology_level(&topology, port), levels[port]);
    for (uint32_t from = 0; from < 4; from++) {
        uint32_t port = 2;
        for (uint32_t to = 0; to < 4; to++) {
            if (to != from) assert_int_equal(topology_local_port(&topology, from, to), port++);
        }
    }
    topology_free(&topology);
}

/* Programs may ask for shapes that network_config_check would refuse. */
static void test_unconnected_groups_are_refused(void **state) {
    (void)state;
    network_config config = config_of(&(arrangement_shape){2, 1, 5}, 0);
    topology topology;
    status status = STATUS_INIT;
    assert_int_equal(topology_new(&topology, &config, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "no global link joins group"));
    status_clear(&status);
    topology_free(&topology);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_small_shapes),
        cmocka_unit_test(test_one_group),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_topology_tables),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_unconnected_groups_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
