/* Histograms of latencies, percentiles, and what the counts of links add up to. */
#include "tests/support/network/network_world.h"

#include "core/simulation/random.h"

/* Bins are in order without gaps, 32 for each factor of two, and every latency is in its bin. */
static void bins_are_in_order_without_gaps(void **state) {
    (void)state;
    unsigned last = network_latency_bin(INT64_MAX);
    assert_true(last < NETWORK_LATENCY_BINS);
    assert_int_equal(network_latency_bin(0), 0);
    for (unsigned bin = 0; bin < last; bin++) {
        int64_t floor_ps = network_latency_bin_floor_ps(bin);
        int64_t next_ps = network_latency_bin_floor_ps(bin + 1);
        assert_true(next_ps > floor_ps);
        assert_int_equal(network_latency_bin(floor_ps), bin);
        assert_int_equal(network_latency_bin(next_ps - 1), bin);
        assert_true(next_ps - floor_ps <= floor_ps / 32 + 1); /* 3.2 % wide at most */
    }
    assert_int_equal(network_latency_bin_floor_ps(32 * 10),
                     2 * network_latency_bin_floor_ps(32 * 9));
}

static void percentiles_are_upper_bounds_within_a_bin(void **state) {
    (void)state;
    static struct network_totals totals;
    memset(&totals, 0, sizeof totals);
    assert_int_equal(network_latency_percentile_ps(&totals, 500000), 0);
    for (int64_t latency_ps = 1; latency_ps <= 100000; latency_ps++) {
        totals.latency_histogram[network_latency_bin(latency_ps)]++;
        totals.latency_max_ps = latency_ps;
    }
    /* An upper bound, no more than a bin off: so many latencies do lie at or below it. */
    for (int64_t share = 10000; share <= 1000000; share += 10000) {
        int64_t exact_ps = share / 10;
        int64_t found_ps = network_latency_percentile_ps(&totals, share);
        assert_true(found_ps >= exact_ps);
        assert_true(found_ps <= exact_ps + exact_ps / 32 + 1);
    }
    assert_int_equal(network_latency_percentile_ps(&totals, 1000000), 100000);
}

struct sums {
    uint64_t injected;
    uint64_t ejected_bytes;
    uint64_t forwarded;
    unsigned links[NETWORK_CHANNEL_KINDS];
};

static void add_link(void *context, const struct network_link *link) {
    struct sums *sums = context;
    sums->links[link->channel_kind]++;
    if (link->is_injection) {
        sums->injected += link->packets;
    } else {
        sums->forwarded += link->packets;
        if (link->channel_kind == NETWORK_TERMINAL) sums->ejected_bytes += link->bytes;
    }
    /* All channels have 1 GB/s: a byte takes a nanosecond. */
    assert_int_equal(link->busy_ps, link->bytes * 1000);
    bool same_group = link->source_group == link->destination_group;
    assert_int_equal(same_group, link->channel_kind != NETWORK_GLOBAL);
}

static void counts_of_links_add_up(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=3 globals_per_router=1 groups=4 routing=valiant "
        "packet=500B header=20B terminal.bandwidth=1GB/s local.bandwidth=1GB/s "
        "global.bandwidth=1GB/s");
    struct network_world world;
    network_world_new(&world, &config, 1);
    uint64_t payload = 0;
    for (uint32_t i = 0; i < 300; i++) {
        struct random_block draw = random_draw(4, RANDOM_NOISE, 0, i);
        uint32_t source = draw.word[0] % 24;
        uint32_t destination = (source + 1 + draw.word[1] % 23) % 24;
        network_world_send(&world, source, destination, draw.word[2] % 3000, draw.word[3] % 50000);
        payload += draw.word[2] % 3000;
    }
    network_world_run(&world, 1);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    struct sums sums = {0};
    network_visit_links(world.network, add_link, &sums);
    assert_int_equal(sums.links[NETWORK_TERMINAL], 2 * 24);
    assert_int_equal(sums.links[NETWORK_LOCAL], 4 * 3 * 2);
    assert_int_equal(sums.links[NETWORK_GLOBAL], 4 * 3);
    assert_int_equal(sums.injected, totals.packets);
    assert_int_equal(sums.forwarded, totals.packet_hops);
    assert_int_equal(sums.ejected_bytes, payload + 20 * totals.packets);
    assert_int_equal(totals.bytes, payload);
    assert_int_equal(totals.messages, 300);
    int64_t sum_ps = 0, longest_ps = 0;
    for (size_t i = 0; i < world.count; i++) {
        int64_t latency_ps = world.deliveries[i].time_ps - world.deliveries[i].delivery.ready_ps;
        sum_ps += latency_ps;
        if (latency_ps > longest_ps) longest_ps = latency_ps;
    }
    assert_int_equal(totals.latency_sum_ps, sum_ps);
    assert_int_equal(totals.latency_max_ps, longest_ps);
    network_world_free(&world);
}

/* Thousands of messages wait for each other at a slow node: together longer than 2^63 ps. */
static void sums_of_latencies_exceed_63_bits(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=1 globals_per_router=1 groups=2 packet=1MiB "
        "header=0 terminal.buffer=2MiB global.buffer=2MiB terminal.bandwidth=1MB/s "
        "global.latency=1ms "
        "starvation=0");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (unsigned i = 0; i < COUNT; i++)
        network_world_send(&world, 0, 1, 1 << 20, 0);
    network_world_run(&world, 1);
    struct network_totals totals;
    network_fill_totals(world.network, &totals);
    assert_int_equal(totals.messages, COUNT);
    const int64_t each_ps = (1 << 20) * INT64_C(1000000);
    const wide min_ps = (wide)each_ps * COUNT * (COUNT + 1) / 2;
    assert_true(totals.latency_sum_ps > INT64_MAX);
    assert_true(totals.latency_sum_ps > min_ps);
    assert_true(totals.latency_sum_ps < min_ps + (wide)each_ps * 2 * COUNT);
    network_world_free(&world);
}

/* Links that are wired to nothing (an odd number of groups and one link left) are not listed. */
static void free_ports_are_no_links(void **state) {
    (void)state;
    struct network_config config =
        network_world_config("nodes_per_router=1 routers_per_group=3 globals_per_router=1 groups=3 "
                             "local.bandwidth=1GB/s "
                             "terminal.bandwidth=1GB/s global.bandwidth=1GB/s");
    struct network_world world;
    network_world_new(&world, &config, 1);
    struct sums sums = {0};
    network_visit_links(world.network, add_link, &sums);
    assert_int_equal(sums.links[NETWORK_GLOBAL], 3 * 3 - 1);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_in_order_without_gaps),
        cmocka_unit_test(percentiles_are_upper_bounds_within_a_bin),
        cmocka_unit_test(counts_of_links_add_up),
        cmocka_unit_test(sums_of_latencies_exceed_63_bits),
        cmocka_unit_test(free_ports_are_no_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
