/*
 * Extrapolation of what is measured: computation and sizes that scatter.
 */
#include "tests/support/series/series_run.h"
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/program/builder/program_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A ring on `ranks` ranks: each computes 64 ms / ranks, up to 4 % more, sends 1000 bytes, or a
 * random number more, and adds up a number of 4 bytes. */
static struct program *make_ring(uint32_t ranks, uint64_t scatter_bytes) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t wait = builder_define_region(builder, "MPI_Sendrecv", true);
    uint32_t world = 0, *members = calloc(ranks, sizeof *members);
    uint64_t random = ranks;
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    const struct program_collective_arguments sum = {.kind = PROGRAM_COLLECTIVE_ALLREDUCE,
                                                     .communicator = world,
                                                     .send_bytes = 4,
                                                     .receive_bytes = 4};
    for (uint32_t i = 0; i < ranks; i++)
        for (uint64_t step = 0; step < 10; step++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const int64_t mean_ps = INT64_C(64000000000) / ranks;
            builder_compute(builder, i, mean_ps + mean_ps / 1000 * (int64_t)((random >> 40) % 40),
                            &status);
            builder_call(builder, i, wait, step, (int64_t)step, &status);
            builder_send(builder, i, world, (i + 1) % ranks, 0,
                         1000 + (scatter_bytes > 0 ? (random >> 33) % scatter_bytes : 0), 0,
                         BUILDER_NO_REQUEST, &status);
            builder_receive(builder, i, world, (i + ranks - 1) % ranks, 0,
                            scatter_bytes > 0 ? BUILDER_UNKNOWN_BYTES : 1000, 0, BUILDER_NO_REQUEST,
                            &status);
            builder_wait_call(builder, i, &status);
            builder_return(builder, i, (int64_t)step + 1, false, &status);
            builder_call(builder, i, wait, step, (int64_t)step + 1, &status);
            builder_collective(builder, i, &sum, 0, BUILDER_NO_REQUEST, &status);
            builder_set_element(builder, i, 4, &status);
            builder_return(builder, i, (int64_t)step + 1, false, &status);
        }
    free(members);
    return series_run_seal(builder);
}

static struct series_run ring_series(uint64_t scatter_bytes) {
    struct series_run run = {.config = {.ranks = 64, .seed = 1}, .count = 3};
    for (uint32_t i = 0; i < 3; i++)
        run.programs[i] = make_ring(8u << i, scatter_bytes);
    return run;
}

/* Asserts that two sums differ by at most so many per cent. */
static void expect_near(wide made, wide real, unsigned percent) {
    const wide off = made > real ? made - real : real - made;
    assert_true(off * 100 <= real * percent);
}

static void computation_is_fitted(void **state) {
    (void)state;
    struct series_run run = ring_series(0);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_ring(64, 0);
    struct program_totals made, wanted;
    program_totals_compute(run.made, &made);
    program_totals_compute(real, &wanted);
    assert_int_equal(made.messages, wanted.messages);
    assert_int_equal((uint64_t)made.message_bytes, (uint64_t)wanted.message_bytes);
    expect_near(made.compute_ps, wanted.compute_ps, 3);
    for (uint64_t i = 0; i < run.made->operation_count; i++)
        if (run.made->operations[i].kind == OPERATION_COLLECTIVE)
            assert_int_equal(run.made->operations[i].element_bytes, 4);
    assert_int_equal(made.collectives[PROGRAM_COLLECTIVE_ALLREDUCE][0], 64 * 10);
    bool found = false, has_sum = false;
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        found = found || strncmp(finding->law, "b/P, mean", 9) == 0;
        has_sum = has_sum || (strcmp(finding->where, "all steps together") == 0 &&
                              strstr(finding->fit, " on 32 ranks, if that program is left out: "
                                                   "expect about ") != NULL);
    }
    assert_true(found);
    assert_true(has_sum);
    program_free(real);
    series_run_free(&run);
}

/* Rounds of doubling on `ranks` ranks: each computes 64 ms / ranks in all rounds of an iteration
 * together, up to 4 % more. */
static struct program *make_rounds(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t exchange = builder_define_region(builder, "MPI_Sendrecv", true);
    uint32_t world = 0, members[512], rounds = 0;
    uint64_t random = ranks;
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    while (1u << rounds < ranks)
        rounds++;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    for (uint32_t i = 0; i < ranks; i++)
        for (uint32_t step = 0; step < 10 * rounds; step++) {
            const uint32_t other = i ^ 1u << step % rounds;
            const int64_t mean_ps = INT64_C(64000000000) / ranks / rounds;
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            builder_compute(builder, i, mean_ps + mean_ps / 1000 * (int64_t)((random >> 40) % 40),
                            &status);
            builder_call(builder, i, exchange, step, (int64_t)step, &status);
            builder_send(builder, i, world, other, 0, 1000, 0, BUILDER_NO_REQUEST, &status);
            builder_receive(builder, i, world, other, 0, 1000, 0, BUILDER_NO_REQUEST, &status);
            builder_wait_call(builder, i, &status);
            builder_return(builder, i, (int64_t)step + 1, false, &status);
        }
    return series_run_seal(builder);
}

/* In one round a rank computes b/(P log2 P), which is no shape; in all of them b/P. */
static void computation_in_rounds_follows_their_sum(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 512, .seed = 1}, .count = 4};
    for (uint32_t i = 0; i < run.count; i++)
        run.programs[i] = make_rounds(8u << i);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program_totals made;
    program_totals_compute(run.made, &made);
    expect_near(made.compute_ps, (wide)10 * 65280000000, 2); /* with half of 4 % */
    bool found = false;
    for (size_t i = 0; i < run.report.finding_count; i++)
        found =
            found || strncmp(run.report.findings[i].law, "b/P in all visits of a rank", 27) == 0;
    assert_true(found);
    series_run_free(&run);
}

/* Two steps on `ranks` ranks, an allreduce and a barrier, with computation before each. */
static struct program *make_two_steps(uint32_t ranks, int64_t first_ps, int64_t second_ps) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t sum = builder_define_region(builder, "MPI_Allreduce", true);
    const uint32_t barrier = builder_define_region(builder, "MPI_Barrier", true);
    uint32_t world = 0, members[128];
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    for (uint32_t i = 0; i < ranks; i++)
        for (uint64_t step = 0; step < 10; step++)
            for (int second = 0; second < 2; second++) {
                const struct program_collective_arguments arguments = {
                    .kind = second ? PROGRAM_COLLECTIVE_BARRIER : PROGRAM_COLLECTIVE_ALLREDUCE,
                    .communicator = world,
                    .send_bytes = second ? 0 : 4,
                    .receive_bytes = second ? 0 : 4};
                builder_compute(builder, i, second ? second_ps : first_ps, &status);
                builder_call(builder, i, second ? barrier : sum, step, (int64_t)step, &status);
                builder_collective(builder, i, &arguments, 0, BUILDER_NO_REQUEST, &status);
                builder_return(builder, i, (int64_t)step + 1, false, &status);
            }
    return series_run_seal(builder);
}

/* A rank computes 3,600,000 ns / ranks in all, but the share of the first step follows nothing. The
 * laws of the two steps miss the largest program by 59 %, and the law of their sum is exact. */
static void steps_add_up_to_the_law_of_the_whole(void **state) {
    (void)state;
    static const uint32_t ranks[] = {4, 9, 16, 25};
    static const int64_t percent[] = {20, 50, 80, 20};
    struct series_run run = {.config = {.ranks = 36, .seed = 1, .approximate = true}, .count = 4};
    for (uint32_t i = 0; i < run.count; i++) {
        const int64_t all_ps = INT64_C(3600000000) / ranks[i];
        const int64_t first_ps = all_ps / 100 * percent[i];
        run.programs[i] = make_two_steps(ranks[i], first_ps, all_ps - first_ps);
    }
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program_totals made;
    program_totals_compute(run.made, &made);
    expect_near(made.compute_ps, (wide)10 * 3600000000, 1);
    bool has_whole = false;
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        if (strcmp(finding->where, "all steps together") != 0) continue;
        has_whole = strstr(finding->law, "b/P, mean 1000000") != NULL;
        assert_false(finding->uncertain);
        assert_non_null(strstr(finding->fit, "; their laws alone: -59.1 % on 25 ranks"));
    }
    assert_true(has_whole);
    series_run_free(&run);
}

/* 100 ns - P ns lie on a line that is below 0 for 128 ranks: it is no law. */
static void no_law_of_computation_is_negative(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 128, .seed = 1, .approximate = true}};
    for (uint32_t ranks = 8; ranks <= 32; ranks *= 2)
        run.programs[run.count++] = make_two_steps(ranks, 100000 - 1000 * (int64_t)ranks, 500000);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program_totals made;
    program_totals_compute(run.made, &made);
    assert_true(made.compute_ps >= (wide)128 * 10 * 500000);
    series_run_free(&run);
}

static void sizes_are_fitted_only_when_asked(void **state) {
    (void)state;
    struct series_run run = ring_series(500);
    series_run_extrapolate(&run);
    series_run_refused(&run, STATUS_INPUT, "no rule gives the bytes sent");
    run = ring_series(500);
    run.config.approximate = true;
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    if (program_check_file(run.made, &run.status) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_ring(64, 500);
    struct program_totals made, wanted;
    program_totals_compute(run.made, &made);
    program_totals_compute(real, &wanted);
    assert_int_equal(made.messages, wanted.messages);
    expect_near(made.message_bytes, wanted.message_bytes, 5);
    program_free(real);
    series_run_free(&run);
}

/* Returns whether some finding says that the sizes of ranks differ; it is uncertain then. */
static bool says_ranks_differ(const struct series_run *run) {
    bool found = false;
    for (size_t i = 0; i < run->report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run->report.findings[i];
        if (strstr(finding->fit, " % off their mean") == NULL) continue;
        assert_string_equal(finding->subject, "bytes sent");
        assert_true(finding->uncertain);
        found = true;
    }
    return found;
}

/* The mean of sizes follows a law; which rank sends more follows none. Sizes of 1000 to 1500 bytes
 * are 10 % off their mean, those of 1000 to 1100 bytes 2 %. */
static void sizes_of_ranks_that_differ_are_uncertain(void **state) {
    (void)state;
    static const uint64_t scatter_bytes[] = {500, 100};
    for (int i = 0; i < 2; i++) {
        struct series_run run = ring_series(scatter_bytes[i]);
        run.config.approximate = true;
        if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
        assert_int_equal(says_ranks_differ(&run), i == 0);
        series_run_free(&run);
    }
}

/* The sizes of one program deviate from their mean by 15 %, those of the others by 2 %: a mean of
 * sizes of several kinds need not follow a law. */
static void sizes_that_deviate_in_one_program_are_uncertain(void **state) {
    (void)state;
    for (int deviates = 0; deviates < 2; deviates++) {
        struct series_run run = ring_series(100);
        run.config.approximate = true;
        if (deviates) {
            program_free(run.programs[1]);
            run.programs[1] = make_ring(16, 800);
        }
        if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
        int found = 0;
        for (size_t i = 0; i < run.report.finding_count; i++) {
            const struct extrapolate_finding *finding = &run.report.findings[i];
            if (strstr(finding->fit, " % off their mean in one program, and ") == NULL) continue;
            assert_string_equal(finding->subject, "bytes sent");
            assert_true(finding->uncertain);
            found = 1;
        }
        assert_int_equal(found, deviates);
        series_run_free(&run);
    }
}

/* A ring in which messages have two sizes by turns: one falls and one grows with the ranks. */
static struct program *make_turns(uint32_t ranks) {
    struct status status = STATUS_INIT;
    struct program_builder *builder = builder_new(ranks, &status);
    const uint32_t call = builder_define_region(builder, "MPI_Sendrecv", true);
    uint32_t world = 0, members[256];
    for (uint32_t i = 0; i < ranks; i++)
        members[i] = i;
    builder_define_communicator(builder, "world", members, ranks, &world, &status);
    for (uint32_t i = 0; i < ranks; i++)
        for (uint64_t turn = 0; turn < 6; turn++) {
            const uint64_t bytes = 64 + 8 * (turn % 2 == 0 ? 720720 / ranks : ranks);
            builder_call(builder, i, call, turn, (int64_t)turn, &status);
            builder_send(builder, i, world, (i + 1) % ranks, 0, bytes, 0, BUILDER_NO_REQUEST,
                         &status);
            builder_receive(builder, i, world, (i + ranks - 1) % ranks, 0, bytes, 0,
                            BUILDER_NO_REQUEST, &status);
            builder_wait_call(builder, i, &status);
            builder_return(builder, i, (int64_t)turn + 1, false, &status);
        }
    return series_run_seal(builder);
}

/* 720720 is no multiple of 32 or 256. The law of one of two sizes that take turns gives no whole
 * number, and is rounded: one fit of both would say nothing of the other. */
static void sizes_by_turns_keep_their_laws(void **state) {
    (void)state;
    struct series_run run = {.config = {.ranks = 256, .seed = 1, .approximate = true}};
    for (uint32_t ranks = 2; ranks <= 16; ranks *= 2)
        run.programs[run.count++] = make_turns(ranks);
    if (series_run_extrapolate(&run) != STATUS_OK) fail_msg("%s", run.status.text);
    struct program *real = make_turns(256);
    uint32_t sends = 0;
    for (uint64_t i = 0; i < real->operation_count; i++) {
        const struct program_operation *made = &run.made->operations[i],
                                       *wanted = &real->operations[i];
        assert_int_equal(made->kind, wanted->kind);
        if (made->kind != OPERATION_SEND) continue;
        sends++;
        assert_in_range(made->bytes, wanted->bytes, wanted->bytes + 7); /* less than an element */
    }
    assert_int_equal(sends, 6 * 256);
    unsigned rounded = 0, fitted = 0;
    for (size_t i = 0; i < run.report.finding_count; i++) {
        const struct extrapolate_finding *finding = &run.report.findings[i];
        if (strcmp(finding->subject, "bytes sent") != 0) continue;
        rounded += finding->uncertain &&
                   strstr(finding->fit, "gives no whole number, and is rounded down") != NULL;
        fitted += strstr(finding->law, "mean ") != NULL;
    }
    assert_int_equal(rounded, 1);
    assert_int_equal(fitted, 0);
    program_free(real);
    series_run_free(&run);
}

/* Sums of b/P and a + b/P are as exact for 2^24 ranks as for few. */
static void fits_reach_to_many_ranks(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 5000000};
    static const uint32_t targets[] = {1024, 100000, 1 << 20, 1 << 24};
    enum { PROGRAMS = 4 };
    const int64_t whole = INT64_C(64000000000000000);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets * (sizeof targets / sizeof *targets);
         i++) {
        const int64_t offset = offsets[i % 2];
        struct program programs[PROGRAMS] = {{0}};
        struct series_program parts[PROGRAMS] = {{0}};
        struct series_sample samples[PROGRAMS] = {{0}};
        int64_t values[PROGRAMS];
        uint32_t order[PROGRAMS];
        for (uint32_t k = 0; k < PROGRAMS; k++) {
            programs[k].rank_count = 2u << 2 * k;
            values[k] = offset + whole / programs[k].rank_count;
            parts[k].program = &programs[k];
            samples[k] = (struct series_sample){.program = k, .values = &values[k]};
            order[k] = k;
        }
        struct series series = {
            .programs = parts, .program_count = PROGRAMS, .target_ranks = targets[i / 2]};
        struct series_role_step step = {.samples = samples, .sample_count = PROGRAMS};
        const struct series_law_data data = {.series = &series,
                                             .step = &step,
                                             .what = SERIES_VALUE_COMPUTE,
                                             .samples = order,
                                             .count = PROGRAMS,
                                             .programs = PROGRAMS,
                                             .known_program = PROGRAMS - 1};
        struct series_law law;
        struct status status = STATUS_INIT;
        assert_int_equal(law_fit(&series, &data, &law, &status), STATUS_OK);
        const int64_t wanted = offset + whole / series.target_ranks;
        const int64_t off = llabs(series.laws.fits[0].mean - wanted);
        if (off > wanted / 1000)
            fail_msg("%lld for %u ranks, and %lld is right", (long long)series.laws.fits[0].mean,
                     series.target_ranks, (long long)wanted);
        free(series.laws.fits);
    }
}

/* What a shape has at 64^k ranks with the coefficients a and b, without rounding. Roots and
 * logarithms of these numbers are whole. */
static int64_t shape_at(uint32_t row, unsigned k, int64_t a, int64_t b) {
    const struct fit_shape *shape = &fit_shapes[row];
    int64_t feature = 1;
    switch (shape->feature) {
    case FIT_NOTHING:
        break;
    case FIT_RANKS:
        feature = INT64_C(1) << 6 * k;
        break;
    case FIT_SQUARE_ROOT:
        feature = INT64_C(1) << 3 * k;
        break;
    case FIT_CUBE_ROOT:
        feature = INT64_C(1) << 2 * k;
        break;
    case FIT_SURFACE:
        feature = INT64_C(1) << 4 * k;
        break;
    case FIT_LOGARITHM:
        feature = 6 * (int64_t)k;
        break;
    case FIT_SQUARE:
        feature = INT64_C(1) << 12 * k;
        break;
    }
    return (shape->has_offset ? a : 0) + (shape->is_inverse ? b / feature : b * feature);
}

/* A shape that holds exactly is found exactly, whatever the weights. */
static void exact_shapes_are_found_exactly(void **state) {
    (void)state;
    for (uint32_t row = 0; row < FIT_SHAPES; row++) {
        const int64_t b = fit_shapes[row].is_inverse ? INT64_C(1) << 56 : 1000000;
        const int64_t a = fit_shapes[row].is_inverse ? INT64_C(1) << 40 : 77000000;
        struct fit_points points = {.count = 3};
        int64_t value = -1;
        for (uint32_t i = 0; i < points.count; i++) {
            points.ranks[i] = 1u << 6 * (i + 1);
            points.mean[i] = shape_at(row, i + 1, a, b);
        }
        assert_true(fit_value(row, &points, FIT_POINTS, 1 << 24, &value));
        const int64_t wanted = shape_at(row, 4, a, b);
        if (llabs(value - wanted) > 1 + wanted / 100000)
            fail_msg("%s: %lld, and %lld is right", fit_shapes[row].text, (long long)value,
                     (long long)wanted);
    }
}

static int64_t next_random(uint64_t *random, int64_t below) {
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)(*random >> 33) % below;
}

/* Means that scatter by up to 15 % of their size, of a law that falls or grows. Where all points
 * count in proportion to their size, the program of the largest mean decides alone, and the law of
 * five programs misses by 7.5 % on average, as one program does. */
static void points_count_by_relative_errors(void **state) {
    (void)state;
    static const char *const texts[] = {"b/P", "b P", "b/P^2"};
    enum { SEEDS = 400, PROGRAMS = 5 };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        uint32_t row = 0;
        while (strcmp(fit_shapes[row].text, texts[t]) != 0)
            row++;
        uint64_t random = 1;
        int64_t off_millionths = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct fit_points points = {.count = PROGRAMS};
            int64_t value = -1;
            for (uint32_t i = 0; i < PROGRAMS; i++) {
                const int64_t b = fit_shapes[row].is_inverse ? INT64_C(1) << 60 : 1000000000;
                const int64_t exact = shape_at(row, i, 0, b);
                points.ranks[i] = 1u << 6 * i;
                points.mean[i] = exact / 1000 * (850 + next_random(&random, 301));
            }
            const int64_t wanted =
                fit_shapes[row].is_inverse ? INT64_C(1) << 60 : 1000000000; /* of one rank */
            assert_true(fit_value(row, &points, FIT_POINTS, 1, &value));
            off_millionths += llabs(value - wanted) / (wanted / 1000000);
        }
        const int64_t mean = off_millionths / SEEDS;
        if (mean > 40000) fail_msg("%s misses by %lld millionths", texts[t], (long long)mean);
    }
}

/* Records between steps may be fewer than none, such as -2, and they are no times of 2^63. */
static void negative_means_are_fitted(void **state) {
    (void)state;
    const struct fit_points points = {.ranks = {4, 8, 16}, .mean = {-2, 0, 4}, .count = 3};
    for (uint32_t row = 0; row < FIT_SHAPES; row++) {
        int64_t value = 0;
        if (fit_value(row, &points, FIT_POINTS, 32, &value)) assert_in_range(value, 0, 64);
    }
}

/* The error of a fit grows with the distance of the new program. */
static void errors_grow_with_the_distance(void **state) {
    (void)state;
    const struct series series = {.target_ranks = 256};
    struct series_fit fit = {.error = 38000, .reach = 1024};
    char text[SERIES_TEXT];
    assert_false(fit_error_text(&series, &fit, text, sizeof text));
    assert_string_equal(text, "error 3.8 % with one program left out");
    fit.reach = 2 * 1024;
    assert_true(fit_error_text(&series, &fit, text, sizeof text));
    assert_string_equal(text, "error 3.8 % with one program left out, about 7.6 % at 256 ranks");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_reach_to_many_ranks),
        cmocka_unit_test(exact_shapes_are_found_exactly),
        cmocka_unit_test(points_count_by_relative_errors),
        cmocka_unit_test(negative_means_are_fitted),
        cmocka_unit_test(errors_grow_with_the_distance),
        cmocka_unit_test(sizes_by_turns_keep_their_laws),
        cmocka_unit_test(computation_is_fitted),
        cmocka_unit_test(computation_in_rounds_follows_their_sum),
        cmocka_unit_test(no_law_of_computation_is_negative),
        cmocka_unit_test(steps_add_up_to_the_law_of_the_whole),
        cmocka_unit_test(sizes_are_fitted_only_when_asked),
        cmocka_unit_test(sizes_of_ranks_that_differ_are_uncertain),
        cmocka_unit_test(sizes_that_deviate_in_one_program_are_uncertain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
