/* Every placement policy: over many shapes, with and without nodes that are taken, a bijection onto
 * free nodes; and what makes each policy what it is. */
#include "core/processes/parallel.h"
#include "mapping/placement_graph.h"
#include "tests/support/mapping/placement_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int32_t policy_of(const char *name) {
    for (int32_t i = 0; placement_policy_names()[i] != NULL; i++)
        if (strcmp(placement_policy_names()[i], name) == 0) return i;
    fail_msg("no placement %s", name);
    return -1;
}

static struct placement_config config_of(const char *name, int64_t per_node) {
    return (struct placement_config){.policy = policy_of(name),
                                     .ranks_per_node = per_node,
                                     .stride = 3,
                                     .share_millionths = 500000};
}

/* Ranks in a ring, and each with the one 7 further on. */
static struct placement_traffic ring_of(uint32_t ranks) {
    struct placement_traffic traffic = {ranks, 0,
                                        calloc(2 * (size_t)ranks, sizeof(struct placement_edge))};
    for (uint32_t i = 0; i < ranks; i++) {
        traffic.edges[traffic.edge_count++] =
            (struct placement_edge){i, (i + 1) % ranks, 3, 1000 + i};
        traffic.edges[traffic.edge_count++] = (struct placement_edge){i, (i + 7) % ranks, 1, 50};
    }
    traffic.edge_count = placement_edges_merge(traffic.edges, traffic.edge_count);
    return traffic;
}

/* NULL when the policy needs METIS and there is none. */
static struct placement *place(const struct placement_request *request) {
    struct status status = STATUS_INIT;
    struct placement *placement = NULL;
    const struct placement_policy *policy = &placement_policies()[request->config->policy];
    status_code code = placement_new(&placement, request, &status);
    bool no_metis = code == STATUS_USAGE && strcmp(policy->name, "partition") == 0 &&
                    strstr(status.text, "libmetis-dev") != NULL;
    if (code != STATUS_OK && !no_metis)
        fail_msg("%s, %u ranks, %u nodes: %s", policy->name, request->rank_count,
                 request->machine->node_count, status.text);
    status_clear(&status);
    if (no_metis) return NULL;
    if (placement_check(placement, request->config, request->machine, &status) != STATUS_OK)
        fail_msg("%s: %s", policy->name, status.text);
    for (uint32_t rank = 0; rank < request->rank_count; rank++)
        assert_false(request->taken != NULL && request->taken[placement->node_of_rank[rank]]);
    return placement;
}

static void check_orders(const struct placement_request *request) {
    for (int32_t order = 0; order < 2; order++) {
        struct placement_config config = *request->config;
        struct placement_request ordered = *request;
        config.order = order;
        ordered.config = &config;
        if (placement_policies()[config.policy].assign != NULL && order > 0) continue;
        placement_free(place(&ordered));
    }
}

static void policies_are_bijections_onto_free_nodes(void **state) {
    (void)state;
    static const struct placement_machine machines[] = {
        {1, 1, 1}, {6, 2, 6}, {12, 1, 3}, {16, 4, 8}, {36, 2, 6}, {40, 1, 20}, {72, 2, 8}};
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        uint32_t nodes = machines[m].node_count;
        for (uint32_t variant = 0; variant < 3; variant++) {
            bool taken[72] = {false};
            uint32_t left = 0;
            for (uint32_t node = 0; node < nodes; node++) {
                taken[node] = variant > 0 && (node * 7 + m) % (variant + 1) == 0;
                left += !taken[node];
            }
            for (uint32_t per_node = 1; per_node <= 3; per_node += 2) {
                uint32_t max = left * per_node;
                for (uint32_t ranks = 1; ranks <= max; ranks += ranks + 1 < max ? 1 + max / 8 : 1) {
                    struct placement_traffic traffic = ring_of(ranks);
                    for (int32_t policy = 0; placement_policies()[policy].name; policy++) {
                        if (placement_policies()[policy].reads_file) continue;
                        struct placement_config config =
                            config_of(placement_policies()[policy].name, per_node);
                        check_orders(&(struct placement_request){
                            &config, &machines[m], ranks, m + ranks, variant > 0 ? taken : NULL,
                            &traffic, NULL});
                    }
                    free(traffic.edges);
                }
            }
        }
    }
}

/* 6 groups of 4 routers of 2 nodes. */
static const struct placement_machine machine = {48, 2, 8};

static struct placement *place_named(const char *name, uint32_t ranks, uint64_t seed,
                                     const bool *taken) {
    struct placement_config config = config_of(name, 1);
    return place(&(struct placement_request){&config, &machine, ranks, seed, taken, NULL, NULL});
}

static void round_robin_and_strided_deal_ranks_out(void **state) {
    (void)state;
    struct placement *routers = place_named("round-robin-routers", 48, 1, NULL);
    struct placement *groups = place_named("round-robin-groups", 48, 1, NULL);
    struct placement *strided = place_named("strided", 48, 1, NULL);
    for (uint32_t rank = 0; rank < 48; rank++) {
        assert_int_equal(routers->node_of_rank[rank], rank % 24 * 2 + rank / 24);
        assert_int_equal(groups->node_of_rank[rank], rank % 6 * 8 + rank / 6);
        assert_int_equal(strided->node_of_rank[rank], rank % 16 * 3 + rank / 16);
    }
    placement_free(routers);
    placement_free(groups);
    placement_free(strided);
    /* a router without free nodes is passed over, and the others stay in turn */
    bool taken[48] = {[0] = true, [1] = true, [4] = true};
    routers = place_named("round-robin-routers", 45, 1, taken);
    assert_int_equal(routers->node_of_rank[0], 2);
    assert_int_equal(routers->node_of_rank[1], 5);
    assert_int_equal(routers->node_of_rank[23], 3);
    assert_int_equal(routers->node_of_rank[24], 7);
    placement_free(routers);
}

/* Nodes that do not fill the last router and the last group are dealt out, too. */
static void round_robin_ends_with_an_incomplete_set(void **state) {
    (void)state;
    static const struct placement_machine odd = {5, 2, 4}; /* nodes, per router, per group */
    static const struct {
        const char *name;
        uint32_t nodes[5];
    } cases[] = {{"round-robin-routers", {0, 2, 4, 1, 3}}, {"round-robin-groups", {0, 4, 1, 2, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct placement_config config = config_of(cases[i].name, 1);
        struct placement *placement =
            place(&(struct placement_request){&config, &odd, 5, 1, NULL, NULL, NULL});
        assert_memory_equal(placement->node_of_rank, cases[i].nodes, sizeof cases[i].nodes);
        placement_free(placement);
    }
}

/* Sets of `size` nodes are used one after another; which is first depends on the seed. */
static void check_whole_sets(const char *name, uint32_t size) {
    uint32_t seen_first[48] = {0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct placement *placement = place_named(name, 48, seed, NULL);
        for (uint32_t rank = 0; rank < 48; rank++)
            assert_int_equal(placement->node_of_rank[rank],
                             placement->node_of_rank[rank / size * size] + rank % size);
        seen_first[placement->node_of_rank[0] / size]++;
        placement_free(placement);
    }
    uint32_t sets = 48 / size, expected = 600 / sets;
    for (uint32_t set = 0; set < sets; set++)
        assert_in_range(seen_first[set], expected / 3, expected * 3);
}

static void random_routers_and_groups_are_filled_whole(void **state) {
    (void)state;
    check_whole_sets("random-routers", 2);
    check_whole_sets("random-groups", 8);
}

static void hybrid_spreads_over_twice_the_groups(void **state) {
    (void)state;
    uint32_t held[48] = {0};
    bool taken[48] = {false};
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct placement *placement = place_named("hybrid", 7, seed, NULL);
        for (uint32_t rank = 0; rank < 7; rank++) /* half of two groups is 8 nodes */
            held[placement->node_of_rank[rank]]++;
        placement_free(placement);
    }
    for (uint32_t node = 0; node < 48; node++)
        assert_true(node < 16 ? held[node] > 100 && held[node] < 260 : held[node] == 0);
    /* groups 0 to 2 have one free node each: groups 3 and 4 are the smallest block */
    for (uint32_t node = 0; node < 24; node++)
        taken[node] = node % 8 != 0;
    struct placement *placement = place_named("hybrid", 8, 1, taken);
    for (uint32_t rank = 0; rank < 8; rank++)
        assert_in_range(placement->node_of_rank[rank], 24, 39);
    placement_free(placement);
    /* no block is large enough for the share: the whole machine */
    placement_free(place_named("hybrid", 48, 1, NULL));
}

static void contiguous_takes_the_smallest_run_that_fits(void **state) {
    (void)state;
    bool taken[48] = {false};
    const uint32_t busy[] = {3, 9, 20, 21, 27, 40};
    for (size_t i = 0; i < sizeof busy / sizeof *busy; i++)
        taken[busy[i]] = true;
    /* free: 0-2, 4-8, 10-19, 22-26, 28-39, 41-47 */
    static const struct {
        uint32_t ranks, first;
    } cases[] = {{1, 0}, {3, 0}, {4, 4}, {5, 4}, {6, 41}, {7, 41}, {8, 10}, {11, 28}, {12, 28}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct placement *placement = place_named("contiguous", cases[i].ranks, 1, taken);
        for (uint32_t rank = 0; rank < cases[i].ranks; rank++)
            assert_int_equal(placement->node_of_rank[rank], cases[i].first + rank);
        placement_free(placement);
    }
    /* 15: the largest run, then the smallest that holds the 3 left; ranks by node */
    struct placement *placement = place_named("contiguous", 15, 1, taken);
    for (uint32_t rank = 0; rank < 15; rank++)
        assert_int_equal(placement->node_of_rank[rank], rank < 3 ? rank : 25 + rank);
    placement_free(placement);
}

static void occupied_nodes_are_as_many_as_asked(void **state) {
    (void)state;
    static const struct placement_machine large = {1056, 4, 32};
    for (int64_t share = 0; share < 1000000; share += 99999) {
        bool taken[1056] = {false}, again[1056] = {false}, other[1056] = {false};
        placement_mark_occupied(taken, &large, share, 5);
        placement_mark_occupied(again, &large, share, 5);
        placement_mark_occupied(other, &large, share, 6);
        uint32_t count = 0, runs = 0;
        for (uint32_t node = 0; node < 1056; node++) {
            count += taken[node];
            runs += taken[node] && (node == 0 || !taken[node - 1]);
        }
        assert_int_equal(count, 1056 * share / 1000000);
        assert_memory_equal(taken, again, sizeof taken);
        if (share > 100000 && share < 900000) {
            assert_memory_not_equal(taken, other, sizeof taken);
            assert_in_range(runs, 2, count / 2); /* runs of several nodes, with holes between */
        }
    }
}

/* Returns how many of 4000 seeds occupy two of the nodes next to each other. */
static uint32_t neighbours_among_seeds(uint32_t node_count) {
    const struct placement_machine small = {node_count, 1, node_count};
    uint32_t neighbours = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        bool taken[16] = {false};
        placement_mark_occupied(taken, &small, 2 * 1000000 / node_count + 1, seed);
        for (uint32_t node = 0; node < node_count; node++)
            neighbours += taken[node] && taken[(node + 1) % node_count];
    }
    return neighbours;
}

/* The largest job has an eighth of the machine: two of 16 nodes, one of 15. Of n nodes, two single
 * jobs stand next to each other with probability 3/n: the second one begins beside the first, or at
 * it and goes on to the next node. On 16 nodes the first job has two nodes in half of all cases,
 * so it is 1/2 + 1/2 · 3/16 = 0.594 there, and 3/15 on 15 nodes. The standard deviation over 4000
 * seeds is below 32. */
static void the_largest_other_job_has_an_eighth_of_the_nodes(void **state) {
    (void)state;
    assert_in_range(neighbours_among_seeds(16), 2375 - 128, 2375 + 128);
    assert_in_range(neighbours_among_seeds(15), 800 - 128, 800 + 128);
}

/* Nodes that others have already, such as failed ones, are a part of the share. */
static void occupied_nodes_include_those_that_are_taken(void **state) {
    (void)state;
    static const struct placement_machine large = {1056, 4, 32};
    for (uint32_t before = 0; before <= 600; before += 100) {
        bool taken[1056] = {false};
        uint32_t count = 0;
        for (uint32_t node = 0; node < before; node++)
            taken[node] = true;
        placement_mark_occupied(taken, &large, 400000, 5);
        for (uint32_t node = 0; node < 1056; node++)
            count += taken[node];
        assert_int_equal(count, before < 422 ? 422 : before); /* 40 % of 1056 */
    }
}

static void ranks_that_do_not_fit_beside_others_are_refused(void **state) {
    (void)state;
    bool taken[48] = {false};
    for (uint32_t node = 0; node < 40; node++)
        taken[node] = true;
    struct placement_config config = config_of("block", 1);
    struct placement *placement = NULL;
    struct status status = STATUS_INIT;
    struct placement_request request = {&config, &machine, 9, 1, taken, NULL, NULL};
    assert_int_equal(placement_new(&placement, &request, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "48 nodes, of which 40 are taken by others, and takes 8"));
    status_clear(&status);
    config = config_of("greedy", 1);
    request.rank_count = 8;
    assert_int_equal(placement_new(&placement, &request, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "the traffic between the ranks"));
    status_clear(&status);
    config.order = PLACEMENT_ORDER_CYCLIC;
    assert_int_equal(placement_new(&placement, &request, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "placement.order"));
    status_clear(&status);
}

static void cyclic_order_deals_ranks_over_nodes(void **state) {
    (void)state;
    struct placement_config config = config_of("block", 4);
    config.order = PLACEMENT_ORDER_CYCLIC;
    struct placement *placement =
        place(&(struct placement_request){&config, &machine, 10, 1, NULL, NULL, NULL});
    for (uint32_t rank = 0; rank < 10; rank++)
        assert_int_equal(placement->node_of_rank[rank], rank % 3);
    placement_free(placement);
}

/* Weight between different sets of `size` nodes. */
static uint64_t cut_of(const struct placement *placement, const struct placement_traffic *traffic,
                       uint32_t size) {
    uint64_t cut = 0;
    for (size_t i = 0; i < traffic->edge_count; i++) {
        const struct placement_edge *edge = &traffic->edges[i];
        if (placement->node_of_rank[edge->from] / size != placement->node_of_rank[edge->to] / size)
            cut += edge->bytes;
    }
    return cut;
}

/* Teams of `size` ranks, scattered over the rank numbers, that talk among themselves; and a little
 * noise between neighbours. */
static struct placement_traffic teams_of(uint32_t ranks, uint32_t size) {
    uint32_t teams = ranks / size;
    struct placement_traffic traffic = {
        ranks, 0, calloc((size_t)ranks * (size + 1), sizeof(struct placement_edge))};
    for (uint32_t rank = 0; rank < ranks; rank++) {
        for (uint32_t k = 1; k < size; k++)
            traffic.edges[traffic.edge_count++] =
                (struct placement_edge){rank, (rank + k * teams) % ranks, 1, 1000};
        traffic.edges[traffic.edge_count++] =
            (struct placement_edge){rank, (rank + 1) % ranks, 1, 1};
    }
    traffic.edge_count = placement_edges_merge(traffic.edges, traffic.edge_count);
    return traffic;
}

/* Teams as large as a group, a router, a node: nothing heavy leaves it. */
static void check_teams(const char *name, uint32_t size, int64_t per_node) {
    struct placement_config config = config_of(name, per_node);
    uint32_t ranks = 48 * (uint32_t)per_node, nodes = size / (uint32_t)per_node;
    struct placement_traffic traffic = teams_of(ranks, size);
    struct placement *placement =
        place(&(struct placement_request){&config, &machine, ranks, 1, NULL, &traffic, NULL});
    if (placement != NULL) assert_in_range(cut_of(placement, &traffic, nodes), 0, ranks);
    placement_free(placement);
    free(traffic.edges);
}

static void heavy_pairs_stay_close(void **state) {
    (void)state;
    static const char *const policies[] = {"greedy", "partition"};
    for (size_t i = 0; i < 2; i++) {
        check_teams(policies[i], 8, 1);
        check_teams(policies[i], 2, 1);
        check_teams(policies[i], 4, 4);
        check_teams(policies[i], 8, 4);
        check_teams(policies[i], 32, 4);
    }
}

struct threads_case {
    struct placement_traffic traffic;
    struct placement *placements[2][24]; /* one after another, and by several threads at once */
    unsigned pass;
};

static status_code place_one(void *context, unsigned worker, uint64_t item, struct status *status) {
    (void)worker;
    struct threads_case *c = context;
    struct placement_config config = config_of("partition", 1);
    struct placement_request request = {
        &config, &machine, c->traffic.rank_count, 1 + item % 5, NULL, &c->traffic, NULL};
    return placement_new(&c->placements[c->pass][item], &request, status);
}

/* METIS has one generator for all: placements made at once are those made one after another. */
/* Of ranks without a neighbour that is placed, the one with the most traffic is the first; of equal
 * ones, the one with the lower number. */
static void greedy_begins_with_the_rank_that_sends_most(void **state) {
    (void)state;
    static const struct placement_machine four = {4, 2, 4}; /* nodes, per router, per group */
    static const uint32_t nodes[] = {2, 3, 0, 1};           /* of ranks 0 to 3 */
    struct placement_edge edges[] = {
        {0, 1, 1, 10}, {1, 0, 1, 10}, {2, 3, 1, 1000}, {3, 2, 1, 1000}};
    struct placement_traffic traffic = {4, placement_edges_merge(edges, 4), edges};
    struct placement_config config = config_of("greedy", 1);
    struct placement *placement =
        place(&(struct placement_request){&config, &four, 4, 1, NULL, &traffic, NULL});
    assert_memory_equal(placement->node_of_rank, nodes, sizeof nodes);
    placement_free(placement);
}

static void partitions_do_not_depend_on_threads(void **state) {
    (void)state;
    enum { RANKS = 48, COUNT = 24 };
    struct placement_config config = config_of("partition", 1);
    struct threads_case c = {.traffic = teams_of(RANKS, 3)};
    struct placement *first =
        place(&(struct placement_request){&config, &machine, RANKS, 1, NULL, &c.traffic, NULL});
    if (first == NULL) skip();
    placement_free(first);
    struct status status = STATUS_INIT;
    for (c.pass = 0; c.pass < 2; c.pass++)
        assert_int_equal(parallel_for(c.pass == 0 ? 1 : 8, COUNT, place_one, &c, &status),
                         STATUS_OK);
    unsigned different = 0;
    for (size_t i = 0; i < COUNT; i++) {
        size_t bytes = RANKS * sizeof *c.placements[0][i]->node_of_rank;
        assert_memory_equal(c.placements[0][i]->node_of_rank, c.placements[1][i]->node_of_rank,
                            bytes);
        different +=
            memcmp(c.placements[0][i]->node_of_rank, c.placements[0][0]->node_of_rank, bytes) != 0;
    }
    assert_true(different > 0); /* seeds matter, so the test can fail */
    for (size_t i = 0; i < 2 * (size_t)COUNT; i++)
        placement_free(c.placements[i / COUNT][i % COUNT]);
    free(c.traffic.edges);
}

/* A grid whose ranks are numbered at random: both find most of its neighbourhoods again. */
static void scattered_grids_are_found_again(void **state) {
    (void)state;
    enum { SIDE = 24, RANKS = SIDE * SIDE };
    static const struct placement_machine large = {1056, 4, 32};
    uint32_t number[RANKS];
    for (uint32_t i = 0; i < RANKS; i++)
        number[i] = i;
    for (uint32_t i = 0; i < RANKS; i++)
        placement_shuffle_step(number, RANKS, i, 3, PLACEMENT_DRAW_NODES);
    struct placement_traffic traffic = {RANKS, 0,
                                        calloc(4 * (size_t)RANKS, sizeof(struct placement_edge))};
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t from = number[y * SIDE + x];
            if (x + 1 < SIDE)
                traffic.edges[traffic.edge_count++] =
                    (struct placement_edge){from, number[y * SIDE + x + 1], 1, 100};
            if (y + 1 < SIDE)
                traffic.edges[traffic.edge_count++] =
                    (struct placement_edge){from, number[y * SIDE + SIDE + x], 1, 100};
        }
    }
    traffic.edge_count = placement_edges_merge(traffic.edges, traffic.edge_count);
    static const char *const policies[] = {"block", "greedy", "partition"};
    uint64_t cut[3] = {0}, total = 100 * traffic.edge_count;
    for (size_t i = 0; i < 3; i++) {
        struct placement_config config = config_of(policies[i], 1);
        struct placement *placement =
            place(&(struct placement_request){&config, &large, RANKS, 1, NULL, &traffic, NULL});
        if (placement == NULL) continue;
        cut[i] = cut_of(placement, &traffic, 32);
        print_message("%s: %.1f %% between groups\n", policies[i],
                      100.0 * (double)cut[i] / (double)total);
        placement_free(placement);
    }
    assert_true(cut[0] > total * 9 / 10);
    assert_true(cut[1] < total / 2);
    assert_true(cut[2] < total * 3 / 10);
    free(traffic.edges);
}

/* Rows of 32 and columns of 16 that talk alike, as in an FFT in pencils, with barriers over all: a
 * group holds a row, so nothing is better than block; and empty messages do not mislead. */
static void placements_by_traffic_are_never_worse_than_block(void **state) {
    (void)state;
    enum { ROWS = 16, COLUMNS = 32, RANKS = ROWS * COLUMNS };
    static const struct placement_machine large = {1056, 4, 32};
    struct placement_traffic traffic = {RANKS, 0,
                                        calloc((size_t)RANKS * 64, sizeof(struct placement_edge))};
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint32_t row = rank / COLUMNS, column = rank % COLUMNS;
        for (uint32_t k = 0; k < COLUMNS; k++)
            if (k != column)
                traffic.edges[traffic.edge_count++] =
                    (struct placement_edge){rank, row * COLUMNS + k, 2, 2048};
        for (uint32_t k = 0; k < ROWS; k++)
            if (k != row)
                traffic.edges[traffic.edge_count++] =
                    (struct placement_edge){rank, k * COLUMNS + column, 2, 2048};
        for (uint32_t step = 1; step < RANKS; step *= 2)
            traffic.edges[traffic.edge_count++] =
                (struct placement_edge){rank, (rank + step) % RANKS, 3, 0};
    }
    traffic.edge_count = placement_edges_merge(traffic.edges, traffic.edge_count);
    static const char *const policies[] = {"block", "greedy", "partition"};
    uint64_t cut[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        struct placement_config config = config_of(policies[i], 1);
        struct placement *placement =
            place(&(struct placement_request){&config, &large, RANKS, 1, NULL, &traffic, NULL});
        if (placement != NULL) cut[i] = cut_of(placement, &traffic, 32);
        placement_free(placement);
        assert_true(cut[i] <= cut[0]);
    }
    free(traffic.edges);
}

static void edges_are_merged(void **state) {
    (void)state;
    struct placement_edge edges[] = {
        {3, 1, 1, 10}, {0, 2, 1, 5}, {3, 1, 2, UINT64_MAX}, {0, 1, 4, 0}};
    assert_int_equal(placement_edges_merge(edges, 4), 3);
    assert_int_equal(edges[0].to, 1);
    assert_int_equal(edges[1].to, 2);
    assert_int_equal(edges[2].messages, 3);
    assert_true(edges[2].bytes == (wide)UINT64_MAX + 10);
    struct placement_traffic traffic = {4, 3, edges};
    struct placement_graph graph;
    assert_int_equal(placement_graph_new(&graph, &traffic, NULL), STATUS_OK);
    assert_int_equal(graph.first[4], 6);
    assert_int_equal(graph.neighbours[0], 1);
    assert_int_equal(graph.weights[0], 4);
    assert_int_equal(graph.degree[0], 9);
    assert_int_equal(graph.neighbours[graph.first[1]], 0);
    assert_true(graph.degree[1] == (wide)UINT64_MAX + 14);
    placement_graph_free(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_are_bijections_onto_free_nodes),
        cmocka_unit_test(round_robin_and_strided_deal_ranks_out),
        cmocka_unit_test(round_robin_ends_with_an_incomplete_set),
        cmocka_unit_test(random_routers_and_groups_are_filled_whole),
        cmocka_unit_test(hybrid_spreads_over_twice_the_groups),
        cmocka_unit_test(contiguous_takes_the_smallest_run_that_fits),
        cmocka_unit_test(occupied_nodes_are_as_many_as_asked),
        cmocka_unit_test(occupied_nodes_include_those_that_are_taken),
        cmocka_unit_test(the_largest_other_job_has_an_eighth_of_the_nodes),
        cmocka_unit_test(ranks_that_do_not_fit_beside_others_are_refused),
        cmocka_unit_test(cyclic_order_deals_ranks_over_nodes),
        cmocka_unit_test(heavy_pairs_stay_close),
        cmocka_unit_test(greedy_begins_with_the_rank_that_sends_most),
        cmocka_unit_test(partitions_do_not_depend_on_threads),
        cmocka_unit_test(scattered_grids_are_found_again),
        cmocka_unit_test(placements_by_traffic_are_never_worse_than_block),
        cmocka_unit_test(edges_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
