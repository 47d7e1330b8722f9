/*
 * The machines with the rules of BookSim 2 and FOGSim against figures of these simulators (one
 * snapshot each): accepted loads beyond saturation and latencies below it, within 3 %. A cycle is 1
 * ns. The figures' other halves are in bench/fidelity/fidelity_reference.csv.
 */
#include "tests/support/network/traffic_world.h"

struct reference {
    const char *machine;
    const char *settings;
    char *pattern;
    double load;
    int64_t warmup_ns;
    int64_t measure_ns;
    double accepted;
    double latency_ns; /* of what is delivered; 0: beyond saturation, where it grows with time */
};

static struct traffic_point run_reference(const struct reference *reference, const char *more) {
    struct network_config config = network_world_machine(reference->machine, reference->settings);
    network_world_set(&config, more);
    struct traffic_config traffic = traffic_world_config(
        reference->pattern, reference->warmup_ns * 1000, reference->measure_ns * 1000, 1000000);
    return traffic_world_run(&config, &traffic, (int64_t)(reference->load * 1e6 + 0.5), 1,
                             &(struct traffic_options){0}, NULL);
}

static double accepted_of(const struct traffic_point *point) {
    return (double)point->accepted_millionths / 1e6;
}

static bool is_within_3_percent(const char *what, double value, double reference) {
    double distance = value / reference - 1;
    print_message("  %s %.4f, reference %.4f: %+.1f %%\n", what, value, reference, 100 * distance);
    return distance < 0.03 && distance > -0.03;
}

static void check(const struct reference *reference) {
    print_message("%s %s %s %.2f\n", reference->machine, reference->settings, reference->pattern,
                  reference->load);
    struct traffic_point point = run_reference(reference, "");
    assert_true(is_within_3_percent("accepted", accepted_of(&point), reference->accepted));
    if (reference->latency_ns == 0) return;
    double latency_ns =
        (double)point.accepted_latency_sum_ps / 1000.0 / (double)point.accepted_messages;
    assert_true(is_within_3_percent("latency", latency_ns, reference->latency_ns));
}

/* How far the machine is from the reference without one of its rules: more than 3 %. */
static void check_that_matters(const struct reference *reference, const char *rule) {
    struct traffic_point point = run_reference(reference, rule);
    print_message("  with %s", rule);
    assert_false(is_within_3_percent("accepted", accepted_of(&point), reference->accepted));
}

/* The forced share of minimal packets limits what is accepted. */
static void forced_minimal_packets_limit_as_in_booksim(void **state) {
    (void)state;
    const struct reference worst = {
        "kim-1k-booksim", "routing=ugal-l", "worst-case", 0.25, 2000, 1000, 0.203, 0};
    check(&worst);
    check_that_matters(&worst, "third_group=others ugal.weights=hops");
}

/* Far beyond saturation the router's allocators decide. */
static void overload_is_that_of_booksim(void **state) {
    (void)state;
    const struct reference overload = {
        "kim-1k-booksim", "routing=ugal-l", "worst-case", 0.45, 4000, 2000, 0.161615, 0};
    check(&overload);
    check_that_matters(&overload, "router.vc_allocation=with-crossbar");
}

/* Deep buffers and long links: minimal packets wait in them, and the weights decide how many. */
static void long_links_are_those_of_booksim(void **state) {
    (void)state;
    check(&(struct reference){"kim-1k-booksim",
                              "routing=ugal-l local.latency=10ns global.latency=100ns "
                              "terminal.buffer=8KiB local.buffer=8KiB global.buffer=8KiB",
                              "worst-case", 0.05, 4000, 1500, 0.0498, 186.2});
}

static void ugal_is_that_of_fogsim(void **state) {
    (void)state;
    const struct reference adversarial = {
        "garcia-342-fogsim", "routing=ugal-l", "adv+2", 0.3, 4000, 4000, 0.193725, 0};
    check(&adversarial);
    check_that_matters(&adversarial, "ugal.measure=port");
}

static void piggyback_is_that_of_fogsim(void **state) {
    (void)state;
    check(&(struct reference){"garcia-342-fogsim", "routing=piggyback", "adv+2", 0.2, 4000, 4000,
                              0.200409, 242.951});
    const struct reference beyond = {
        "garcia-342-fogsim", "routing=piggyback", "adv+2", 0.4, 4000, 4000, 0.282702, 0};
    check(&beyond);
    check_that_matters(&beyond, "ugal.measure=port");
}

/* Third group and injection queue, without any queue looked at. Uniform traffic has packets within
 * a group, which FOGSim sends by another one, too. */
static void valiant_is_that_of_fogsim(void **state) {
    (void)state;
    check(&(struct reference){"garcia-342-fogsim", "routing=valiant", "adv+2", 0.3, 4000, 4000,
                              0.297561, 371.02});
    const struct reference uniform = {
        "garcia-342-fogsim", "routing=valiant", "uniform", 0.5, 4000, 4000, 0.430901, 0};
    check(&uniform);
    check_that_matters(&uniform, "intragroup_paths=minimal");
}

/* Below saturation and beyond it. */
static void uniform_traffic_is_that_of_fogsim(void **state) {
    (void)state;
    char uniform[] = "uniform";
    check(&(struct reference){"garcia-342-fogsim", "routing=ugal-l", uniform, 0.5, 4000, 4000,
                              0.502626, 191.322});
    const struct reference ugal = {
        "garcia-342-fogsim", "routing=ugal-l", uniform, 0.8, 4000, 4000, 0.605333, 0};
    check(&ugal);
    check_that_matters(&ugal, "intragroup_paths=minimal");
    check(&(struct reference){"garcia-342-fogsim", "routing=piggyback", uniform, 0.2, 4000, 4000,
                              0.20031, 153.251});
    check(&(struct reference){"garcia-342-fogsim", "routing=piggyback", uniform, 0.8, 4000, 4000,
                              0.604708, 0});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forced_minimal_packets_limit_as_in_booksim),
        cmocka_unit_test(overload_is_that_of_booksim),
        cmocka_unit_test(long_links_are_those_of_booksim),
        cmocka_unit_test(ugal_is_that_of_fogsim),
        cmocka_unit_test(piggyback_is_that_of_fogsim),
        cmocka_unit_test(valiant_is_that_of_fogsim),
        cmocka_unit_test(uniform_traffic_is_that_of_fogsim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
