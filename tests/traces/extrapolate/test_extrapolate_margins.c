/*
 * Sizes of messages along the dimensions of cubes, which fits with margins give: how many sizes
 * test a margin, and what a rank's size in the new program is.
 */
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIMENSIONS = 3, ITERATIONS = 4 };

/* The size of a message along a dimension of a cube. */
typedef uint64_t size_model(uint32_t extent, uint32_t dimension);

static uint32_t extent_of(uint32_t ranks) {
    uint32_t extent = 1;
    while (extent * extent * extent < ranks)
        extent++;
    return extent;
}

/* Ranks of a periodic cube exchange messages along one dimension after another, once where the
 * extent is 2. */
static struct program *make_cube(uint32_t ranks, size_model *model) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t extent = extent_of(ranks);
    const uint32_t world = series_run_world(builder, ranks, &status);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t i = 0; i < ITERATIONS * DIMENSIONS; i++) {
            const uint32_t dimension = i % DIMENSIONS;
            const uint32_t stride = dimension == 0 ? extent * extent : dimension == 1 ? extent : 1;
            const uint32_t own = r / stride % extent, line = r - own * stride;
            const uint64_t bytes = model(extent, dimension);
            for (uint32_t side = 0; side < (extent == 2 ? 1u : 2u); side++) {
                const uint32_t up = line + (own + 1) % extent * stride;
                const uint32_t down = line + (own + extent - 1) % extent * stride;
                builder_call(builder, r, region, 0, 0, &status);
                builder_send(builder, r, world, side == 0 ? down : up, 0, bytes, 0,
                             BUILDER_NO_REQUEST, &status);
                builder_receive(builder, r, world, side == 0 ? up : down, 0, bytes, 0,
                                BUILDER_NO_REQUEST, &status);
                builder_wait_call(builder, r, &status);
                builder_return(builder, r, 0, false, &status);
            }
        }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

/* An edge along the message's own dimension. */
static uint64_t edges(uint32_t extent, uint32_t dimension) {
    (void)dimension;
    return 48000 / extent;
}

/* Faces of 1200^3 cells, with 200 cells more along each dimension that is exchanged before. */
static uint64_t margins(uint32_t extent, uint32_t dimension) {
    const uint64_t side = 1200 / extent;
    const uint64_t longer = side + 200;
    return 8 * (dimension == 0 ? side * side : dimension == 1 ? side * longer : longer * longer);
}

/* Extrapolates cubes of 8, 27 and 64 ranks to 216 ranks. */
static void run_cubes(struct series_run *run, size_model *model) {
    *run =
        (struct series_run){.config = {.ranks = 216, .seed = 1, .threads = 1, .approximate = true}};
    for (uint32_t extent = 2; extent <= 4; extent++)
        run->programs[run->count++] = make_cube(extent * extent * extent, model);
    if (series_run_extrapolate(run) != STATUS_OK) fail_msg("%s", run->status.text);
}

/* Asserts that each message of the new program has its size, but for 1 %. */
static void expect_sizes(const struct series_run *run, size_model *model) {
    struct program *real = make_cube(216, model);
    assert_int_equal(run->made->operation_count, real->operation_count);
    for (uint64_t i = 0; i < real->operation_count; i++) {
        const struct program_operation *operation = &real->operations[i];
        if (operation->kind != OPERATION_SEND) continue;
        assert_in_range(run->made->operations[i].bytes, operation->bytes * 99 / 100,
                        operation->bytes * 101 / 100);
    }
    program_free(real);
}

static bool has_margin(const struct series_run *run) {
    for (size_t i = 0; i < run->report.finding_count; i++)
        if (strstr(run->report.findings[i].law, "margin") != NULL) return true;
    return false;
}

/* All dimensions of a cube have one size, so 27 and 64 ranks leave no size to test a margin. */
static void equal_faces_test_a_margin_once(void **state) {
    (void)state;
    struct series_run run;
    run_cubes(&run, edges);
    expect_sizes(&run, edges);
    assert_false(has_margin(&run));
    series_run_free(&run);
}

static void sizes_with_margins_grow_along_each_dimension(void **state) {
    (void)state;
    struct series_run run;
    run_cubes(&run, margins);
    assert_true(has_margin(&run));
    expect_sizes(&run, margins);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_faces_test_a_margin_once),
        cmocka_unit_test(sizes_with_margins_grow_along_each_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
