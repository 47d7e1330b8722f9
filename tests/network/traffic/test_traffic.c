/*
 * Synthetic traffic: what is offered is accepted, saturation where theory puts it, arrivals with
 * the statistics of a Bernoulli process, hops and latencies as counted over all pairs of nodes.
 *
 * Runs are deterministic; bounds are about five standard deviations.
 */
#include "tests/support/network/traffic_world.h"

#include <math.h>
#include <stdbool.h>

/* Packets of one phit: 256 B at 25.6 GB/s are a slot of 10 ns. */
#define CHANNELS                                                                                   \
    "packet=256B header=0 phit=256B terminal.bandwidth=25.6GB/s local.bandwidth=25.6GB/s "         \
    "global.bandwidth=25.6GB/s "
#define KIM_72 "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 " CHANNELS
#define STAR                                                                                       \
    "nodes_per_router=8 routers_per_group=1 globals_per_router=0 groups=1 "                        \
    "routing=minimal " CHANNELS
#define SLOT_PS 10000

static struct traffic_config traffic_of(const char *pattern, int64_t measure_ps) {
    struct traffic_config traffic;
    struct setting_section section = {traffic_setting_rows, traffic_setting_count, &traffic};
    struct settings settings = {&section, 1};
    memset(&traffic, 0, sizeof traffic);
    assert_int_equal(settings_set_defaults(&settings, NULL), STATUS_OK);
    settings_clear(&settings);
    traffic.pattern = (char *)pattern;
    traffic.warmup_ps = 5000000;
    traffic.measure_ps = measure_ps;
    traffic.drain_ps = 5000000;
    return traffic;
}

static struct traffic_point run_network(const struct network_config *config,
                                        const struct traffic_config *traffic, int64_t load,
                                        uint64_t seed, struct network **network) {
    struct traffic_options options = {.threads = 1};
    struct traffic_point point = traffic_world_run(config, traffic, load, seed, &options, network);
    assert_int_equal(point.offered_millionths, load);
    return point;
}

static struct traffic_point run_point(const struct network_config *config,
                                      const struct traffic_config *traffic, int64_t load,
                                      uint64_t seed) {
    struct network *network;
    struct traffic_point point = run_network(config, traffic, load, seed, &network);
    network_free(network);
    return point;
}

/* Five standard deviations. */
static bool likely(double off, double variance) {
    return off * off < 25 * variance;
}

/* ---------------------------------------------------------------- throughput */

/* Every pattern, on a machine of at least 60 working nodes. */
static void check_accepted(const char *routing, const char *failures) {
    const int64_t load = 50000;
    struct network_config config = network_world_config(KIM_72);
    network_world_set(&config, routing);
    network_world_set(&config, failures);
    for (const struct traffic_pattern *row = traffic_patterns(); row->name != NULL; row++) {
        bool bursts = strcmp(row->name, "bursts") == 0;
        struct traffic_config traffic =
            traffic_of(strcmp(row->name, "adv+N") == 0 ? "adv+3" : row->name, 100000000);
        traffic.hotspot_node = 71;
        struct traffic_point point = run_point(&config, &traffic, load, 1);
        /* 60 nodes · 10^4 slots · 0.05 = 30,000 arrivals: 0.58 %; in bursts of 16: 2.3 %. */
        int64_t bound = load * (bursts ? 115 : 29) / 1000;
        if (llabs(point.accepted_millionths - load) > bound)
            fail_msg("%s, %s, %s: %lld of %lld millionths accepted", routing, failures, row->name,
                     (long long)point.accepted_millionths, (long long)load);
        assert_true(point.stable);
        assert_int_equal(point.unfinished, 0);
    }
}

static void offered_is_accepted_below_saturation(void **state) {
    (void)state;
    check_accepted("routing=minimal", "");
    check_accepted("routing=valiant", "");
    check_accepted("routing=ugal-l", "");
}

/* What nodes offer goes to those that work, all of it. */
static void failed_nodes_take_no_part(void **state) {
    (void)state;
    check_accepted("routing=minimal", "failures.routers=6");
    check_accepted("routing=ugal-l", "failures.routers=6 failures.seed=3");
}

/* One global link for all p·a nodes of a group: it carries no more than one node can inject. (With
 * one node at each of two routers the local channel between them would be as full as that: half of
 * what leaves the group comes by it, and half of what comes in goes by it.) */
static void worst_case_saturates_at_the_global_link(void **state) {
    (void)state;
    const struct {
        int64_t p, a, h;
        const char *pattern;
    } cases[] = {{2, 4, 2, "worst-case"}, {2, 4, 2, "adv+2"}, {2, 4, 2, "adv+5"},
                 {2, 2, 1, "worst-case"}, {3, 2, 3, "adv+3"}, {4, 2, 2, "worst-case"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network_config config = network_world_config(CHANNELS "routing=minimal");
        config.nodes_per_router = cases[i].p;
        config.routers_per_group = cases[i].a;
        config.globals_per_router = cases[i].h;
        config.groups = cases[i].a * cases[i].h + 1;
        for (int32_t arrangement = 0; arrangement < 2; arrangement++) {
            config.arrangement = arrangement;
            struct traffic_config traffic = traffic_of(cases[i].pattern, 100000000);
            traffic.warmup_ps = 20000000;
            int64_t saturation = 1000000 / (cases[i].p * cases[i].a);
            struct traffic_point point = run_point(
                &config, &traffic, 2 * saturation < 1000000 ? 2 * saturation : 1000000, 1);
            if (llabs(point.accepted_millionths - saturation) > saturation / 50)
                fail_msg("%s, p=%lld a=%lld: %lld millionths, expected %lld", cases[i].pattern,
                         (long long)cases[i].p, (long long)cases[i].a,
                         (long long)point.accepted_millionths, (long long)saturation);
            assert_false(point.stable);
        }
    }
}

/* Valiant spreads what minimal sends over one link over all: it goes on where minimal is full. */
static void valiant_carries_the_worst_case(void **state) {
    (void)state;
    struct network_config config = network_world_config(KIM_72 "routing=valiant");
    struct traffic_config traffic = traffic_of("worst-case", 100000000);
    struct traffic_point point = run_point(&config, &traffic, 300000, 1);
    assert_true(llabs(point.accepted_millionths - 300000) < 300000 * 15 / 1000);
    assert_true(point.stable);
    assert_int_equal(point.minimal_messages, 0);
}

/* Headers count as load: accepted load in the unit of offered load. */
static void headers_count_as_load(void **state) {
    (void)state;
    struct network_config config = network_world_config(KIM_72 "header=64B routing=minimal");
    struct traffic_config traffic = traffic_of("uniform", 200000000);
    traffic.message_bytes = 1000; /* three full packets and one of 232 B: 1256 B on the wire */
    struct traffic_point point = run_point(&config, &traffic, 200000, 1);
    /* 72 · 20000 · 0.2 · 256 / 1256 = 58,700 messages: 0.41 % */
    assert_true(llabs(point.accepted_millionths - 200000) < 200000 * 21 / 1000);
    double expected = 72.0 * 20000 * 0.2 * 256 / 1256;
    assert_true(likely((double)point.messages - expected, expected));
    assert_int_equal(point.totals.packets, 4 * point.totals.messages);
}

/* ---------------------------------------------------------------- arrivals */

/*
 * Messages that come up in n slots of all nodes: binomial, mean n·q and variance n·q·(1-q). A
 * Poisson process would have a variance of n·q, that is five times as much at q = 0.8.
 */
static void check_bernoulli(int64_t load) {
    struct network_config config = network_world_config(STAR);
    enum { RUNS = 60 };
    const double slots = 8 * 2000, share = (double)load / 1e6;
    double sum = 0, squares = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct traffic_config traffic = traffic_of("permutation", 2000 * SLOT_PS);
        struct traffic_point point = run_point(&config, &traffic, load, seed);
        double count = (double)(point.messages + point.unfinished) - slots * share;
        sum += count;
        squares += count * count;
    }
    double variance = slots * share * (1 - share);
    assert_true(likely(sum / RUNS, variance / RUNS));
    double ratio = squares / RUNS / variance;
    assert_true(likely(ratio - 1, 2.0 / RUNS));
}

static void arrivals_have_the_variance_of_bernoulli(void **state) {
    (void)state;
    check_bernoulli(800000);
    check_bernoulli(300000);
    check_bernoulli(20000);
}

/* At full load there is an arrival in every slot, and a permutation within a router carries all. */
static void full_load_fills_every_slot(void **state) {
    (void)state;
    struct network_config config = network_world_config(STAR);
    struct traffic_config traffic = traffic_of("permutation", 2000 * SLOT_PS);
    struct traffic_point point = run_point(&config, &traffic, 1000000, 1);
    assert_int_equal(point.messages, 8 * 2000);
    assert_int_equal(point.accepted_millionths, 1000000);
    assert_true(point.stable);
    /* Nobody waits for anybody: all latencies are the same. */
    assert_int_equal(point.latency_sum_ps, (int64_t)point.messages * point.latency_max_ps);
    assert_int_equal(point.latency_max_ps, 10000 + 100000 + SLOT_PS + 10000);
    assert_int_equal(point.latency_p50_ps, point.latency_max_ps);
}

/* A slot is whole picoseconds: of 2.5 ps for a phit it is 3, and carries more than a phit. */
static void slots_are_whole_picoseconds(void **state) {
    (void)state;
    struct network_config config = network_world_config(STAR);
    network_world_set(&config, "phit=1B terminal.bandwidth=400GB/s");
    struct traffic_config traffic = traffic_of("permutation", 20000000);
    struct traffic_point point = run_point(&config, &traffic, 300000, 1);
    double expected = 8 * 0.3 * 400e9 * 20e-6 / 256;
    assert_true(likely((double)point.messages - expected, expected));
}

static status_code offer(struct network_config *config, struct traffic_config *traffic,
                         int64_t load, struct status *status) {
    struct traffic_options options = {.threads = 1};
    struct traffic_point point;
    struct network *network = NULL;
    status_code code = traffic_run(&point, &network, config, traffic, load, 1, &options, status);
    network_free(network);
    return code;
}

/* One message in each slot is the most that comes up: a load that needs more is refused. */
static void loads_above_one_message_a_slot_are_refused(void **state) {
    (void)state;
    struct network_config config = network_world_config(STAR);
    struct traffic_config traffic = traffic_of("permutation", 2000 * SLOT_PS);
    struct status status = STATUS_INIT;
    traffic.message_bytes = 64; /* a quarter of a phit */
    assert_int_equal(offer(&config, &traffic, 250000, &status), STATUS_OK);
    assert_int_equal(offer(&config, &traffic, 252501, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "lower network.phit"));
    status_clear(&status);
    traffic.burst_messages = 4;
    assert_int_equal(offer(&config, &traffic, 1000000, &status), STATUS_OK);
    /* A message of a phit in every slot of 85,334 ps, where 85,333.3 would be enough. */
    network_world_set(&config, "terminal.bandwidth=3GB/s");
    traffic.burst_messages = 1;
    traffic.message_bytes = 256;
    assert_int_equal(offer(&config, &traffic, 1000000, &status), STATUS_OK);
}

/* Bursts: as many messages at once as the setting says, for one destination. */
static void bursts_have_one_destination(void **state) {
    (void)state;
    struct network_config config = network_world_config(STAR);
    struct traffic_config traffic = traffic_of("bursts", 20000 * SLOT_PS);
    traffic.burst_messages = 50;
    struct traffic_point point = run_point(&config, &traffic, 50000, 1);
    assert_int_equal(point.messages % 50, 0);
    assert_true(point.messages > 0);
    /* The last of a burst leaves 49 slots after the first. */
    assert_true(point.latency_max_ps >= 130000 + 49 * SLOT_PS);
}

/* ---------------------------------------------------------------- hops and latency */

/* Routers passed between two routers of KIM_72 (absolute: link x of group i to x, skipping i). */
static unsigned routers_between(uint32_t from, uint32_t to, uint32_t *end) {
    uint32_t i = from / 4, j = to / 4;
    *end = to;
    if (i == j) return 1 + (from != to);
    uint32_t leaving = (j < i ? j : j - 1) / 2, entering = (i < j ? i : i - 1) / 2;
    *end = j * 4 + entering;
    return 2 + (leaving != from % 4) + (entering != to % 4);
}

/* By way of a group: into it by whatever router, then on from there. */
static unsigned routers_via(uint32_t from, uint32_t via, uint32_t to) {
    uint32_t middle, end;
    routers_between(from, via * 4, &middle);
    unsigned first = routers_between(from, middle, &end);
    return first - 1 + routers_between(middle, to, &end);
}

static double expected_routers(bool valiant) {
    double sum = 0;
    for (uint32_t source = 0; source < 72; source++) {
        for (uint32_t to = 0; to < 72; to++) {
            uint32_t i = source / 8, j = to / 8, end;
            if (source == to) continue;
            if (!valiant || i == j) {
                sum += routers_between(source / 2, to / 2, &end);
                continue;
            }
            for (uint32_t via = 0; via < 9; via++) {
                if (via != i && via != j) sum += routers_via(source / 2, via, to / 2) / 7.0;
            }
        }
    }
    return sum / (72 * 71);
}

static void hops_agree_with_counts_over_all_pairs(void **state) {
    (void)state;
    for (int valiant = 0; valiant < 2; valiant++) {
        struct network_config config = network_world_config(KIM_72);
        network_world_set(&config, valiant ? "routing=valiant" : "routing=minimal");
        struct traffic_config traffic = traffic_of("uniform", 100000000);
        struct traffic_point point = run_point(&config, &traffic, 100000, 1);
        double mean = (double)point.router_sum / (double)point.messages;
        /* 72,000 messages, spread below 1 router each */
        assert_true(fabs(mean - expected_routers(valiant)) < 0.02);
        uint64_t packets = 0, hops = 0;
        for (unsigned i = 0; i < 16; i++) {
            packets += point.totals.router_hops[i];
            hops += i * point.totals.router_hops[i];
        }
        assert_int_equal(packets, point.totals.packets);
        assert_int_equal(hops, point.totals.packet_hops);
    }
}

/* Every pair comes up equally often under all-to-all: latency at next to no load is the mean of the
 * closed form over all pairs. */
static void latency_without_load_is_the_mean_of_the_closed_form(void **state) {
    (void)state;
    struct network_config config = network_world_config(KIM_72 "routing=minimal");
    struct traffic_config traffic = traffic_of("all-to-all", INT64_C(4000000000));
    struct network *network;
    struct traffic_point point = run_network(&config, &traffic, 1000, 1, &network);
    double sum = 0;
    for (uint32_t source = 0; source < 72; source++) {
        for (uint32_t to = 0; to < 72; to++) {
            if (source != to) sum += (double)network_world_zero_load_ps(network, source, to, 256);
        }
    }
    double mean = (double)point.latency_sum_ps / (double)point.messages;
    assert_true(fabs(mean / (sum / (72 * 71)) - 1) < 0.005);
    assert_int_equal(point.minimal_messages, point.messages);
    assert_int_equal(point.minimal_latency_sum_ps, point.latency_sum_ps);
    network_free(network);
}

struct ejected {
    uint64_t to_hotspot;
    uint64_t all;
};

static void count_ejected(void *context, const struct network_link *link) {
    struct ejected *ejected = context;
    if (link->channel_kind != NETWORK_TERMINAL || link->is_injection) return;
    ejected->all += link->packets;
    if (link->destination == 7) ejected->to_hotspot += link->packets;
}

static void a_hotspot_gets_its_share(void **state) {
    (void)state;
    struct network_config config = network_world_config(KIM_72);
    struct traffic_config traffic = traffic_of("hotspot", 100000000);
    traffic.hotspot_node = 7;
    traffic.hotspot_millionths = 250000;
    struct network *network;
    run_network(&config, &traffic, 30000, 1, &network);
    struct ejected ejected = {0};
    network_visit_links(network, count_ejected, &ejected);
    network_free(network);
    /* 71 of 72 nodes: a quarter, and their part of the uniform rest. */
    double expected = 71.0 / 72 * (0.25 + 0.75 / 71);
    double share = (double)ejected.to_hotspot / (double)ejected.all;
    assert_true(likely(share - expected, expected / (double)ejected.all));
}

/* ---------------------------------------------------------------- errors */

static void refused(const char *settings, const char *pattern, int64_t load, const char *expected) {
    struct network_config config = network_world_config(settings);
    struct traffic_config traffic = traffic_of(pattern, 1000000);
    if (pattern != NULL && strcmp(pattern, "hotspot") == 0) traffic.hotspot_node = 72;
    struct traffic_options options = {.threads = 1};
    struct traffic_point point;
    struct network *network = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(traffic_run(&point, &network, &config, &traffic, load, 1, &options, &status),
                     STATUS_USAGE);
    if (strstr(status.text, expected) == NULL) fail_msg("%s: %s", expected, status.text);
    status_clear(&status);
    network_free(network);
}

static void wrong_patterns_and_loads_are_refused(void **state) {
    (void)state;
    refused(KIM_72, NULL, 1000, "no pattern is named ``; there are:"); /* set to nothing */
    refused(KIM_72, "zipf", 1000, "no pattern is named `zipf`; there are:");
    refused(KIM_72, "adv+N", 1000, "no pattern is named `adv+N`");
    refused(KIM_72, "adv+", 1000, "`adv+` needs a number of groups");
    refused(KIM_72, "adv+x", 1000, "`adv+x` needs a number of groups");
    refused(KIM_72, "adv+2x", 1000, "`adv+2x` needs a number of groups");
    refused(KIM_72, "adv+-1", 1000, "`adv+-1` needs a number of groups");
    refused(KIM_72, "adv+0", 1000, "the machine has 9 groups, so N is 1 to 8");
    refused(KIM_72, "adv+9", 1000, "the machine has 9 groups, so N is 1 to 8");
    refused(KIM_72, "adv+99999999999999999999", 1000, "the machine has 9 groups, so N is 1 to 8");
    refused(KIM_72, "hotspot", 1000,
            "traffic.hotspot_node is 72, but the machine has nodes 0 to 71");
    refused(STAR, "worst-case", 1000, "worst-case needs at least 2 groups");
    refused(STAR "nodes_per_router=1", "uniform", 1000, "at least 2 nodes");
    refused(KIM_72, "uniform", 0,
            "load 0: a load is a share of the injection bandwidth, above 0 and at most 1");
    refused(KIM_72, "uniform", -1, "load -0.000001: ");
    refused(KIM_72, "uniform", 1000001, "load 1.000001: a load is a share");
    refused(KIM_72 "groups=10", "uniform", 1000, "at most a*h + 1");
}

/* A handful of messages, of which chance leaves some on the way: still stable, on every seed. */
static void few_messages_are_stable(void **state) {
    (void)state;
    struct network_config config = network_world_config(KIM_72);
    struct traffic_config traffic = traffic_of("uniform", 2000000);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct traffic_point point = run_point(&config, &traffic, 5000, seed);
        assert_true(point.stable);
        assert_true(point.messages < 200);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_messages_are_stable),
        cmocka_unit_test(offered_is_accepted_below_saturation),
        cmocka_unit_test(failed_nodes_take_no_part),
        cmocka_unit_test(worst_case_saturates_at_the_global_link),
        cmocka_unit_test(valiant_carries_the_worst_case),
        cmocka_unit_test(headers_count_as_load),
        cmocka_unit_test(arrivals_have_the_variance_of_bernoulli),
        cmocka_unit_test(slots_are_whole_picoseconds),
        cmocka_unit_test(loads_above_one_message_a_slot_are_refused),
        cmocka_unit_test(full_load_fills_every_slot),
        cmocka_unit_test(bursts_have_one_destination),
        cmocka_unit_test(hops_agree_with_counts_over_all_pairs),
        cmocka_unit_test(latency_without_load_is_the_mean_of_the_closed_form),
        cmocka_unit_test(a_hotspot_gets_its_share),
        cmocka_unit_test(wrong_patterns_and_loads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
