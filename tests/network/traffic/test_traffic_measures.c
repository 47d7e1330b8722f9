/*
 * What traffic measures beside its points: channels during the measurement, the histogram of
 * latencies; and how sources bound what a saturated network piles up.
 */
#include "tests/support/network/traffic_world.h"

#include <string.h>

#define KIM_72                                                                                     \
    "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 packet=256B header=0 "   \
    "phit=256B terminal.bandwidth=25.6GB/s local.bandwidth=25.6GB/s global.bandwidth=25.6GB/s "    \
    "routing=ugal-l"
enum {
    NODES = 72,
    GROUPS = 9,
    LINKS = 36 * (3 + 2 + 2) + NODES, /* local, global and ejection channels; injection */
    PACKET_BYTES = 256,
    PACKET_PS = 10000, /* 256 B at the 25.6 GB/s of all channels */
    US = 1000000
};

struct link_list {
    struct network_link links[LINKS];
    size_t count;
};

static void keep(void *context, const struct network_link *link) {
    struct link_list *list = context;
    assert_true(list->count < LINKS);
    list->links[list->count++] = *link;
}

static struct traffic_config traffic_of(char *pattern, int64_t warmup_ps, int64_t measure_ps,
                                        int64_t drain_ps) {
    struct traffic_config traffic = traffic_world_config(pattern, warmup_ps, measure_ps, drain_ps);
    traffic.queue_messages = 1024;
    return traffic;
}

static struct traffic_point run_on(const char *machine, const struct traffic_config *traffic,
                                   int64_t load, unsigned threads, struct link_list *links,
                                   struct traffic_histogram *histogram) {
    struct network_config config = network_world_config(machine);
    struct traffic_options options = {.threads = threads, .histogram = histogram};
    struct network *network;
    struct traffic_point point = traffic_world_run(&config, traffic, load, 1, &options, &network);
    if (links != NULL) {
        links->count = 0;
        network_visit_links(network, keep, links);
        assert_int_equal(links->count, LINKS);
    }
    network_free(network);
    return point;
}

static struct traffic_point run(const struct traffic_config *traffic, int64_t load,
                                unsigned threads, struct link_list *links,
                                struct traffic_histogram *histogram) {
    return run_on(KIM_72, traffic, load, threads, links, histogram);
}

/* The same traffic measured in two stretches and in one: the channels' counts add up exactly. */
static void counts_of_two_stretches_are_those_of_one(void **state) {
    (void)state;
    static struct link_list early, late, whole;
    struct traffic_config traffic = traffic_of("worst-case", 0, 3 * US, 6 * US);
    run(&traffic, 300000, 1, &early, NULL);
    traffic = traffic_of("worst-case", 3 * US, 4 * US, 2 * US);
    run(&traffic, 300000, 1, &late, NULL);
    traffic = traffic_of("worst-case", 0, 7 * US, 2 * US);
    run(&traffic, 300000, 1, &whole, NULL);
    uint64_t used = 0;
    for (size_t i = 0; i < LINKS; i++) {
        const struct network_link_counts *a = &early.links[i].measured;
        const struct network_link_counts *b = &late.links[i].measured;
        const struct network_link_counts *sum = &whole.links[i].measured;
        assert_int_equal(a->packets + b->packets, sum->packets);
        assert_int_equal(a->bytes + b->bytes, sum->bytes);
        assert_int_equal(a->busy_ps + b->busy_ps, sum->busy_ps);
        assert_int_equal(a->stalled_ps + b->stalled_ps, sum->stalled_ps);
        const struct network_injection_counts c = early.links[i].injected,
                                              d = late.links[i].injected,
                                              all = whole.links[i].injected;
        assert_int_equal(c.packets + d.packets, all.packets);
        assert_int_equal(c.bytes + d.bytes, all.bytes);
        used += a->packets > 0 && b->packets > 0;
    }
    assert_true(used > LINKS / 2); /* that is, zeros were not compared with zeros */
}

/* At the load 0.3 each node begins a packet in a slot with probability 0.3, so that 72 nodes send
 * 72 · 700 · 0.3 = 15,120 packets in 7 us. The standard deviation is sqrt(15,120 · 0.7) = 103. */
static void channels_carry_the_packets_of_the_measurement(void **state) {
    (void)state;
    static struct link_list links;
    struct traffic_config traffic = traffic_of("worst-case", 5 * US, 7 * US, 2 * US);
    run(&traffic, 300000, 1, &links, NULL);
    uint64_t injected = 0, entered = 0, ejected = 0;
    for (size_t i = 0; i < LINKS; i++) {
        const struct network_link *link = &links.links[i];
        const struct network_link_counts *counts = &link->measured;
        assert_int_equal(counts->bytes, counts->packets * PACKET_BYTES);
        /* The first and the last packet may be on the channel in part. */
        assert_true(llabs(counts->busy_ps - (int64_t)counts->packets * PACKET_PS) < PACKET_PS);
        assert_true(counts->packets <= link->packets);
        assert_int_equal(link->injected.bytes, link->injected.packets * PACKET_BYTES);
        if (link->is_injection) {
            injected += link->injected.packets;
            entered += counts->packets;
        } else {
            assert_int_equal(link->injected.packets, 0);
            if (link->channel_kind == NETWORK_TERMINAL) ejected += counts->packets;
        }
    }
    assert_in_range(injected, 15120 - 515, 15120 + 515);
    assert_in_range(entered, 15120 - 515, 15120 + 515);
    assert_in_range(ejected, 15120 - 515, 15120 + 515);
}

/*
 * Under minimal routing all packets of group g take its link to group g + 1. This link carries 2
 * KiB in 2.048 us, far less than is offered, so it is busy all the time; no packet takes another
 * global link. Channels before it wait for credits of which one comes every 2.048 us: in 1 us some
 * channel gets none. In 20 us each gets some, since a router's link is shared by at most 3 local
 * and 2 injection channels. That packets last longer than is measured, wait in output buffers, or
 * begin before, makes no share larger than the measurement.
 */
static void check_shares(const char *settings, int64_t measure_ps) {
    static struct link_list links;
    char machine[512];
    snprintf(machine, sizeof machine, "%s %s", KIM_72, settings);
    struct traffic_config traffic = traffic_of("worst-case", 20 * US, measure_ps, 0);
    run_on(machine, &traffic, 900000, 1, &links, NULL);
    size_t bottlenecks = 0, always_stalled = 0;
    for (size_t i = 0; i < LINKS; i++) {
        const struct network_link *link = &links.links[i];
        const struct network_link_counts *counts = &link->measured;
        assert_true(counts->busy_ps >= 0 && counts->stalled_ps >= 0);
        assert_true(counts->busy_ps + counts->stalled_ps <= measure_ps);
        always_stalled += counts->stalled_ps == measure_ps;
        if (link->channel_kind != NETWORK_GLOBAL) continue;
        const bool is_bottleneck = link->destination_group == (link->source_group + 1) % GROUPS;
        assert_int_equal(counts->busy_ps, is_bottleneck ? measure_ps : 0);
        bottlenecks += is_bottleneck;
    }
    assert_int_equal(bottlenecks, GROUPS);
    assert_int_equal(always_stalled > 0, measure_ps < 2048000);
}

static void shares_of_channels_add_up_to_the_measurement(void **state) {
    (void)state;
    const char *const settings[] = {
        "routing=minimal packet=2KiB global.bandwidth=1GB/s",
        "routing=minimal packet=2KiB global.bandwidth=1GB/s router.output_buffer=128KiB",
        "routing=minimal packet=2KiB global.bandwidth=1GB/s nic.overhead=1us",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        check_shares(settings[i], US);
        check_shares(settings[i], 20 * US);
    }
}

static void keep_injection(void *context, const struct network_link *link) {
    struct link_list *list = context;
    if (link->is_injection) list->links[list->count++] = *link;
}

/* A node behind a channel that a packet keeps busy for 256 us: the first packet goes there at once,
 * those that follow fill the buffer of four, where the first one still has its place. */
static void check_blocked_node(int64_t warmup_ps, uint64_t sent, uint64_t injected) {
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=1 globals_per_router=1 groups=2 packet=256B header=0 "
        "phit=256B terminal.bandwidth=25.6GB/s local.bandwidth=25.6GB/s global.bandwidth=1MB/s "
        "terminal.buffer=1KiB nic.vcs=1 starvation=0");
    struct traffic_config traffic = traffic_of("uniform", warmup_ps, 5 * US, 0);
    static struct link_list links;
    struct network *network;
    traffic_world_run(&config, &traffic, 1000000, 1, &(struct traffic_options){.threads = 1},
                      &network);
    links.count = 0;
    network_visit_links(network, keep_injection, &links);
    network_free(network);
    assert_int_equal(links.count, 2);
    for (size_t i = 0; i < links.count; i++) {
        assert_int_equal(links.links[i].measured.packets, sent);
        assert_int_equal(links.links[i].measured.bytes, sent * PACKET_BYTES);
        assert_int_equal(links.links[i].injected.packets, injected);
        assert_int_equal(links.links[i].injected.bytes, injected * PACKET_BYTES);
    }
}

static void a_blocked_node_injects_nothing(void **state) {
    (void)state;
    check_blocked_node(0, 4, 1);
    check_blocked_node(5 * US, 0, 0);
    check_blocked_node(255 * US, 1, 1); /* the second packet goes, the fifth takes its place */
}

static void channels_do_not_depend_on_threads(void **state) {
    (void)state;
    static struct link_list one, three;
    static struct traffic_histogram histogram, other;
    struct traffic_config traffic = traffic_of("uniform", US, 2 * US, US);
    run(&traffic, 400000, 1, &one, &histogram);
    run(&traffic, 400000, 3, &three, &other);
    size_t used = 0;
    for (size_t i = 0; i < LINKS; i++) {
        const struct network_link_counts *a = &one.links[i].measured, *b = &three.links[i].measured;
        assert_int_equal(a->packets, b->packets);
        assert_int_equal(a->bytes, b->bytes);
        assert_int_equal(a->busy_ps, b->busy_ps);
        assert_int_equal(a->stalled_ps, b->stalled_ps);
        assert_int_equal(one.links[i].injected.packets, three.links[i].injected.packets);
        assert_int_equal(one.links[i].injected.bytes, three.links[i].injected.bytes);
        used += a->packets > 0;
    }
    assert_true(used > LINKS / 2); /* that is, zeros were not compared with zeros */
    assert_memory_equal(&histogram, &other, sizeof histogram);
}

static void histogram_holds_every_measured_message(void **state) {
    (void)state;
    static struct traffic_histogram histogram;
    memset(&histogram, 0xFF, sizeof histogram); /* what was there does not matter */
    struct traffic_config traffic = traffic_of("worst-case", US, 4 * US, 2 * US);
    struct traffic_point point = run(&traffic, 300000, 1, NULL, &histogram);
    uint64_t all = 0, minimal = 0;
    wide min_ps = 0;
    for (unsigned bin = 0; bin < NETWORK_LATENCY_BINS; bin++) {
        assert_true(histogram.minimal[bin] <= histogram.all[bin]);
        all += histogram.all[bin];
        minimal += histogram.minimal[bin];
        min_ps += (wide)histogram.all[bin] * (uint64_t)network_latency_bin_floor_ps(bin);
    }
    assert_int_equal(all, point.messages);
    assert_int_equal(minimal, point.minimal_messages);
    assert_true(minimal > 0 && minimal < all);
    /* bins are a 32nd wide at most */
    assert_true(min_ps <= point.latency_sum_ps);
    assert_true(point.latency_sum_ps - min_ps <= point.latency_sum_ps / 32);
}

static double mean_ps(wide sum_ps, uint64_t messages) {
    assert_true(messages > 0);
    return (double)sum_ps / (double)messages;
}

/* What is delivered and what comes up during the measurement are about the same messages below
 * saturation. */
static void delivered_and_offered_messages_take_as_long_below_saturation(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_of("uniform", 5 * US, 20 * US, 2 * US);
    traffic.queue_messages = 0;
    struct traffic_point point = run(&traffic, 300000, 1, NULL, NULL);
    assert_true(point.stable);
    double ratio = mean_ps(point.accepted_latency_sum_ps, point.accepted_messages) /
                   mean_ps(point.latency_sum_ps, point.messages);
    assert_true(ratio > 0.99 && ratio < 1.01);
}

/* Measured from the beginning, all that was delivered has come up since, and is measured. */
static void delivered_messages_are_measured_ones_from_the_beginning(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_of("worst-case", 0, 20 * US, 0);
    traffic.queue_messages = 0;
    struct traffic_point point = run(&traffic, 900000, 1, NULL, NULL);
    assert_false(point.stable);
    assert_true(point.accepted_messages > 0);
    assert_true(point.accepted_messages <= point.messages);
    assert_true(point.accepted_latency_sum_ps <= point.latency_sum_ps);
}

/* Beyond saturation a queue has grown from the beginning: if the share a of the offered share o is
 * accepted, what is delivered at the time t came up at t · a/o. Here t is 22.5 us on average. */
static void delivered_messages_have_waited_in_growing_queues(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_of("worst-case", 20 * US, 5 * US, 30 * US);
    traffic.queue_messages = 0;
    struct traffic_point point = run(&traffic, 900000, 1, NULL, NULL);
    assert_false(point.stable);
    double waited_ps = 22.5 * US * (1 - (double)point.accepted_millionths / 900000);
    double ratio = mean_ps(point.accepted_latency_sum_ps, point.accepted_messages) / waited_ps;
    assert_true(ratio > 0.9 && ratio < 1.1);
}

/* Beyond saturation: the same throughput, however little a source keeps. */
static void full_sources_keep_the_throughput(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_of("worst-case", 10 * US, 20 * US, US);
    traffic.queue_messages = 0;
    struct traffic_point endless = run(&traffic, 900000, 1, NULL, NULL);
    traffic.queue_messages = 8;
    struct traffic_point bounded = run(&traffic, 900000, 1, NULL, NULL);
    int64_t difference = endless.accepted_millionths - bounded.accepted_millionths;
    assert_true(difference < 10000 && difference > -10000); /* 1 % of the injection bandwidth */
    assert_false(endless.stable);
    assert_false(bounded.stable);
    assert_true(bounded.unfinished > 0);
    /* short queues are waited in for less long */
    assert_true(bounded.messages > 0 && endless.messages > 0);
    assert_true(bounded.latency_sum_ps / bounded.messages <
                endless.latency_sum_ps / endless.messages);
}

/* Below saturation nothing is refused, so nothing changes. */
static void a_bound_changes_nothing_below_saturation(void **state) {
    (void)state;
    struct traffic_config traffic = traffic_of("uniform", 2 * US, 4 * US, 2 * US);
    struct traffic_point bounded = run(&traffic, 500000, 1, NULL, NULL);
    traffic.queue_messages = 0;
    struct traffic_point endless = run(&traffic, 500000, 1, NULL, NULL);
    assert_int_equal(bounded.totals.digest, endless.totals.digest);
    assert_int_equal(bounded.unfinished, 0);
    assert_int_equal(bounded.messages, endless.messages);
    assert_true(bounded.latency_sum_ps == endless.latency_sum_ps);
    assert_int_equal(bounded.latency_max_ps, endless.latency_max_ps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_two_stretches_are_those_of_one),
        cmocka_unit_test(channels_carry_the_packets_of_the_measurement),
        cmocka_unit_test(shares_of_channels_add_up_to_the_measurement),
        cmocka_unit_test(a_blocked_node_injects_nothing),
        cmocka_unit_test(channels_do_not_depend_on_threads),
        cmocka_unit_test(histogram_holds_every_measured_message),
        cmocka_unit_test(delivered_and_offered_messages_take_as_long_below_saturation),
        cmocka_unit_test(delivered_messages_are_measured_ones_from_the_beginning),
        cmocka_unit_test(delivered_messages_have_waited_in_growing_queues),
        cmocka_unit_test(full_sources_keep_the_throughput),
        cmocka_unit_test(a_bound_changes_nothing_below_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
