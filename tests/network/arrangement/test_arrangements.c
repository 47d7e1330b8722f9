/* Link arrangements over all small shapes, and the wiring that is built from them. */
#include "network/arrangement/arrangement.h"
#include "network/topology/topology.h"
#include "tests/support/core/scratch_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUTERS_MAX 12
#define GLOBALS_MAX 8
#define LINKS_MAX   (ROUTERS_MAX * GLOBALS_MAX)

static uint32_t other[(LINKS_MAX + 1) * LINKS_MAX];
static uint32_t joined[(LINKS_MAX + 1) * (LINKS_MAX + 1)];

static void fail_at(const struct arrangement *arrangement, const struct arrangement_shape *shape,
                    uint32_t group, uint32_t link, const char *what) {
    fail_msg("%s, a=%u h=%u g=%u, group %u, link %u: %s", arrangement->name,
             shape->routers_per_group, shape->globals_per_router, shape->groups, group, link, what);
}

static const struct arrangement *row_of(const char *name) {
    for (const struct arrangement *row = arrangements(); row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    fail_msg("there is no arrangement %s", name);
    return NULL;
}

/* Wires a small machine into `other`; false where the arrangement is not defined. */
static bool wire_seeded(const struct arrangement *arrangement,
                        const struct arrangement_shape *shape, uint64_t seed) {
    struct arrangement_input input = {*shape, seed, NULL};
    if (arrangement->reads_file ||
        (arrangement->needs_even_globals && shape->globals_per_router % 2 == 1)) {
        assert_int_equal(arrangement_wire(arrangement, &input, other, NULL), STATUS_USAGE);
        return false;
    }
    memset(other, 0xA5, sizeof other);
    assert_int_equal(arrangement_wire(arrangement, &input, other, NULL), STATUS_OK);
    return true;
}

static bool wire(const struct arrangement *arrangement, const struct arrangement_shape *shape) {
    return wire_seeded(arrangement, shape, 1);
}

/* Involution, no link to the own group; counts the links of every pair of groups. */
static void check_links(const struct arrangement *arrangement,
                        const struct arrangement_shape *shape) {
    uint32_t links = shape->routers_per_group * shape->globals_per_router;
    memset(joined, 0, (size_t)shape->groups * shape->groups * sizeof *joined);
    for (uint32_t place = 0; place < shape->groups * links; place++) {
        uint32_t end = other[place], group = place / links, x = place % links;
        if (end == ARRANGEMENT_UNCONNECTED) continue;
        if (end >= shape->groups * links || end / links == group)
            fail_at(arrangement, shape, group, x, "leads nowhere");
        if (other[end] != place)
            fail_at(arrangement, shape, group, x, "is not the other end of its other end");
        joined[group * shape->groups + end / links]++;
    }
}

/*
 * Links are spread evenly: any two pairs of groups differ by one at most. Only where the links and
 * the groups are odd in number, one group keeps a link free.
 */
static void check_spread(const struct arrangement *arrangement,
                         const struct arrangement_shape *shape) {
    uint32_t links = shape->routers_per_group * shape->globals_per_router;
    uint32_t min = UINT32_MAX, max = 0, sum = 0;
    for (uint32_t i = 0; i < shape->groups; i++) {
        for (uint32_t j = 0; j < shape->groups; j++) {
            if (i == j) continue;
            uint32_t count = joined[i * shape->groups + j];
            if (count < min) min = count;
            if (count > max) max = count;
            sum += count;
        }
    }
    uint32_t unconnected = shape->groups * links - sum;
    if (unconnected != (links % 2 == 1 && shape->groups % 2 == 1))
        fail_at(arrangement, shape, 0, 0, "wrong number of unconnected links");
    if (min == 0) fail_at(arrangement, shape, 0, 0, "two groups are not connected");
    if (max - min > 1) fail_at(arrangement, shape, 0, 0, "unevenly spread");
    if (shape->groups == links + 1 && (min != 1 || max != 1))
        fail_at(arrangement, shape, 0, 0, "the full size has not one link a pair");
}

static void links_are_consistent_and_spread_in_all_small_shapes(void **state) {
    (void)state;
    for (const struct arrangement *row = arrangements(); row->name != NULL; row++) {
        for (uint32_t a = 1; a <= ROUTERS_MAX; a++) {
            for (uint32_t h = 1; h <= GLOBALS_MAX; h++) {
                for (uint32_t g = 2; g <= a * h + 1; g++) {
                    struct arrangement_shape shape = {a, h, g};
                    if (!wire(row, &shape)) continue;
                    check_links(row, &shape);
                    check_spread(row, &shape);
                }
            }
        }
    }
}

/* A machine of one group has no global link in use. */
static void one_group_uses_no_global_link(void **state) {
    (void)state;
    for (const struct arrangement *row = arrangements(); row->name != NULL; row++) {
        if (!wire(row, &(struct arrangement_shape){4, 2, 1})) continue;
        for (uint32_t x = 0; x < 8; x++)
            assert_int_equal(other[x], ARRANGEMENT_UNCONNECTED);
    }
}

/* ---------------------------------------------------------------- definitions of the papers */

/* The groups that arrangements by an order of destinations reach, for full machines. */
static void orders_of_destinations_reach_their_groups(void **state) {
    (void)state;
    const uint32_t a = 4, h = 2, g = 9;
    const char *const names[] = {"absolute", "relative", "circulant"};
    for (size_t n = 0; n < 3; n++) {
        assert_true(wire(row_of(names[n]), &(struct arrangement_shape){a, h, g}));
        for (uint32_t i = 0; i < g; i++) {
            for (uint32_t x = 0; x < a * h; x++) {
                uint32_t expected[] = {x < i ? x : x + 1, (i + x + 1) % g,
                                       (x % 2 == 0 ? i + x / 2 + 1 : i + g - x / 2 - 1) % g};
                assert_int_equal(other[i * a * h + x] / (a * h), expected[n]);
            }
        }
    }
}

/* Whether some link joins two switches. */
static bool are_joined(const struct arrangement_shape *shape, uint32_t i, uint32_t j, uint32_t to_i,
                       uint32_t to_j) {
    const uint32_t *links =
        &other[(i % shape->groups * shape->routers_per_group + j) * shape->globals_per_router];
    uint32_t to = to_i % shape->groups * shape->routers_per_group + to_j;
    for (uint32_t k = 0; k < shape->globals_per_router; k++)
        if (links[k] != ARRANGEMENT_UNCONNECTED && links[k] / shape->globals_per_router == to)
            return true;
    return false;
}

/* Equations 1 and 3 of the paper, for full machines of all small shapes; h links a switch are
 * counted, so there are no others. */
static void helix_follows_the_equations_of_its_paper(void **state) {
    (void)state;
    for (uint32_t a = 1; a <= ROUTERS_MAX; a++) {
        for (uint32_t h = 1; h <= GLOBALS_MAX; h++) {
            struct arrangement_shape shape = {a, h, a * h + 1};
            assert_true(wire(row_of("helix"), &shape));
            for (uint32_t i = 0; i < shape.groups; i++) {
                for (uint32_t j = 0; j < a; j++) {
                    for (uint32_t k = 0; k < h / 2; k++)
                        assert_true(are_joined(&shape, i, j, i + j * (h / 2) + k + 1, (j + 1) % a));
                    if (h % 2 == 1)
                        assert_true(are_joined(&shape, i, j, i + a * (h / 2) + j + 1, a - j - 1));
                }
            }
        }
    }
}

/* The paper's construction as it is told there, with a matrix of joined groups. */
static void build_nautilus(const struct arrangement_shape *shape, bool by_index, bool *switches) {
    static bool groups_joined[(LINKS_MAX + 1) * (LINKS_MAX + 1)];
    static uint32_t degree[(LINKS_MAX + 1) * ROUTERS_MAX];
    uint32_t a = shape->routers_per_group, g = shape->groups, all = g * a;
    memset(groups_joined, 0, sizeof groups_joined);
    memset(degree, 0, sizeof degree);
    memset(switches, 0, (size_t)all * all);
    for (uint32_t i = 0; i < g; i++) {
        for (uint32_t j = 0; j < a; j++) {
            bool plus = by_index ? (i * a + j) % 2 == 0 : j % 2 == 0;
            for (uint32_t step = 1; step < g && degree[i * a + j] < shape->globals_per_router;
                 step++) {
                uint32_t to = (plus ? i + step : i + g - step) % g;
                if (groups_joined[i * g + to]) continue;
                groups_joined[i * g + to] = groups_joined[to * g + i] = true;
                uint32_t one = i * a + j, two = to * a + i % a;
                degree[one]++;
                degree[two]++;
                switches[one * all + two] = switches[two * all + one] = true;
            }
        }
    }
}

static void nautilus_follows_the_definition_of_its_paper(void **state) {
    (void)state;
    static bool switches[400 * 400];
    for (int by_index = 0; by_index < 2; by_index++) {
        const struct arrangement *row = row_of(by_index ? "nautilus-index" : "nautilus");
        for (uint32_t a = 1; a <= 7; a++) {
            for (uint32_t h = 1; h <= 7; h++) {
                struct arrangement_shape shape = {a, h, a * h + 1};
                uint32_t all = shape.groups * a, count = 0;
                if (all > 400) continue;
                build_nautilus(&shape, by_index, switches);
                assert_true(wire(row, &shape));
                for (uint32_t place = 0; place < all * h; place++, count++)
                    assert_true(switches[place / h * all + other[place] / h]);
                assert_int_equal(count, all * h);
            }
        }
    }
}

/* Where the paper's text fixes single links of (p,3,3): its Figure 2. */
static void nautilus_has_the_links_of_figure_2(void **state) {
    (void)state;
    struct arrangement_shape shape = {3, 3, 10};
    assert_true(wire(row_of("nautilus"), &shape));
    for (uint32_t step = 1; step <= 3; step++) {
        assert_true(are_joined(&shape, 0, 0, step, 0));
        assert_true(are_joined(&shape, 0, 1, 10 - step, 0));
        assert_true(are_joined(&shape, 0, 2, 3 + step, 0));
    }
    assert_true(are_joined(&shape, 1, 0, 2, 1));
    assert_true(are_joined(&shape, 1, 0, 3, 1));
}

/* The two readings differ for odd a only. */
static void the_readings_of_nautilus_differ_for_odd_a_only(void **state) {
    (void)state;
    static uint32_t first[sizeof other / sizeof *other];
    for (uint32_t a = 2; a <= 7; a++) {
        struct arrangement_shape shape = {a, 3, a * 3 + 1};
        assert_true(wire(row_of("nautilus"), &shape));
        memcpy(first, other, sizeof other);
        assert_true(wire(row_of("nautilus-index"), &shape));
        bool same = memcmp(first, other, shape.groups * a * 3 * sizeof *other) == 0;
        assert_true(same == (a % 2 == 0));
    }
}

/* Seeds give different machines, the same seed the same one. */
static void random_arrangements_depend_on_the_seed(void **state) {
    (void)state;
    static uint32_t first[sizeof other / sizeof *other];
    struct arrangement_shape shape = {4, 2, 9};
    assert_true(wire_seeded(row_of("random"), &shape, 7));
    memcpy(first, other, sizeof other);
    assert_true(wire_seeded(row_of("random"), &shape, 7));
    assert_memory_equal(first, other, sizeof other);
    assert_true(wire_seeded(row_of("random"), &shape, 8));
    assert_memory_not_equal(first, other, 72 * sizeof *other);
}

/* Every switch of a group has the same chance of owning the link to another group. */
static void random_links_are_uniform(void **state) {
    (void)state;
    struct arrangement_shape shape = {4, 2, 9};
    uint32_t owners[4] = {0};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        assert_true(wire_seeded(row_of("random"), &shape, seed));
        for (uint32_t x = 0; x < 8; x++)
            if (other[x] / 8 == 5) owners[x / 2]++;
    }
    for (uint32_t j = 0; j < 4; j++) /* 1000 ± 5 standard deviations of 27 */
        assert_true(owners[j] > 863 && owners[j] < 1137);
}

/* ---------------------------------------------------------------- files */

static const char *const path = scratch_file.path;

static void write_links(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A wiring written as a file is the same wiring when it is read. */
static void a_written_wiring_is_read_back(void **state) {
    (void)state;
    static uint32_t written[sizeof other / sizeof *other];
    const struct arrangement_shape shapes[] = {{4, 2, 9}, {3, 3, 10}, {3, 1, 3}, {2, 4, 4}};
    for (const struct arrangement *row = arrangements(); row->name != NULL; row++) {
        for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
            struct arrangement_shape shape = shapes[n];
            uint32_t h = shape.globals_per_router, a = shape.routers_per_group;
            if (!wire(row, &shape)) continue;
            memcpy(written, other, sizeof other);
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            for (uint32_t place = 0; place < shape.groups * a * h; place++) {
                uint32_t end = other[place];
                if (end == ARRANGEMENT_UNCONNECTED || end < place) continue;
                fprintf(file, "%u %u %u\t%u %u %u # %s\n", place / h / a, place / h % a, place % h,
                        end / h / a, end / h % a, end % h, row->name);
            }
            assert_int_equal(fclose(file), 0);
            struct arrangement_input input = {shape, 1, path};
            memset(other, 0xA5, sizeof other);
            assert_int_equal(arrangement_wire(row_of("file"), &input, other, NULL), STATUS_OK);
            assert_memory_equal(other, written, shape.groups * a * h * sizeof *other);
        }
    }
}

/* Lines without link numbers take a router's links in order. */
static void lines_without_link_numbers_take_links_in_order(void **state) {
    (void)state;
    const uint32_t expected[] = {4, 8, ARRANGEMENT_UNCONNECTED, ARRANGEMENT_UNCONNECTED,
                                 0, 9, ARRANGEMENT_UNCONNECTED, ARRANGEMENT_UNCONNECTED,
                                 1, 5, ARRANGEMENT_UNCONNECTED, ARRANGEMENT_UNCONNECTED};
    struct arrangement_input input = {{2, 2, 3}, 1, path};
    write_links("# three groups\n\n0 0 1 0\n  0 0   2 0\n1 0 2 0# last\n");
    assert_int_equal(arrangement_wire(row_of("file"), &input, other, NULL), STATUS_OK);
    assert_memory_equal(other, expected, sizeof expected);
}

/* Every fault is told, with its line. */
static void faults_of_a_file_name_their_lines(void **state) {
    (void)state;
    const struct {
        const char *text, *fault;
        struct arrangement_shape shape;
    } cases[] = {
        {"", "holds no links", {2, 2, 3}},
        {"# nothing\n", "holds no links", {2, 2, 3}},
        {"0 0 1\n", ":1:6: error: a router number is expected here", {2, 2, 3}},
        {"0 0 1 0\nx\n", ":2:1: error: a group number is expected here", {2, 2, 3}},
        {"0 0 3 0\n", ":1:5: error: there is no such group", {2, 2, 3}},
        {"0 0 1 2\n", ":1:7: error: there is no such router", {2, 2, 3}},
        {"0 0 1 0 0\n", ":1:9: error: nothing more is expected", {2, 2, 3}},
        {"0 0 2 1 0 0\n", ":1:5: error: there is no such global link", {2, 2, 3}},
        {"0 0 0 1 0 0\n0 0 0 2 0 0\n", ":2:5: error: global link 0 of router 0", {2, 2, 3}},
        {"0 0 0 1 0 0\n0 0 1 0\n", ":2:1: error: lines before have 6 numbers", {2, 2, 3}},
        {"0 0 0 1\n", ":1:1: error: a global link joins two groups", {2, 2, 3}},
        {"0 0 0 0 0 0\n", ":1:11: error: global link 0 of router 0", {2, 2, 3}},
        {"0 0 1 0\n0 0 1 0\n0 0 1 1\n", ":3:5: error: router 0 of group 0 has 2", {2, 2, 3}},
        {"0 0 1 0\n1 0 2 0\n", "error: no line joins group 0 with group 2", {2, 2, 3}},
        {"0 0 1 0\n", "error: 1224 pairs of groups are not joined", {20, 3, 50}},
        {"0 4294967296 1 0\n", ":1:3: error: there is no such router", {2, 2, 3}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct arrangement_input input = {cases[n].shape, 1, path};
        struct status status = STATUS_INIT;
        static uint32_t wiring[50 * 60];
        write_links(cases[n].text);
        assert_int_equal(arrangement_wire(row_of("file"), &input, wiring, &status), STATUS_INPUT);
        if (strstr(status.text, cases[n].fault) == NULL)
            fail_msg("`%s` is not in: %s", cases[n].fault, status.text);
        status_clear(&status);
    }
    struct arrangement_input input = {{2, 2, 3}, 1, path};
    struct status status = STATUS_INIT;
    write_links("0 9 1 0\n9 0 1 0\n0 0 1 0\n");
    assert_int_equal(arrangement_wire(row_of("file"), &input, other, &status), STATUS_INPUT);
    assert_non_null(strstr(status.text, ":1:3: error:"));
    assert_non_null(strstr(status.text, ":2:1: error:"));
    status_clear(&status);
    input.file = "/nonexistent/links";
    assert_int_equal(arrangement_wire(row_of("file"), &input, other, &status), STATUS_INPUT);
    status_clear(&status);
}

/* What an arrangement is not defined for, and files where they mean nothing. */
static void undefined_arrangements_are_refused(void **state) {
    (void)state;
    const struct {
        const char *name, *file, *fault;
        uint32_t globals;
    } cases[] = {
        {"circulant", NULL, "takes an even number of global channels", 3},
        {"file", "", "needs a file", 2},
        {"helix", "links", "network.arrangement_file means nothing", 2},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct arrangement_input input = {{4, cases[n].globals, 5}, 1, cases[n].file};
        struct status status = STATUS_INIT;
        assert_int_equal(arrangement_wire(row_of(cases[n].name), &input, other, &status),
                         STATUS_USAGE);
        assert_non_null(strstr(status.text, cases[n].fault));
        status_clear(&status);
    }
}

/* ---------------------------------------------------------------- the wiring's tables */

static struct network_config config_of(const struct arrangement_shape *shape, int32_t arrangement) {
    return (struct network_config){.nodes_per_router = 2,
                                   .routers_per_group = shape->routers_per_group,
                                   .globals_per_router = shape->globals_per_router,
                                   .groups = shape->groups,
                                   .arrangement = arrangement,
                                   .arrangement_seed = 1};
}

/* The tables of the wiring say the same as the arrangement: ends, and links by destination. */
static void check_topology(const struct arrangement_shape *shape, int32_t arrangement) {
    if (!wire(&arrangements()[arrangement], shape)) return;
    struct network_config config = config_of(shape, arrangement);
    struct topology topology;
    struct status status = STATUS_INIT;
    if (topology_new(&topology, &config, &status) != STATUS_OK) fail_msg("%s", status.text);
    for (uint32_t group = 0; group < shape->groups; group++) {
        uint32_t listed = 0;
        uint32_t connected = 0;
        for (uint32_t x = 0; x < topology.links_per_group; x++) {
            uint32_t expected = other[group * topology.links_per_group + x];
            assert_int_equal(topology.link_peers[group * topology.links_per_group + x], expected);
            connected += expected != TOPOLOGY_UNCONNECTED;
        }
        for (uint32_t third = 0; third < shape->groups; third++) {
            uint32_t count;
            const uint16_t *links = topology_links(&topology, group, third, &count);
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(topology.link_peers[group * topology.links_per_group + links[i]] /
                                     topology.links_per_group,
                                 third);
                assert_true(i == 0 || links[i] > links[i - 1]);
            }
            assert_true(third == group ? count == 0 : count >= 1);
            listed += count;
        }
        assert_int_equal(listed, connected);
    }
    topology_free(&topology);
}

static void topologies_agree_with_their_arrangement(void **state) {
    (void)state;
    for (int32_t arrangement = 0; arrangements()[arrangement].name != NULL; arrangement++) {
        for (uint32_t a = 1; a <= 6; a++) {
            for (uint32_t h = 1; h <= 3; h++) {
                for (uint32_t g = 1; g <= a * h + 1; g++)
                    check_topology(&(struct arrangement_shape){a, h, g}, arrangement);
            }
        }
    }
}

/* Tapering: the wiring of a machine with fewer global links per router, in the first of its ports.
 */
static void tapered_machines_use_the_first_ports(void **state) {
    (void)state;
    for (int32_t arrangement = 0; arrangements()[arrangement].name != NULL; arrangement++) {
        for (uint32_t used = 1; used <= 4; used++) {
            struct arrangement_shape shape = {3, used, 4};
            if (!wire(&arrangements()[arrangement], &shape)) continue;
            struct network_config config =
                config_of(&(struct arrangement_shape){3, 5, 4}, arrangement);
            config.globals_used = used;
            struct topology topology;
            assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
            for (uint32_t place = 0; place < 4 * 3 * 5; place++) {
                uint32_t router = place / 5, k = place % 5;
                uint32_t end = k < used ? other[router * used + k] : ARRANGEMENT_UNCONNECTED;
                if (end != ARRANGEMENT_UNCONNECTED) end = end / used * 5 + end % used;
                assert_int_equal(topology.link_peers[place], end);
            }
            topology_free(&topology);
        }
    }
}

/* Ports: terminals, then the other routers of the group in order, then global ports. */
static void ports_are_terminal_local_global(void **state) {
    (void)state;
    struct arrangement_shape shape = {4, 2, 9};
    struct network_config config = config_of(&shape, 0);
    struct topology topology;
    assert_int_equal(topology_new(&topology, &config, NULL), STATUS_OK);
    assert_int_equal(topology.radix, 2 + 3 + 2);
    const network_channel_kind kinds[] = {NETWORK_TERMINAL, NETWORK_TERMINAL, NETWORK_LOCAL,
                                          NETWORK_LOCAL,    NETWORK_LOCAL,    NETWORK_GLOBAL,
                                          NETWORK_GLOBAL};
    for (uint32_t port = 0; port < 7; port++)
        assert_int_equal(topology_channel_kind(&topology, port), kinds[port]);
    for (uint32_t from = 0; from < 4; from++) {
        uint32_t port = 2;
        for (uint32_t to = 0; to < 4; to++) {
            if (to != from) assert_int_equal(topology_local_port(&topology, 0, from, to), port++);
        }
    }
    topology_free(&topology);
}

/* Programs may ask for shapes that network_config_check would refuse. */
static void unconnected_groups_are_refused(void **state) {
    (void)state;
    struct network_config config = config_of(&(struct arrangement_shape){2, 1, 5}, 0);
    struct topology topology;
    struct status status = STATUS_INIT;
    assert_int_equal(topology_new(&topology, &config, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "no global link joins group"));
    status_clear(&status);
    topology_free(&topology);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_consistent_and_spread_in_all_small_shapes),
        cmocka_unit_test(one_group_uses_no_global_link),
        cmocka_unit_test(orders_of_destinations_reach_their_groups),
        cmocka_unit_test(helix_follows_the_equations_of_its_paper),
        cmocka_unit_test(nautilus_follows_the_definition_of_its_paper),
        cmocka_unit_test(nautilus_has_the_links_of_figure_2),
        cmocka_unit_test(the_readings_of_nautilus_differ_for_odd_a_only),
        cmocka_unit_test(random_arrangements_depend_on_the_seed),
        cmocka_unit_test(random_links_are_uniform),
        cmocka_unit_test(a_written_wiring_is_read_back),
        cmocka_unit_test(lines_without_link_numbers_take_links_in_order),
        cmocka_unit_test(faults_of_a_file_name_their_lines),
        cmocka_unit_test(undefined_arrangements_are_refused),
        cmocka_unit_test(topologies_agree_with_their_arrangement),
        cmocka_unit_test(tapered_machines_use_the_first_ports),
        cmocka_unit_test(ports_are_terminal_local_global),
        cmocka_unit_test(unconnected_groups_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_file_make, scratch_file_remove);
}
