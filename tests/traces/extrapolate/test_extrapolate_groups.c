/*
 * Extrapolation of communicators: lines of several grids that fit, communicators that are not in
 * use, and those that libraries make to try ways.
 */
#include "tests/support/series/series_run.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Adds a call that begins at a time and lasts 1 ps: a collective of some bytes of each rank. */
static void add_collective(struct program_builder *builder, uint32_t rank, uint32_t region,
                           const struct program_collective_arguments *arguments, int64_t at_ps) {
    struct status status = STATUS_INIT;
    builder_call(builder, rank, region, 0, at_ps, &status);
    builder_collective(builder, rank, arguments, 0, BUILDER_NO_REQUEST, &status);
    builder_return(builder, rank, at_ps + 1, false, &status);
}

static const struct program_collective_arguments sum_of_8_bytes = {
    .kind = PROGRAM_COLLECTIVE_ALLREDUCE, .send_bytes = 8, .receive_bytes = 8};

/* Adds a sum of 8 bytes over a communicator, as all that a rank does. */
static void add_sum(struct program_builder *builder, uint32_t rank, uint32_t region,
                    uint32_t communicator) {
    struct program_collective_arguments sum = sum_of_8_bytes;
    sum.communicator = communicator;
    add_collective(builder, rank, region, &sum, 0);
}

/* Each rank adds up 8 bytes with the ranks of its half. */
static struct program *make_halves(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Allreduce", true);
    uint32_t halves[2] = {0}, *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    for (uint32_t half = 0; half < 2; half++)
        builder_define_communicator(builder, "half", members + half * (ranks / 2), ranks / 2,
                                    &halves[half], &status);
    for (uint32_t i = 0; i < ranks; i++)
        add_sum(builder, i, region, halves[i / (ranks / 2)]);
    free(members);
    return series_run_seal(builder);
}

/* Returns how many communicators are UNCERTAIN, with this text. */
static unsigned count_uncertain(const struct series_run *run, const char *text) {
    unsigned count = 0;
    for (size_t i = 0; i < run->report.finding_count; i++)
        count += strcmp(run->report.findings[i].subject, "communicator") == 0 &&
                 run->report.findings[i].uncertain &&
                 strstr(run->report.findings[i].fit, text) != NULL;
    return count;
}

/* Halves of 4, 8 and 16 ranks are lines of n x 2, and of 2 x 2 x 2 x n/8. 12 ranks tell, and so
 * does --grid. Else the grid of fewer dimensions is taken, and the other one is named. */
static void lines_of_two_grids_are_named(void **state) {
    (void)state;
    static const uint32_t powers_of_two[] = {4, 8, 16, 32, 0}, others[] = {4, 8, 12, 32, 0};
    struct series_run run;
    series_run_made(&run, make_halves, powers_of_two);
    assert_int_equal(count_uncertain(&run, "of the grid 2 x 2 x 2 x 4 fit as well"), 1);
    series_run_equal(&run, make_halves(32));
    series_run_free(&run);
    series_run_made(&run, make_halves, powers_of_two);
    program_free(run.made);
    extrapolate_report_free(&run.report);
    memcpy(run.config.grid, (uint32_t[4]){16, 2, 0, 0}, sizeof run.config.grid);
    series_run_extrapolate(&run);
    series_run_equal(&run, make_halves(32));
    series_run_free(&run);
    series_run_made(&run, make_halves, others);
    series_run_equal(&run, make_halves(32));
    series_run_free(&run);
}

/* Rows and columns of 4 x 2, 4 x 4 and 8 x 4 ranks are lines of 4-D grids, too. */
static void lines_of_fewer_dimensions_are_taken(void **state) {
    (void)state;
    static const struct series_pattern transform = {"fft3d", 0};
    static const uint32_t ranks[] = {8, 16, 32, 64, 0};
    struct series_run run;
    if (series_run_pattern(&run, &transform, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(count_uncertain(&run, "of the grid 4 x 4 x 4 fit as well"), 2);
    series_run_equal(&run, series_generate(&transform, 64));
    series_run_free(&run);
}

/* A ring in the last of several communicators of all ranks, of which the number of ranks says how
 * many there are. */
static struct program *make_duplicates(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Sendrecv", true);
    uint32_t used = 0, members[64];
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    for (uint32_t i = 0; i < 5 + 64 % ranks + 64 / ranks; i++)
        builder_define_communicator(builder, "world", members, ranks, &used, &status);
    for (uint32_t i = 0; i < ranks; i++) {
        builder_call(builder, i, region, 0, 0, &status);
        builder_send(builder, i, used, (i + 1) % ranks, 0, 1000, 0, BUILDER_NO_REQUEST, &status);
        builder_receive(builder, i, used, (i + ranks - 1) % ranks, 0, 1000, 0, BUILDER_NO_REQUEST,
                        &status);
        builder_wait_call(builder, i, &status);
        builder_return(builder, i, 1, false, &status);
    }
    return series_run_seal(builder);
}

/* FFTW makes communicators for each plan that it tries. Only those in use must have a rule. */
static void communicators_in_use_have_rules(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 64, .seed = 1, .threads = 1}};
    for (uint32_t ranks = 4; ranks <= 16; ranks *= 2)
        run.programs[run.count++] = make_duplicates(ranks);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(run.made->operation_count, 64 * 6);
    series_run_free(&run);
}

/* Each rank adds up 8 bytes with those that are as even or odd as it is; the world and pairs of
 * ranks are there, and not in use. */
static struct program *make_parities(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Allreduce", true);
    uint32_t parities[2] = {0}, unused = 0, *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &unused, &status);
    for (uint32_t i = 0; i < ranks; i += 2)
        builder_define_communicator(builder, "pair", members + i, 2, &unused, &status);
    for (uint32_t parity = 0; parity < 2; parity++) {
        for (uint32_t i = 0; i < ranks / 2; i++)
            members[i] = 2 * i + parity;
        builder_define_communicator(builder, "parity", members, ranks / 2, &parities[parity],
                                    &status);
    }
    for (uint32_t i = 0; i < ranks; i++)
        add_sum(builder, i, region, parities[i % 2]);
    free(members);
    return series_run_seal(builder);
}

/* In a grid of three dimensions, such as 2 x 2 x 1, some lines of few ranks have the members of
 * "world", and the same lines of many ranks those of "parity". No call uses "world", so it does not
 * take the place of "parity" in the rule. */
static void unused_communicators_take_no_place(void **state) {
    (void)state;
    static const uint32_t ranks[] = {4, 16, 64, 256, 0};
    struct series_run run;
    if (series_run_made(&run, make_parities, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    series_run_equal(&run, make_parities(256));
    series_run_free(&run);
}

/* A plan of a library: makes two communicators of all ranks, agrees in the second one, sends a
 * message in it if it has to, and frees both. */
static void add_plan(struct program_builder *builder, uint32_t ranks, uint32_t rank,
                     const uint32_t *communicators, uint32_t region, bool sends, int64_t at_ps) {
    static const uint32_t kinds[] = {PROGRAM_COLLECTIVE_CREATE_HANDLE,
                                     PROGRAM_COLLECTIVE_CREATE_HANDLE, PROGRAM_COLLECTIVE_ALLREDUCE,
                                     PROGRAM_COLLECTIVE_DESTROY_HANDLE,
                                     PROGRAM_COLLECTIVE_DESTROY_HANDLE};
    struct status status = STATUS_INIT;
    for (uint32_t i = 0; i < 5; i++, at_ps++) {
        struct program_collective_arguments arguments = {.kind = kinds[i]};
        if (kinds[i] == PROGRAM_COLLECTIVE_ALLREDUCE) arguments = sum_of_8_bytes;
        arguments.communicator = communicators[i > 0 && i < 4];
        add_collective(builder, rank, region, &arguments, at_ps);
        if (kinds[i] != PROGRAM_COLLECTIVE_ALLREDUCE || !sends) continue;
        builder_call(builder, rank, region, 0, ++at_ps, &status);
        builder_send(builder, rank, communicators[1], (rank + 1) % ranks, 0, 1000, 0,
                     BUILDER_NO_REQUEST, &status);
        builder_receive(builder, rank, communicators[1], (rank + ranks - 1) % ranks, 0, 1000, 0,
                        BUILDER_NO_REQUEST, &status);
        builder_wait_call(builder, rank, &status);
        builder_return(builder, rank, at_ps + 1, false, &status);
    }
}

/* Each rank tries three plans. */
static struct program *make_plans(uint32_t ranks, bool sends) {
    enum { PLANS = 3 };
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t region = builder_define_region(builder, "MPI_Call", true);
    uint32_t communicators[2 * PLANS], *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    for (uint32_t i = 0; i < 2 * PLANS; i++)
        builder_define_communicator(builder, "", members, ranks, &communicators[i], &status);
    free(members);
    for (uint32_t i = 0; i < ranks * PLANS; i++)
        add_plan(builder, ranks, i / PLANS, communicators + i % PLANS * 2, region, sends,
                 i % PLANS * 6);
    return series_run_seal(builder);
}

static struct program *make_silent_plans(uint32_t ranks) {
    return make_plans(ranks, false);
}

static struct program *make_sending_plans(uint32_t ranks) {
    return make_plans(ranks, true);
}

/* Plans are uncertain so many times, and come out as they were made. */
static void plans_are_uncertain(struct program *(*make)(uint32_t ranks), unsigned times) {
    static const uint32_t ranks[] = {4, 8, 16, 32, 0};
    struct series_run run;
    if (series_run_made(&run, make, ranks) != STATUS_OK) fail_msg("%s", run.status.text);
    assert_int_equal(count_uncertain(&run, "a library compares several algorithms"), times);
    series_run_equal(&run, make(32));
    series_run_free(&run);
}

/* FFTW tries other plans where messages are small, of which larger ones show nothing. */
static void algorithms_that_a_library_compares_are_uncertain(void **state) {
    (void)state;
    plans_are_uncertain(make_silent_plans, 1);
    plans_are_uncertain(make_sending_plans, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_two_grids_are_named),
        cmocka_unit_test(lines_of_fewer_dimensions_are_taken),
        cmocka_unit_test(communicators_in_use_have_rules),
        cmocka_unit_test(unused_communicators_take_no_place),
        cmocka_unit_test(algorithms_that_a_library_compares_are_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
