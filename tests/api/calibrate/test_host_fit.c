/*
 * The tolerances of the fit of hosts, for points without noise: each decision is the other one on
 * the other side of its limit. tests/api/calibrate/test_calibrate.c has whole fits.
 */
#include "api/calibrate/host_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 16, EAGER_BYTES = 4096 };

/* Times in ps. A rendezvous takes 2 control messages and 3 latencies. */
#define SMALL      2e5
#define LATENCY    1e5
#define CONTROL    2e5
#define RENDEZVOUS (2 * CONTROL + 3 * LATENCY)

/* 1, 2, 4, ... 32 KiB. */
static uint64_t size_of(size_t i) {
    return UINT64_C(1) << i;
}

struct fit_case {
    double large_ps;     /* hosts' time of messages above EAGER_BYTES */
    double noise_ps;     /* added to the sizes above EAGER_BYTES and taken off in turn */
    double error_ps;     /* of each point */
    double network_ps;   /* time of each message on the network */
    double hosts_ps;     /* hosts' time of the others; 0: SMALL */
    bool eager_is_given; /* so that it is not fitted */
};

struct fit_outcome {
    fit_standing threshold;
    char how[256]; /* the threshold was found */
    char *warnings;
};

static struct fit_outcome fitted(struct fit_case c) {
    struct fit_latency_point points[SIZES];
    struct host_fit fit = {.warnings = TEXT_BUFFER_INIT};
    for (size_t i = 0; i < SIZES; i++) {
        const double small = c.hosts_ps != 0 ? c.hosts_ps : SMALL;
        const double large = c.large_ps + (i % 2 == 0 ? c.noise_ps : -c.noise_ps);
        points[i] = (struct fit_latency_point){
            size_of(i), c.network_ps + (size_of(i) > EAGER_BYTES ? large : small), c.error_ps,
            c.network_ps};
    }
    const struct host_data data = {.latencies = points,
                                   .latency_count = SIZES,
                                   .control_ps = CONTROL,
                                   .given_latency_ps = LATENCY,
                                   .eager_bytes = EAGER_BYTES,
                                   .eager_is_given = c.eager_is_given};
    assert_int_equal(host_fit_run(&fit, &data, NULL), STATUS_OK);
    struct fit_outcome outcome = {.threshold = fit.parameters[FIT_EAGER_THRESHOLD].standing};
    memcpy(outcome.how, fit.parameters[FIT_EAGER_THRESHOLD].how, sizeof outcome.how);
    outcome.warnings = text_take(&fit.warnings);
    assert_non_null(outcome.warnings);
    return outcome;
}

static void expect_threshold(struct fit_case c, fit_standing standing, const char *how) {
    struct fit_outcome outcome = fitted(c);
    if (outcome.threshold != standing || strstr(outcome.how, how) == NULL)
        fail_msg("the threshold has standing %d (%s), not %d (%s)", (int)outcome.threshold,
                 outcome.how, (int)standing, how);
    free(outcome.warnings);
}

static void expect_warning(struct fit_case c, bool is_expected, const char *words) {
    struct fit_outcome outcome = fitted(c);
    if ((strstr(outcome.warnings, words) != NULL) != is_expected)
        fail_msg("%s \"%s\" in:\n%s", is_expected ? "no" : "there is", words, outcome.warnings);
    free(outcome.warnings);
}

/* The fixed part rises by half of a rendezvous' request and answer, or by less. */
static void a_rise_by_half_a_round_trip_shows_the_threshold(void **state) {
    (void)state;
    const double half = CONTROL + LATENCY, hosts_ps = RENDEZVOUS;
    expect_threshold(
        (struct fit_case){.hosts_ps = hosts_ps, .large_ps = hosts_ps + 1.01 * half, .error_ps = 99},
        FIT_DETERMINED, "rises most between 4096 and 8192 bytes");
    expect_threshold(
        (struct fit_case){.hosts_ps = hosts_ps, .large_ps = hosts_ps + 0.99 * half, .error_ps = 99},
        FIT_KEPT, "shows no rendezvous");
}

/* Large messages take 10 ns less than a rendezvous, which is the error of a point, or more. */
static void a_rendezvous_is_known_within_the_error_of_a_point(void **state) {
    (void)state;
    expect_threshold((struct fit_case){.large_ps = RENDEZVOUS - 10000, .error_ps = 10100},
                     FIT_DETERMINED, "rises most between 4096 and 8192 bytes");
    expect_threshold((struct fit_case){.large_ps = RENDEZVOUS - 10000, .error_ps = 9900},
                     FIT_DETERMINED, "no size takes as long as a rendezvous would");
}

/* The measured time is below the network's by twice the error of a point, or by more. */
static void the_network_is_too_slow_by_more_than_two_errors(void **state) {
    (void)state;
    static const char words[] = "the machine's network alone takes ";
    struct fit_case c = {.hosts_ps = -9900, .error_ps = 5000, .network_ps = 1e6};
    c.large_ps = RENDEZVOUS;
    expect_warning(c, false, words);
    c.hosts_ps = -10100;
    expect_warning(c, true, words);
}

/* What a rendezvous takes at least is above the mean of large messages; their interval holds it, or
 * does not. */
static void a_rendezvous_too_fast_is_told_within_the_interval(void **state) {
    (void)state;
    static const char words[] = "take less than a rendezvous on this network";
    struct fit_case c = {.large_ps = RENDEZVOUS + 1, .error_ps = 1000, .eager_is_given = true};
    expect_warning(c, false, words);
    c.large_ps = RENDEZVOUS - 1;
    expect_warning(c, true, words);
    c.large_ps = RENDEZVOUS - 10000;
    c.noise_ps = 30000;
    expect_warning(c, false, words);
}

/* Messages of 64 bytes cost a host GAP each. Of those of 2 KiB the network carries one in
 * NETWORK_GAP, but their window takes a tenth longer than on the network, because the hosts' cost
 * of its first message and of its answer is a large part of it: they must not be taken for the
 * hosts' cost. */
#define GAP         9e4
#define NETWORK_GAP 1e5
#define NETWORK     1e4 /* of a message of any size */
enum { WINDOW = 4, PAIRS = 4 };

/* A point of which `messages` take `gap_ps` one after another, beside the `hosts` that begin and
 * end a window. */
static struct fit_stream_point stream_point(uint64_t size_bytes, double window, double messages,
                                            double gap_ps, double network_gap_ps, double hosts_ps,
                                            double round_ps) {
    return (struct fit_stream_point){
        .size_bytes = size_bytes,
        .measured_ps = (round_ps + hosts_ps + messages * gap_ps) / window,
        .error_ps = 100,
        .network_ps = (round_ps + messages * network_gap_ps) / window,
        .round_ps = round_ps,
    };
}

static void expect_step(const struct host_fit *fit, fit_parameter parameter, double value) {
    const struct fit_result *found = &fit->parameters[parameter];
    if (found->count == 0 || fabs((double)found->steps[0].value - value) > 1)
        fail_msg("parameter %d is %g, not %g", (int)parameter,
                 found->count > 0 ? (double)found->steps[0].value : NAN, value);
}

static void streams_that_the_network_limits_say_nothing_of_hosts(void **state) {
    (void)state;
    struct fit_latency_point latencies[SIZES];
    for (size_t i = 0; i < SIZES; i++)
        latencies[i] = (struct fit_latency_point){size_of(i), NETWORK + SMALL, 100, NETWORK};
    const double of_pairs = WINDOW * PAIRS - (PAIRS - 1) / 2.0 - 1;
    const struct fit_stream_point one_way[] = {
        stream_point(64, WINDOW, WINDOW - 1, GAP, 1000, 2 * SMALL, 2 * NETWORK),
        stream_point(2048, WINDOW, WINDOW - 1, NETWORK_GAP, NETWORK_GAP, 2 * SMALL, 2 * NETWORK)};
    const struct fit_stream_point both_ways[] = {
        {64, 2 * GAP, 100, (2 * NETWORK + 3e3) / WINDOW, 2 * NETWORK}, one_way[1]};
    const struct fit_stream_point exchanged[] = {
        stream_point(64, 1, 1, GAP, 1000, SMALL, NETWORK),
        stream_point(2048, 1, 1, NETWORK_GAP, NETWORK_GAP, SMALL, NETWORK)};
    const struct fit_stream_point crowded[] = {
        stream_point(64, WINDOW, of_pairs, GAP, 1000, 2 * SMALL, 2 * NETWORK),
        stream_point(2048, WINDOW, of_pairs, NETWORK_GAP, NETWORK_GAP, 2 * SMALL, 2 * NETWORK)};
    for (unsigned kind = 0; kind < 4; kind++) {
        struct host_fit fit = {.warnings = TEXT_BUFFER_INIT};
        struct host_data data = {.latencies = latencies,
                                 .latency_count = SIZES,
                                 .control_ps = NETWORK,
                                 .eager_bytes = (int64_t)1 << 20,
                                 .eager_is_given = true};
        if (kind == 0 || kind == 3) data.stream = (struct fit_stream_data){one_way, 2, WINDOW, 1};
        if (kind == 1) data.both = (struct fit_stream_data){both_ways, 2, WINDOW, 1};
        if (kind == 2) data.exchange = (struct fit_stream_data){exchanged, 2, 2, 1};
        if (kind == 3) data.crowded = (struct fit_stream_data){crowded, 2, WINDOW, PAIRS};
        assert_int_equal(host_fit_run(&fit, &data, NULL), STATUS_OK);
        expect_step(&fit, FIT_SEND_OVERHEAD, GAP);
        expect_step(&fit, FIT_RECEIVE_OVERHEAD, GAP);
        expect_step(&fit, FIT_SEND_LATENCY, SMALL / 2 - GAP);
        if (kind == 3) expect_step(&fit, FIT_MESSAGE_GAP, GAP);
        free(text_take(&fit.warnings));
    }
}

/* A value has the digits that a quarter of its half interval leaves. */
static void values_have_the_digits_of_a_quarter_of_the_interval(void **state) {
    (void)state;
    const struct {
        double half_interval;
        int64_t value;
    } cases[] = {{0, 12346},   {3.9, 12346}, {39, 12346},   {40, 12350},
                 {399, 12350}, {400, 12300}, {4000, 12000}, {INFINITY, 12346}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fit_result fitted = {.count = 0};
        host_fit_add_step(&fitted, 0, 12346, cases[i].half_interval);
        assert_int_equal(fitted.steps[0].value, cases[i].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rise_by_half_a_round_trip_shows_the_threshold),
        cmocka_unit_test(a_rendezvous_is_known_within_the_error_of_a_point),
        cmocka_unit_test(the_network_is_too_slow_by_more_than_two_errors),
        cmocka_unit_test(a_rendezvous_too_fast_is_told_within_the_interval),
        cmocka_unit_test(streams_that_the_network_limits_say_nothing_of_hosts),
        cmocka_unit_test(values_have_the_digits_of_a_quarter_of_the_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
