/* Times of user regions, from a timeline made by hand. */
#include "api/run/region_times.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Rank 0: solve { MPI, solve { MPI } } twice; rank 1: init { solve { } } once. */
static struct program *make(void) {
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(2, &status);
    const uint32_t members[] = {0, 1};
    uint32_t world = 0;
    builder_define_communicator(b, "world", members, 2, &world, &status);
    uint32_t never = builder_define_region(b, "never", false),
             solve = builder_define_region(b, "solve", false),
             call = builder_define_region(b, "MPI_X", true),
             init = builder_define_region(b, "init", false);
    assert_int_not_equal(never, solve);
    for (int i = 0; i < 2; i++) {
        builder_enter(b, 0, solve, 0, &status);
        builder_call(b, 0, call, 0, 0, &status);
        builder_return(b, 0, 0, false, &status);
        builder_enter(b, 0, solve, 0, &status);
        builder_call(b, 0, call, 0, 0, &status);
        builder_return(b, 0, 0, false, &status);
        builder_leave(b, 0, 0, &status);
        builder_leave(b, 0, 0, &status);
    }
    builder_enter(b, 1, init, 0, &status);
    builder_enter(b, 1, solve, 0, &status);
    builder_leave(b, 1, 0, &status);
    builder_leave(b, 1, 0, &status);
    struct program *program = NULL;
    if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    return program;
}

static void times_of_regions_are_sums_of_their_visits(void **state) {
    (void)state;
    struct program *program = make();
    assert_true(region_times_are_wanted(program, &(struct traces_config){.user_regions = true}));
    assert_true(region_times_are_wanted(program, &(struct traces_config){.from = "solve"}));
    assert_false(region_times_are_wanted(program, &(struct traces_config){.to = ""}));
    uint64_t first[] = {0, 16, 20};
    int64_t times_ps[] = {0,   10,  30,  40,  50,  55,  60,  100, /* first solve: 100, MPI 25 */
                          200, 210, 211, 220, 230, 232, 240, 250, /* second: 50, MPI 3 */
                          5,   6,   506, 507};
    struct replay_timeline timeline = {.rank_count = 2, .first = first, .times_ps = times_ps};
    struct region_time *times = NULL;
    uint32_t count = 0;
    assert_int_equal(region_times_compute(program, &timeline, &times, &count, NULL), STATUS_OK);
    assert_int_equal(count, 2);
    assert_string_equal(times[0].name, "solve");
    assert_int_equal(times[0].count, 5);
    assert_int_equal(times[0].ranks, 2);
    assert_int_equal(times[0].time_ps, 100 + 50 + 500);
    assert_int_equal(times[0].mpi_ps, 25 + 3);
    assert_int_equal(times[0].max_ps, 500);
    assert_int_equal(times[0].max_rank, 1);
    assert_string_equal(times[1].name, "init");
    assert_int_equal(times[1].count, 1);
    assert_int_equal(times[1].ranks, 1);
    assert_int_equal(times[1].time_ps, 502);
    assert_int_equal(times[1].mpi_ps, 0);
    free(times);

    for (int i = 16; i < 20; i++) /* in no time */
        times_ps[i] = 5;
    assert_int_equal(region_times_compute(program, &timeline, &times, &count, NULL), STATUS_OK);
    assert_int_equal(times[0].max_ps, 150);
    assert_int_equal(times[0].max_rank, 0);
    assert_int_equal(times[1].time_ps, 0);
    assert_int_equal(times[1].max_rank, 1); /* only it was there */
    free(times);

    const int64_t alike_ps[] = {5, 6, 156, 157}; /* both ranks are in solve for 150 ps */
    for (int i = 0; i < 4; i++)
        times_ps[16 + i] = alike_ps[i];
    assert_int_equal(region_times_compute(program, &timeline, &times, &count, NULL), STATUS_OK);
    assert_int_equal(times[0].max_ps, 150);
    assert_int_equal(times[0].max_rank, 0); /* the first of them */
    free(times);
    program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_of_regions_are_sums_of_their_visits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
