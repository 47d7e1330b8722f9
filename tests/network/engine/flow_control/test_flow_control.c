/*
 * Flow control: throughput with small buffers, the condition under which credits are never waited
 * for, and channels of different speed behind each other. All in closed form, to the picosecond.
 */
#include "tests/support/network/network_world.h"

#include <stdbool.h>

#define LINE                                                                                       \
    "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 routing=minimal "        \
    "packet=1000B header=0 terminal.bandwidth=10GB/s local.bandwidth=10GB/s "                      \
    "global.bandwidth=10GB/s terminal.buffer=64KiB local.buffer=64KiB global.buffer=64KiB "        \
    "terminal.latency=10ns local.latency=20ns global.latency=150ns router.latency=50ns "
#define PACKET_PS 100000 /* 1000 B at 10 GB/s */
#define PACKETS   50

static int64_t latency_of_message(const char *settings, uint32_t source, uint32_t destination,
                                  uint64_t size_bytes) {
    struct network_config config = network_world_config(settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, source, destination, size_bytes, 0);
    network_world_run(&world, 1);
    assert_int_equal(world.count, 1);
    int64_t took_ps = world.deliveries[0].time_ps;
    network_world_free(&world);
    return took_ps;
}

/*
 * Room for n packets behind a channel: packet k can start once the credit of packet k-n is back,
 * which is a round trip after that one's start. So n packets take max(n·ser, round trip), and
 * credits are never waited for when n·ser is as long. The room is that of buffers of `min`
 * packets or more in so many VCs.
 */
static void check_buffers(const char *kind, const char *router, int64_t round_trip_ps, int64_t vcs,
                          int64_t min, uint32_t source, uint32_t destination) {
    char settings[1000];
    snprintf(settings, sizeof settings, LINE "%s", router);
    int64_t one_ps = latency_of_message(settings, source, destination, 1000);
    for (int64_t n = vcs * min; n <= 8; n += vcs) {
        /* up to a byte less than another packet */
        snprintf(settings, sizeof settings, LINE "%s %s.buffer=%lldB", router, kind,
                 (long long)(n / vcs * 1000 + (n % 2) * 999));
        int64_t took_ps = latency_of_message(settings, source, destination, PACKETS * 1000);
        int64_t turn_ps = n * PACKET_PS > round_trip_ps ? n * PACKET_PS : round_trip_ps;
        int64_t expected_ps = one_ps + (PACKETS - 1) / n * turn_ps + (PACKETS - 1) % n * PACKET_PS;
        if (took_ps != expected_ps)
            fail_msg("%s buffer of %lld packets, %s: %lld ps, closed form %lld", kind, (long long)n,
                     router, (long long)took_ps, (long long)expected_ps);
        bool covered = n * PACKET_PS >= round_trip_ps;
        assert_int_equal(took_ps == one_ps + (PACKETS - 1) * PACKET_PS, covered);
    }
}

/* The credit comes L + t_hop (to the next router and through it) + ser (until the tail has left) +
 * L after the start. */
static void check_buffer(const char *kind, int64_t latency_ps, const char *router, int64_t hop_ps,
                         uint32_t source, uint32_t destination) {
    check_buffers(kind, router, 2 * latency_ps + hop_ps + PACKET_PS, 1, 1, source, destination);
}

static const char *const routers[] = {"router.crossbar=ideal", "router.crossbar=input",
                                      "router.crossbar=vc", "router.arbitration=oldest"};

static void small_buffers_limit_throughput(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
        check_buffer("terminal", 10000, routers[i], 50000, 0, 1);
        check_buffer("local", 20000, routers[i], 50000, 0, 1);
        /* group 0's link 1, of router 1, leads to group 2: node 1 to node 4, one global hop only */
        check_buffer("global", 150000, routers[i], 50000, 1, 4);
    }
}

/* An allocation latency counts as pipeline, as long as it is shorter than a packet. */
static void allocation_latency_counts_as_pipeline(void **state) {
    (void)state;
    check_buffer("local", 20000, "router.allocation_latency=30ns", 80000, 0, 1);
    check_buffer("global", 150000, "router.allocation_latency=100ns", 150000, 1, 4);
}

/* Space that is given back as the head leaves: the tail does not count. */
static void space_given_back_with_the_head_shortens_the_round_trip(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
        char router[100];
        snprintf(router, sizeof router, "router.release=head %s", routers[i]);
        check_buffers("terminal", router, 2 * 10000 + 50000, 1, 1, 0, 1);
        check_buffers("local", router, 2 * 20000 + 50000, 1, 1, 0, 1);
        check_buffers("global", router, 2 * 150000 + 50000, 1, 1, 1, 4);
    }
}

/* ofar takes any VC, so that it has the buffers of all that a channel has. */
static void ofar_has_the_buffers_of_all_vcs(void **state) {
    (void)state;
    const char *router = "routing=ofar misrouting=crg ofar.injection_room=0 ofar.vcs=3";
    check_buffers("local", router, 2 * 20000 + 50000 + PACKET_PS, 3, 2, 0, 1);
    check_buffers("global", router, 2 * 150000 + 50000 + PACKET_PS, 3, 2, 1, 4);
    router = "routing=ofar misrouting=crg ofar.injection_room=0 ofar.vcs=3 ofar.global_vcs=2";
    check_buffers("local", router, 2 * 20000 + 50000 + PACKET_PS, 3, 2, 0, 1);
    check_buffers("global", router, 2 * 150000 + 50000 + PACKET_PS, 2, 2, 1, 4);
}

/*
 * With output buffers the space is free as soon as the packet is through the crossbar: with an
 * ideal one when its tail has arrived, which is not after it has left: the round trip loses the
 * pipeline wherever that is shorter than the packet.
 */
static void output_buffers_free_space_early(void **state) {
    (void)state;
    const char *line = LINE "router.output_buffer=8000B local.buffer=1000B";
    int64_t one_ps = latency_of_message(line, 0, 1, 1000);
    int64_t took_ps = latency_of_message(line, 0, 1, PACKETS * 1000);
    /* start -> tail has arrived: 20 ns + 100 ns; credit: 20 ns. */
    assert_int_equal(took_ps - one_ps, (PACKETS - 1) * (20000 + PACKET_PS + 20000));
}

/* Bytes that a channel moved and for how long it was taken. */
struct use {
    network_channel_kind kind;
    bool injection;
    uint32_t source;
    struct network_link found;
};

static void find_link(void *context, const struct network_link *link) {
    struct use *use = context;
    if (link->channel_kind == use->kind && link->is_injection == use->injection &&
        link->source == use->source && link->packets > 0)
        use->found = *link;
}

/*
 * The tail rule: what comes slowly over a local channel holds a fast ejection channel until its
 * tail has come, and a packet from another input waits for that long.
 */
static void a_slow_tail_holds_the_channel(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=2 globals_per_router=0 groups=1 routing=minimal "
        "packet=1000B header=0 terminal.bandwidth=10GB/s local.bandwidth=1GB/s "
        "terminal.latency=10ns local.latency=20ns router.latency=50ns");
    struct network_world world;
    network_world_new(&world, &config, 1);
    /* Node 2 (router 1) to node 0: head at router 0's output at 10+50+20+50 = 130 ns, its tail
     * comes at 60 + 1000 + 20 = 1080 ns. */
    network_world_send(&world, 2, 0, 1000, 0);
    /* Node 1 (router 0) to node 0: head asks at 100 + 10 + 50 = 160 ns. */
    network_world_send(&world, 1, 0, 1000, 100000);
    network_world_run(&world, 1);
    assert_int_equal(world.deliveries[0].delivery.source_node, 2);
    assert_int_equal(world.deliveries[0].time_ps, 1080000 + 10000);
    assert_int_equal(world.deliveries[1].delivery.source_node, 1);
    assert_int_equal(world.deliveries[1].time_ps, 1080000 + PACKET_PS + 10000);
    struct use use = {.kind = NETWORK_TERMINAL, .source = 0};
    network_visit_links(world.network, find_link, &use);
    assert_int_equal(use.found.packets, 2);
    assert_int_equal(use.found.bytes, 2000);
    assert_int_equal(use.found.busy_ps, 1080000 - 130000 + PACKET_PS);
    network_world_free(&world);
}

static struct network_link local_link_after(const char *settings) {
    struct network_config config = network_world_config(settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    network_world_send(&world, 0, 1, 10000, 0);
    network_world_run(&world, 1);
    struct use use = {.kind = NETWORK_LOCAL, .source = 0};
    network_visit_links(world.network, find_link, &use);
    network_world_free(&world);
    assert_int_equal(use.found.packets, 10);
    assert_int_equal(use.found.busy_ps, 10 * PACKET_PS);
    return use.found;
}

/* Time without credits is counted as stalled, neither busy nor idle; other waiting is not. */
static void stalls_are_counted(void **state) {
    (void)state;
    /* Nine waits of a round trip less the packet itself: 2·20 + 50 ns. */
    assert_int_equal(local_link_after(LINE "local.buffer=1000B").numbers.stalled_ps,
                     9 * (2 * 20000 + 50000));
    assert_int_equal(
        local_link_after(LINE "local.buffer=1000B router.crossbar=input").numbers.stalled_ps,
        9 * (2 * 20000 + 50000));
    /* With output buffers: until the tail has arrived, and the credit's way back. */
    assert_int_equal(
        local_link_after(LINE "local.buffer=1000B router.output_buffer=8000B").numbers.stalled_ps,
        9 * 2 * 20000);
    assert_int_equal(local_link_after(LINE "router.allocation_latency=300ns").numbers.stalled_ps,
                     0);
}

/* A slow destination: senders are held back, and the network delivers at exactly its speed. */
static void a_slow_node_is_served_at_its_speed(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=2 routers_per_group=3 globals_per_router=1 groups=4 routing=minimal "
        "packet=1000B header=0 terminal.bandwidth=1GB/s local.bandwidth=10GB/s "
        "global.bandwidth=10GB/s nic.bandwidth=1GB/s local.buffer=2000B global.buffer=2000B "
        "terminal.buffer=2000B");
    struct network_world world;
    network_world_new(&world, &config, 1);
    uint32_t nodes = network_node_count(world.network);
    for (uint32_t source = 1; source < nodes; source++)
        network_world_send(&world, source, 0, 20000, 0);
    network_world_run(&world, 1);
    struct use use = {.kind = NETWORK_TERMINAL, .source = 0};
    network_visit_links(world.network, find_link, &use);
    int64_t bytes = (nodes - 1) * 20000;
    assert_int_equal(use.found.bytes, bytes);
    assert_int_equal(use.found.busy_ps, bytes * 1000); /* 1 GB/s: 1 ns a byte */
    /* The channel was never without work from the first head (10 + 100 ns) on. */
    int64_t first_ps = config.channels[NETWORK_TERMINAL].latency_ps + config.router_latency_ps;
    assert_int_equal(world.deliveries[world.count - 1].time_ps,
                     first_ps + bytes * 1000 + config.channels[NETWORK_TERMINAL].latency_ps);
    network_world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_buffers_limit_throughput),
        cmocka_unit_test(allocation_latency_counts_as_pipeline),
        cmocka_unit_test(output_buffers_free_space_early),
        cmocka_unit_test(space_given_back_with_the_head_shortens_the_round_trip),
        cmocka_unit_test(ofar_has_the_buffers_of_all_vcs),
        cmocka_unit_test(a_slow_tail_holds_the_channel),
        cmocka_unit_test(stalls_are_counted),
        cmocka_unit_test(a_slow_node_is_served_at_its_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
