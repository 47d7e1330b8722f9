/* Figures of a sweep from its points: which points lie beyond saturation, and the mean over seeds.
 */
#include "api/traffic/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A point whose messages took `latency_ps` each, and whose nodes accepted its load. */
static struct sweep_point point_of(size_t curve, uint32_t seed, int64_t load_millionths,
                                   bool is_stable, uint64_t latency_ps) {
    struct sweep_point point = {.curve = curve, .seed = seed, .finished = true};
    point.figures.offered_millionths = point.figures.accepted_millionths = load_millionths;
    point.figures.stable = is_stable;
    point.figures.messages = 10;
    point.figures.latency_sum_ps = 10 * latency_ps;
    return point;
}

/* Two curves with two seeds. In the first curve, seed 0 is not stable at 0.5 although it is at 0.7,
 * and seed 1 is stable up to 0.5. The second curve is stable. */
enum { POINTS = 8 };
static void make_points(struct sweep_point *points) {
    const struct sweep_point made[POINTS] = {
        point_of(0, 0, 300000, true, 100),  point_of(0, 1, 300000, true, 201),
        point_of(0, 0, 500000, false, 900), point_of(0, 1, 500000, true, 300),
        point_of(0, 0, 700000, true, 901),  point_of(0, 1, 700000, false, 902),
        point_of(1, 0, 700000, true, 400),  point_of(1, 1, 700000, true, 500)};
    for (size_t i = 0; i < POINTS; i++)
        points[i] = made[i];
}

static void a_point_is_beyond_saturation_from_the_first_load_that_is_not_stable(void **state) {
    (void)state;
    static const bool expected[POINTS] = {false, false, true, false, true, true, false, false};
    struct sweep_point points[POINTS];
    struct sweep_curve curves[2] = {{0}};
    struct traffic_sweep sweep = {.curves = curves,
                                  .curve_count = 2,
                                  .seed_count = 2,
                                  .points = points,
                                  .points_wanted = POINTS};
    make_points(points);
    sweep_judge(&sweep);
    assert_int_equal(sweep.point_count, POINTS);
    assert_int_equal(curves[0].first, 0);
    assert_int_equal(curves[0].end, 6);
    assert_int_equal(curves[1].first, 6);
    assert_int_equal(curves[1].end, POINTS);
    for (size_t i = 0; i < POINTS; i++)
        if (points[i].beyond_saturation != expected[i]) fail_msg("point %zu", i);
}

static void latencies_leave_out_points_beyond_saturation(void **state) {
    (void)state;
    struct sweep_point points[POINTS];
    struct sweep_curve curves[2] = {{0}};
    struct traffic_sweep sweep = {.curves = curves,
                                  .curve_count = 2,
                                  .seed_count = 2,
                                  .points = points,
                                  .points_wanted = POINTS};
    struct sweep_load load;
    make_points(points);
    sweep_judge(&sweep);
    assert_int_equal(sweep_load_of(&load, &sweep, 0, 6), 2);
    assert_int_equal(load.load_millionths, 300000);
    assert_int_equal(load.seeds, 2);
    assert_int_equal(load.stable, 2);
    assert_int_equal(load.beyond, 0);
    assert_int_equal(load.accepted.mean, 300000);
    assert_int_equal(load.latency.count, 2);
    assert_int_equal(load.latency.mean, 151); /* 150.5, rounded away from 0 */
    assert_int_equal(sweep_load_of(&load, &sweep, 2, 6), 4);
    assert_int_equal(load.stable, 1);
    assert_int_equal(load.beyond, 1);
    assert_int_equal(load.accepted.mean, 500000);
    assert_int_equal(load.latency.count, 1);
    assert_int_equal(load.latency.mean, 300); /* that of seed 1 */
    assert_int_equal(sweep_load_of(&load, &sweep, 4, 6), 6);
    assert_int_equal(load.stable, 1);
    assert_int_equal(load.beyond, 2);
    assert_int_equal(load.latency.count, 0);
}

static void points_after_one_that_did_not_finish_do_not_count(void **state) {
    (void)state;
    struct sweep_point points[POINTS];
    struct sweep_curve curves[2] = {{0}};
    struct traffic_sweep sweep = {.curves = curves,
                                  .curve_count = 2,
                                  .seed_count = 2,
                                  .points = points,
                                  .points_wanted = POINTS};
    make_points(points);
    points[2].finished = false; /* the point of seed 0 that is not stable at 0.5 */
    sweep_judge(&sweep);
    assert_int_equal(sweep.point_count, 2);
    assert_int_equal(curves[0].end, 2);
    assert_int_equal(curves[1].first, 2);
    assert_int_equal(curves[1].end, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_beyond_saturation_from_the_first_load_that_is_not_stable),
        cmocka_unit_test(latencies_leave_out_points_beyond_saturation),
        cmocka_unit_test(points_after_one_that_did_not_finish_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
