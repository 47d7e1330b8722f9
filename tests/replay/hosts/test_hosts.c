/*
 * Computation on hosts: variates have the moments of their distributions and the same bits
 * everywhere; detours take what a walk picosecond by picosecond takes; ranks or nodes have noise of
 * their own.
 */
#include "core/base/digest.h"
#include "replay/hosts/hosts.h"
#include "replay/hosts/noise_variates.h"
#include "tests/support/replay/replay_world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- variates ---- */

enum { DRAWS = 200000 };

/* The first four moments about 0. */
static void moments(int64_t (*variate)(struct noise_variate_stream *stream), double *moment) {
    memset(moment, 0, 4 * sizeof *moment);
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct noise_variate_stream stream = noise_variate_begin(11, (uint32_t)(i % 7), i);
        double x = (double)variate(&stream) / (double)NOISE_VARIATE_ONE, power = x;
        for (int k = 0; k < 4; k++, power *= x)
            moment[k] += power / DRAWS;
    }
}

/* Within five standard errors. */
static void expect_near(double value, double expected, double variance) {
    double off = value - expected;
    if (off * off * DRAWS > 25 * variance) fail_msg("%g is not about %g", value, expected);
}

static void exponential_has_its_moments(void **state) {
    (void)state;
    double moment[4];
    moments(noise_variate_exponential, moment);
    expect_near(moment[0], 1, 1);
    expect_near(moment[1], 2, 24 - 4);
    expect_near(moment[2], 6, 720 - 36);
}

static void normal_has_its_moments(void **state) {
    (void)state;
    double moment[4];
    moments(noise_variate_normal, moment);
    expect_near(moment[0], 0, 1);
    expect_near(moment[1], 1, 2);
    expect_near(moment[2], 0, 15);
    expect_near(moment[3], 3, 105 - 9);
}

/* How often a normal variate is above so many standard deviations. */
static void normal_has_its_quantiles(void **state) {
    (void)state;
    const struct {
        double bound, share;
    } row[] = {{-1.5, 0.933193}, {-0.5, 0.691462}, {0, 0.5},       {0.25, 0.401294},
               {1, 0.158655},    {1.25, 0.105650}, {2, 0.0227501}, {2.5, 0.00620967}};
    for (unsigned b = 0; b < sizeof row / sizeof *row; b++) {
        uint64_t above = 0;
        for (uint64_t i = 0; i < DRAWS; i++) {
            struct noise_variate_stream stream = noise_variate_begin(5, 3, i);
            above +=
                (double)noise_variate_normal(&stream) > row[b].bound * (double)NOISE_VARIATE_ONE;
        }
        expect_near((double)above / DRAWS, row[b].share, row[b].share * (1 - row[b].share));
    }
}

static void bits_are_the_same_everywhere(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        struct noise_variate_stream stream = noise_variate_begin(1, 2, i);
        digest = digest_mix(digest, (uint64_t)noise_variate_normal(&stream));
        digest = digest_mix(digest, (uint64_t)noise_variate_exponential(&stream));
    }
    if (digest != UINT64_C(0xa3e6199082d864c7)) fail_msg("digest %" PRIx64, digest);
}

/* ---- computations ---- */

static struct replay_hosts *hosts_of(const struct hosts_config *config,
                                     const struct hosts_detour *detours, size_t count,
                                     int64_t period_ps) {
    struct status status = STATUS_INIT;
    struct replay_hosts *hosts = NULL;
    struct hosts_detour *copy = count > 0 ? malloc(count * sizeof *copy) : NULL;
    if (count > 0) memcpy(copy, detours, count * sizeof *copy);
    if (hosts_new(&hosts, config, copy, count, period_ps, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return hosts;
}

static int64_t computed(const struct replay_hosts *hosts, uint32_t rank, uint64_t number,
                        int64_t start_ps, int64_t needed_ps) {
    return hosts_duration_ps(hosts, &(struct hosts_work){.seed = 1,
                                                         .rank = rank,
                                                         .node = rank / 2,
                                                         .computation = number,
                                                         .start_ps = start_ps,
                                                         .needed_ps = needed_ps});
}

static void noise_has_the_moments_that_are_asked_for(void **state) {
    (void)state;
    const int64_t needed_ps = 1000000;
    for (int32_t noise = HOSTS_NOISE_GAUSSIAN; noise <= HOSTS_NOISE_EXPONENTIAL; noise++) {
        struct hosts_config config = {.noise = noise, .share_millionths = 100000};
        struct replay_hosts *hosts = hosts_of(&config, NULL, 0, 0);
        double sum = 0, squares = 0;
        for (uint64_t i = 0; i < DRAWS; i++) {
            double part = (double)(computed(hosts, 4, i, 0, needed_ps) - needed_ps) / 100000;
            sum += part / DRAWS;
            squares += part * part / DRAWS;
        }
        if (noise == HOSTS_NOISE_GAUSSIAN) expect_near(sum, 0, 1), expect_near(squares, 1, 2);
        if (noise == HOSTS_NOISE_EXPONENTIAL) expect_near(sum, 1, 1), expect_near(squares, 2, 20);
        assert_int_equal(computed(hosts, 4, 1, 0, 0), 0);
        hosts_free(hosts);
    }
}

/* Computations of needed_ps with Gaussian noise: the share of DRAWS that take no time. None takes
 * more than longest_ps. */
static double share_of_none(int64_t share_millionths, int64_t needed_ps, int64_t longest_ps) {
    struct hosts_config config = {.noise = HOSTS_NOISE_GAUSSIAN,
                                  .share_millionths = share_millionths};
    struct replay_hosts *hosts = hosts_of(&config, NULL, 0, 0);
    uint64_t none = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        int64_t duration_ps = computed(hosts, 0, i, 0, needed_ps);
        assert_true(duration_ps >= 0 && duration_ps <= longest_ps);
        none += duration_ps == 0;
    }
    hosts_free(hosts);
    return (double)none / DRAWS;
}

/* 100 · (1 + 10 · z) is below 1, so rounded down to nothing or less, for z < -0.099: the normal
 * distribution has a share of 0.46057 there. */
static void wide_noise_stops_at_0(void **state) {
    (void)state;
    expect_near(share_of_none(10000000, 100, INT64_MAX), 0.46057, 0.46057 * (1 - 0.46057));
}

/* The largest numbers do not overflow: only those with z <= -0.1 take nothing. */
static void noise_of_the_largest_times_does_not_overflow(void **state) {
    (void)state;
    expect_near(share_of_none(10000000, INT64_MAX, INT64_MAX), 0.46017, 0.46017 * (1 - 0.46017));
}

/* Times are rounded down, also where the variate is negative: a picosecond becomes none for z < 0,
 * which is half of the normal distribution, and two for z >= 10, which no draw is. */
static void times_with_noise_are_rounded_down(void **state) {
    (void)state;
    expect_near(share_of_none(100000, 1, 1), 0.5, 0.25);
}

/* The phase is not to be seen; it is the one with which all computations come out. */
static bool walks(const struct replay_hosts *hosts, const struct hosts_detour *detours,
                  size_t count, int64_t period_ps, uint32_t rank, int64_t phase_ps) {
    for (int64_t start_ps = 0; start_ps < 2 * period_ps; start_ps++) {
        for (int64_t needed_ps = 1; needed_ps < 2 * period_ps; needed_ps += 3) {
            int64_t at_ps = start_ps, left_ps = needed_ps;
            while (left_ps > 0) {
                int64_t place_ps = (at_ps++ + phase_ps) % period_ps;
                bool away = false;
                for (size_t i = 0; i < count; i++)
                    away |= place_ps >= detours[i].start_ps &&
                            place_ps < detours[i].start_ps + detours[i].duration_ps;
                left_ps -= !away;
            }
            if (computed(hosts, rank, 0, start_ps, needed_ps) != at_ps - start_ps) return false;
        }
    }
    return true;
}

static void expect_walk(const struct replay_hosts *hosts, const struct hosts_detour *detours,
                        size_t count, int64_t period_ps) {
    for (uint32_t rank = 0; rank < 6; rank++) {
        bool found = false;
        for (int64_t phase_ps = 0; phase_ps < period_ps && !found; phase_ps++)
            found = walks(hosts, detours, count, period_ps, rank, phase_ps);
        assert_true(found);
    }
}

static void detours_delay_as_a_walk_by_picoseconds_does(void **state) {
    (void)state;
    struct hosts_config periodic = {
        .noise = HOSTS_NOISE_PERIODIC, .period_ps = 11, .duration_ps = 4};
    struct replay_hosts *hosts = hosts_of(&periodic, NULL, 0, 0);
    expect_walk(hosts, &(struct hosts_detour){.start_ps = 0, .duration_ps = 4}, 1, 11);
    hosts_free(hosts);
    struct hosts_config recorded = {.noise = HOSTS_NOISE_RECORDED, .detours_path = "x"};
    const struct hosts_detour detours[] = {{.start_ps = 2, .duration_ps = 1},
                                           {.start_ps = 3, .duration_ps = 2},
                                           {.start_ps = 9, .duration_ps = 5},
                                           {.start_ps = 16, .duration_ps = 1}};
    for (int64_t period_ps = 17; period_ps < 20; period_ps += 2) {
        hosts = hosts_of(&recorded, detours, 4, period_ps);
        expect_walk(hosts, detours, 4, period_ps);
        hosts_free(hosts);
    }
}

/* Far out, where 64 bits would not do. A period of 1000 ps leaves one for computations: the first
 * one comes after 1 to 1000 ps. */
static void detours_of_the_largest_times_do_not_overflow(void **state) {
    (void)state;
    const int64_t needed_ps = 1000000;
    struct hosts_config periodic = {
        .noise = HOSTS_NOISE_PERIODIC, .period_ps = 1000, .duration_ps = 999};
    struct replay_hosts *hosts = hosts_of(&periodic, NULL, 0, 0);
    assert_true(computed(hosts, 0, 0, INT64_MAX / 4, INT64_MAX / 4) == INT64_MAX);
    assert_in_range(computed(hosts, 0, 0, INT64_MAX / 4, needed_ps), (needed_ps - 1) * 1000 + 1,
                    needed_ps * 1000);
    hosts_free(hosts);
}

/* Ranks 0 and 1 share a node. */
static void ranks_or_nodes_have_noise_of_their_own(void **state) {
    (void)state;
    for (int32_t of = 0; of < 2; of++) {
        struct hosts_config config = {
            .noise = HOSTS_NOISE_EXPONENTIAL, .share_millionths = 1000000, .noise_of = of};
        struct replay_hosts *hosts = hosts_of(&config, NULL, 0, 0);
        bool same = computed(hosts, 0, 9, 0, 1000000) == computed(hosts, 1, 9, 0, 1000000);
        assert_int_equal(same, of == 1);
        assert_true(computed(hosts, 0, 9, 0, 1000000) != computed(hosts, 2, 9, 0, 1000000));
        assert_true(computed(hosts, 0, 9, 0, 1000000) != computed(hosts, 0, 8, 0, 1000000));
        hosts_free(hosts);
    }
}

static void refused(const struct hosts_config *config, const char *why) {
    struct status status = STATUS_INIT;
    struct replay_hosts *hosts = NULL;
    assert_int_equal(hosts_new(&hosts, config, NULL, 0, 0, &status), STATUS_USAGE);
    if (strstr(status.text, why) == NULL) fail_msg("no `%s` in: %s", why, status.text);
    status_clear(&status);
}

static void settings_that_do_not_fit_are_refused(void **state) {
    (void)state;
    refused(&(struct hosts_config){.noise = HOSTS_NOISE_RECORDED}, "noise.file names no file");
    refused(&(struct hosts_config){.noise = HOSTS_NOISE_GAUSSIAN, .detours_path = "x"},
            "noise.kind is gaussian");
    refused(&(struct hosts_config){.noise = HOSTS_NOISE_PERIODIC, .period_ps = 5, .duration_ps = 5},
            "noise.duration is not below noise.period");
}

/* In a replay: factors, noise at the time of the computation, and ranks by their number in all
 * jobs. */
static void replays_apply_factors_and_noise(void **state) {
    (void)state;
    struct world w;
    world_new(&w, 2);
    w.config.compute_scale_millionths = 500000;
    for (uint32_t rank = 0; rank < 2; rank++) {
        world_compute(&w, rank, 4000000);
        world_send(&w, rank, 1 - rank, 8, OPERATION_FLAG_DETACHED);
        world_compute(&w, rank, 6000000);
    }
    struct hosts_config config = {
        .noise = HOSTS_NOISE_PERIODIC, .period_ps = 1500000, .duration_ps = 700000};
    struct replay_hosts *hosts = hosts_of(&config, NULL, 0, 0);
    int64_t factors[] = {1, 1000000, 3000000};
    hosts->factor_millionths = malloc(sizeof factors);
    memcpy(hosts->factor_millionths, factors, sizeof factors);
    w.options.hosts = hosts;
    w.options.first_rank = 1;
    const struct replay_result *result = world_finish(&w);
    for (uint32_t rank = 0; rank < 2; rank++) {
        struct hosts_work work = {.seed = 1, .rank = rank + 1, .node = rank, .needed_ps = 2000000};
        int64_t first_ps = hosts_duration_ps(hosts, &work);
        work.start_ps = first_ps + WORLD_SEND_PS;
        work.needed_ps = 3000000;
        int64_t second_ps = hosts_duration_ps(hosts, &work);
        assert_int_equal(result->ranks[rank].compute_ps, first_ps + second_ps);
        assert_int_equal(result->ranks[rank].time_ps, first_ps + WORLD_SEND_PS + second_ps);
    }
    hosts_free(hosts);
    world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential_has_its_moments),
        cmocka_unit_test(normal_has_its_moments),
        cmocka_unit_test(normal_has_its_quantiles),
        cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(noise_has_the_moments_that_are_asked_for),
        cmocka_unit_test(wide_noise_stops_at_0),
        cmocka_unit_test(noise_of_the_largest_times_does_not_overflow),
        cmocka_unit_test(times_with_noise_are_rounded_down),
        cmocka_unit_test(detours_delay_as_a_walk_by_picoseconds_does),
        cmocka_unit_test(detours_of_the_largest_times_do_not_overflow),
        cmocka_unit_test(ranks_or_nodes_have_noise_of_their_own),
        cmocka_unit_test(settings_that_do_not_fit_are_refused),
        cmocka_unit_test(replays_apply_factors_and_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
