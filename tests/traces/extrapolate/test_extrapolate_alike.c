/*
 * Rank 0 computes more than the others, or makes a call more, as the master of molecular dynamics
 * does. Its partners follow the rule of all ranks.
 */
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 20, UP = 1, DOWN = -1 };

/* Adds a call that sends to one neighbour on a ring of all ranks, and receives from the other. */
static void add_shift(struct program_builder *builder, uint32_t rank, uint32_t ranks,
                      uint32_t region, int32_t step, int64_t *now_ps, struct status *status) {
    const uint32_t to = (rank + ranks + (uint32_t)step) % ranks;
    const uint32_t from = (rank + ranks - (uint32_t)step) % ranks;
    builder_call(builder, rank, region, 0, *now_ps, status);
    builder_send(builder, rank, 0, to, 0, 4096, 0, BUILDER_NO_REQUEST, status);
    builder_receive(builder, rank, 0, from, 0, 4096, 0, BUILDER_NO_REQUEST, status);
    builder_wait_call(builder, rank, status);
    builder_return(builder, rank, ++*now_ps, false, status);
}

/* Each step sends coordinates down and forces up along a line of domains. The times scatter, and
 * rank 0 computes half as much again, or makes a call more. */
static struct program *make(uint32_t ranks, bool computes_more) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t more = builder_define_region(builder, "MPI_Wtime", true);
    uint32_t members[64], world;
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    assert_int_equal(world, 0);
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t now_ps = 0;
        if (r == 0 && !computes_more) {
            builder_call(builder, r, more, 0, now_ps, &status);
            builder_return(builder, r, ++now_ps, false, &status);
        }
        for (uint32_t i = 0; i < STEPS; i++) {
            const int64_t noise = (r * 7919 + ranks * 104729 + i * 31) % 101;
            const int64_t duration_ps =
                (r == 0 && computes_more ? 3 : 2) * (1000000 + 1000 * noise) / 2;
            builder_compute(builder, r, duration_ps, &status);
            now_ps += duration_ps;
            add_shift(builder, r, ranks, region, DOWN, &now_ps, &status);
            add_shift(builder, r, ranks, region, UP, &now_ps, &status);
        }
    }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

static struct program *make_more_work(uint32_t ranks) {
    return make(ranks, true);
}

static struct program *make_more_calls(uint32_t ranks) {
    return make(ranks, false);
}

/* Returns the number of sends of a rank, and checks that they alternate. */
static uint32_t check_sends(const struct program *program, uint32_t rank) {
    const uint32_t ranks = program->rank_count;
    struct program_walk walk = {0};
    uint32_t count = 0;
    while (program_walk_next(program, &walk)) {
        if (walk.rank != rank || walk.operation->kind != OPERATION_SEND) continue;
        const uint32_t step = count++ % 2 == 0 ? ranks - 1 : 1;
        assert_int_equal(walk.operation->message.peer, (rank + step) % ranks);
    }
    return count;
}

/* The neighbours 1 and n - 1 of rank 0, by turns, also follow from the iteration in 3 x 2 x 1, 2 x
 * 2 x 2 and 3 x 2 x 2 ranks. */
static void check_all(series_maker *maker) {
    static const uint32_t rows[][6] = {
        {6, 8, 12, 16, 0}, {6, 8, 12, 18, 0}, {8, 12, 16, 32, 0}, {6, 8, 12, 16, 24, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct series_run run;
        series_run_made(&run, maker, rows[i]);
        if (run.status.code != STATUS_OK) fail_msg("%s", run.status.text);
        bool has_roles = false;
        for (size_t f = 0; f < run.report.finding_count; f++)
            has_roles = has_roles || strcmp(run.report.findings[f].where, "all but rank 0") == 0;
        assert_true(has_roles);
        for (uint32_t r = 0; r < run.made->rank_count; r++)
            assert_int_equal(check_sends(run.made, r), 2 * STEPS);
        series_run_free(&run);
    }
}

static void a_rank_that_computes_more_has_the_partners_of_all(void **state) {
    (void)state;
    check_all(make_more_work);
}

static void a_rank_with_a_call_more_has_neighbours(void **state) {
    (void)state;
    check_all(make_more_calls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_computes_more_has_the_partners_of_all),
        cmocka_unit_test(a_rank_with_a_call_more_has_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
