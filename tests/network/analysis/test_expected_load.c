/* Expected link loads: every byte is injected and ejected once, crosses one global link between
 * groups and none within, and is spread evenly over the links where there are several. */
#include "network/analysis/expected_load.h"

#include "tests/support/network/failing_world.h"

struct shape {
    const char *settings;
    uint32_t nodes_per_router, routers, groups;
};

static const struct shape shapes[] = {
    {"nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9", 2, 4, 9},
    {"nodes_per_router=1 routers_per_group=3 globals_per_router=2 groups=4", 1, 3, 4},
    {"nodes_per_router=3 routers_per_group=2 globals_per_router=3 groups=2 arrangement=relative", 3,
     2, 2},
    {"nodes_per_router=2 routers_per_group=1 globals_per_router=4 groups=5", 2, 1, 5},
    {"nodes_per_router=2 routers_per_group=5 globals_per_router=1 groups=1", 2, 5, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Divisible by all numbers of links between two groups. */
#define BYTES UINT64_C(720720)

static void every_pair_loads_its_links(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        struct network_config config = network_world_config(shapes[i].settings);
        uint32_t per_group = shapes[i].nodes_per_router * shapes[i].routers;
        uint32_t nodes = per_group * shapes[i].groups;
        uint32_t links =
            shapes[i].groups > 1 ? shapes[i].routers * (uint32_t)config.globals_per_router : 0;
        for (uint32_t pair = 0; pair < nodes * nodes; pair++) {
            uint32_t from = pair / nodes, to = pair % nodes;
            bool apart = from != to, far = from / per_group != to / per_group;
            struct expected_links sums[EXPECTED_KINDS];
            struct expected_load *load = NULL;
            assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
            expected_load_add(
                load, &(struct network_message){.source_node = from, .destination_node = to},
                BYTES);
            expected_load_sum(load, sums);
            expected_load_free(load);
            assert_int_equal(sums[EXPECTED_INJECTION].total_bytes, apart ? BYTES : 0);
            assert_int_equal(sums[EXPECTED_EJECTION].max_bytes, apart ? BYTES : 0);
            assert_int_equal(sums[EXPECTED_INJECTION].links, nodes);
            assert_int_equal(sums[EXPECTED_LOCAL].links,
                             shapes[i].groups * shapes[i].routers * (shapes[i].routers - 1));
            assert_int_equal(sums[EXPECTED_GLOBAL].total_bytes, far ? BYTES : 0);
            if (apart) assert_int_equal(sums[EXPECTED_EJECTION].destination, to);
            if (!far) {
                bool local = from / shapes[i].nodes_per_router != to / shapes[i].nodes_per_router;
                assert_int_equal(sums[EXPECTED_LOCAL].total_bytes, local ? BYTES : 0);
                continue;
            }
            uint64_t used = sums[EXPECTED_GLOBAL].used, even = links / (shapes[i].groups - 1);
            assert_in_range(used, even, even + 1);
            assert_int_equal(sums[EXPECTED_GLOBAL].max_bytes * used, BYTES);
            assert_true(sums[EXPECTED_LOCAL].total_bytes <= 2 * BYTES);
            assert_int_equal(sums[EXPECTED_LOCAL].total_bytes % (BYTES / used), 0);
        }
    }
}

/* Both ends of a global link that joins their routers: no local hop. */
static void ends_of_a_global_link_need_no_local_hop(void **state) {
    (void)state;
    struct network_config config = network_world_config(shapes[0].settings);
    uint32_t without = 0;
    for (uint32_t to = 8; to < 72; to++) {
        struct expected_links sums[EXPECTED_KINDS];
        struct expected_load *load = NULL;
        assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
        expected_load_add(load, &(struct network_message){.source_node = 0, .destination_node = to},
                          BYTES);
        expected_load_sum(load, sums);
        expected_load_free(load);
        without += sums[EXPECTED_LOCAL].total_bytes == 0;
    }
    assert_int_equal(without, 4); /* two global links of router 0, two nodes at each other end */
}

/* Router 1, with nodes 2 and 3, has failed in rail 1, and a link between groups 2 and 0 in rail 0.
 */
static void rails_carry_what_failures_leave_them(void **state) {
    (void)state;
    struct network_config config = with_file("rail 1 router 0 1\nrail 0 global 2 0 0\n",
                                             "nodes_per_router=2 routers_per_group=4 "
                                             "globals_per_router=2 groups=9 rails=2");
    static const struct {
        uint32_t from, to;
        uint64_t rails, global_bytes;
    } pairs[] = {{0, 6, 2, 0},
                 {0, 2, 1, 0},
                 {3, 40, 1, BYTES},
                 {8, 40, 2, BYTES},
                 /* in rail 0 by way of third groups: two global hops for half of it */
                 {16, 0, 2, BYTES + BYTES / 2}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct expected_links sums[EXPECTED_KINDS];
        struct expected_load *load = NULL;
        assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
        expected_load_add(load,
                          &(struct network_message){.source_node = pairs[i].from,
                                                    .destination_node = pairs[i].to},
                          BYTES);
        expected_load_sum(load, sums);
        expected_load_free(load);
        assert_int_equal(sums[EXPECTED_INJECTION].links, 72 + 70);
        assert_int_equal(sums[EXPECTED_LOCAL].links, 9 * 12 + 8 * 12 + 6);
        assert_int_equal(sums[EXPECTED_GLOBAL].links, 72 - 2 + 72 - 4);
        assert_int_equal(sums[EXPECTED_INJECTION].used, pairs[i].rails);
        assert_int_equal(sums[EXPECTED_EJECTION].max_bytes, BYTES / pairs[i].rails);
        assert_int_equal(sums[EXPECTED_GLOBAL].total_bytes, pairs[i].global_bytes);
    }
    struct expected_links sums[EXPECTED_KINDS];
    struct expected_load *load = NULL; /* what is left over by division is not lost */
    assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
    expected_load_add(load, &(struct network_message){.source_node = 8, .destination_node = 40},
                      BYTES + 1);
    expected_load_sum(load, sums);
    expected_load_free(load);
    assert_int_equal(sums[EXPECTED_INJECTION].total_bytes, BYTES + 1);
    assert_int_equal(sums[EXPECTED_GLOBAL].max_bytes, BYTES / 2 + 1);
    unlink(config.failures_file);
}

/* Two of three parallel links between two routers carry what the third one did. */
static void working_parallel_links_carry_what_a_failed_one_did(void **state) {
    (void)state;
    struct network_config config =
        with_file("local 0 0 1 1\n", "nodes_per_router=1 routers_per_group=3 "
                                     "globals_per_router=1 groups=4 group.links=3");
    struct expected_links sums[EXPECTED_KINDS];
    struct expected_load *load = NULL;
    assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
    expected_load_add(load, &(struct network_message){.source_node = 0, .destination_node = 1},
                      BYTES + 1);
    expected_load_sum(load, sums);
    expected_load_free(load);
    assert_int_equal(sums[EXPECTED_LOCAL].used, 2);
    assert_int_equal(sums[EXPECTED_LOCAL].total_bytes, BYTES + 1);
    assert_int_equal(sums[EXPECTED_LOCAL].max_bytes, BYTES / 2 + 1);
    unlink(config.failures_file);
}

/* What cannot be sent must not be missing from the figures without a word. */
static void traffic_that_no_rail_carries_is_told(void **state) {
    (void)state;
    struct network_config config = with_file("rail 0 router 0 1\nrail 1 router 0 2\n",
                                             "nodes_per_router=2 routers_per_group=4 "
                                             "globals_per_router=2 groups=9 rails=2");
    struct status status = STATUS_INIT;
    struct expected_load *load = NULL;
    assert_int_equal(expected_load_new(&load, &config, &status), STATUS_USAGE);
    assert_null(load);
    assert_non_null(strstr(status.text, "no rail in which node 2 and node 4 both have a router"));
    status_clear(&status);
    unlink(config.failures_file);
}

/* Nodes of two NICs on routers 2i and 2i + 1: traffic of ranks uses their NICs, other traffic all
 * pairs of NICs alike, and traffic of a NIC that has failed those that work. */
static void loads_follow_the_nics_of_ranks(void **state) {
    (void)state;
    const char *shape = "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                        "node.nics=2";
    const struct {
        uint8_t source_nic, destination_nic;
        const char *failed;
        uint64_t injections; /* used channels from node 0, and the bytes of the busiest */
        wide max;
        uint64_t locals;
    } cases[] = {
        {1, 1, NULL, 1, BYTES, 1},           /* router 0 to router 2 */
        {2, 1, NULL, 1, BYTES, 1},           /* router 1 to router 2 */
        {0, 0, NULL, 2, BYTES / 2, 4},       /* both to both */
        {1, 1, "router 0 0\n", 1, BYTES, 1}, /* router 1 to router 2 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network_config config = cases[i].failed != NULL ? with_file(cases[i].failed, shape)
                                                               : network_world_config(shape);
        struct expected_links sums[EXPECTED_KINDS];
        struct expected_load *load = NULL;
        assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
        const struct network_message message = {.destination_node = 2,
                                                .source_nic = cases[i].source_nic,
                                                .destination_nic = cases[i].destination_nic};
        expected_load_add(load, &message, BYTES);
        expected_load_sum(load, sums);
        expected_load_free(load);
        assert_int_equal(sums[EXPECTED_INJECTION].used, cases[i].injections);
        assert_int_equal(sums[EXPECTED_INJECTION].max_bytes, cases[i].max);
        assert_int_equal(sums[EXPECTED_INJECTION].total_bytes, BYTES);
        assert_int_equal(sums[EXPECTED_INJECTION].source, 0);
        assert_int_equal(sums[EXPECTED_EJECTION].destination, 2);
        assert_int_equal(sums[EXPECTED_LOCAL].used, cases[i].locals);
    }
}

/* A node's link is as fast as its NIC sends: the slowest of channel, NIC and host interface. */
static void a_node_is_as_fast_as_its_slowest_part(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int64_t bandwidth;
    } cases[] = {
        {"terminal.bandwidth=8GB/s", 8000000000},
        {"terminal.bandwidth=8GB/s nic.bandwidth=5GB/s nic.host_bandwidth=6GB/s", 5000000000},
        {"terminal.bandwidth=8GB/s nic.bandwidth=9GB/s nic.host_bandwidth=6GB/s", 6000000000},
        {"terminal.bandwidth=8GB/s nic.bandwidth=9GB/s", 8000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network_config config = network_world_config(cases[i].settings);
        struct expected_links sums[EXPECTED_KINDS];
        struct expected_load *load = NULL;
        assert_int_equal(expected_load_new(&load, &config, NULL), STATUS_OK);
        expected_load_add(load, &(struct network_message){.destination_node = 2}, BYTES);
        expected_load_sum(load, sums);
        expected_load_free(load);
        assert_int_equal(sums[EXPECTED_INJECTION].bandwidth_bytes_per_s, cases[i].bandwidth);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_loads_its_links),
        cmocka_unit_test(ends_of_a_global_link_need_no_local_hop),
        cmocka_unit_test(rails_carry_what_failures_leave_them),
        cmocka_unit_test(working_parallel_links_carry_what_a_failed_one_did),
        cmocka_unit_test(traffic_that_no_rail_carries_is_told),
        cmocka_unit_test(loads_follow_the_nics_of_ranks),
        cmocka_unit_test(a_node_is_as_fast_as_its_slowest_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
