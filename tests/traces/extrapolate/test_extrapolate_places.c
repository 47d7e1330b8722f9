/*
 * The places that refusals of an extrapolation name: the call, the user region around it, and the
 * ranks.
 */
#include "tests/support/series/series_families.h"
#include "tests/support/series/series_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The regions and communicators of a program. */
struct making {
    struct program_builder *builder;
    struct status status;
    uint32_t split, sum, phase; /* regions */
    uint32_t world, parts[2];   /* communicators */
    int64_t now_ps;
};

/* Divides ranks by no rule. */
static uint32_t part_of(uint32_t rank) {
    return rank * rank % 7 % 3 == 1;
}

static struct making begin(uint32_t ranks) {
    struct making making = {.status = STATUS_INIT};
    making.builder = builder_new(ranks, &making.status);
    making.split = builder_define_region(making.builder, "MPI_Comm_split", true);
    making.sum = builder_define_region(making.builder, "MPI_Allreduce", true);
    making.phase = builder_define_region(making.builder, "phase", false);
    uint32_t *members = calloc(ranks, sizeof *members);
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(making.builder, "world", members, ranks, &making.world,
                                &making.status);
    for (uint32_t part = 0; part < 2; part++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < ranks; i++)
            if (part_of(i) == part) members[count++] = i;
        builder_define_communicator(making.builder, "parts", members, count, &making.parts[part],
                                    &making.status);
    }
    free(members);
    return making;
}

/* Adds a call with a collective. */
static void add_sized(struct making *making, uint32_t rank, uint32_t region,
                      const struct program_collective_arguments *arguments) {
    builder_call(making->builder, rank, region, 0, making->now_ps, &making->status);
    builder_collective(making->builder, rank, arguments, 0, BUILDER_NO_REQUEST, &making->status);
    builder_return(making->builder, rank, ++making->now_ps, false, &making->status);
}

static void add_sum_of(struct making *making, uint32_t rank, uint32_t communicator,
                       uint64_t bytes) {
    add_sized(making, rank, making->sum,
              &(struct program_collective_arguments){.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                                     .communicator = communicator,
                                                     .root = PROGRAM_NONE,
                                                     .send_bytes = bytes,
                                                     .receive_bytes = bytes});
}

/* Adds a call that makes a communicator. */
static void add_split(struct making *making, uint32_t rank, uint32_t communicator) {
    add_sized(making, rank, making->split,
              &(struct program_collective_arguments){.kind = PROGRAM_COLLECTIVE_CREATE_HANDLE,
                                                     .communicator = communicator,
                                                     .root = PROGRAM_NONE});
}

/* All ranks add up in the world, split it, and add up in the parts (uses_parts) or in the world. In
 * the new program that is expected without the parts, nothing makes these. */
static struct program *make_parts(uint32_t ranks, bool makes_parts, bool uses_parts) {
    struct making making = begin(ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint32_t part = making.parts[part_of(r)];
        making.now_ps = 0;
        add_sum_of(&making, r, making.world, 8);
        if (makes_parts) {
            add_split(&making, r, part);
        } else {
            builder_call(making.builder, r, making.split, 0, making.now_ps, &making.status);
            builder_return(making.builder, r, ++making.now_ps, false, &making.status);
        }
        builder_enter(making.builder, r, making.phase, making.now_ps, &making.status);
        add_sum_of(&making, r, uses_parts ? part : making.world, 8);
        builder_leave(making.builder, r, making.now_ps, &making.status);
    }
    assert_int_equal(making.status.code, STATUS_OK);
    return series_run_seal(making.builder);
}

static struct program *make_used_parts(uint32_t ranks) {
    return make_parts(ranks, true, true);
}

static struct program *make_idle_parts(uint32_t ranks) {
    return make_parts(ranks, true, false);
}

static const uint32_t few[] = {8, 12, 16, 24, 0};

/* The members, the call that makes the communicator, and the first one in it. */
static void communicators_are_named(void **state) {
    (void)state;
    struct series_run run;
    series_run_made(&run, make_used_parts, few);
    series_run_refused(
        &run, STATUS_INPUT,
        "the members of communicator 1 of the trace (parts) (ranks 0, 3, 4, 7 of 8 "
        "ranks) follow no rule that holds for all programs of the series; it is made by "
        "MPI_Comm_split (call 2 of rank 0 of 8 ranks) and is first used by "
        "MPI_Allreduce (call 3 of rank 0 of 8 ranks, in the user region phase)");
}

/* At most eight ranges of members are written. */
static void many_members_are_counted(void **state) {
    (void)state;
    static const uint32_t many[] = {40, 48, 56, 64, 0};
    struct series_run run;
    series_run_made(&run, make_used_parts, many);
    series_run_refused(&run, STATUS_INPUT,
                       "(ranks 0, 3, 4, 7, 10, 11, 14, 17, 18, 21, 24, 25 and 6 more of 40 ranks)");
}

/* No message depends on communicators that are only made. */
static void idle_communicators_are_left_out(void **state) {
    (void)state;
    struct series_run run;
    assert_int_equal(series_run_made(&run, make_idle_parts, few), STATUS_OK);
    struct program *real = make_parts(24, false, false);
    bool is_said = false;
    for (size_t i = 0; i < run.report.finding_count; i++)
        is_said = is_said || (run.report.findings[i].uncertain &&
                              strcmp(run.report.findings[i].law,
                                     "left out, since their members follow no rule") == 0);
    assert_int_equal(run.made->operation_count, real->operation_count);
    assert_true(is_said);
    program_free(real);
    series_run_free(&run);
}

/* A call, the region and the ranks of a role: where a loop, computation or a size follows no rule.
 */
static void calls_and_ranks_are_named(void **state) {
    (void)state;
    static const struct {
        const char *family;
        uint32_t ranks[5];
        const char *text;
    } rows[] = {
        {"scattered",
         {4, 8, 16, 64, 0},
         "16 sends and 16 receives of 64 ranks would have no partner (MPI_Sendrecv of rank 0 sends "
         "to rank 3 with tag 0, for example)"},
        {"convergence",
         {6, 12, 24, 96, 0},
         "a loop that begins with MPI_Sendrecv (call 1 of rank 23 of 24 ranks; role: all ranks, "
         "ranks 0 to 23): no rule gives the trips of a loop"},
        {"halo_and_noise",
         {8, 12, 16, 24, 0},
         "most of all before MPI_Sendrecv (call 1 of rank 8 of 16 ranks; role: low, inside, ranks "
         "4, 8); extrapolate.approximate takes it nevertheless"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct series_family_pattern *family = series_family_named(rows[i].family);
        struct series_run run = {.config = {.threads = 1}};
        for (; rows[i].ranks[run.count + 1] > 0; run.count++)
            run.programs[run.count] = series_family_make(family, rows[i].ranks[run.count]);
        run.config.ranks = rows[i].ranks[run.count];
        series_run_extrapolate(&run);
        series_run_refused(&run, STATUS_INPUT, rows[i].text);
    }
}

/* Sums of sizes by no rule, in a region. */
static struct program *make_sizes(uint32_t ranks) {
    struct making making = begin(ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        making.now_ps = 0;
        builder_enter(making.builder, r, making.phase, making.now_ps, &making.status);
        add_sum_of(&making, r, making.world, 8 * (uint64_t)(ranks * 7919 % 1009));
        builder_leave(making.builder, r, making.now_ps, &making.status);
    }
    assert_int_equal(making.status.code, STATUS_OK);
    return series_run_seal(making.builder);
}

static void regions_of_sizes_are_named(void **state) {
    (void)state;
    struct series_run run;
    series_run_made(&run, make_sizes, few);
    series_run_refused(&run, STATUS_INPUT,
                       "MPI_Allreduce (call 1 of rank 15 of 16 ranks, in the user region phase; "
                       "role: all ranks, ranks 0 to 15): no rule gives the bytes given to a "
                       "collective");
}

/* One of four programs has a sum. */
static struct program *make_call_of_some(uint32_t ranks) {
    struct making making = begin(ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        making.now_ps = 0;
        for (uint32_t i = 0; i < 3; i++)
            add_split(&making, r, making.world);
        if (ranks == 24) add_sum_of(&making, r, making.world, 8);
    }
    assert_int_equal(making.status.code, STATUS_OK);
    return series_run_seal(making.builder);
}

static void calls_of_one_program_are_named(void **state) {
    (void)state;
    static const uint32_t ranks[] = {8, 12, 16, 24, 32, 0};
    struct series_run run;
    series_run_made(&run, make_call_of_some, ranks);
    series_run_refused(&run, STATUS_INPUT,
                       "(24 ranks) calls MPI_Allreduce, and  (16 ranks) does not; the first one is "
                       "call 4 of rank 0 of 24 ranks; ");
    series_run_made(&run, make_call_of_some, ranks);
    series_run_refused(&run, STATUS_INPUT,
                       "; only the program of 24 ranks differs: leave it out, or the calls");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communicators_are_named),
        cmocka_unit_test(many_members_are_counted),
        cmocka_unit_test(idle_communicators_are_left_out),
        cmocka_unit_test(calls_and_ranks_are_named),
        cmocka_unit_test(regions_of_sizes_are_named),
        cmocka_unit_test(calls_of_one_program_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
