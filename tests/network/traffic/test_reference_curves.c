/*
 * kim-1k-paper against curves of BookSim 2 (1056 nodes, single-flit packets, 16 flits per VC, links
 * of one cycle, minimal routing; one snapshot of that simulator): latency within 5 % below
 * saturation, throughput within 3 % beyond it. A cycle is 1 ns.
 */
#include "tests/support/network/traffic_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct traffic_point run_point(char *pattern, double load, int64_t warmup_ns,
                                      int64_t measure_ns) {
    struct network_config config = network_world_machine("kim-1k-paper", "routing=minimal");
    struct traffic_config traffic =
        traffic_world_config(pattern, warmup_ns * 1000, measure_ns * 1000, 1000000);
    return traffic_world_run(&config, &traffic, (int64_t)(load * 1e6 + 0.5), 1,
                             &(struct traffic_options){0}, NULL);
}

static void check_latency(char *pattern, double load, double reference_ns, int64_t measure_ns) {
    struct traffic_point point = run_point(pattern, load, 1000, measure_ns);
    double latency_ns = (double)point.latency_sum_ps / 1000.0 / (double)point.messages;
    double distance = latency_ns / reference_ns - 1;
    print_message("%s %.2f: %.3f ns, reference %.3f ns, %+.1f %%\n", pattern, load, latency_ns,
                  reference_ns, 100 * distance);
    assert_true(distance < 0.05 && distance > -0.05);
}

static void uniform_latency_is_that_of_booksim(void **state) {
    (void)state;
    check_latency("uniform", 0.05, 13.1693, 1000);
    check_latency("uniform", 0.25, 13.7012, 1000);
    check_latency("uniform", 0.45, 14.9127, 1000);
    check_latency("uniform", 0.65, 20.0223, 1500);
}

static void uniform_throughput_is_that_of_booksim(void **state) {
    (void)state;
    struct traffic_point point = run_point("uniform", 0.75, 2000, 1500);
    double accepted = (double)point.accepted_millionths / 1e6;
    print_message("uniform 0.75: accepted %.4f, reference 0.7088\n", accepted);
    assert_true(accepted > 0.7088 * 0.97 && accepted < 0.7088 * 1.03);
    assert_false(point.stable);
}

static void worst_case_traffic_is_that_of_booksim(void **state) {
    (void)state;
    check_latency("worst-case", 0.02, 14.1247, 12000);
    struct traffic_point point = run_point("worst-case", 0.1, 3000, 10000);
    double accepted = (double)point.accepted_millionths / 1e6;
    print_message("worst-case 0.1: accepted %.5f, reference 0.03125\n", accepted);
    assert_true(accepted > 0.03125 * 0.97 && accepted < 0.03125 * 1.03);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_latency_is_that_of_booksim),
        cmocka_unit_test(uniform_throughput_is_that_of_booksim),
        cmocka_unit_test(worst_case_traffic_is_that_of_booksim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
