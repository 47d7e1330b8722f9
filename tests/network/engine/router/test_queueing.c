/*
 * One router of 64 ports under uniform traffic, against queueing theory: M. J. Karol, M. G.
 * Hluchyj, S. P. Morgan, Input Versus Output Queueing on a Space-Division Packet Switch, IEEE
 * Trans. Communications 35(12), 1987. A slot is the time of a packet, 1 ns.
 */
#include "tests/support/network/traffic_world.h"

enum { PORTS = 64 };

#define SWITCH                                                                                     \
    "nodes_per_router=64 routers_per_group=1 globals_per_router=0 groups=1 routing=minimal "       \
    "packet=32B header=0 phit=32B terminal.bandwidth=32GB/s local.bandwidth=32GB/s "               \
    "global.bandwidth=32GB/s terminal.latency=1ns router.latency=0 router.allocation_latency=0 "   \
    "nic.vcs=1 "

static struct traffic_point run(const char *router, int64_t load_millionths) {
    struct network_config config = network_world_config(SWITCH);
    network_world_set(&config, router);
    struct traffic_config traffic = traffic_world_config("uniform", 5000000, 20000000, 1000000);
    traffic.queue_messages = 64;
    return traffic_world_run(&config, &traffic, load_millionths, 1, &(struct traffic_options){0},
                             NULL);
}

/* Queues at inputs, and the head of each blocks what is behind it: 2 − √2 of the load is accepted
 * as the number of ports grows; 0.59 with 64. With more VCs fewer heads are in the way. */
static void input_queues_accept_what_karol_states(void **state) {
    (void)state;
    const char *const kinds[] = {"router.crossbar=input terminal.buffer=512B",
                                 "router.crossbar=vc terminal.buffer=512B"};
    for (size_t i = 0; i < 2; i++) {
        struct traffic_point point = run(kinds[i], 1000000);
        print_message("%s: accepted %.4f\n", kinds[i], (double)point.accepted_millionths / 1e6);
        assert_true(point.accepted_millionths > 585000 && point.accepted_millionths < 595000);
    }
    struct traffic_point point = run(
        "router.crossbar=vc nic.vcs=4 router.allocation_rounds=4 terminal.buffer=512B", 1000000);
    print_message("four VCs: accepted %.4f\n", (double)point.accepted_millionths / 1e6);
    assert_true(point.accepted_millionths > 700000);
}

/* Queues at outputs, which take all that comes at once: of N ports, N − 1 send to each. A packet
 * waits for (N−2)/(N−1) · rho / (2 · (1−rho)) slots, and nothing else in its way takes time. */
static void output_queues_wait_as_karol_states(void **state) {
    (void)state;
    const double idle_ns = 1 + 1 + 1; /* to the router, from it, its own length */
    for (int64_t tenths = 3; tenths <= 8; tenths++) {
        struct traffic_point point =
            run("router.crossbar=ideal router.output_buffer=64KiB terminal.buffer=64KiB",
                tenths * 100000);
        double load = (double)tenths / 10;
        double expected_ns = (double)(PORTS - 2) / (PORTS - 1) * load / (2 * (1 - load));
        double waited_ns = (double)point.latency_sum_ps / 1000 / (double)point.messages - idle_ns;
        print_message("load %.1f: waited %.3f slots, theory %.3f\n", load, waited_ns, expected_ns);
        assert_true(waited_ns > 0.97 * expected_ns && waited_ns < 1.03 * expected_ns);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_queues_accept_what_karol_states),
        cmocka_unit_test(output_queues_wait_as_karol_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
