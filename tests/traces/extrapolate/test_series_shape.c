/* Shapes of ranks: a loop with one trip stands as its body in some ranks, and is a loop in others.
 */
#include "traces/extrapolate/steps/series_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A = 1, B, C };

/* A rank is a list of nodes; those of its top level are the last ones. */
static struct series_rank rank_of(struct series_node *nodes, uint32_t first, uint32_t count) {
    return (struct series_rank){.nodes = nodes, .first = first, .count = count};
}

#define STEP(of)                                                                                   \
    { .symbol = (of) }
#define LOOP(begin, of, many)                                                                      \
    { .symbol = SERIES_LOOP, .trips = (many), .first = (begin), .count = (of) }

/* C (A B) C: the body of the loop, once. */
static struct series_node once_nodes[] = {STEP(C), STEP(A), STEP(B), STEP(C)};
/* C 3 x (A B) C */
static struct series_node thrice_nodes[] = {STEP(A), STEP(B), STEP(C), LOOP(0, 2, 3), STEP(C)};
/* C 2 x (2 x (A B) C): a loop around both */
static struct series_node nested_nodes[] = {STEP(A), STEP(B), LOOP(0, 2, 2),
                                            STEP(C), STEP(C), LOOP(2, 2, 2)};
/* C 3 x (A C) C: another body */
static struct series_node other_nodes[] = {STEP(A), STEP(C), STEP(C), LOOP(0, 2, 3), STEP(C)};

static struct series_rank once(void) {
    return rank_of(once_nodes, 0, 4);
}
static struct series_rank thrice(void) {
    return rank_of(thrice_nodes, 2, 3);
}
static struct series_rank nested(void) {
    return rank_of(nested_nodes, 4, 2);
}

static struct series_shape_node shape_of(const struct series_rank *rank) {
    struct series_shape_node shape = {.symbol = SERIES_LOOP};
    struct status status = STATUS_INIT;
    assert_int_equal(series_shape_copy(&shape, rank, rank->first, rank->count, &status), STATUS_OK);
    return shape;
}

struct visited {
    uint32_t symbols[32], trips[32];
    uint32_t count;
};

static status_code visit(const struct series_shape_walk *walk, const struct series_shape_node *node,
                         struct status *status) {
    struct visited *visited = walk->context;
    (void)status;
    assert_in_range(visited->count, 0, 31);
    visited->symbols[visited->count] = node->symbol;
    visited->trips[visited->count++] = walk->depth == 0 ? 0 : walk->trips[walk->depth - 1];
    return STATUS_OK;
}

/* Walks a rank along a shape: `count` symbols as listed. */
static void expect_walk(const struct series_shape_node *shape, const struct series_rank *rank,
                        uint32_t trips, uint32_t count) {
    struct visited visited = {.count = 0};
    struct series_shape_walk walk = {.rank = rank, .context = &visited, .visit = visit};
    struct status status = STATUS_INIT;
    assert_int_equal(series_shape_walk(&walk, shape, &status), STATUS_OK);
    assert_int_equal(visited.count, count + 1); /* and the loop */
    assert_int_equal(walk.steps, count);
    assert_int_equal(visited.symbols[0], C);
    assert_int_equal(visited.symbols[1], SERIES_LOOP);
    assert_int_equal(visited.trips[1], trips);
    for (uint32_t i = 2; i < count; i++)
        assert_int_equal(visited.symbols[i], i % 2 == 0 ? A : B);
    assert_int_equal(visited.symbols[count], C);
}

static void a_body_becomes_a_loop(void **state) {
    (void)state;
    struct series_rank one = once(), three = thrice();
    struct series_shape_node shape = shape_of(&one);
    struct status status = STATUS_INIT;
    assert_int_equal(shape.count, 4);
    assert_true(series_shape_unite(&shape, &three, &status));
    assert_int_equal(shape.count, 3);
    assert_int_equal(shape.nodes[1].symbol, SERIES_LOOP);
    assert_int_equal(shape.nodes[1].count, 2);
    expect_walk(&shape, &one, 1, 4);
    expect_walk(&shape, &three, 3, 8);
    assert_true(series_shape_unite(&shape, &one, &status));
    assert_true(series_shape_unite(&shape, &three, &status));
    assert_int_equal(shape.count, 3);
    series_shape_free(&shape);
}

static void a_loop_stands_for_its_body(void **state) {
    (void)state;
    struct series_rank one = once(), three = thrice();
    struct series_shape_node shape = shape_of(&three);
    struct status status = STATUS_INIT;
    assert_true(series_shape_unite(&shape, &one, &status));
    assert_int_equal(shape.count, 3);
    expect_walk(&shape, &one, 1, 4);
    expect_walk(&shape, &three, 3, 8);
    series_shape_free(&shape);
}

static status_code count_nothing(const struct series_shape_walk *walk,
                                 const struct series_shape_node *node, struct status *status) {
    (void)walk, (void)node, (void)status;
    return STATUS_OK;
}

/* An outer loop around an inner one: both are there, in whichever order the ranks come that differ
 * from the one before by one loop. Each rank has its own steps along the common shape. */
static void loops_within_loops_stay_apart(void **state) {
    (void)state;
    struct series_rank all[] = {once(), thrice(), nested()};
    static const size_t steps[] = {4, 8, 11};
    static const unsigned orders[][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct series_shape_node shape = shape_of(&all[orders[i][0]]);
        struct status status = STATUS_INIT;
        assert_true(series_shape_unite(&shape, &all[orders[i][1]], &status));
        assert_true(series_shape_unite(&shape, &all[orders[i][2]], &status));
        assert_int_equal(shape.count, 2);
        assert_int_equal(shape.nodes[1].symbol, SERIES_LOOP);
        for (size_t rank = 0; rank < 3; rank++) {
            struct series_shape_walk walk = {.rank = &all[rank], .visit = count_nothing};
            assert_int_equal(series_shape_walk(&walk, &shape, &status), STATUS_OK);
            assert_int_equal(walk.steps, steps[rank]);
        }
        series_shape_free(&shape);
    }
}

static void another_body_differs(void **state) {
    (void)state;
    struct series_rank one = once(), three = thrice(), other = rank_of(other_nodes, 2, 3);
    struct status status = STATUS_INIT;
    struct series_shape_node shape = shape_of(&one);
    assert_false(series_shape_unite(&shape, &other, &status));
    series_shape_free(&shape);
    shape = shape_of(&three);
    assert_false(series_shape_unite(&shape, &other, &status));
    one.count = 3; /* the end is missing */
    assert_false(series_shape_unite(&shape, &one, &status));
    series_shape_free(&shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_becomes_a_loop),
        cmocka_unit_test(a_loop_stands_for_its_body),
        cmocka_unit_test(loops_within_loops_stay_apart),
        cmocka_unit_test(another_body_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
