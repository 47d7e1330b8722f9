/* Piecewise linear fits: known functions come back, noise makes no segments. */
#include "api/calibrate/segments.h"

#include "tests/support/core/dice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SIZES = 24 };

/* 0, 1, 2, 4, ... 4 MiB, as the OSU micro-benchmarks have them. */
static uint64_t size_of(size_t i) {
    return i == 0 ? 0 : UINT64_C(1) << (i - 1);
}

static struct segments fit(const struct segment_point *points, size_t count) {
    struct segments segments;
    assert_int_equal(segments_fit(&segments, points, count, NULL), STATUS_OK);
    size_t next = 0;
    for (size_t k = 0; k < segments.count; k++) {
        assert_int_equal(segments.list[k].first, next);
        next += segments.list[k].count;
    }
    assert_int_equal(next, count);
    return segments;
}

static void expect_near(double value, double expected, double share) {
    if (fabs(value - expected) > share * (1 + fabs(expected)))
        fail_msg("%.9g, not %.9g", value, expected);
}

static void exact_pieces_come_back(void **state) {
    (void)state;
    struct segment_point points[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        const double size = (double)size_of(i);
        double value = size <= 512 ? 500e3 : size <= 8192 ? 650e3 + 120 * size : 2e6 + 40 * size;
        points[i] = (struct segment_point){size_of(i), value, 0.01 * value + 1};
    }
    const struct segments segments = fit(points, SIZES);
    assert_int_equal(segments.count, 3);
    assert_int_equal(segments.list[1].first, 11); /* 1024 */
    assert_int_equal(segments.list[2].first, 15); /* 16384 */
    expect_near(segments.list[0].fixed.value, 500e3, 1e-9);
    expect_near(segments.list[0].slope.value, 0, 1e-9);
    expect_near(segments.list[1].fixed.value, 650e3, 1e-9);
    expect_near(segments.list[1].slope.value, 120, 1e-9);
    expect_near(segments.list[2].fixed.value, 2e6, 1e-9);
    expect_near(segments.list[2].slope.value, 40, 1e-9);
}

/* One line with noise of 2 % is found as one segment nearly always, and its interval holds the true
 * value in about 95 of 100 cases. */
static void noise_makes_no_segments(void **state) {
    (void)state;
    struct dice dice = {.seed = 7};
    unsigned one = 0, inside = 0, runs = 400;
    for (unsigned run = 0; run < runs; run++) {
        struct segment_point points[SIZES];
        for (size_t i = 0; i < SIZES; i++) {
            const double exact = 1e6 + 80 * (double)size_of(i);
            double noise = 0;
            for (int k = 0; k < 12; k++)
                noise += (double)dice_below(&dice, 1000000) / 1e6;
            const double value = exact * (1 + 0.02 * (noise - 6));
            points[i] = (struct segment_point){size_of(i), value, 0.02 * exact};
        }
        const struct segments segments = fit(points, SIZES);
        one += segments.count == 1;
        struct segment line;
        segment_line(&line, points, SIZES);
        inside += fabs(line.fixed.value - 1e6) <= line.fixed.half_interval;
    }
    if (one < runs * 85 / 100) fail_msg("%u of %u fits are one segment", one, runs);
    if (inside < runs * 92 / 100 || inside > runs * 98 / 100)
        fail_msg("%u of %u intervals hold the value", inside, runs);
}

/* A step of 30 % is found in spite of the same noise. */
static void steps_are_found_in_noise(void **state) {
    (void)state;
    struct dice dice = {.seed = 8};
    unsigned right = 0, runs = 100;
    for (unsigned run = 0; run < runs; run++) {
        struct segment_point points[SIZES];
        for (size_t i = 0; i < SIZES; i++) {
            const double size = (double)size_of(i);
            const double exact = size <= 8192 ? 1e6 + 80 * size : 1.3e6 + 130 * size;
            double noise = 0;
            for (int k = 0; k < 12; k++)
                noise += (double)dice_below(&dice, 1000000) / 1e6;
            points[i] =
                (struct segment_point){size_of(i), exact * (1 + 0.02 * (noise - 6)), 0.02 * exact};
        }
        const struct segments segments = fit(points, SIZES);
        for (size_t k = 1; k < segments.count; k++)
            right += segments.list[k].first == 15;
    }
    if (right < 85) fail_msg("%u of %u steps were found", right, runs);
}

static void few_points_give_one_segment(void **state) {
    (void)state;
    const struct segment_point points[] = {{8, 1e6, 1e4}, {1024, 2e6, 1e4}};
    struct segments segments = fit(points, 1);
    assert_int_equal(segments.count, 1);
    assert_true(isinf(segments.list[0].fixed.half_interval));
    segments = fit(points, 2);
    assert_int_equal(segments.count, 1);
    expect_near(segments.list[0].fixed.value + 8 * segments.list[0].slope.value, 1e6, 1e-9);
    segments = fit(points, 0);
    assert_int_equal(segments.count, 0);
}

/* Times do not shrink with the size: a falling line is taken as a constant. */
static void slopes_are_not_negative(void **state) {
    (void)state;
    const struct segment_point points[] = {{0, 1.2e6, 1e4}, {64, 1.1e6, 1e4}, {128, 1.0e6, 1e4}};
    const struct segments segments = fit(points, 3);
    expect_near(segments.list[0].slope.value, 0, 1e-12);
    expect_near(segments.list[0].fixed.value, 1.1e6, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_pieces_come_back),   cmocka_unit_test(noise_makes_no_segments),
        cmocka_unit_test(steps_are_found_in_noise), cmocka_unit_test(few_points_give_one_segment),
        cmocka_unit_test(slopes_are_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
