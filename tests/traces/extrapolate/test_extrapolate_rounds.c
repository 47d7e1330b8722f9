/*
 * Rounds whose number follows from the number of ranks, in a loop without another call between the
 * iterations of the program: how many there are and what ranks compute in them.
 */
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITERATIONS = 4, ALL_NS = 13824000 };

static uint32_t rounds_of(uint32_t ranks) {
    uint32_t rounds = 0;
    while (ranks >> (rounds + 1) > 0)
        rounds++;
    return rounds;
}

/* How much longer a rank computes than the mean, in ns: all ranks of an iteration add up to 0. */
typedef int64_t round_noise(uint32_t rank, uint32_t iteration);

/* The size of a message in one of `rounds` rounds. */
typedef uint64_t round_size(uint32_t round, uint32_t rounds);

static uint64_t same(uint32_t round, uint32_t rounds) {
    (void)round;
    (void)rounds;
    return 64;
}

/* In each iteration, ranks of a power of two exchange in rounds of doubling, in the first iteration
 * so often. Before the first round, all ranks together compute as long in any program. */
static struct program *make_rounds(uint32_t ranks, round_noise *noise, uint32_t first,
                                   round_size *size) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    const uint32_t world = series_run_world(builder, ranks, &status);
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t now_ps = 0;
        for (uint32_t i = 0; i < ITERATIONS; i++)
            for (uint32_t round = 0; round < (i == 0 ? first : 1) * rounds_of(ranks); round++) {
                const uint32_t other = r ^ UINT32_C(1) << round % rounds_of(ranks);
                const uint64_t bytes = size(round, rounds_of(ranks));
                const int64_t own_ns = (int64_t)(ALL_NS / ranks) + noise(r, i);
                if (round == 0) builder_compute(builder, r, 1000 * own_ns, &status);
                if (round == 0) now_ps += 1000 * own_ns;
                builder_call(builder, r, region, 0, now_ps, &status);
                builder_send(builder, r, world, other, 0, bytes, 0, BUILDER_NO_REQUEST, &status);
                builder_receive(builder, r, world, other, 0, bytes, 0, BUILDER_NO_REQUEST, &status);
                builder_wait_call(builder, r, &status);
                builder_return(builder, r, now_ps, false, &status);
            }
    }
    assert_int_equal(status.code, STATUS_OK);
    return series_run_seal(builder);
}

static int64_t none(uint32_t rank, uint32_t iteration) {
    (void)rank;
    (void)iteration;
    return 0;
}

static int64_t some(uint32_t rank, uint32_t iteration) {
    return (int64_t)((rank / 2 + iteration) % 7) * (rank % 2 == 0 ? 100 : -100);
}

static struct program *make_quiet(uint32_t ranks) {
    return make_rounds(ranks, none, 1, same);
}

static struct program *make_noisy(uint32_t ranks) {
    return make_rounds(ranks, some, 1, same);
}

static struct program *make_twice(uint32_t ranks) {
    return make_rounds(ranks, some, 2, same);
}

static void first_rounds_have_a_law(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    struct series_run run;
    if (series_run_made(&run, make_quiet, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_equal(&run, make_quiet(256));
    series_run_free(&run);
}

/* 24 rounds of 64 ranks are copied as 32 rounds of 256, of which 6 copy a first one, not 4. */
static void copied_rounds_keep_their_sum(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    struct series_run run;
    struct program_totals totals;
    if (series_run_made(&run, make_noisy, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    program_totals_compute(run.made, &totals);
    const int64_t all_ps = INT64_C(1000) * ITERATIONS * ALL_NS;
    assert_in_range((int64_t)totals.compute_ps, all_ps / 100 * 99, all_ps / 100 * 101);
    series_run_free(&run);
}

/* Each rank computes before the first of 8 rounds, and not before the others. */
static void copied_rounds_keep_their_places(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    struct series_run run;
    if (series_run_made(&run, make_noisy, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program_walk walk = {0};
    uint32_t calls = 0;
    while (program_walk_next(run.made, &walk)) {
        const unsigned kind = walk.operation->kind;
        if (kind == OPERATION_COMPUTE) assert_int_equal(calls % rounds_of(256), 0);
        calls = kind == OPERATION_END ? 0 : calls + (kind == OPERATION_CALL);
    }
    series_run_free(&run);
}

/* The first iteration has twice as many rounds, so all rounds are no multiple of one number. */
static void unknown_places_are_uncertain(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    struct series_run run;
    bool is_uncertain = false;
    if (series_run_made(&run, make_twice, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    for (size_t i = 0; i < run.report.finding_count; i++)
        is_uncertain = is_uncertain || (run.report.findings[i].uncertain &&
                                        strstr(run.report.findings[i].fit, "no rule says which"));
    assert_true(is_uncertain);
    series_run_free(&run);
}

static uint64_t halving(uint32_t round, uint32_t rounds) {
    (void)rounds;
    return UINT64_C(1) << 22 >> round;
}

static uint64_t doubling_to_64(uint32_t round, uint32_t rounds) {
    return UINT64_C(64) << (rounds - 1 - round);
}

static uint64_t rising(uint32_t round, uint32_t rounds) {
    (void)rounds;
    return 64 * (round + 1);
}

static struct program *make_halving(uint32_t ranks) {
    return make_rounds(ranks, none, 1, halving);
}

static struct program *make_doubling(uint32_t ranks) {
    return make_rounds(ranks, none, 1, doubling_to_64);
}

static struct program *make_rising(uint32_t ranks) {
    return make_rounds(ranks, none, 1, rising);
}

/* The sizes of the messages follow from the iterations of a round, not of the loop. */
static void sizes_in_rounds_are_exact(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 16, 32, 64, 256, 0};
    static series_maker *const makers[] = {make_halving, make_doubling, make_rising};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        struct series_run run;
        if (series_run_made(&run, makers[i], ranks) != STATUS_OK) fail_msg("%s", run.status.text);
        series_run_equal(&run, makers[i](256));
        series_run_free(&run);
    }
}

/* 4, 9 and 16 ranks have 2, 3 and 4 rounds, and roots of 2, 3 and 4. */
static void rounds_of_doubling_are_logarithms(void **state) {
    (void)state;
    static const uint32_t series[][5] = {{4, 9, 16, 64, 0}, {6, 12, 24, 48, 0}};
    const struct series_pattern doubling = {"allreduce-recursive-doubling", 0};
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        struct series_run run;
        if (series_run_pattern(&run, &doubling, series[i]) != STATUS_OK)
            fail_msg("%s", run.status.text);
        series_run_equal(&run, series_generate(&doubling, series[i][3]));
        series_run_free(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_rounds_have_a_law),
        cmocka_unit_test(sizes_in_rounds_are_exact),
        cmocka_unit_test(copied_rounds_keep_their_sum),
        cmocka_unit_test(copied_rounds_keep_their_places),
        cmocka_unit_test(unknown_places_are_uncertain),
        cmocka_unit_test(rounds_of_doubling_are_logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
