/*
 * Extrapolation of sizes that are fitted along the dimensions of cubes: all extents of a program
 * are one number. Along a dimension of two ranks there is one message, along others there are two,
 * so that roles follow by symmetry.
 */
#include "tests/support/series/series_run.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 4, DIMENSIONS = 3, BOX = 1200 };

/* How large the messages are. */
typedef enum face_kind {
    FACE_STAGED, /* with copies of a sixth of the box from the dimensions before */
    FACE_EDGE,   /* an edge of the part */
    FACE_ALL     /* with 40 cells more along both dimensions */
} face_kind;
static face_kind kind;

static uint64_t size_of(uint32_t extent, uint32_t dimension, uint32_t rank, uint32_t step) {
    const uint32_t part = BOX / extent;
    uint64_t cells = 1;
    for (uint32_t d = 0; d < DIMENSIONS; d++)
        if (d != dimension)
            cells *= part + (kind == FACE_STAGED ? d < dimension ? BOX / 6 : 0 : 40);
    if (kind == FACE_EDGE) cells = 10 * (uint64_t)part;
    return 8 * cells * (100 + (rank * 7 + step * 3 + dimension) % 5 - 2) / 100; /* they scatter */
}

static uint32_t neighbour(uint32_t rank, uint32_t extent, uint32_t dimension, uint32_t by) {
    uint32_t stride = 1;
    for (uint32_t d = dimension + 1; d < DIMENSIONS; d++)
        stride *= extent;
    const uint32_t own = rank / stride % extent;
    return rank - own * stride + (own + by) % extent * stride;
}

static void exchange(struct program_builder *builder, uint32_t rank, uint32_t extent,
                     uint32_t dimension, uint32_t step, struct status *status) {
    for (uint32_t way = 0; way < (extent == 2 ? 1u : 2u); way++) {
        const uint32_t to = neighbour(rank, extent, dimension, way == 0 ? 1 : extent - 1);
        const uint32_t from = neighbour(rank, extent, dimension, way == 0 ? extent - 1 : 1);
        builder_call(builder, rank, 0, 0, 0, status);
        builder_send(builder, rank, 0, to, 0, size_of(extent, dimension, rank, 2 * step + way), 0,
                     BUILDER_NO_REQUEST, status);
        builder_receive(builder, rank, 0, from, 0, size_of(extent, dimension, from, 2 * step + way),
                        0, BUILDER_NO_REQUEST, status);
        builder_wait_call(builder, rank, status);
        builder_return(builder, rank, 1, false, status);
    }
}

static struct program *make_cube(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    uint32_t world = 0, extent = 1, *members = calloc(ranks, sizeof *members);
    while (extent * extent * extent < ranks)
        extent++;
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t barrier = builder_define_region(builder, "MPI_Barrier", true);
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    const struct program_collective_arguments all = {.kind = PROGRAM_COLLECTIVE_BARRIER,
                                                     .communicator = world};
    for (uint32_t i = 0; i < ranks; i++)
        for (uint32_t step = 0; step < STEPS; step++) {
            for (uint32_t d = 0; d < DIMENSIONS; d++)
                exchange(builder, i, extent, d, step, &status);
            builder_call(builder, i, barrier, 0, 1, &status);
            builder_collective(builder, i, &all, 0, BUILDER_NO_REQUEST, &status);
            builder_return(builder, i, 1, false, &status);
        }
    free(members);
    return series_run_seal(builder);
}

/* Adds up the bytes that ranks send along each dimension: two messages each in turn. */
static void take_bytes(const struct program *program, uint64_t bytes[DIMENSIONS]) {
    memset(bytes, 0, DIMENSIONS * sizeof *bytes);
    for (uint32_t r = 0; r < program->rank_count; r++) {
        uint32_t sends = 0;
        for (uint64_t i = 0; i < program->ranks[r].count; i++) {
            const struct program_operation *operation =
                PROGRAM_OPERATION_AT(program, r, program->ranks[r].first + i);
            if (operation->kind == OPERATION_SEND)
                bytes[sends++ / 2 % DIMENSIONS] += operation->bytes;
        }
        assert_int_equal(sends, 2 * DIMENSIONS * STEPS);
    }
}

static void extrapolate(struct series_run *run, face_kind faces, uint32_t ranks) {
    *run = (struct series_run){.config = {.ranks = ranks, .approximate = true, .seed = 1}};
    kind = faces;
    for (uint32_t extent = 2; extent <= 4; extent++)
        run->programs[run->count++] = make_cube(extent * extent * extent);
    if (series_run_extrapolate(run) != STATUS_OK) fail_msg("%s", run->status.text);
}

/* The bytes along each dimension are those of the right program, up to a hundredth. */
static void expect_right(const struct series_run *run, uint64_t made[DIMENSIONS]) {
    uint64_t wanted[DIMENSIONS];
    struct program *real = make_cube(run->config.ranks);
    take_bytes(run->made, made);
    take_bytes(real, wanted);
    program_free(real);
    for (uint32_t d = 0; d < DIMENSIONS; d++)
        if (llabs((long long)(made[d] - wanted[d])) > (long long)(wanted[d] / 100))
            fail_msg("along dimension %u: %llu bytes, and %llu are right", d + 1,
                     (unsigned long long)made[d], (unsigned long long)wanted[d]);
}

/* Returns the n-th finding of bytes that are sent. */
static const struct extrapolate_finding *finding_of(const struct series_run *run, uint32_t n) {
    for (size_t i = 0; i < run->report.finding_count; i++)
        if (strcmp(run->report.findings[i].subject, "bytes sent") == 0 && n-- == 0)
            return &run->report.findings[i];
    return NULL;
}

/* The messages along each dimension have the mean that the report gives, but for which ranks copy
 * which. */
static void sizes_have_the_means_of_the_report(void **state) {
    (void)state;
    static const uint32_t targets[] = {125, 216};
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        struct series_run run;
        uint64_t made[DIMENSIONS];
        extrapolate(&run, FACE_STAGED, targets[t]);
        expect_right(&run, made);
        for (uint32_t d = 0; d < DIMENSIONS; d++) {
            bool found = false;
            const uint64_t mean = made[d] / targets[t] / STEPS / 2;
            for (uint32_t n = 0; finding_of(&run, n) != NULL; n++) {
                const struct extrapolate_finding *finding = finding_of(&run, n);
                const char *text = strstr(finding->law, "mean ");
                assert_non_null(text);
                assert_false(finding->uncertain);
                found = found || llabs(atoll(text + 5) - (long long)mean) <= (long long)mean / 500;
            }
            if (!found)
                fail_msg("no finding has the mean of dimension %u, %llu", d + 1,
                         (unsigned long long)mean);
        }
        series_run_free(&run);
    }
}

/* Two cubes determine a margin in all dimensions, and nothing tests it: a law without one comes
 * first, if it holds. */
static void margins_that_nothing_tests_are_uncertain(void **state) {
    (void)state;
    struct series_run run;
    uint64_t made[DIMENSIONS];
    extrapolate(&run, FACE_EDGE, 216);
    expect_right(&run, made);
    assert_non_null(strstr(finding_of(&run, 0)->law, "b/P^(1/3), mean "));
    assert_false(finding_of(&run, 0)->uncertain);
    series_run_free(&run);
    extrapolate(&run, FACE_ALL, 216);
    expect_right(&run, made);
    assert_non_null(strstr(finding_of(&run, 0)->law, "a face with a margin of "));
    assert_string_equal(finding_of(&run, 0)->fit, "too few programs to test it");
    assert_true(finding_of(&run, 0)->uncertain);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_the_means_of_the_report),
        cmocka_unit_test(margins_that_nothing_tests_are_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
