/*
 * Bisection bandwidths against plain enumeration, against Belka et al. 2017, and for any number of
 * threads; bounds and proofs by themselves.
 */
#include "core/simulation/random.h"
#include "network/analysis/bisection/bisection.h"
#include "network/analysis/bisection/bisection_envelope.h"
#include "network/analysis/bisection/bisection_proof.h"
#include "network/analysis/bisection/bisection_tree.h"
#include "network/arrangement/arrangement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ENUMERATED = 20, TABLE = 400 };

static const struct bisection_options all_exact = {.threads = 1, .exact_routers = BISECTION_MAX};

static int32_t arrangement_named(const char *name) {
    for (int32_t i = 0; arrangements()[i].name != NULL; i++)
        if (strcmp(arrangements()[i].name, name) == 0) return i;
    fail_msg("no arrangement %s", name);
    return -1;
}

/* False if the arrangement is not defined for this shape. */
static bool build(struct topology *topology, struct bisection_graph *graph, int32_t arrangement,
                  uint32_t a, uint32_t h, uint32_t g) {
    struct network_config config = {.nodes_per_router = 1,
                                    .routers_per_group = a,
                                    .globals_per_router = h,
                                    .groups = g,
                                    .arrangement = arrangement};
    memset(topology, 0, sizeof *topology);
    if (topology_new(topology, &config, NULL) != STATUS_OK) {
        topology_free(topology);
        return false;
    }
    assert_int_equal(bisection_graph_from_topology(graph, topology, NULL), STATUS_OK);
    return true;
}

/* ---------------------------------------------------------------- enumeration */

/* least[G]: the fewest local links of all bisecting cuts that cut G global links. Counts from the
 * wiring itself, not from the graph under test. */
struct enumerated {
    uint64_t min[TABLE];
};

static void note_cut(struct enumerated *all, uint64_t local, uint64_t global) {
    assert_true(global < TABLE);
    if (local < all->min[global]) all->min[global] = local;
}

static void enumerate_topology(const struct topology *topology, struct enumerated *all) {
    const uint32_t n = topology->groups * topology->routers_per_group;
    assert_true(n <= ENUMERATED);
    uint32_t global[ENUMERATED][ENUMERATED] = {{0}};
    for (uint32_t x = 0; x < topology->groups * topology->links_per_group; x++)
        if (topology->link_peers[x] != TOPOLOGY_UNCONNECTED)
            global[x / topology->globals_per_router]
                  [topology->link_peers[x] / topology->globals_per_router]++;
    for (size_t i = 0; i < TABLE; i++)
        all->min[i] = UINT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << (n - 1); set++) { /* router n-1 is not in it */
        const uint32_t size = (uint32_t)__builtin_popcount(set);
        if (size != n / 2 && size != n - n / 2) continue;
        uint64_t locals = 0, globals = 0;
        for (uint32_t group = 0; group < topology->groups; group++) {
            uint32_t mask = ((UINT32_C(1) << topology->routers_per_group) - 1)
                            << group * topology->routers_per_group;
            uint32_t inside = (uint32_t)__builtin_popcount(set & mask);
            locals += (uint64_t)inside * (topology->routers_per_group - inside);
        }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = i + 1; j < n && (set >> i & 1) == 1; j++)
                if ((set >> j & 1) == 0) globals += global[i][j];
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < i && (set >> i & 1) == 1; j++)
                if ((set >> j & 1) == 0) globals += global[i][j];
        note_cut(all, locals, globals);
    }
}

static uint64_t enumerated_min(const struct enumerated *all, uint64_t p, uint64_t q) {
    uint64_t min = UINT64_MAX;
    for (uint64_t g = 0; g < TABLE; g++)
        if (all->min[g] != UINT64_MAX && q * all->min[g] + p * g < min)
            min = q * all->min[g] + p * g;
    return min;
}

static uint64_t result_min(const struct bisection_result *result, uint64_t p, uint64_t q) {
    uint64_t min = UINT64_MAX;
    for (size_t i = 0; i < result->line_count; i++) {
        uint64_t value = q * result->lines[i].local_links + p * result->lines[i].global_links;
        if (value < min) min = value;
    }
    return min;
}

/* Lines, points and certificates agree with each other and with the wiring. */
static void check_form(const struct topology *topology, const struct bisection_result *result) {
    const uint32_t n = topology->groups * topology->routers_per_group;
    assert_true(result->proven);
    assert_true(result->line_count >= 1);
    for (size_t i = 0; i < result->line_count; i++) {
        const struct bisection_cut *line = &result->lines[i];
        uint64_t local = 0, global = 0;
        uint32_t ones = 0;
        for (uint32_t s = 0; s < n; s++) {
            ones += line->side[s];
            for (uint32_t t = s + 1; t < n; t++)
                local += s / topology->routers_per_group == t / topology->routers_per_group &&
                         line->side[s] != line->side[t];
        }
        for (uint32_t x = 0; x < topology->groups * topology->links_per_group; x++) {
            uint32_t peer = topology->link_peers[x];
            global += peer != TOPOLOGY_UNCONNECTED && x < peer &&
                      line->side[x / topology->globals_per_router] !=
                          line->side[peer / topology->globals_per_router];
        }
        assert_int_equal(local, line->local_links);
        assert_int_equal(global, line->global_links);
        assert_true(ones == n / 2 || ones == n - n / 2);
        assert_int_equal(line->side[0], 0);
        const struct bisection_point *from = &result->points[i], *to = from + 1;
        assert_true(from->numerator * to->denominator < to->numerator * from->denominator);
        assert_int_equal(from->denominator * local + from->numerator * global, from->upper);
        assert_int_equal(from->lower, from->upper);
    }
}

static void check_enumerated(int32_t arrangement, uint32_t a, uint32_t h, uint32_t g) {
    struct topology topology;
    struct bisection_graph graph;
    if (!build(&topology, &graph, arrangement, a, h, g)) return;
    struct bisection_result result;
    static struct enumerated all;
    assert_int_equal(bisection_run(&result, &graph, &all_exact, NULL), STATUS_OK);
    check_form(&topology, &result);
    enumerate_topology(&topology, &all);
    for (uint64_t p = 0; p <= 24; p++)
        for (uint64_t q = 0; q <= 24; q++)
            if (result_min(&result, p, q) != enumerated_min(&all, p, q))
                fail_msg("%s a=%u h=%u g=%u at %u/%u: %u, enumeration %u",
                         arrangements()[arrangement].name, a, h, g, (unsigned)p, (unsigned)q,
                         (unsigned)result_min(&result, p, q), (unsigned)enumerated_min(&all, p, q));
    bisection_result_free(&result);
    bisection_graph_free(&graph);
    topology_free(&topology);
}

static void bisections_agree_with_enumeration(void **state) {
    (void)state;
    static const uint32_t shapes[][3] = {{1, 5, 6}, {1, 1, 2}, {2, 1, 3}, {3, 1, 4},  {2, 2, 5},
                                         {2, 3, 7}, {3, 2, 5}, {4, 2, 4}, {4, 1, 4},  {2, 4, 9},
                                         {6, 1, 3}, {3, 2, 6}, {5, 2, 3}, {1, 12, 13}};
    for (int32_t i = 0; arrangements()[i].name != NULL; i++) {
        if (arrangements()[i].reads_file) continue;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            check_enumerated(i, shapes[s][0], shapes[s][1], shapes[s][2]);
    }
}

/* Any graph will do: here without groups, in pieces, with parallel links. */
static void any_graph_agrees_with_enumeration(void **state) {
    (void)state;
    for (uint32_t trial = 0; trial < 24; trial++) {
        const uint32_t n = 5 + trial % 13, links = 4 + trial * 2;
        struct bisection_link list[64];
        for (uint32_t l = 0; l < links; l++) {
            struct random_block draw = random_draw(trial, RANDOM_NOISE, l, 0);
            uint32_t a = random_below(draw.word[0], n), b = random_below(draw.word[1], n - 1);
            list[l] = (struct bisection_link){a, b < a ? b : b + 1, draw.word[2] % 2 == 0};
        }
        struct bisection_graph graph;
        assert_int_equal(bisection_graph_new(&graph, n, 1, list, links, NULL), STATUS_OK);
        struct bisection_result result;
        assert_int_equal(bisection_run(&result, &graph, &all_exact, NULL), STATUS_OK);
        assert_true(result.proven);
        static struct enumerated all;
        for (size_t i = 0; i < TABLE; i++)
            all.min[i] = UINT64_MAX;
        for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
            uint64_t cut[2] = {0, 0};
            if ((uint32_t)__builtin_popcount(set) != n / 2) continue;
            for (uint32_t l = 0; l < links; l++)
                cut[list[l].is_global] += (set >> list[l].a & 1) != (set >> list[l].b & 1);
            note_cut(&all, cut[0], cut[1]);
        }
        for (uint64_t p = 0; p <= 12; p++)
            for (uint64_t q = 0; q <= 12; q++)
                assert_int_equal(result_min(&result, p, q), enumerated_min(&all, p, q));
        bisection_result_free(&result);
        bisection_graph_free(&graph);
    }
}

/* ---------------------------------------------------------------- the paper's machines */

struct known_curve {
    const char *arrangement;
    uint32_t a, h;
    uint64_t lines[6][2]; /* local and global links */
};

/* What docs/studies/bisection.md holds against the paper's statements; these are the machines whose
 * proofs are quick. The others are in bench/. */
static const struct known_curve known[] = {
    {"absolute", 4, 2, {{4, 16}, {24, 0}}},
    {"relative", 4, 2, {{4, 16}, {14, 8}, {20, 4}, {36, 0}}},
    {"circulant", 4, 2, {{4, 16}, {16, 8}, {20, 6}, {36, 0}}},
    {"nautilus", 4, 2, {{4, 16}, {14, 8}, {20, 4}, {24, 2}}},
    {"helix", 4, 2, {{4, 16}, {14, 8}, {24, 4}, {32, 2}}},
    {"nautilus", 3, 3, {{0, 25}, {6, 15}, {10, 9}, {12, 7}, {16, 5}}},
    {"nautilus-index", 3, 3, {{0, 25}, {6, 15}, {10, 9}, {18, 5}}},
    {"helix", 3, 3, {{0, 25}, {6, 15}, {10, 11}, {14, 9}}},
    {"circulant", 3, 4, {{2, 38}, {10, 22}, {26, 6}}},
    {"helix", 2, 8, {{1, 64}, {3, 50}, {5, 40}, {7, 34}, {9, 32}}},
};

static void bisections_are_those_of_belka(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const size_t count = 2; /* several times slower */
#else
    const size_t count = sizeof known / sizeof *known;
#endif
    for (size_t k = 0; k < count; k++) {
        const struct known_curve *curve = &known[k];
        struct topology topology;
        struct bisection_graph graph;
        assert_true(build(&topology, &graph, arrangement_named(curve->arrangement), curve->a,
                          curve->h, curve->a * curve->h + 1));
        struct bisection_result result;
        struct bisection_options options = all_exact;
        options.threads = 2;
        assert_int_equal(bisection_run(&result, &graph, &options, NULL), STATUS_OK);
        check_form(&topology, &result);
        size_t lines = 0;
        while (lines < 6 && curve->lines[lines][0] + curve->lines[lines][1] > 0)
            lines++;
        assert_int_equal(result.line_count, lines);
        for (size_t i = 0; i < lines; i++) {
            assert_int_equal(result.lines[i].local_links, curve->lines[i][0]);
            assert_int_equal(result.lines[i].global_links, curve->lines[i][1]);
        }
        bisection_result_free(&result);
        bisection_graph_free(&graph);
        topology_free(&topology);
    }
}

static void any_number_of_threads_gives_the_same_bisection(void **state) {
    (void)state;
    struct topology topology;
    struct bisection_graph graph;
    assert_true(build(&topology, &graph, arrangement_named("relative"), 3, 3, 10));
    struct bisection_result result[3];
    for (unsigned i = 0; i < 3; i++) {
        struct bisection_options options = all_exact;
        options.threads = i + 1;
        assert_int_equal(bisection_run(&result[i], &graph, &options, NULL), STATUS_OK);
        assert_int_equal(result[i].nodes, result[0].nodes);
        assert_int_equal(result[i].line_count, result[0].line_count);
        for (size_t l = 0; l < result[0].line_count; l++)
            assert_memory_equal(result[i].lines[l].side, result[0].lines[l].side, graph.routers);
    }
    assert_true(result[0].nodes > 3); /* otherwise nothing was done by several threads */
    for (unsigned i = 0; i < 3; i++)
        bisection_result_free(&result[i]);
    bisection_graph_free(&graph);
    topology_free(&topology);
}

/* ---------------------------------------------------------------- stopping, large machines */

static bool stop_at_once(void *context) {
    (void)context;
    return true;
}

/* What is stopped says so, and its bounds still enclose the truth. */
static void stopped_bounds_enclose_the_truth(void **state) {
    (void)state;
    struct topology topology;
    struct bisection_graph graph;
    assert_true(build(&topology, &graph, arrangement_named("helix"), 4, 2, 9));
    struct bisection_options options = all_exact;
    options.stop = stop_at_once;
    struct bisection_result result;
    assert_int_equal(bisection_run(&result, &graph, &options, NULL), STATUS_OK);
    assert_false(result.proven);
    assert_true(result.stopped);
    const struct known_curve *truth = &known[4];
    for (size_t i = 0; i <= result.line_count; i++) {
        const struct bisection_point *point = &result.points[i];
        uint64_t min = UINT64_MAX;
        for (size_t l = 0; l < 4; l++) {
            uint64_t value =
                point->denominator * truth->lines[l][0] + point->numerator * truth->lines[l][1];
            if (value < min) min = value;
        }
        assert_true(point->lower <= min && min <= point->upper);
    }
    bisection_result_free(&result);
    bisection_graph_free(&graph);
    topology_free(&topology);
}

static void search_without_proof_says_so(void **state) {
    (void)state;
    struct topology topology;
    struct bisection_graph graph;
    assert_true(build(&topology, &graph, arrangement_named("helix"), 4, 2, 9));
    struct bisection_options options = all_exact;
    options.exact_routers = 10;
    struct bisection_result result;
    assert_int_equal(bisection_run(&result, &graph, &options, NULL), STATUS_OK);
    assert_false(result.exact);
    assert_false(result.proven);
    assert_false(result.stopped);
    assert_int_equal(result.nodes, 0);
    for (uint64_t p = 0; p < 8; p++) /* the search finds the optimum of such a small machine */
        assert_int_equal(result_min(&result, p, 2), ({
                             uint64_t min = UINT64_MAX;
                             for (size_t l = 0; l < 4; l++) {
                                 uint64_t value =
                                     2 * known[4].lines[l][0] + p * known[4].lines[l][1];
                                 min = value < min ? value : min;
                             }
                             min;
                         }));
    bisection_result_free(&result);
    bisection_graph_free(&graph);
    topology_free(&topology);
}

static void a_graph_of_one_switch_is_refused(void **state) {
    (void)state;
    struct bisection_graph graph;
    struct bisection_result result;
    struct status status = STATUS_INIT;
    assert_int_equal(bisection_graph_new(&graph, 1, 1, NULL, 0, NULL), STATUS_OK);
    assert_int_equal(bisection_run(&result, &graph, &all_exact, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "no two halves"));
    status_clear(&status);
    bisection_graph_free(&graph);
}

/* ---------------------------------------------------------------- bounds and proofs */

/* No bound along the climb exceeds the optimum, and it comes close. */
static void bounds_never_exceed_the_optimum(void **state) {
    (void)state;
    struct topology topology;
    struct bisection_graph graph;
    static struct enumerated all;
    assert_true(build(&topology, &graph, arrangement_named("relative"), 2, 4, 9));
    enumerate_topology(&topology, &all);
    const uint32_t n = graph.routers;
    struct bisection_relaxation relaxation;
    assert_int_equal(bisection_relaxation_new(&relaxation, n, NULL), STATUS_OK);
    relaxation.size = n;
    relaxation.degree = 3 * 1 + 2 * 4;
    relaxation.scale = (1 << RELAXATION_WEIGHT_BITS) / 3;
    for (uint32_t i = 0; i < n; i++) {
        relaxation.balance[i] = 1;
        for (uint32_t e = graph.first[i]; e < graph.first[i + 1]; e++) {
            int32_t weight =
                (int32_t)(3 * graph.ends[e].local_links + 2 * graph.ends[e].global_links);
            relaxation.weight[i * n + graph.ends[e].to] = weight;
            relaxation.constant += i < graph.ends[e].to ? weight : 0;
        }
    }
    const int64_t optimum = (int64_t)enumerated_min(&all, 2, 3) * 4 * relaxation.scale;
    bisection_relaxation_begin(&relaxation, true);
    int64_t first = bisection_relaxation_bound(&relaxation), last = 0;
    for (int climb = 0; climb < 30; climb++) {
        assert_int_equal(bisection_relaxation_separate(&relaxation, NULL), STATUS_OK);
        bisection_relaxation_climb(&relaxation, 40);
        last = bisection_relaxation_bound(&relaxation);
        assert_true(last <= optimum);
    }
    assert_true(first > 0 && last > first);
    assert_true(last > optimum / 10 * 8);
    bisection_relaxation_free(&relaxation);
    bisection_graph_free(&graph);
    topology_free(&topology);
}

/* A correction that is claimed to be enough is enough for any vector that one tries, and a matrix
 * with a negative eigenvalue is never accepted as it is. */
static void proofs_hold_for_any_vector(void **state) {
    (void)state;
    enum { SIZE = 6 };
    int32_t lower[SIZE * SIZE], balance[SIZE] = {1, -2, 1, 1, 3, 1};
    int64_t rows[SIZE];
    for (uint32_t trial = 0; trial < 200; trial++) {
        int32_t factor[SIZE * SIZE] = {0};
        int64_t diagonal[SIZE];
        for (uint32_t i = 0; i < SIZE; i++) {
            diagonal[i] = 1 + random_below(random_draw(trial, RANDOM_NOISE, i, 9).word[0], 3000);
            for (uint32_t j = 0; j < i; j++)
                factor[i * SIZE + j] = factor[j * SIZE + i] =
                    (int32_t)random_below(random_draw(trial, RANDOM_NOISE, i, j).word[0], 1000) -
                    500;
        }
        const struct bisection_proof_matrix matrix = {SIZE, factor, balance, 7, diagonal};
        int64_t max = INT64_MAX; /* least x^T M x / x^T x found, rounded up */
        for (uint32_t draw = 0; draw < 500; draw++) {
            int64_t x[SIZE], sum = 0, squares = 0;
            for (uint32_t i = 0; i < SIZE; i++)
                x[i] =
                    (int64_t)random_below(random_draw(trial, RANDOM_PATTERN, i, draw).word[0], 7) -
                    3;
            for (uint32_t i = 0; i < SIZE; i++) {
                squares += x[i] * x[i];
                sum += diagonal[i] * x[i] * x[i];
                for (uint32_t j = 0; j < SIZE; j++)
                    if (i != j)
                        sum += (factor[i * SIZE + j] + 7 * balance[i] * balance[j]) * x[i] * x[j];
            }
            if (squares > 0 && sum < 0 && -(-sum / squares) < max) max = -(-sum / squares);
        }
        for (int64_t shift = 0; shift < 4000; shift += 97) {
            int64_t correction = bisection_proof_find_correction(&matrix, shift, lower, rows);
            if (correction < 0) continue;
            assert_true(correction >= SIZE * shift);
            assert_true(correction <= SIZE * (shift + 2)); /* rounding costs next to nothing */
            assert_true(max == INT64_MAX || shift + 2 >= -max);
        }
        assert_true(bisection_proof_find_correction(&matrix, 100000, lower, rows) > 0);
    }
}

/* Ends of the envelope: components that fit into halves cut nothing, others what they must. */
static void envelopes_end_with_the_cuts_of_components(void **state) {
    (void)state;
    static const struct {
        uint32_t sizes[4]; /* of rings of global links */
        uint64_t min;
    } rings[] = {{{6, 6, 0, 0}, 0},
                 {{5, 5, 6, 0}, 2},
                 {{3, 5, 8, 0}, 0},
                 {{20, 4, 4, 0}, 2},
                 {{17, 3, 0, 0}, 2}};
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++) {
        struct bisection_link links[64];
        uint32_t count = 0, first = 0;
        for (size_t ring = 0; ring < 4; ring++) {
            const uint32_t size = rings[r].sizes[ring];
            for (uint32_t i = 0; i < size; i++)
                links[count++] = (struct bisection_link){first + i, first + (i + 1) % size, true};
            first += size;
        }
        struct bisection_graph graph;
        uint8_t side[64];
        bool found = false;
        uint64_t min = 99, local, global;
        assert_int_equal(bisection_graph_new(&graph, first, 1, links, count, NULL), STATUS_OK);
        assert_int_equal(bisection_envelope_end(&graph, true, side, &found, &min, NULL), STATUS_OK);
        assert_true(found);
        assert_int_equal(min, rings[r].min);
        bisection_count(&graph, side, &local, &global);
        assert_int_equal(global, rings[r].min); /* the first routers of a ring hang together */
        bisection_graph_free(&graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bisections_agree_with_enumeration),
        cmocka_unit_test(any_graph_agrees_with_enumeration),
        cmocka_unit_test(bisections_are_those_of_belka),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bisection),
        cmocka_unit_test(stopped_bounds_enclose_the_truth),
        cmocka_unit_test(search_without_proof_says_so),
        cmocka_unit_test(a_graph_of_one_switch_is_refused),
        cmocka_unit_test(bounds_never_exceed_the_optimum),
        cmocka_unit_test(proofs_hold_for_any_vector),
        cmocka_unit_test(envelopes_end_with_the_cuts_of_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
