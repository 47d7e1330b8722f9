/* Placements: for every shape a bijection within its limits and its inverse; requests and files
 * that cannot be met are refused with what would fit. */
#include "tests/support/core/scratch_file.h"
#include "tests/support/mapping/placement_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK, RANDOM, NODES, RANKFILE };

#define CONFIG(place, per_node, path)                                                              \
    (struct placement_config) {                                                                    \
        .policy = (place), .ranks_per_node = (per_node), .file = (path)                            \
    }

static struct placement_machine machine_of(uint32_t node_count) {
    return (struct placement_machine){node_count, 2, 8};
}

static char *const path = scratch_file.path;

static void write_file(const char *text) {
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static struct placement *places(struct placement_config config, uint32_t node_count,
                                uint32_t rank_count, uint64_t seed) {
    struct status status = STATUS_INIT;
    struct placement *placement = NULL;
    struct placement_machine machine = machine_of(node_count);
    struct placement_request request = {&config, &machine, rank_count, seed, NULL, NULL, NULL};
    if (placement_new(&placement, &request, &status) != STATUS_OK)
        fail_msg("%u ranks, %u nodes: %s", rank_count, node_count, status.text);
    if (placement_check(placement, &config, &machine, &status) != STATUS_OK)
        fail_msg("%u ranks, %u nodes: %s", rank_count, node_count, status.text);
    return placement;
}

/* The report must hold every one of the expected texts, separated by '|'. */
static void expect_refusal(struct placement_config config, uint32_t node_count, uint32_t rank_count,
                           status_code code, const char *expected) {
    struct status status = STATUS_INIT;
    struct placement *placement = NULL;
    struct placement_machine machine = machine_of(node_count);
    struct placement_request request = {&config, &machine, rank_count, 1, NULL, NULL, NULL};
    assert_int_equal(placement_new(&placement, &request, &status), code);
    assert_null(placement);
    char copy[1024], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", expected);
    for (char *part = strtok_r(copy, "|", &rest); part; part = strtok_r(NULL, "|", &rest)) {
        if (strstr(status.text, part) == NULL) fail_msg("%s\nnot in\n%s", part, status.text);
    }
    status_clear(&status);
}

/* Written without looking at placement_check: each rank on one node, each node's list exact. */
static void check_inverse(const struct placement *placement, uint32_t per_node) {
    uint32_t *held = calloc(placement->node_count, sizeof *held);
    for (uint32_t rank = 0; rank < placement->rank_count; rank++) {
        uint32_t node = placement->node_of_rank[rank];
        assert_true(node < placement->node_count);
        assert_int_equal(placement->ranks[placement->first_rank[node] + held[node]], rank);
        assert_true(++held[node] <= per_node);
    }
    for (uint32_t node = 0; node < placement->node_count; node++)
        assert_int_equal(placement->first_rank[node + 1] - placement->first_rank[node], held[node]);
    free(held);
}

static void placements_are_bijections_over_shapes(void **state) {
    (void)state;
    for (int32_t policy = BLOCK; policy <= RANDOM; policy++) {
        for (uint32_t nodes = 1; nodes <= 40; nodes += nodes < 10 ? 1 : 7) {
            for (uint32_t per_node = 1; per_node <= 5; per_node++) {
                for (uint32_t ranks = 1; ranks <= nodes * per_node; ranks++) {
                    struct placement_config config = CONFIG(policy, per_node, NULL);
                    struct placement *placement = places(config, nodes, ranks, ranks);
                    check_inverse(placement, per_node);
                    for (uint32_t rank = 0; rank < ranks; rank++) {
                        uint32_t node = placement->node_of_rank[rank];
                        if (policy == BLOCK) assert_int_equal(node, rank / per_node);
                        assert_int_equal(node, placement->node_of_rank[rank / per_node * per_node]);
                    }
                    placement_free(placement);
                }
            }
        }
    }
}

static void random_placements_depend_on_the_seed_alone(void **state) {
    (void)state;
    struct placement_config config = CONFIG(RANDOM, 1, NULL);
    struct placement *first = places(config, 1056, 1056, 7);
    struct placement *again = places(config, 1056, 1056, 7);
    struct placement *other = places(config, 1056, 1056, 8);
    struct placement *fewer = places(config, 1056, 100, 7);
    assert_memory_equal(first->node_of_rank, again->node_of_rank, 1056 * sizeof(uint32_t));
    assert_memory_equal(first->node_of_rank, fewer->node_of_rank, 100 * sizeof(uint32_t));
    assert_memory_not_equal(first->node_of_rank, other->node_of_rank, 1056 * sizeof(uint32_t));
    placement_free(first);
    placement_free(again);
    placement_free(other);
    placement_free(fewer);
}

/* Rank 0 lands on each of 10 nodes 1000 times in 10000 seeds, give or take; so do pairs. Chi-square
 * limits for p = 1e-6: 9 degrees of freedom 43.6, 89 degrees 170. */
static void random_placements_are_uniform(void **state) {
    (void)state;
    double seen[10][10] = {{0}}, alone[10] = {0}, chi_alone = 0, chi_pairs = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct placement *placement = places(CONFIG(RANDOM, 1, NULL), 10, 10, seed);
        alone[placement->node_of_rank[0]]++;
        seen[placement->node_of_rank[3]][placement->node_of_rank[9]]++;
        placement_free(placement);
    }
    for (int i = 0; i < 10; i++) {
        chi_alone += (alone[i] - 1000) * (alone[i] - 1000) / 1000;
        for (int j = 0; j < 10; j++) {
            double expected = 10000.0 / 90;
            if (i != j) chi_pairs += (seen[i][j] - expected) * (seen[i][j] - expected) / expected;
        }
    }
    assert_true(chi_alone < 43.6);
    assert_true(chi_pairs < 170);
}

static void ranks_that_do_not_fit_are_refused(void **state) {
    (void)state;
    expect_refusal(CONFIG(BLOCK, 1, NULL), 1056, 1057, STATUS_USAGE,
                   "1057 ranks do not fit|1056 nodes and takes 1056 ranks|set "
                   "placement.ranks_per_node to 2 or more");
    expect_refusal(CONFIG(RANDOM, 3, NULL), 10, 100, STATUS_USAGE,
                   "takes 30 ranks with placement.ranks_per_node=3|set placement.ranks_per_node to "
                   "10 or more");
    expect_refusal(CONFIG(BLOCK, 1, NULL), 10, UINT32_MAX, STATUS_USAGE, "do not fit");
    expect_refusal(CONFIG(BLOCK, 1, NULL), 10, 0, STATUS_USAGE, "no ranks");
    placement_free(places(CONFIG(BLOCK, INT64_MAX, NULL), 10, 5, 1));
}

static void files_and_policies_belong_together(void **state) {
    (void)state;
    expect_refusal(CONFIG(NODES, 1, NULL), 10, 5, STATUS_USAGE, "needs a file; set placement.file");
    expect_refusal(CONFIG(RANKFILE, 1, NULL), 10, 5, STATUS_USAGE,
                   "needs a file; set placement.file");
    expect_refusal(CONFIG(BLOCK, 1, path), 10, 5, STATUS_USAGE, "block reads no file");
    expect_refusal(CONFIG(NODES, 1, "no/such"), 10, 5, STATUS_INPUT, "no/such: cannot be opened");
    expect_refusal(CONFIG(99, 1, NULL), 10, 5, STATUS_USAGE, "placement.policy");
}

static void expect_nodes(const char *text, uint32_t per_node, const uint32_t *nodes,
                         uint32_t rank_count, int32_t policy) {
    write_file(text);
    struct placement *placement = places(CONFIG(policy, per_node, path), 16, rank_count, 1);
    check_inverse(placement, per_node);
    assert_memory_equal(placement->node_of_rank, nodes, rank_count * sizeof *nodes);
    placement_free(placement);
}

static void node_lists_are_read_or_refused(void **state) {
    (void)state;
    expect_nodes("# two racks\n7\n\n 3 - 5 # back\r\n0", 1, (uint32_t[]){7, 3, 4, 5, 0}, 5, NODES);
    expect_nodes("7\n3-6\n", 2, (uint32_t[]){7, 7, 3, 3, 4}, 5, NODES);
    expect_nodes("\xef\xbb\xbf"
                 "7\r\n3\r\n",
                 1, (uint32_t[]){7, 3}, 2, NODES); /* from Windows */
    struct placement_config config = CONFIG(NODES, 2, path);
    write_file("\xef\xbb\xbf"
               "7 x\n");
    expect_refusal(config, 16, 5, STATUS_INPUT, ":1:3: error: nothing more is expected");
    write_file("1\n2\n");
    expect_refusal(config, 16, 5, STATUS_INPUT,
                   "lists 2 nodes, which take 4 ranks|3 nodes are needed");
    write_file("");
    expect_refusal(config, 16, 5, STATUS_INPUT, "holds no nodes");
    write_file("# racks\n\n");
    expect_refusal(config, 16, 5, STATUS_INPUT, "holds no nodes");
    write_file("1\n16\n2-\n5-3\nx\n3 4\n0-4\n99999999999999999999999\n");
    expect_refusal(
        config, 16, 5, STATUS_INPUT,
        ":2:1: error: there is no such node: they are numbered from 0 to 15|"
        ":3:3: error: a node number is expected|:4:1: error: the range ends before it starts|"
        ":5:1: error: a node number is expected|:6:3: error: nothing more is expected|"
        ":7:1: error: node 1 was listed before|:8:1: error: there is no such node");
    write_file("1\n\xff\n");
    expect_refusal(config, 16, 5, STATUS_INPUT, ":2:1: error: byte 0xff is not UTF-8 text");
}

static void rank_files_are_read_or_refused(void **state) {
    (void)state;
    expect_nodes("2 5 # the last\n0 15\n1\t0\n", 1, (uint32_t[]){15, 0, 5}, 3, RANKFILE);
    expect_nodes("0 5\n1 5\n2 5", 3, (uint32_t[]){5, 5, 5}, 3, RANKFILE);
    struct placement_config config = CONFIG(RANKFILE, 1, path);
    write_file("");
    expect_refusal(config, 16, 5, STATUS_INPUT, "holds no ranks");
    write_file("# rank node\n\n");
    expect_refusal(config, 16, 5, STATUS_INPUT, "holds no ranks");
    write_file("0 1\n2 2\n");
    expect_refusal(
        config, 16, 5, STATUS_INPUT,
        ":2: error: 3 of 5 ranks have no line, the first is rank 1; write a line for each");
    write_file("0 1\n1 1\n0 3\n5 3\n3\n3 16\n3 4 5\n-1 3\n");
    expect_refusal(config, 16, 5, STATUS_INPUT,
                   ":2:1: error: node 1 takes no more than 1 rank; raise placement.ranks_per_node|"
                   ":3:1: error: rank 0 was placed before; remove one of its lines|"
                   ":4:1: error: there is no such rank: they are numbered from 0 to 4|"
                   ":5:2: error: a node number is expected|:6:3: error: there is no such node|"
                   ":7:5: error: nothing more is expected|:8:1: error: a rank number is expected");
}

/* placement_check finds what it is for. */
static void the_check_finds_damage(void **state) {
    (void)state;
    struct placement_config config = CONFIG(BLOCK, 2, NULL);
    struct placement_machine machine = machine_of(8);
    struct placement *placement = places(config, 8, 10, 1);
    uint32_t *arrays[] = {placement->node_of_rank, placement->ranks, placement->first_rank};
    uint32_t sizes[] = {10, 10, 9};
    for (int i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < sizes[i]; j++) {
            for (int change = -1; change <= 1; change += 2) {
                arrays[i][j] += (uint32_t)change;
                struct status status = STATUS_INIT;
                assert_int_equal(placement_check(placement, &config, &machine, &status),
                                 STATUS_RUN);
                status_clear(&status);
                arrays[i][j] -= (uint32_t)change;
            }
        }
    }
    struct placement_config strict = CONFIG(BLOCK, 1, NULL);
    assert_int_equal(placement_check(placement, &strict, &machine, NULL), STATUS_RUN);
    assert_int_equal(placement_check(placement, &config, &machine, NULL), STATUS_OK);
    placement_free(placement);
}

static void the_names_are_those_of_the_policies(void **state) {
    (void)state;
    const struct placement_policy *policy = placement_policies();
    const char *const *names = placement_policy_names();
    for (size_t i = 0; names[i] != NULL || policy[i].name != NULL; i++) {
        assert_string_equal(policy[i].name, names[i]);
        assert_true((policy[i].choose == NULL) != (policy[i].assign == NULL));
    }
    struct placement_config config = CONFIG(-1, -1, NULL);
    struct setting_section section = {placement_setting_rows, placement_setting_count, &config};
    struct settings settings = {&section, 1};
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    assert_int_equal(config.policy, BLOCK);
    assert_int_equal(config.ranks_per_node, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placements_are_bijections_over_shapes),
        cmocka_unit_test(random_placements_depend_on_the_seed_alone),
        cmocka_unit_test(random_placements_are_uniform),
        cmocka_unit_test(ranks_that_do_not_fit_are_refused),
        cmocka_unit_test(files_and_policies_belong_together),
        cmocka_unit_test(node_lists_are_read_or_refused),
        cmocka_unit_test(rank_files_are_read_or_refused),
        cmocka_unit_test(the_check_finds_damage),
        cmocka_unit_test(the_names_are_those_of_the_policies),
    };
    return cmocka_run_group_tests(tests, scratch_file_make, scratch_file_remove);
}
