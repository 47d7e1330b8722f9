/*
 * Laws that give all values of a series as the taken law does, and other values of the new program:
 * the report names them.
 */
#include "tests/support/series/series_run.h"
#include "traces/extrapolate/laws/law_roots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITERATIONS = 3 };

/* Ranks of a ring send messages to the rank so far up, with a sum of all ranks after each. */
static struct program *make_ring(uint32_t ranks, uint32_t distance, uint64_t bytes) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t add_up = builder_define_region(builder, "MPI_Allreduce", true);
    const uint32_t world = series_run_world(builder, ranks, &status);
    const struct program_collective_arguments sum = series_run_sum(world);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t i = 0; i < ITERATIONS; i++) {
            builder_call(builder, r, region, 0, 0, &status);
            builder_send(builder, r, world, (r + distance) % ranks, 0, bytes, 0, BUILDER_NO_REQUEST,
                         &status);
            builder_receive(builder, r, world, (r + ranks - distance) % ranks, 0, bytes, 0,
                            BUILDER_NO_REQUEST, &status);
            builder_wait_call(builder, r, &status);
            builder_return(builder, r, 0, false, &status);
            builder_call(builder, r, add_up, 0, 0, &status);
            builder_collective(builder, r, &sum, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, r, 0, false, &status);
        }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

static uint32_t root_of(uint32_t ranks) {
    return (uint32_t)law_number_root(ranks, 2);
}

/* The smallest power of two that is not below the number of ranks. */
static uint32_t padded(uint32_t ranks) {
    uint32_t power = 1;
    while (power < ranks)
        power *= 2;
    return power;
}

static struct program *make_products(uint32_t ranks) {
    return make_ring(ranks, 1, 8 * (uint64_t)ranks * root_of(ranks));
}
static struct program *make_padded(uint32_t ranks) {
    return make_ring(ranks, 1, 8 * (uint64_t)padded(ranks));
}
static struct program *make_parts_of_padded(uint32_t ranks) {
    return make_ring(ranks, 1, 3145728 / padded(ranks));
}
static struct program *make_far(uint32_t ranks) {
    return make_ring(ranks, 2 * root_of(ranks) - 1, 64);
}
static struct program *make_logarithm(uint32_t ranks) {
    return make_ring(ranks, 2 * (uint32_t)law_number_log2(ranks) + 1, 64);
}

static struct program *make_nine(uint32_t ranks) {
    return make_ring(ranks, 9, 64);
}

/* Asserts that findings with this subject have this text and are uncertain. */
static void expect_uncertain(series_maker *maker, const uint32_t *ranks, const char *subject,
                             const char *text) {
    struct series_run run;
    bool has = false;
    if (series_run_made(&run, maker, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        has = has || (strcmp(finding->subject, subject) == 0 && finding->uncertain &&
                      strstr(finding->fit, text) != NULL);
    }
    if (!has) fail_msg("no uncertain finding on %s has \"%s\"", subject, text);
    series_run_free(&run);
}

static const uint32_t squares[] = {4, 9, 16, 36, 0}, doubled[] = {6, 12, 24, 96, 0};
static const uint32_t cubes[] = {8, 27, 64, 216, 0}, powers[] = {8, 16, 32, 48, 0};

static void sizes_are_compared_with_products_of_roots(void **state) {
    (void)state;
    expect_uncertain(make_products, squares, "bytes sent",
                     "P x floor(sqrt P) fits as well: 1728 on rank 0, not 1440");
    expect_uncertain(make_products, doubled, "bytes sent", "P x floor(sqrt P) fits as well");
}

static void sizes_are_compared_with_the_next_power_of_two(void **state) {
    (void)state;
    expect_uncertain(make_padded, cubes, "bytes sent",
                     "2^ceil(log2 P) fits as well: 2048 on rank 0, not 1728");
    expect_uncertain(make_parts_of_padded, powers, "bytes sent",
                     "3145728 x 1/2^ceil(log2 P) fits as well: 49152 on rank 0, not 65536");
}

static void far_partners_show_no_grid(void **state) {
    (void)state;
    expect_uncertain(make_far, doubled, "partner", "nothing else shows this grid");
    expect_uncertain(make_logarithm, doubled, "partner", "nothing else shows this grid");
}

static void long_steps_are_compared_with_distances(void **state) {
    (void)state;
    static const uint32_t roots[] = {26, 30, 34, 40, 0}, logarithms[] = {17, 23, 31, 40, 0};
    expect_uncertain(make_nine, roots, "partner",
                     "+ (2 floor(sqrt n) - 1) (periodic) among all ranks fits as well: 11 on rank "
                     "0, not 9");
    expect_uncertain(make_nine, logarithms, "partner",
                     "+ (2 floor(log2 n) + 1) (periodic) among all ranks fits as well: 11 on rank "
                     "0, not 9");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_compared_with_products_of_roots),
        cmocka_unit_test(sizes_are_compared_with_the_next_power_of_two),
        cmocka_unit_test(long_steps_are_compared_with_distances),
        cmocka_unit_test(far_partners_show_no_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
