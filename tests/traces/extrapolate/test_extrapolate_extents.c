/*
 * Extrapolation of sizes in roles whose programs share an extent of the grid: ranks inside 4 x 4,
 * 4 x 6 and 4 x 8 ranks, to 6 x 8. And of all faces of a box in one call, in roles that one or two
 * programs have.
 */
#include "tests/support/series/series_family_rank.h"
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum {
    WEAK_SCALING,
    STRONG_SCALING,
    SHORT_ENDS, /* ranks at the ends have 24 bytes less */
    PLAIN_ENDS  /* ranks at the ends have always the same, which says nothing about the others */
} grid_sizes;

/* Returns the bytes of a message to the rank behind or before, across the short side. */
static uint64_t bytes_of(uint32_t x, uint32_t extent) {
    const bool is_end = x == 0 || x + 1 == extent;
    if (grid_sizes == WEAK_SCALING) return 1024;
    if (grid_sizes == PLAIN_ENDS && is_end) return 96;
    return 5760 / extent - (grid_sizes == SHORT_ENDS && is_end ? 24 : 0);
}

/* Posts a message up or down the second dimension, which is periodic, and one from the other side;
 * and those to the neighbours in the first one, which has ends. All are in one call. */
static void exchange_all(struct family_rank *at, uint32_t r, const uint32_t extents[2]) {
    const uint32_t n = extents[0] * extents[1], x = r % extents[0];
    const uint64_t along = grid_sizes == WEAK_SCALING ? 512 : 11520 / extents[1];
    call(at, at->exchange);
    at->tag = 1;
    post_send(at, (r + extents[0]) % n, bytes_of(x, extents[0]));
    post_receive(at, (r + n - extents[0]) % n, bytes_of(x, extents[0]));
    at->tag = 2;
    post_send(at, (r + n - extents[0]) % n, bytes_of(x, extents[0]));
    post_receive(at, (r + extents[0]) % n, bytes_of(x, extents[0]));
    at->tag = 3;
    if (x > 0) post_receive(at, r - 1, along);
    if (x + 1 < extents[0]) post_send(at, r + 1, along);
    end(at);
}

/* Posts messages to all neighbours in a box of 48 x 48 x 48 cells with ends, in one call. */
static void exchange_faces(struct family_rank *at, uint32_t r, const uint32_t extents[3]) {
    call(at, at->exchange);
    for (uint32_t d = 0, stride = 1; d < 3; stride *= extents[d++]) {
        const uint32_t place = r / stride % extents[d];
        uint64_t bytes = 8;
        for (uint32_t other = 0; other < 3; other++)
            if (other != d) bytes *= 48 / extents[other];
        if (place > 0) post_send(at, r - stride, bytes);
        if (place > 0) post_receive(at, r - stride, bytes);
        if (place + 1 < extents[d]) post_send(at, r + stride, bytes);
        if (place + 1 < extents[d]) post_receive(at, r + stride, bytes);
    }
    end(at);
}

/* Makes a program in which each rank calls a function three times. */
static struct program *make_calls(uint32_t ranks, uint32_t dimensions,
                                  void messages(struct family_rank *, uint32_t, const uint32_t *)) {
    struct status status = STATUS_INIT;
    struct family_rank at = {.builder = builder_new(ranks, &status), .status = &status};
    uint32_t extents[3], *members = calloc(ranks, sizeof *members);
    if (dimensions == 3)
        space(ranks, extents);
    else
        plane(ranks, extents);
    if (dimensions == 2) { /* the smallest first */
        const uint32_t first = extents[1];
        extents[1] = extents[0];
        extents[0] = first;
    }
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(at.builder, "world", members, ranks, &at.world, &status);
    free(members);
    at.exchange = builder_define_region(at.builder, "MPI_Waitall", true);
    at.send = builder_define_region(at.builder, "MPI_Send", true);
    at.receive = builder_define_region(at.builder, "MPI_Recv", true);
    for (at.rank = 0; at.rank < ranks; at.rank++) {
        at.now_ps = 0;
        for (uint32_t i = 0; i < 3; i++)
            messages(&at, at.rank, extents);
    }
    return series_run_seal(at.builder);
}

static struct program *make(uint32_t ranks) {
    return make_calls(ranks, 2, exchange_all);
}

static struct program *make_faces(uint32_t ranks) {
    return make_calls(ranks, 3, exchange_faces);
}

/* Passes parts around in a ring along the first dimension. Those in the middle of the second one,
 * which no program of four ranks has, tell the next rank that they are done. */
static void exchange_ring(struct family_rank *at, uint32_t r, const uint32_t extents[2]) {
    const uint32_t x = r % extents[0], line = r - x, y = r / extents[0];
    const uint32_t up = line + (x + 1) % extents[0];
    const uint32_t down = line + (x + extents[0] - 1) % extents[0];
    for (uint32_t i = 0; i + 1 < extents[0]; i++)
        exchange(at, up, down, 1000);
    if (y > 0) receive_from(at, r - extents[0], 8);
    if (y + 1 < extents[1]) send_to(at, r + extents[0], 8);
}

static struct program *make_ring(uint32_t ranks) {
    return make_calls(ranks, 2, exchange_ring);
}

/* On 2 x 2, 2 x 4, 4 x 4, 4 x 6, 4 x 8 and then 6 x 8 ranks. */
static const uint32_t narrow[] = {4, 8, 16, 24, 32, 48, 0};

static unsigned count_uncertain(const struct extrapolate_report *report, const char *subject,
                                const char *text) {
    unsigned count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        count += strcmp(report->findings[i].subject, subject) == 0 &&
                 report->findings[i].uncertain && strstr(report->findings[i].fit, text) != NULL;
    return count;
}

static void sizes_of_other_roles_show_the_law(void **state) {
    (void)state;
    for (grid_sizes = WEAK_SCALING; grid_sizes <= SHORT_ENDS; grid_sizes++) {
        struct series_run run;
        assert_int_equal(series_run_made(&run, make, narrow), STATUS_OK);
        series_run_equal(&run, make(48));
        assert_int_equal(count_uncertain(&run.report, "bytes sent", "share an extent"), 0);
        series_run_free(&run);
    }
}

static void a_size_that_only_looks_constant_is_uncertain(void **state) {
    (void)state;
    struct series_run run;
    grid_sizes = PLAIN_ENDS;
    assert_int_equal(series_run_made(&run, make, narrow), STATUS_OK);
    assert_true(count_uncertain(&run.report, "bytes sent",
                                "but all programs with the role share an extent") > 0);
    series_run_free(&run);
}

/* On 2 x 2 x 2, 4 x 2 x 2, 4 x 4 x 2, 4 x 4 x 4 and then 8 x 4 x 4 ranks: one program alone has
 * ranks inside all dimensions. The distance to their neighbours among all ranks is that in other
 * grids, too. */
static void neighbours_of_roles_show_faces(void **state) {
    (void)state;
    static const uint32_t boxes[] = {8, 16, 32, 64, 128, 0};
    struct series_run run;
    if (series_run_made(&run, make_faces, boxes) != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_equal(&run, make_faces(128));
    series_run_free(&run);
}

/* Rings of 4 ranks have three trips in all programs with ranks in the middle. Rings of 2 have one:
 * two extents do not show a law. */
static void trips_that_only_look_constant_are_uncertain(void **state) {
    (void)state;
    static const uint32_t ranks[] = {4, 6, 16, 24, 32, 48, 0};
    struct series_run run;
    if (series_run_made(&run, make_ring, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(count_uncertain(&run.report, "trips of a loop", "share an extent"), 1);
    series_run_free(&run);
}

/* By symmetry, an extent of 4 is the only one of 3 or more that the series shows. */
static void one_extent_alone_is_told(void **state) {
    (void)state;
    static const struct series_pattern transform = {"swfft", 0};
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    struct series_run run;
    if (series_run_pattern(&run, &transform, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(count_uncertain(&run.report, "constants", "looks constant"), 1);
    series_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_other_roles_show_the_law),
        cmocka_unit_test(a_size_that_only_looks_constant_is_uncertain),
        cmocka_unit_test(neighbours_of_roles_show_faces),
        cmocka_unit_test(trips_that_only_look_constant_are_uncertain),
        cmocka_unit_test(one_extent_alone_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
