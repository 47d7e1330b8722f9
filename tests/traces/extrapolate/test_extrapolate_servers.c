/*
 * A process grid and a server: rank 0 or the last rank serves all others, which exchange a halo in
 * a grid of their own.
 */
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 3, RESULT_TAG = 9, RESULT_PS = 1000000 };

struct served {
    uint32_t dimensions;
    bool is_periodic, serves_last, has_communicator;
    bool computes;   /* the server, before each result */
    bool serves_one; /* the first rank of the grid alone sends results */
};

/* What one rank of such a program needs. */
struct maker {
    struct program_builder *builder;
    const struct served *served;
    uint32_t world, grid, region, others, extent;
    struct status status;
};

/* Returns the rank of the program at a place of the grid. */
static uint32_t rank_of(const struct maker *maker, uint32_t place) {
    return place + !maker->served->serves_last;
}

static void message(struct maker *maker, uint32_t rank, bool sends, uint32_t other, int32_t tag,
                    uint64_t bytes, uint32_t communicator) {
    builder_call(maker->builder, rank, maker->region, 0, 0, &maker->status);
    if (sends)
        builder_send(maker->builder, rank, communicator, other, tag, bytes, 0, BUILDER_NO_REQUEST,
                     &maker->status);
    else
        builder_receive(maker->builder, rank, communicator, other, tag, bytes, 0,
                        BUILDER_NO_REQUEST, &maker->status);
    builder_wait_call(maker->builder, rank, &maker->status);
    builder_return(maker->builder, rank, 0, false, &maker->status);
}

/* A worker sends to the next place along each dimension and receives from the one before. */
static void halo(struct maker *maker, uint32_t place) {
    const uint32_t communicator = maker->served->has_communicator ? maker->grid : maker->world;
    for (uint32_t d = 0, distance = 1; d < maker->served->dimensions;
         d++, distance *= maker->extent) {
        const uint32_t own = place / distance % maker->extent, line = place - own * distance;
        const uint32_t up = rank_of(maker, line + (own + 1) % maker->extent * distance);
        const uint32_t down =
            rank_of(maker, line + (own + maker->extent - 1) % maker->extent * distance);
        const uint64_t bytes = 512 << d;
        if (maker->served->is_periodic || own + 1 < maker->extent)
            message(maker, rank_of(maker, place), true, up, (int32_t)d, bytes, communicator);
        if (maker->served->is_periodic || own > 0)
            message(maker, rank_of(maker, place), false, down, (int32_t)d, bytes, communicator);
    }
}

static struct program *make(const struct served *served, uint32_t ranks) {
    struct maker maker = {.served = served, .others = ranks - 1, .extent = 1};
    maker.builder = builder_new(ranks, &maker.status);
    maker.region = builder_define_region(maker.builder, "MPI_Send", true);
    maker.world = series_run_world(maker.builder, ranks, &maker.status);
    for (uint32_t all = 0; all < maker.others; maker.extent += all < maker.others) {
        all = 1;
        for (uint32_t d = 0; d < served->dimensions; d++)
            all *= maker.extent;
    }
    uint32_t *members = calloc(maker.others, sizeof *members);
    assert_non_null(members);
    for (uint32_t i = 0; i < maker.others; i++)
        members[i] = rank_of(&maker, i);
    if (served->has_communicator)
        builder_define_communicator(maker.builder, "grid", members, maker.others, &maker.grid,
                                    &maker.status);
    free(members);
    const uint32_t server = served->serves_last ? ranks - 1 : 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        for (uint32_t place = 0; place < (served->serves_one ? 1 : maker.others); place++) {
            if (served->computes) builder_compute(maker.builder, server, RESULT_PS, &maker.status);
            message(&maker, server, false, rank_of(&maker, place), RESULT_TAG, 64, maker.world);
        }
    }
    for (uint32_t place = 0; place < maker.others; place++)
        for (uint32_t i = 0; i < STEPS; i++) {
            halo(&maker, place);
            if (served->serves_one && place > 0) continue;
            message(&maker, rank_of(&maker, place), true, server, RESULT_TAG, 64, maker.world);
        }
    assert_int_equal(maker.status.code, STATUS_OK);
    return series_run_seal(maker.builder);
}

static void run_served(const struct served *served, const uint32_t *ranks) {
    struct series_run run = {.config = {.seed = 1, .threads = 1}};
    for (; ranks[run.count + 1] > 0; run.count++)
        run.programs[run.count] = make(served, ranks[run.count]);
    run.config.ranks = ranks[run.count];
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_equal(&run, make(served, run.config.ranks));
    bool has = false, has_waits = false;
    for (size_t i = 0; i < run.report.finding_count; i++) {
        has = has || strcmp(run.report.findings[i].subject, "server") == 0;
        has_waits = has_waits || strcmp(run.report.findings[i].where, "ranks that wait") == 0;
    }
    assert_true(has);
    assert_false(has_waits); /* exact laws give the server's work */
    series_run_free(&run);
}

static void grids_with_a_server_are_exact(void **state) {
    (void)state;
    static const uint32_t cubes[] = {28, 65, 126, 217, 0}, squares[] = {10, 17, 26, 50, 0};
    static const struct served served[] = {
        {.dimensions = 3, .is_periodic = true},
        {.dimensions = 3, .is_periodic = true, .serves_last = true, .has_communicator = true},
        {.dimensions = 3, .has_communicator = true, .computes = true},
        {.dimensions = 2, .is_periodic = true, .serves_last = true, .computes = true},
        {.dimensions = 2, .is_periodic = true, .has_communicator = true},
        {.dimensions = 2, .serves_last = true, .has_communicator = true, .computes = true},
    };
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        run_served(&served[i], served[i].dimensions == 3 ? cubes : squares);
}

/* The ranks that send no results have one run of messages among themselves. */
static void grids_whose_first_rank_alone_is_served_are_exact(void **state) {
    (void)state;
    static const uint32_t cubes[] = {28, 65, 126, 217, 0}, squares[] = {10, 17, 26, 50, 0};
    static const struct served served[] = {
        {.dimensions = 2, .serves_one = true},
        {.dimensions = 3, .is_periodic = true, .serves_one = true},
        {.dimensions = 2, .serves_last = true, .serves_one = true},
    };
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        run_served(&served[i], served[i].dimensions == 3 ? cubes : squares);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_with_a_server_are_exact),
        cmocka_unit_test(grids_whose_first_rank_alone_is_served_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
