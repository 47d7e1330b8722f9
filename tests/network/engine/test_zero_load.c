/*
 * The time of one message on an idle network. To the picosecond it is
 *
 *   T = l_send + o_nic + sum of the channels' latencies + o_receive + l_receive
 *       + max over channels j of ( j·t_hop + ser_j(last) + (n-1) · max over i <= j of gap_i )
 *
 * for a message of n packets, of which the last one may be smaller. In this formula:
 * - l_send and l_receive are the latencies of the NICs, o_nic and o_receive their overheads.
 * - Channel j is the one after j routers; channel 0 leads from the NIC to the first router.
 * - t_hop is the latency of a router and of its allocation.
 * - ser_j(last) is the time of the last packet on channel j: its size divided by the bandwidth,
 *   rounded up.
 * - gap_i is the least time between the starts of two full packets on channel i. It is ser_i(full).
 *   After a router it is at least the allocation latency. With output buffers and a crossbar of
 *   limited speed it is also at least the time of a full packet in the crossbar.
 *
 * A limit of what the node receives counts as one more channel, without a router before it. The
 * host interface limits both the NIC and what the node receives.
 *
 * Why this holds: a packet starts on a channel when its head has come through the router before,
 * or when the packet before it has left room for it, whichever is later. So the end of the last
 * packet is the length of the longest path through a graph of such waits. A longest path has three
 * parts:
 * - The head of the first packet goes to some channel i. This takes the latencies of the channels,
 *   and t_hop for each router.
 * - The other packets start on channel i one after another, which takes n-1 times gap_i.
 * - The head of the last packet goes on to some channel j, where its tail follows after
 *   ser_j(last). From channel j on the tail takes the latencies of channels alone.
 *
 * The longest path takes the i and the j that make the sum largest, with i <= j.
 *
 * The formula holds while no packet waits for credits. test_flow_control.c finds where that ends.
 */
#include "tests/support/core/dice.h"
#include "tests/support/network/network_face.h"

#include <stdbool.h>

#define COUNT(array) (sizeof array / sizeof *array)

static int64_t serialized_ps(int64_t size_bytes, int64_t bytes_per_s) {
    __int128 product = (__int128)size_bytes * 1000000000000;
    return (int64_t)(product / bytes_per_s + (product % bytes_per_s != 0));
}

static int64_t largest(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* The channels of a path in order, by their types; type[0] is the NIC's and the last one the
 * destination's. */
struct path {
    uint32_t type[3 + 3 * UNITS_DIMENSIONS];
    int channels;
};

static struct path path_of(bool local_before, bool global, bool local_after) {
    struct path path = {.channels = 1}; /* type 0: terminal */
    if (local_before) path.type[path.channels++] = NETWORK_LOCAL;
    if (global) path.type[path.channels++] = NETWORK_GLOBAL;
    if (local_after) path.type[path.channels++] = NETWORK_LOCAL;
    path.type[path.channels++] = NETWORK_TERMINAL;
    return path;
}

/* A limit of 0 is none. */
static int64_t slowest(int64_t bandwidth, int64_t limit) {
    return limit > 0 && (bandwidth == 0 || limit < bandwidth) ? limit : bandwidth;
}

/* What framing leaves of a channel. */
static int64_t usable(const struct network_config *config, uint32_t type) {
    uint32_t kind = type < NETWORK_CHANNEL_KINDS ? type : NETWORK_LOCAL;
    int64_t share = config->channels[kind].framing;
    int64_t bandwidth = config->channels[kind].bandwidth_bytes_per_s;
    if (type >= NETWORK_CHANNEL_KINDS && config->more_locals[type - 3].bandwidth_bytes_per_s > 0)
        bandwidth = config->more_locals[type - 3].bandwidth_bytes_per_s;
    return (int64_t)((__int128)bandwidth * (share >> 32) / (share & UINT32_MAX));
}

static int64_t latency_of(const struct network_config *config, uint32_t type) {
    if (type < NETWORK_CHANNEL_KINDS) return config->channels[type].latency_ps;
    int64_t own = config->more_locals[type - 3].latency_ps;
    return own > 0 ? own : config->channels[NETWORK_LOCAL].latency_ps;
}

static int64_t filled(const struct network_config *config, int64_t bytes) {
    int64_t flit = largest(config->flit_bytes, 1);
    return (bytes / flit + (bytes % flit != 0)) * flit;
}

/* The bytes of a packet, cell by cell. */
static int64_t packet_bytes(const struct network_config *config, int64_t payload) {
    if (config->cell_bytes == 0) return largest(filled(config, payload + config->header_bytes), 1);
    int64_t bytes = filled(config, config->header_bytes);
    do {
        int64_t cell = payload < config->cell_bytes ? payload : config->cell_bytes;
        bytes += filled(config, cell + config->cell_header_bytes);
        payload -= cell;
    } while (payload > 0);
    return largest(bytes, 1);
}

static int64_t bandwidth_of(const struct network_config *config, const struct path *path,
                            int channel) {
    int64_t bandwidth = usable(config, path->type[channel]);
    if (channel > 0) return bandwidth;
    return slowest(slowest(bandwidth, config->nic_bandwidth_bytes_per_s),
                   config->nic_host_bandwidth_bytes_per_s);
}

static int64_t crossbar_ps(const struct network_config *config, int64_t size_bytes) {
    if (config->crossbar == NETWORK_CROSSBAR_IDEAL || config->output_buffer_bytes == 0) return 0;
    int64_t fastest = 0;
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        fastest = largest(fastest, config->channels[kind].bandwidth_bytes_per_s);
    for (int more = 0; more < 2; more++)
        fastest = largest(fastest, config->more_locals[more].bandwidth_bytes_per_s);
    return serialized_ps(size_bytes,
                         (int64_t)((__int128)fastest * config->speedup_millionths / 1000000));
}

static int64_t closed_form_ps(const struct network_config *config, const struct path *path,
                              int64_t size_bytes) {
    int64_t packets = (size_bytes + config->packet_bytes - 1) / config->packet_bytes;
    if (packets == 0) packets = 1;
    int64_t full_bytes = packet_bytes(config, config->packet_bytes);
    int64_t last_bytes = packet_bytes(config, size_bytes - (packets - 1) * config->packet_bytes);
    int64_t hop_ps = config->router_latency_ps + config->allocation_latency_ps;
    int64_t sum_ps = by_size_at(&config->nic_send_latency_ps, (uint64_t)size_bytes) +
                     config->nic_overhead_ps + config->nic_receive_overhead_ps +
                     config->nic_receive_latency_ps;
    int64_t gap_ps = 0;
    int64_t longest_ps = 0;
    for (int j = 0; j < path->channels; j++) {
        int64_t bandwidth = bandwidth_of(config, path, j);
        sum_ps += latency_of(config, path->type[j]);
        gap_ps = largest(gap_ps, serialized_ps(full_bytes, bandwidth));
        if (j > 0) {
            gap_ps = largest(gap_ps, config->allocation_latency_ps);
            gap_ps = largest(gap_ps, crossbar_ps(config, full_bytes));
        }
        longest_ps = largest(longest_ps, j * hop_ps + serialized_ps(last_bytes, bandwidth) +
                                             (packets - 1) * gap_ps);
    }
    int64_t receive =
        slowest(config->nic_receive_bandwidth_bytes_per_s, config->nic_host_bandwidth_bytes_per_s);
    if (receive > 0) {
        gap_ps = largest(gap_ps, serialized_ps(full_bytes, receive));
        longest_ps =
            largest(longest_ps, (path->channels - 1) * hop_ps + serialized_ps(last_bytes, receive) +
                                    (packets - 1) * gap_ps);
    }
    return sum_ps + longest_ps;
}

/* Adds the local channels from one router of a group to another: along the dimensions in order, and
 * with drawers by the channel that leads there. */
static void add_locals(const struct network_config *config, struct path *path, uint32_t from,
                       uint32_t to) {
    if (from == to) return;
    uint32_t drawer = (uint32_t)config->drawer_routers;
    unsigned dimensions = units_dimensions_count(config->group_dimensions);
    if (dimensions < 2) {
        bool other = drawer > 0 && from / drawer != to / drawer;
        path->type[path->channels++] = other ? NETWORK_CHANNEL_KINDS : NETWORK_LOCAL;
        return;
    }
    for (unsigned i = 0; i < dimensions; i++) {
        uint32_t extent = units_dimension(config->group_dimensions, i);
        if (from % extent != to % extent)
            path->type[path->channels++] = i == 0 ? NETWORK_LOCAL : NETWORK_CHANNEL_KINDS + i - 1;
        from /= extent;
        to /= extent;
    }
}

/*
 * The paths between two nodes under the absolute arrangement with one link for each pair of groups:
 * group i's link x leads to group x, skipping i itself.
 */
static struct path minimal_path(const struct network_config *config, uint32_t source,
                                uint32_t destination) {
    uint32_t p = (uint32_t)config->nodes_per_router, a = (uint32_t)config->routers_per_group;
    uint32_t h = (uint32_t)config->globals_per_router;
    uint32_t from = source / p, to = destination / p;
    uint32_t i = from / a, j = to / a;
    struct path path = {.channels = 1}; /* type 0: terminal */
    if (i == j) {
        add_locals(config, &path, from % a, to % a);
    } else {
        add_locals(config, &path, from % a, (j < i ? j : j - 1) / h);
        path.type[path.channels++] = NETWORK_GLOBAL;
        add_locals(config, &path, (i < j ? i : i - 1) / h, to % a);
    }
    path.type[path.channels++] = NETWORK_TERMINAL;
    return path;
}

#define PAUSE_PS INT64_C(1000000000) /* between two messages: the network is idle again */

/* Every pair of nodes and every size up to a number of packets, one message after the other. */
static void check_all(const struct network_config *config, const char *settings,
                      int64_t max_packets) {
    struct network_world world;
    network_world_new(&world, config, 1);
    int64_t packet = config->packet_bytes;
    const int64_t sizes[] = {0, 1, packet - 1, packet, packet + 1, 5 * packet, 7 * packet + 13};
    uint32_t nodes = network_node_count(world.network);
    int64_t ready_ps = 0;
    for (uint32_t source = 0; source < nodes; source++) {
        for (uint32_t destination = 0; destination < nodes; destination++) {
            for (size_t i = 0; i < COUNT(sizes) && sizes[i] <= max_packets * packet;
                 i++, ready_ps += PAUSE_PS)
                network_world_send(&world, source, destination, (uint64_t)sizes[i], ready_ps);
        }
    }
    network_world_run(&world, 1);
    assert_int_equal(world.count, world.sent);
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *delivery = &world.deliveries[i].delivery;
        int64_t size = (int64_t)delivery->size_bytes;
        uint32_t source = delivery->source_node, destination = delivery->destination_node;
        int64_t expected_ps =
            config->memory_latency_ps + serialized_ps(size, config->memory_bandwidth_bytes_per_s);
        uint32_t routers = 0;
        if (source != destination) {
            struct path path = minimal_path(config, source, destination);
            expected_ps = closed_form_ps(config, &path, size);
            routers = (uint32_t)path.channels - 1;
        }
        int64_t simulated_ps = world.deliveries[i].time_ps - delivery->ready_ps;
        int64_t asked_ps =
            network_world_zero_load_ps(world.network, source, destination, delivery->size_bytes);
        if (simulated_ps != expected_ps || delivery->zero_load_ps != expected_ps ||
            asked_ps != expected_ps)
            fail_msg("%s: %u to %u, %lld bytes: closed form %lld ps, simulated %lld, delivery "
                     "says %lld, network_zero_load_ps %lld",
                     settings, source, destination, (long long)size, (long long)expected_ps,
                     (long long)simulated_ps, (long long)delivery->zero_load_ps,
                     (long long)asked_ps);
        assert_int_equal(delivery->routers, routers);
        assert_true(delivery->is_minimal);
    }
    network_world_free(&world);
}

static const char *const bandwidths[] = {
    "terminal.bandwidth=10GB/s local.bandwidth=10GB/s global.bandwidth=10GB/s",
    "terminal.bandwidth=3GB/s local.bandwidth=10GB/s global.bandwidth=7GB/s",
    "terminal.bandwidth=10GB/s local.bandwidth=3GB/s global.bandwidth=7GB/s",
    "terminal.bandwidth=10GB/s local.bandwidth=7GB/s global.bandwidth=3GB/s",
    "terminal.bandwidth=10GB/s local.bandwidth=12GB/s global.bandwidth=7GB/s nic.bandwidth=3GB/s",
    "terminal.bandwidth=3GB/s local.bandwidth=4GB/s global.bandwidth=5GB/s nic.bandwidth=9GB/s",
};
static const char *const latencies[] = {
    "router.latency=100ns router.allocation_latency=0",
    "router.latency=0 router.allocation_latency=0 terminal.latency=0",
    "router.latency=7ns router.allocation_latency=3ns nic.overhead=12345ps",
    "router.latency=7ns router.allocation_latency=2us", /* longer than any serialization */
};
static const char *const routers[] = {
    "router.crossbar=ideal",
    "router.crossbar=ideal router.output_buffer=576B",
    "router.crossbar=ideal router.output_buffer=4KiB",
    "router.crossbar=input",
    "router.crossbar=input router.output_buffer=576B",
    "router.crossbar=vc",
    "router.crossbar=vc router.output_buffer=576B router.speedup=0.1",
    "router.crossbar=input router.output_buffer=4KiB router.speedup=2",
    "router.crossbar=input router.output_buffer=4KiB router.speedup=0.1",
};
static const char *const headers[] = {"header=0", "header=64B"};
static const char *const arbitrations[] = {"router.arbitration=round-robin",
                                           "router.arbitration=least-recent",
                                           "router.arbitration=oldest"};

static const char *const hosts[] = {
    "nic.send_latency=300ns nic.receive_latency=7001ps",
    "nic.message_gap=500ns",
    "nic.receive_overhead=123ns",
    "nic.receive_bandwidth=2GB/s",
    "nic.receive_bandwidth=6GB/s nic.receive_buffer=8KiB",
    "nic.host_bandwidth=2500MB/s",
    "nic.host_bandwidth=15GB/s nic.receive_buffer=8KiB",
    "nic.receive_buffer=8KiB nic.receive_overhead=1ps",
    ("nic.send_latency=1ns nic.receive_latency=2ns nic.message_gap=3ns nic.receive_overhead=4ns "
     "nic.receive_bandwidth=5GB/s nic.host_bandwidth=7GB/s nic.receive_buffer=8KiB"),
};

/* The settings of hosts, each with some of all others. */
static void settings_of_hosts_take_the_closed_form(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(hosts) * COUNT(bandwidths) * COUNT(latencies); i++) {
        char pairs[1000];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 "
                 "terminal.latency=10001ps local.latency=15ns global.latency=150ns routing=minimal "
                 "packet=512B terminal.buffer=8KiB local.buffer=8KiB global.buffer=8KiB "
                 "%s %s %s %s %s",
                 bandwidths[i % COUNT(bandwidths)], latencies[i / 6 % COUNT(latencies)],
                 routers[i * 5 % COUNT(routers)], headers[i % 2], hosts[i % COUNT(hosts)]);
        struct network_config config = network_world_config(pairs);
        check_all(&config, pairs, 8);
    }
}

static const char *const divisions[] = {
    "flit=24B",
    "cell=64B cell_header=18B flit=6B header=0",
    "cell=100B cell_header=3B header=10B",
    "local.framing=9/10 global.framing=9/10",
    "terminal.framing=64/66 local.framing=0.97 global.framing=1/3",
    "cell=48B flit=32B cell_header=5B terminal.framing=128/130 global.framing=9/10",
};

/* Cells, flits and framing, each with some of all others. */
static void cells_flits_and_framing_take_the_closed_form(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(divisions) * COUNT(bandwidths) * COUNT(latencies); i++) {
        char pairs[1000];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 "
                 "terminal.latency=10001ps local.latency=15ns global.latency=150ns routing=minimal "
                 "packet=512B terminal.buffer=16KiB local.buffer=16KiB global.buffer=16KiB "
                 "%s %s %s %s %s %s",
                 bandwidths[i % COUNT(bandwidths)], latencies[i / 6 % COUNT(latencies)],
                 routers[i * 5 % COUNT(routers)], headers[i % 2], hosts[i % COUNT(hosts)],
                 divisions[i / 24 % COUNT(divisions)]);
        struct network_config config = network_world_config(pairs);
        if (config.output_buffer_bytes > 0) config.output_buffer_bytes += 512;
        check_all(&config, pairs, 8);
    }
}

static const char *const local_types[] = {
    "routers_per_group=4 groups=5 group.drawer=2 local2.bandwidth=2GB/s local2.latency=40ns",
    "routers_per_group=5 groups=6 group.drawer=2 local.bandwidth=2GB/s local2.bandwidth=9GB/s",
    "routers_per_group=4 groups=5 group.drawer=3 local2.latency=1ns",
    "routers_per_group=6 groups=7 group.dimensions=2x3 local2.bandwidth=3GB/s local2.latency=1us",
    "routers_per_group=6 groups=7 group.dimensions=3x2 local.latency=90ns local2.latency=1ps",
    ("routers_per_group=8 groups=9 group.dimensions=2x2x2 local2.bandwidth=11GB/s "
     "local3.bandwidth=2GB/s local3.latency=70ns"),
    ("routers_per_group=4 groups=5 group.dimensions=2x2 local2.bandwidth=3GB/s local.framing=9/10 "
     "flit=24B"),
};

/* Local channels of unequal bandwidths and latencies. */
static void unequal_local_channels_take_the_closed_form(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(local_types) * COUNT(bandwidths); i++) {
        char pairs[1000];
        snprintf(pairs, sizeof pairs,
                 "nodes_per_router=1 globals_per_router=1 terminal.latency=10001ps "
                 "local.latency=15ns global.latency=150ns routing=minimal packet=512B "
                 "terminal.buffer=16KiB local.buffer=3KiB local.shared_buffer=13KiB "
                 "global.buffer=3KiB global.shared_buffer=13KiB %s %s %s %s %s",
                 bandwidths[i % COUNT(bandwidths)], latencies[i % COUNT(latencies)],
                 routers[i * 5 % COUNT(routers)], headers[i % 2],
                 local_types[i / COUNT(bandwidths)]);
        struct network_config config = network_world_config(pairs);
        if (config.output_buffer_bytes > 0) config.output_buffer_bytes += 512;
        check_all(&config, pairs, 8);
    }
}

/* All at random. */
static void random_settings_take_the_closed_form(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        struct dice dice = {seed, 1, 0};
        struct network_config config = network_world_config(
            "nodes_per_router=2 routers_per_group=2 globals_per_router=1 groups=3 routing=minimal "
            "terminal.buffer=64KiB local.buffer=64KiB global.buffer=64KiB");
        config.packet_bytes = 1 + dice_below(&dice, 3000);
        config.header_bytes = dice_below(&dice, 100);
        config.cell_bytes = dice_below(&dice, 2) * (8 + dice_below(&dice, 200));
        config.cell_header_bytes = config.cell_bytes > 0 ? dice_below(&dice, 5) : 0;
        config.flit_bytes = dice_below(&dice, 40);
        config.nic_overhead_ps = dice_below(&dice, 100000);
        config.nic_send_latency_ps =
            (struct by_size){2,
                             {{0, dice_below(&dice, 1000000)},
                              {1 + dice_below(&dice, 5000), 1000000 + dice_below(&dice, 9)}}};
        config.nic_receive_latency_ps = dice_below(&dice, 1000000);
        config.nic_message_gap_ps = dice_below(&dice, 1000000);
        config.nic_receive_overhead_ps = dice_below(&dice, 2) * dice_below(&dice, 1000000);
        config.nic_receive_bandwidth_bytes_per_s =
            dice_below(&dice, 2) * (INT64_C(1000000) + dice_below(&dice, 40000) * INT64_C(999999));
        config.nic_host_bandwidth_bytes_per_s =
            dice_below(&dice, 2) * (INT64_C(1000000) + dice_below(&dice, 40000) * INT64_C(999999));
        config.nic_receive_buffer_bytes = dice_below(&dice, 2) * 65536;
        for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
            config.channels[kind].bandwidth_bytes_per_s =
                INT64_C(1000000000) + dice_below(&dice, 30000) * INT64_C(999999);
            if (dice_below(&dice, 2) == 0) config.channels[kind].framing = INT64_C(32) << 32 | 33;
        }
        char name[40];
        snprintf(name, sizeof name, "random hosts %u", seed);
        check_all(&config, name, 8);
    }
}

static void check_settings(const char *shape) {
    size_t run = 0;
    for (size_t i = 0; i < COUNT(bandwidths); i++) {
        for (size_t j = 0; j < COUNT(latencies); j++) {
            for (size_t k = 0; k < COUNT(routers); k++) {
                for (size_t l = 0; l < COUNT(headers); l++, run++) {
                    if ((i + j + k + l) % 2 != 0) continue; /* any three with each other */
                    char pairs[1000];
                    snprintf(pairs, sizeof pairs,
                             "%s routing=minimal packet=512B terminal.buffer=8KiB "
                             "local.buffer=8KiB global.buffer=8KiB %s %s %s %s %s",
                             shape, bandwidths[i], latencies[j], routers[k], headers[l],
                             arbitrations[run % COUNT(arbitrations)]);
                    struct network_config config = network_world_config(pairs);
                    check_all(&config, pairs, 8);
                }
            }
        }
    }
}

static void all_pairs_of_three_groups_take_the_closed_form(void **state) {
    (void)state;
    check_settings("nodes_per_router=1 routers_per_group=2 globals_per_router=1 groups=3 "
                   "terminal.latency=10001ps local.latency=15ns global.latency=150ns");
}

static void all_pairs_of_one_group_take_the_closed_form(void **state) {
    (void)state;
    check_settings("nodes_per_router=2 routers_per_group=2 globals_per_router=0 groups=1 "
                   "terminal.latency=1ns local.latency=15ns");
}

static void groups_of_one_router_take_the_closed_form(void **state) {
    (void)state;
    check_settings("nodes_per_router=1 routers_per_group=1 globals_per_router=2 groups=3 "
                   "terminal.latency=10ns global.latency=1ps");
}

/* All pairs of a machine as it stands in papers. */
static void all_pairs_of_kim_72_take_the_closed_form(void **state) {
    (void)state;
    const char *shape = "nodes_per_router=2 routers_per_group=4 globals_per_router=2 groups=9 "
                        "routing=minimal";
    struct network_config config = network_world_config(shape);
    check_all(&config, shape, 8);
}

/* UGAL's first packet finds all queues empty; later ones already queue behind it. */
static void ugal_takes_the_minimal_path_of_an_idle_network(void **state) {
    (void)state;
    const char *shape = "nodes_per_router=1 routers_per_group=2 globals_per_router=2 groups=5 "
                        "routing=ugal-l";
    struct network_config config = network_world_config(shape);
    check_all(&config, shape, 1);
}

/*
 * Several links for a pair of groups: the message takes one of them, and its delivery's
 * zero_load_ps is of that one.
 */
static void each_of_several_links_has_its_closed_form(void **state) {
    (void)state;
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=4 globals_per_router=2 groups=3 routing=minimal "
        "arrangement=relative global.bandwidth=3GB/s");
    struct network_world world;
    network_world_new(&world, &config, 1);
    for (uint32_t i = 0; i < 12 * 12 * 4; i++)
        network_world_send(&world, i % 12, i / 12 % 12, 5000, i * PAUSE_PS);
    network_world_run(&world, 1);
    unsigned local_hops[3] = {0};
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *delivery = &world.deliveries[i].delivery;
        uint32_t source = delivery->source_node, destination = delivery->destination_node;
        int64_t took_ps = world.deliveries[i].time_ps - delivery->ready_ps;
        assert_int_equal(delivery->zero_load_ps, took_ps);
        if (source / 4 == destination / 4) continue;
        bool matched = false;
        for (int locals = 0; locals < 4; locals++) {
            struct path path = path_of(locals & 1, true, locals & 2);
            if (took_ps != closed_form_ps(&config, &path, 5000)) continue;
            if ((uint32_t)path.channels != delivery->routers + 1) continue;
            matched = true;
        }
        assert_true(matched);
        local_hops[delivery->routers - 2]++;
    }
    for (int locals = 0; locals < 3; locals++)
        assert_true(local_hops[locals] > 0);
    network_world_free(&world);
}

/* Every pair of nodes of a machine with four links between two groups. Returns how many messages
 * take longer than zero_load_ps, which is the closed form for the fewest local hops. Each of these
 * is the closed form of another path. */
static unsigned slower_than_shortest(const char *settings, uint64_t size_bytes) {
    struct network_config config = network_world_config(
        "nodes_per_router=1 routers_per_group=4 globals_per_router=2 groups=3 "
        "arrangement=relative terminal.bandwidth=10GB/s local.bandwidth=10GB/s "
        "global.bandwidth=10GB/s");
    network_world_set(&config, settings);
    struct network_world world;
    network_world_new(&world, &config, 1);
    const struct topology *topology = face_topology(world.network, 0);
    for (uint32_t i = 0; i < 12 * 12 * 4; i++)
        network_world_send(&world, i % 12, i / 12 % 12, size_bytes, i * PAUSE_PS);
    network_world_run(&world, 1);
    unsigned slower = 0;
    for (size_t i = 0; i < world.count; i++) {
        const struct network_delivery *delivery = &world.deliveries[i].delivery;
        uint32_t from = delivery->source_node, to = delivery->destination_node, count;
        int64_t took_ps = world.deliveries[i].time_ps - delivery->ready_ps;
        assert_true(delivery->is_minimal);
        if (from / 4 == to / 4) {
            assert_int_equal(took_ps, delivery->zero_load_ps);
            continue;
        }
        const uint16_t *links = topology_links(topology, from / 4, to / 4, &count);
        int64_t min_ps = INT64_MAX;
        bool matched = false;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t end = topology->link_peers[from / 4 * topology->links_per_group + links[k]];
            struct path path = path_of(links[k] / 2 != from % 4, true, end % 8 / 2 != to % 4);
            int64_t path_ps = closed_form_ps(&config, &path, (int64_t)size_bytes);
            if (path_ps < min_ps) min_ps = path_ps;
            matched = matched || took_ps == path_ps;
        }
        assert_int_equal(delivery->zero_load_ps, min_ps);
        const struct network_message message = {
            .source_node = from, .destination_node = to, .size_bytes = size_bytes};
        assert_int_equal(network_zero_load_ps(world.network, &message), min_ps);
        assert_true(matched);
        assert_true(took_ps >= min_ps);
        slower += took_ps > min_ps;
    }
    network_world_free(&world);
    return slower;
}

/* Packets that choose among links: the closed form is that of the shortest path. They take it if
 * they draw it, or if they compare all links and find no load. */
static void packets_that_choose_links_take_the_shortest_path(void **state) {
    (void)state;
    assert_int_equal(slower_than_shortest("routing=minimal link_choice=shortest", 1000), 0);
    assert_int_equal(slower_than_shortest("routing=minimal link_choice=shortest packet=512B", 5000),
                     0);
    assert_int_equal(slower_than_shortest("routing=ugal-l link_choice=shortest", 1000), 0);
    assert_int_equal(slower_than_shortest("routing=par link_choice=shortest "
                                          "ugal.minimal_candidates=2 ugal.nonminimal_candidates=2 "
                                          "intragroup_paths=router",
                                          1000),
                     0);
    assert_int_equal(slower_than_shortest("routing=ugal-l ugal.minimal_candidates=4", 1000), 0);
    assert_int_equal(
        slower_than_shortest("routing=ugal-g link_choice=packet ugal.minimal_candidates=8", 1000),
        0);
    assert_in_range(slower_than_shortest("routing=minimal link_choice=packet", 1000), 50, 300);
    assert_in_range(slower_than_shortest("routing=ugal-l ugal.minimal_candidates=2", 1000), 20,
                    200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_of_three_groups_take_the_closed_form),
        cmocka_unit_test(all_pairs_of_one_group_take_the_closed_form),
        cmocka_unit_test(groups_of_one_router_take_the_closed_form),
        cmocka_unit_test(all_pairs_of_kim_72_take_the_closed_form),
        cmocka_unit_test(ugal_takes_the_minimal_path_of_an_idle_network),
        cmocka_unit_test(each_of_several_links_has_its_closed_form),
        cmocka_unit_test(settings_of_hosts_take_the_closed_form),
        cmocka_unit_test(cells_flits_and_framing_take_the_closed_form),
        cmocka_unit_test(unequal_local_channels_take_the_closed_form),
        cmocka_unit_test(packets_that_choose_links_take_the_shortest_path),
        cmocka_unit_test(random_settings_take_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
