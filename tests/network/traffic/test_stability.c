/*
 * When a point of traffic is stable: the t test on batches against its textbook form, and networks
 * whose capacity is known, on both sides of it.
 *
 * Runs are deterministic; each is one of many that could have been drawn.
 */
#include "tests/support/network/traffic_world.h"

#include "core/simulation/random.h"
#include "network/traffic/stability.h"

#include <math.h>

/* ---------------------------------------------------------------- the test itself */

/* Student's t of the mean against zero, as in textbooks. */
static double t_of(const struct stability *stability) {
    double mean = 0, squares = 0;
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        mean += (double)stability->excess_messages[i] / STABILITY_BATCHES;
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        squares += pow((double)stability->excess_messages[i] - mean, 2);
    double deviation = sqrt(squares / (STABILITY_BATCHES - 1));
    return mean / (deviation / sqrt(STABILITY_BATCHES));
}

static void batches_grow_as_students_t_says(void **state) {
    (void)state;
    const double critical = 2.5395; /* 19 degrees of freedom, 0.99 */
    unsigned grows = 0;
    for (uint32_t sample = 0; sample < 3000; sample++) {
        struct stability stability;
        int64_t drift = sample % 70, factor = sample % 3 == 0 ? INT64_C(1) << 47 : 1;
        for (uint32_t i = 0; i < STABILITY_BATCHES; i++) {
            uint32_t draw = random_draw(1, RANDOM_NOISE, sample, i).word[0];
            stability.excess_messages[i] = ((int64_t)(draw % 201) - 100 + drift) * factor;
        }
        double t = t_of(&stability);
        if (fabs(t - critical) < 0.001) continue;
        bool found = stability_backlog_grows(&stability, 1000);
        grows += found;
        if (found != (t > critical)) fail_msg("sample %u: t is %f", sample, t);
    }
    assert_true(grows > 500 && grows < 2500);
}

static void constant_and_extreme_batches_are_decided(void **state) {
    (void)state;
    struct stability stability = {0};
    assert_false(stability_backlog_grows(&stability, 1000));
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        stability.excess_messages[i] = 1;
    assert_true(stability_backlog_grows(&stability, 1000));
    assert_true(stability_backlog_grows(&stability, STABILITY_MIN));
    assert_false(stability_backlog_grows(&stability, STABILITY_MIN - 1));
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        stability.excess_messages[i] = INT64_MAX;
    assert_true(stability_backlog_grows(&stability, 1000));
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        stability.excess_messages[i] = i % 2 == 0 ? INT64_MAX : -INT64_MAX;
    assert_false(stability_backlog_grows(&stability, 1000));
    for (unsigned i = 0; i < STABILITY_BATCHES; i++)
        stability.excess_messages[i] = INT64_MIN; /* it catches up */
    assert_false(stability_backlog_grows(&stability, 1000));
}

/* Every time of the measurement has a batch. */
static void batches_cover_the_measurement(void **state) {
    (void)state;
    const int64_t times_ps[] = {1, 19, 20, 21, 381, 1000, 20000001, INT64_MAX / 8};
    for (size_t i = 0; i < sizeof times_ps / sizeof *times_ps; i++) {
        int64_t last = (times_ps[i] - 1) / stability_batch_ps(times_ps[i]);
        assert_true(last < STABILITY_BATCHES);
        if (times_ps[i] >= 400) assert_int_equal(last, STABILITY_BATCHES - 1);
    }
}

/* 2.5395 / sqrt(n), as in the model. */
static void the_overload_that_is_noticed_follows_from_the_messages(void **state) {
    (void)state;
    const uint64_t messages[] = {7, 30, 1000, 65000, 6449000, UINT64_C(1) << 40};
    assert_int_equal(stability_overload_millionths(0), 1000000);
    assert_int_equal(stability_overload_millionths(1), 1000000);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const double expected = 2.5395e6 / sqrt((double)messages[i]);
        assert_true(fabs((double)stability_overload_millionths(messages[i]) - expected) <
                    1 + expected * 1e-4);
    }
}

/* ---------------------------------------------------------------- networks */

/* Packets of one phit, in slots of 10 ns. */
#define CHANNELS                                                                                   \
    "packet=256B header=0 phit=256B terminal.bandwidth=25.6GB/s local.bandwidth=25.6GB/s "         \
    "global.bandwidth=25.6GB/s "

static unsigned stable_seeds(const struct network_config *config, const char *pattern, double load,
                             int64_t measure_ps, unsigned seeds) {
    struct traffic_config traffic = traffic_world_config(pattern, 50000000, measure_ps, 20000000);
    unsigned stable = 0;
    for (unsigned seed = 1; seed <= seeds; seed++)
        stable += traffic_world_run(config, &traffic, (int64_t)(load * 1e6 + 0.5), seed,
                                    &(struct traffic_options){.threads = 1}, NULL)
                      .stable;
    return stable;
}

/* All nodes of a group send by one global link, which is what limits them: p·a of them share it. */
static void loads_on_both_sides_of_a_known_capacity_are_told_apart(void **state) {
    (void)state;
    const struct { int64_t p, a, h; } shapes[] = {{2, 4, 2}, {3, 2, 3}};
    const struct {
        double share;
        bool stable;
    } loads[] = {{0.01, true}, {0.9, true}, {0.97, true}, {1.03, false}, {1.1, false}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct network_config config = network_world_config(CHANNELS "routing=minimal");
        config.nodes_per_router = shapes[i].p;
        config.routers_per_group = shapes[i].a;
        config.globals_per_router = shapes[i].h;
        config.groups = shapes[i].a * shapes[i].h + 1;
        double capacity = 1.0 / (double)(shapes[i].p * shapes[i].a);
        for (size_t j = 0; j < sizeof loads / sizeof *loads; j++) {
            double load = loads[j].share * capacity;
            unsigned stable = stable_seeds(&config, "worst-case", load, 100000000, 2);
            if (stable != (loads[j].stable ? 2 : 0))
                fail_msg("p=%d a=%d, %.2f of the capacity: %u of 2 stable", (int)shapes[i].p,
                         (int)shapes[i].a, loads[j].share, stable);
        }
    }
}

/* A hotspot gets a tenth of the messages of the 71 others, and its part of the rest: 8 times the
 * load. A measurement is too short to show what piles up for it, and anax knows it nevertheless. */
static void an_overloaded_hotspot_is_never_stable(void **state) {
    (void)state;
    struct network_config config = network_world_machine("kim-72", "routing=minimal");
    struct traffic_config traffic = traffic_world_config("hotspot", 20000000, 20000000, 20000000);
    traffic.hotspot_millionths = 100000;
    const struct {
        int64_t load_millionths;
        bool stable;
    } loads[] = {{110000, true}, {125001, false}, {127000, false}, {140000, false}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        for (unsigned seed = 1; seed <= 3; seed++) {
            const struct traffic_point point =
                traffic_world_run(&config, &traffic, loads[i].load_millionths, seed,
                                  &(struct traffic_options){.threads = 1}, NULL);
            if (point.stable != loads[i].stable)
                fail_msg("load %d with seed %u: stable is %d", (int)loads[i].load_millionths, seed,
                         point.stable);
        }
    traffic.hotspot_millionths = 0; /* uniform */
    assert_true(traffic_world_run(&config, &traffic, 200000, 1,
                                  &(struct traffic_options){.threads = 1}, NULL)
                    .stable);
}

/* Garcia's machine under ofar carries 0.3 of adv+2; of 0.35 it accepts 0.337, and the rest piles
 * up. */
static void a_few_percent_beyond_saturation_are_unstable(void **state) {
    (void)state;
    struct network_config config =
        network_world_machine("garcia-342-paper", "routing=ofar ofar.injection_room=3");
    assert_int_equal(stable_seeds(&config, "adv+2", 0.3, 4000000, 2), 2);
    assert_int_equal(stable_seeds(&config, "adv+2", 0.35, 4000000, 2), 0);
}

/* At random times few messages come up: nothing can be concluded, and nothing is. */
static void few_messages_prove_nothing(void **state) {
    (void)state;
    struct network_config config =
        network_world_config("nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                             "routing=ugal-l " CHANNELS);
    assert_int_equal(stable_seeds(&config, "uniform", 0.0001, 2000000, 20), 20);
    assert_int_equal(stable_seeds(&config, "uniform", 0.001, 2000000, 20), 20);
    assert_int_equal(stable_seeds(&config, "uniform", 0.01, 2000000, 20), 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_grow_as_students_t_says),
        cmocka_unit_test(constant_and_extreme_batches_are_decided),
        cmocka_unit_test(batches_cover_the_measurement),
        cmocka_unit_test(loads_on_both_sides_of_a_known_capacity_are_told_apart),
        cmocka_unit_test(the_overload_that_is_noticed_follows_from_the_messages),
        cmocka_unit_test(an_overloaded_hotspot_is_never_stable),
        cmocka_unit_test(a_few_percent_beyond_saturation_are_unstable),
        cmocka_unit_test(few_messages_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
