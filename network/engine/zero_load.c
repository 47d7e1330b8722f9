/*
 * Zero-load latency of a message of n packets, in closed form (docs/model.md, 5):
 *
 *   T = λ_s + o_nic + sum over channels of latency + o_r + λ_r
 *       + max over channels j of ( j·hop + ser_j(last) + (n-1) · max over i <= j of gap_i )
 *
 * In this formula:
 * - λ_s and λ_r are the latencies of the two NICs, o_nic is the sender's overhead per message, and
 *   o_r the receiver's.
 * - Channel j is the one after j routers. The receiving side of a NIC is one more channel without a
 *   router before it.
 * - hop is router latency + allocation latency. Only the head of a packet needs it in each router:
 *   behind a slow channel the tail catches up with the head.
 * - ser_j(last) is the serialisation of the last packet on channel j.
 * - gap_i is the time between the starts of two full packets on channel i. It is longer for traffic
 *   classes with a maximum share.
 *
 * For a message whose packets use several rails, T is the longest time of a rail's part, and for
 * one in stripes that of a stripe. If failures make rails differ, T is the least over the rails
 * that the message may use. If packets choose among several links between two groups, T is that of
 * the shortest path. Windows add the chains of waits that packets_ps describes.
 */
#include "network/engine/zero_load.h"

#include "core/memory/map.h"
#include "core/memory/memory.h"
#include "network/engine/flow_control/class_shares.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/nic/nic_choice.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/nic/rails.h"
#include "network/engine/state/channel_times.h"
#include "network/routing/routing.h"

#include <string.h>

/* Two terminal channels, up to two global ones, and the local ones of three groups. */
#define CHANNELS_MAX (4 + 3 * TOPOLOGY_LOCAL_HOPS_MAX)

/* The path of a message on an idle network. */
struct zero_load_path {
    uint8_t types[CHANNELS_MAX]; /* types of its channels, from NIC to node */
    uint32_t channels;
    int64_t back_ps;            /* time of a full packet's acknowledgement */
    bool ends_at_nic;           /* of a response, which goes no further than the NIC */
    int64_t maximum_millionths; /* share of channels that the message may use */
};

/* Returns the least time in picoseconds between the starts of two full packets on the channel
 * after `routers` routers. */
static int64_t gap_ps(const struct network *network, const struct zero_load_path *path,
                      uint32_t routers) {
    int64_t maximum_millionths = path->maximum_millionths;
    if (routers == 0)
        return class_shares_spacing_ps(network->nics.injection_full_ps, maximum_millionths);
    int64_t gap_ps = class_shares_spacing_ps(network->channels.full_packet_ps[path->types[routers]],
                                             maximum_millionths);
    if (network->config.allocation_latency_ps > gap_ps)
        gap_ps = network->config.allocation_latency_ps;
    if (network->hop_features.has_output_buffers && network->routers.crossbar_bytes_per_s > 0) {
        if (network->routers.crossbar_full_ps > gap_ps) gap_ps = network->routers.crossbar_full_ps;
    }
    return gap_ps;
}

/* Returns the arrival time of the last packet over the channel after `routers` routers, without
 * the latencies of channels. slowest_ps is the largest gap on the path so far; before_last is
 * the number of full packets before the last one. */
static int64_t arrival_ps(const struct network *network, uint32_t routers, int64_t slowest_ps,
                          int64_t before_last, int64_t last_ps) {
    int64_t before_ps;
    if (__builtin_mul_overflow(before_last, slowest_ps, &before_ps) ||
        before_ps > NETWORK_TIME_LIMIT_PS)
        return NETWORK_TIME_LIMIT_PS;
    return routers * network->routers.delay_ps + last_ps + before_ps;
}

/* Returns the time from the first packet's start at the NIC to the arrival of the last one,
 * which has last_bytes bytes with its header, if windows do not hold packets back. */
static int64_t stream_ps(const struct network *network, const struct zero_load_path *path,
                         int64_t before_last, int64_t last_bytes) {
    const uint8_t *types = path->types;
    uint32_t channels = path->channels;
    int64_t latencies_ps = 0;
    int64_t slowest_ps = 0; /* largest gap so far */
    int64_t longest_ps = 0;
    for (uint32_t j = 0; j < channels; j++) {
        int64_t last_ps = j == 0 ? channel_injection_ps(network, (uint32_t)last_bytes)
                                 : channel_ps(network, types[j], (uint32_t)last_bytes);
        latencies_ps += network->channels.latency_ps[types[j]];
        int64_t channel_gap_ps = gap_ps(network, path, j);
        if (channel_gap_ps > slowest_ps) slowest_ps = channel_gap_ps;
        int64_t by_here_ps = arrival_ps(network, j, slowest_ps, before_last, last_ps);
        if (by_here_ps > longest_ps) longest_ps = by_here_ps;
    }
    if (network->nics.receive_bytes_per_s > 0 && !path->ends_at_nic) {
        int64_t full_ps = channel_serialisation_ps(network->channels.full_packet_bytes,
                                                   network->nics.receive_bytes_per_s);
        if (full_ps > slowest_ps) slowest_ps = full_ps;
        int64_t by_here_ps =
            arrival_ps(network, channels - 1, slowest_ps, before_last,
                       channel_serialisation_ps(last_bytes, network->nics.receive_bytes_per_s));
        if (by_here_ps > longest_ps) longest_ps = by_here_ps;
    }
    return latencies_ps + longest_ps;
}

/* Returns a + times · b, at most NETWORK_TIME_LIMIT_PS. */
static int64_t sum_ps(int64_t a_ps, int64_t times, int64_t b_ps) {
    wide sum_ps = (wide)a_ps + (wide)times * (wide)b_ps;
    return sum_ps < NETWORK_TIME_LIMIT_PS ? (int64_t)sum_ps : NETWORK_TIME_LIMIT_PS;
}

/* Does the work of stream_ps with windows. A full packet waits for the acknowledgement of the one
 * `ahead` packets before it, and the last packet for that of the one last_ahead before it; each
 * such wait adds a round trip instead of gaps. The longest chain of waits and gaps decides. It has
 * no waits, or as many as possible, because all others are means of these; the last packet ends
 * it after a gap, or after a wait of its own. */
static int64_t packets_ps(const struct network *network, const struct zero_load_path *path,
                          int64_t before_last, int64_t last_bytes) {
    int64_t longest_ps = stream_ps(network, path, before_last, last_bytes);
    const struct network_config *config = &network->config;
    if (!network->nics.has_windows || before_last == 0) return longest_ps;
    int64_t window = config->nic_window_bytes;
    if (window == 0 ||
        (config->nic_pair_window_bytes > 0 && config->nic_pair_window_bytes < window))
        window = config->nic_pair_window_bytes;
    if (window == 0) return longest_ps;
    int64_t ahead = window / config->packet_bytes;
    int64_t payload = nic_windows_bytes(network, (uint32_t)last_bytes);
    int64_t last_ahead = (window - payload) / config->packet_bytes + 1;
    int64_t full_bytes = network->channels.full_packet_bytes;
    int64_t round_trip_ps = stream_ps(network, path, 0, full_bytes) + path->back_ps;
    int64_t last_alone_ps = path->back_ps + stream_ps(network, path, 0, last_bytes);
    int64_t waits = (before_last - (last_ahead > ahead)) / ahead;
    int64_t after_gap_ps = sum_ps(stream_ps(network, path, before_last - waits * ahead, last_bytes),
                                  waits, round_trip_ps);
    if (after_gap_ps > longest_ps) longest_ps = after_gap_ps;
    int64_t awaited = before_last - last_ahead; /* packet whose acknowledgement lets the last go */
    for (int64_t before = 0; awaited >= 0; before = awaited / ahead) {
        int64_t after_wait_ps =
            sum_ps(stream_ps(network, path, awaited - before * ahead, full_bytes) + last_alone_ps,
                   before, round_trip_ps);
        if (after_wait_ps > longest_ps) longest_ps = after_wait_ps;
        if (before == awaited / ahead) break;
    }
    return longest_ps;
}

/* Returns the time from the first packet's start at the NIC to the arrival of the last one, for
 * a message that can use `rails` rails. */
static int64_t path_ps(const struct network *network, const struct zero_load_path *path,
                       uint64_t size_bytes, int64_t rails) {
    uint64_t max = (uint64_t)network->config.packet_bytes;
    int64_t packets = size_bytes > 0 ? (int64_t)((size_bytes - 1) / max) + 1 : 1;
    int64_t last_bytes = network_config_packet_bytes(
        &network->config, (int64_t)(size_bytes - (uint64_t)(packets - 1) * max));
    struct rail_share share = rails_share(&network->config, rails, packets);
    int64_t time_ps = packets_ps(network, path, share.before_last, last_bytes);
    if (share.others == 0) return time_ps;
    int64_t others_ps =
        packets_ps(network, path, share.others - 1, network->channels.full_packet_bytes);
    return others_ps > time_ps ? others_ps : time_ps;
}

struct zero_load_time *zero_load_times_new(void) {
    return memory_new(1u << ZERO_LOAD_TIMES_BITS, sizeof(struct zero_load_time));
}

/* Returns the key of a path in a table; 0: the path has too many channels for one. */
static uint64_t path_key(const struct zero_load_path *path) {
    static_assert(NETWORK_CHANNEL_TYPES <= 16, "a type takes 4 bits");
    uint64_t key = 1;
    if (path->channels >= 16) return 0;
    for (uint32_t i = 0; i < path->channels; i++)
        key = key << 4 | path->types[i];
    return key;
}

/* Does the work of path_ps with a table of times. */
static int64_t known_path_ps(const struct network *network, struct zero_load_time *times,
                             const struct zero_load_path *path, uint64_t size_bytes,
                             int64_t rails) {
    const uint64_t key = path_key(path);
    const uint64_t hash = map_hash(key ^ size_bytes << 24);
    struct zero_load_time *time = &times[hash >> (64 - ZERO_LOAD_TIMES_BITS)];
    if (key == 0) return path_ps(network, path, size_bytes, rails);
    if (time->path == key && time->size_bytes == size_bytes && time->rails == rails &&
        time->maximum_millionths == path->maximum_millionths)
        return time->time_ps;
    *time = (struct zero_load_time){.path = key,
                                    .size_bytes = size_bytes,
                                    .time_ps = path_ps(network, path, size_bytes, rails),
                                    .maximum_millionths = (uint32_t)path->maximum_millionths,
                                    .rails = (uint32_t)rails};
    return time->time_ps;
}

static uint32_t add_local_hops(uint8_t *types, uint32_t channels, const struct topology *topology,
                               bool unequal, uint32_t group, uint32_t from, uint32_t to) {
    if (!unequal) {
        uint32_t hops = topology_local_hops(topology, group, from, to);
        memset(&types[channels], NETWORK_LOCAL, hops);
        return channels + hops;
    }
    while (from != to) {
        uint32_t port = topology_local_port(topology, group, from, to);
        types[channels++] = (uint8_t)topology_channel_type(topology, from, port);
        from = topology_local_end(topology, from, port).router;
    }
    return channels;
}

/* Writes the types of the channels of the minimal path in a rail, from NIC to node, and returns
 * their number. */
static uint32_t find_path(uint8_t *types, const struct network *network,
                          const struct topology *topology, uint32_t source, uint32_t destination,
                          uint32_t sequence) {
    uint32_t from = source / topology->endpoints_per_router;
    uint32_t to = destination / topology->endpoints_per_router % topology->routers_per_group;
    uint32_t group = from / topology->routers_per_group,
             to_group = destination / topology->endpoints_per_group;
    from %= topology->routers_per_group;
    uint32_t channels = 0;
    types[channels++] = NETWORK_TERMINAL;
    while (group != to_group) {
        bool by_packet =
            network->routing.draws_links_by_packet || network->routing.minimal_candidates > 1;
        uint32_t link;
        if (by_packet && topology_groups_are_joined(topology, group, to_group))
            link = routing_shortest_link(network, topology, group, from, to_group, to);
        else if (network->routing.draws_links_by_packet)
            link = routing_shortest_link_via_third(network, topology, group, from, to_group, to);
        else
            link = routing_link_of_message(network, topology, group, to_group, source, sequence);
        uint32_t peer = topology->link_peers[(size_t)group * topology->links_per_group + link];
        channels = add_local_hops(types, channels, topology, network->channels.has_unequal_locals,
                                  group, from, link / topology->globals_per_router);
        types[channels++] = NETWORK_GLOBAL;
        group = peer / topology->links_per_group;
        from = peer % topology->links_per_group / topology->globals_per_router;
    }
    channels = add_local_hops(types, channels, topology, network->channels.has_unequal_locals,
                              group, from, to);
    types[channels++] = NETWORK_TERMINAL;
    return channels;
}

/* Returns the time of a packet without bytes by the minimal path in a rail. */
static int64_t path_latency_ps(const struct network *network, const struct topology *topology,
                               uint32_t source, uint32_t destination, uint32_t sequence) {
    uint8_t types[CHANNELS_MAX];
    uint32_t channels = find_path(types, network, topology, source, destination, sequence);
    int64_t time_ps = (channels - 1) * network->routers.delay_ps;
    for (uint32_t i = 0; i < channels; i++)
        time_ps += network->channels.latency_ps[types[i]];
    return time_ps;
}

int64_t zero_load_path_latency_ps(const struct rail_group *rail_group, uint32_t source,
                                  uint32_t destination, uint32_t sequence) {
    return path_latency_ps(rail_group->network, rail_group->topology, source, destination,
                           sequence);
}

/* Returns the time from when a full packet of a message has been received until its acknowledgement
 * arrives. */
static int64_t back_ps(const struct network *network, const struct topology *topology,
                       uint32_t source, uint32_t destination, uint32_t sequence) {
    if (!network->nics.has_responses)
        return path_latency_ps(network, topology, destination, source, sequence);
    struct zero_load_path path = {.maximum_millionths = 1000000, .ends_at_nic = true};
    path.channels = find_path(path.types, network, topology, destination, source, sequence);
    return stream_ps(
        network, &path, 0,
        network_config_response_bytes(&network->config, network->channels.full_packet_bytes));
}

/* Returns the time from the first packet's start at its NIC to the arrival of the last one, for a
 * message from endpoint to endpoint. */
static int64_t between_ps(const struct network *network, struct zero_load_time *times,
                          uint32_t source, uint32_t destination, uint64_t size_bytes,
                          uint32_t sequence, uint32_t virtual_network) {
    const struct network_config *config = &network->config;
    struct zero_load_path path = {.maximum_millionths = 1000000};
    if (virtual_network < (uint32_t)config->classes)
        path.maximum_millionths = config->class[virtual_network].maximum_millionths;
    uint32_t usable = rails_between(network, source, destination);
    int64_t rails = __builtin_popcount(usable), min_ps = INT64_MAX;
    if (network->rails.other_topologies == NULL) usable = 1; /* all rails are alike */
    for (; usable != 0; usable &= usable - 1) {
        uint32_t rail = (uint32_t)__builtin_ctz(usable);
        const struct topology *topology =
            rail == 0 ? &network->topology : &network->rails.other_topologies[rail - 1];
        path.channels = find_path(path.types, network, topology, source, destination, sequence);
        if (network->nics.has_windows)
            path.back_ps = back_ps(network, topology, source, destination, sequence);
        int64_t time_ps = times != NULL ? known_path_ps(network, times, &path, size_bytes, rails)
                                        : path_ps(network, &path, size_bytes, rails);
        if (time_ps < min_ps) min_ps = time_ps;
    }
    return min_ps;
}

/* Returns the time of the stripe that takes longest. */
static int64_t stripes_ps(const struct network *network, struct zero_load_time *times,
                          uint32_t source, uint32_t destination, uint64_t size_bytes,
                          uint32_t sequence, uint32_t virtual_network) {
    struct nic_endpoints stripes[NETWORK_NICS_MAX];
    uint32_t count = nic_choice_write_stripes(network, source, destination, sequence, stripes);
    uint64_t packets = rails_packets_of(network, size_bytes);
    int64_t longest_ps = 0;
    for (uint32_t part = 0; part < count && part < packets; part++) {
        uint64_t bytes = rails_stripe_bytes(network, size_bytes, packets, count, part);
        int64_t time_ps = between_ps(network, times, stripes[part].source,
                                     stripes[part].destination, bytes, sequence, virtual_network);
        if (time_ps > longest_ps) longest_ps = time_ps;
    }
    return longest_ps;
}

int64_t zero_load_ps(const struct network *network, struct zero_load_time *times, uint32_t source,
                     uint32_t destination, uint64_t size_bytes, uint32_t sequence,
                     uint32_t virtual_network) {
    const struct network_config *config = &network->config;
    if (source == destination) {
        wide time_ps =
            channel_serialisation_wide_ps(size_bytes, config->memory_bandwidth_bytes_per_s) +
            (uint64_t)config->memory_latency_ps;
        return time_ps < NETWORK_TIME_LIMIT_PS ? (int64_t)time_ps : NETWORK_TIME_LIMIT_PS;
    }
    bool has_stripes = nic_choice_has_stripes(network, size_bytes);
    int64_t path_ps = has_stripes ? stripes_ps(network, times, source, destination, size_bytes,
                                               sequence, virtual_network)
                                  : between_ps(network, times, source, destination, size_bytes,
                                               sequence, virtual_network);
    int64_t time_ps = by_size_at(&config->nic_send_latency_ps, size_bytes) +
                      config->nic_overhead_ps + path_ps + network->nics.receive_ps;
    return time_ps < NETWORK_TIME_LIMIT_PS ? time_ps : NETWORK_TIME_LIMIT_PS;
}

int64_t network_zero_load_ps(const struct network *network, const struct network_message *message) {
    struct nic_endpoints pair = {message->source_node, message->destination_node};
    if (network->topology.node_shape.nics_per_node > 1) pair = nic_choice_first(network, message);
    return zero_load_ps(network, NULL, pair.source, pair.destination, message->size_bytes, 0,
                        message->traffic_class);
}

int64_t network_idle_sent_ps(const struct network *network, const struct network_message *message) {
    return message->source_node == message->destination_node
               ? network_zero_load_ps(network, message)
               : packet_trail_sent_ps(network, message->size_bytes);
}
