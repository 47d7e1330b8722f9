/*
 * What Kim et al. (ISCA 2008, section 4) state about routing policies, on a smaller machine of
 * their kind: 342 nodes (p=h=3, a=6, g=19), single-flit packets, short links, the router of
 * kim-1k-paper. A cycle is 1 ns, a flit 32 bytes. docs/fidelity.md has the paper's own size.
 */
#include "tests/support/network/traffic_world.h"

#define MACHINE                                                                                    \
    "nodes_per_router=3 routers_per_group=6 globals_per_router=3 groups=19 packet=32B header=0 "   \
    "phit=32B terminal.bandwidth=32GB/s local.bandwidth=32GB/s global.bandwidth=32GB/s "           \
    "terminal.latency=1ns local.latency=1ns global.latency=1ns terminal.buffer=512B "              \
    "local.buffer=512B global.buffer=512B router.latency=1ns router.allocation_latency=1ns "       \
    "router.crossbar=input router.speedup=2 router.output_buffer=256B "

/* Figures need long runs; sanitizers see the same code in test_saturation. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LONG_RUNS 0
#else
#define LONG_RUNS 1
#endif

struct channels {
    uint64_t minimal; /* packets by the group's link to its victim … */
    uint64_t beside;  /* … by the other links of that link's router, the mean … */
    uint64_t others;  /* … and by those of the other routers, the mean */
};

static void count_channel(void *context, const struct network_link *link) {
    struct channels *sums = context;
    if (link->channel_kind != NETWORK_GLOBAL || link->source_group > 16) return;
    uint32_t owner = link->source_group * 6 + link->source_group / 3; /* absolute wiring */
    if (link->destination_group == link->source_group + 1) {
        sums->minimal += link->packets;
    } else if (link->source == owner) {
        sums->beside += link->packets;
    } else {
        sums->others += link->packets;
    }
}

/* Runs one load; the channels are counted if wanted. */
static struct traffic_point run_point(const char *settings, char *pattern, int64_t load_millionths,
                                      struct channels *sums) {
    struct network_config config = network_world_config(MACHINE);
    network_world_set(&config, settings);
    struct traffic_config traffic = traffic_world_config(pattern, 1500000, 1000000, 500000);
    struct traffic_options options = {.threads = 1};
    struct network *network;
    struct traffic_point point =
        traffic_world_run(&config, &traffic, load_millionths, 1, &options, &network);
    if (sums != NULL) {
        *sums = (struct channels){0};
        network_visit_links(network, count_channel, sums);
        sums->minimal /= 17;
        sums->beside /= UINT64_C(17) * 2;
        sums->others /= UINT64_C(17) * 15;
    }
    network_free(network);
    return point;
}

static double accepted(const char *settings, char *pattern, double load) {
    struct traffic_point point = run_point(settings, pattern, (int64_t)(load * 1e6 + 0.5), NULL);
    double share = (double)point.accepted_millionths / 1e6;
    print_message("%s, %s %.2f: accepted %.4f\n", settings, pattern, load, share);
    return share;
}

static double latency_ns(const char *settings, char *pattern, double load) {
    struct traffic_point point = run_point(settings, pattern, (int64_t)(load * 1e6 + 0.5), NULL);
    double mean_ns = (double)point.latency_sum_ps / 1000.0 / (double)point.messages;
    print_message("%s, %s %.2f: %.2f ns\n", settings, pattern, load, mean_ns);
    return mean_ns;
}

/* Figure 8 (b), and 10 (b) for the VC-aware ones. */
static void worst_case_throughput_is_that_of_figures_8_and_10(void **state) {
    (void)state;
    if (!LONG_RUNS) skip();
    double minimal = accepted("routing=minimal", "worst-case", 0.5);
    assert_true(minimal > 0.97 / 18 && minimal < 1.03 / 18);
    const char *const good[] = {"routing=valiant", "routing=ugal-g", "routing=ugal-l-cr",
                                "routing=par", "routing=ugal-l-vch"};
    double share = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        share = accepted(good[i], "worst-case", 0.5);
        assert_true(share > 0.42 && share < 0.5);
    }
    assert_true(accepted("routing=ugal-l", "worst-case", 0.5) < 0.9 * share); /* ugal-l-vch's */
}

/* Figure 9: with UGAL-L the channels beside the minimal one stay idle, with UGAL-G they do not. */
static void ugal_l_leaves_channels_beside_the_minimal_one_idle(void **state) {
    (void)state;
    if (!LONG_RUNS) skip();
    struct channels sums;
    run_point("routing=ugal-l", "worst-case", 200000, &sums);
    print_message("ugal-l: minimal %llu, beside %llu, others %llu\n",
                  (unsigned long long)sums.minimal, (unsigned long long)sums.beside,
                  (unsigned long long)sums.others);
    assert_true(sums.minimal > 2 * sums.others);
    assert_true(sums.beside * 2 < sums.others);
    run_point("routing=ugal-g", "worst-case", 200000, &sums);
    assert_true(sums.minimal > 2 * sums.others);
    assert_true(sums.beside * 10 > sums.others * 8);
}

/* Figure 10 (a): looking at VCs alone sends too much uniform traffic by other groups. */
static void vcs_alone_send_too_much_by_other_groups(void **state) {
    (void)state;
    if (!LONG_RUNS) skip();
    double global = latency_ns("routing=ugal-g", "uniform", 0.6);
    double vc = latency_ns("routing=ugal-l-vc", "uniform", 0.6);
    double hybrid = latency_ns("routing=ugal-l-vch", "uniform", 0.6);
    assert_true(vc > 1.25 * global);
    assert_true(hybrid < 1.15 * global);
}

/* Figures 14 and 16: with delayed credits latency does not depend on the depth of buffers. */
static void delayed_credits_hide_the_depth_of_buffers(void **state) {
    (void)state;
    if (!LONG_RUNS) skip();
#define DEEP " local.buffer=8KiB global.buffer=8KiB terminal.buffer=8KiB"
    double shallow = latency_ns("routing=ugal-l-cr", "worst-case", 0.3);
    double deep = latency_ns("routing=ugal-l-cr" DEEP, "worst-case", 0.3);
    assert_true(deep > 0.95 * shallow && deep < 1.05 * shallow);
    double plain_shallow = latency_ns("routing=ugal-l-vch", "worst-case", 0.3);
    double plain_deep = latency_ns("routing=ugal-l-vch" DEEP, "worst-case", 0.3);
    assert_true(plain_deep > 1.3 * plain_shallow);
    assert_true(deep < plain_shallow);
}

/* Figures 11 and 16 (b): where a queue is only what waits in the source's router, it shows nothing
 * of a congested link before the buffers on the way are full. */
static void queues_in_the_source_router_show_congestion_late(void **state) {
    (void)state;
    if (!LONG_RUNS) skip();
    double shallow = latency_ns("routing=ugal-l ugal.queue=output", "worst-case", 0.1);
    double deep = latency_ns("routing=ugal-l ugal.queue=output local.buffer=2KiB "
                             "global.buffer=2KiB terminal.buffer=2KiB",
                             "worst-case", 0.1);
    double channel = latency_ns("routing=ugal-l", "worst-case", 0.1);
    assert_true(shallow > 1.5 * channel);
    assert_true(deep > 2 * shallow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worst_case_throughput_is_that_of_figures_8_and_10),
        cmocka_unit_test(ugal_l_leaves_channels_beside_the_minimal_one_idle),
        cmocka_unit_test(vcs_alone_send_too_much_by_other_groups),
        cmocka_unit_test(delayed_credits_hide_the_depth_of_buffers),
        cmocka_unit_test(queues_in_the_source_router_show_congestion_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
