/*
 * Zero-load latency of a message of n packets, in closed form (docs/model.md):
 *
 *   T = λ_s + o_nic + sum over channels of latency + o_r + λ_r
 *       + max over channels j of ( j·hop + ser_j(last) + (n-1) · max over i <= j of gap_i )
 *
 * λ_s and λ_r are the latencies of the two NICs, o_nic is the sender's overhead per message, and
 * o_r the receiver's. Channel j is the one after j routers; the receiving side of a NIC is one
 * more channel without a router before it. hop is router latency + allocation latency, ser_j the
 * serialisation of the last packet on channel j, and gap_i the time between the starts of two full
 * packets on channel i, which is longer for traffic classes with a maximum share. Heads pay for
 * pipelines; tails catch up on slow channels. For a message whose packets use several rails, T is
 * the longest time of a rail's part. If failures make rails differ, T is the least over the rails
 * that the message may use.
 */
#include "network/engine/zero_load.h"

#include "network/engine/channel_times.h"
#include "network/engine/rails.h"
#include "network/engine/shares.h"
#include "network/routing/routing.h"

/* Returns the least time in picoseconds between the starts of two full packets on the channel
 * after `routers` routers. */
static int64_t gap_ps(const struct network *network, network_level level, uint32_t routers,
                      int64_t maximum_millionths) {
    if (routers == 0) return shares_spacing_ps(network->injection_full_ps, maximum_millionths);
    int64_t gap_ps = shares_spacing_ps(network->full_packet_ps[level], maximum_millionths);
    if (network->config.allocation_latency_ps > gap_ps)
        gap_ps = network->config.allocation_latency_ps;
    if (network->output_buffered && network->crossbar_bandwidth > 0) {
        if (network->crossbar_full_ps > gap_ps) gap_ps = network->crossbar_full_ps;
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
    return routers * network->hop_ps + last_ps + before_ps;
}

/* Returns the time from the first packet's start at the NIC to the arrival of the last one,
 * which has last_bytes bytes with its header. */
static int64_t packets_ps(const struct network *network, const network_level *path,
                          uint32_t channels, int64_t before_last, int64_t last_bytes,
                          int64_t maximum_millionths) {
    int64_t latencies_ps = 0;
    int64_t slowest_ps = 0; /* largest gap so far */
    int64_t longest_ps = 0;
    for (uint32_t j = 0; j < channels; j++) {
        int64_t last_ps = j == 0 ? injection_ps(network, (uint32_t)last_bytes)
                                 : channel_ps(network, path[j], (uint32_t)last_bytes);
        latencies_ps += network->latency_ps[path[j]];
        int64_t channel_gap_ps = gap_ps(network, path[j], j, maximum_millionths);
        if (channel_gap_ps > slowest_ps) slowest_ps = channel_gap_ps;
        int64_t by_here_ps = arrival_ps(network, j, slowest_ps, before_last, last_ps);
        if (by_here_ps > longest_ps) longest_ps = by_here_ps;
    }
    if (network->receive_bandwidth > 0) {
        int64_t full_ps = serialization_ps(network->full_packet_bytes, network->receive_bandwidth);
        if (full_ps > slowest_ps) slowest_ps = full_ps;
        int64_t by_here_ps = arrival_ps(network, channels - 1, slowest_ps, before_last,
                                        serialization_ps(last_bytes, network->receive_bandwidth));
        if (by_here_ps > longest_ps) longest_ps = by_here_ps;
    }
    return latencies_ps + longest_ps;
}

/* Returns the time from the first packet's start at the NIC to the arrival of the last one, for
 * a message that can use `rails` rails. */
static int64_t path_ps(const struct network *network, const network_level *path, uint32_t channels,
                       uint64_t size_bytes, int64_t rails, int64_t maximum_millionths) {
    uint64_t most = (uint64_t)network->config.packet_bytes;
    int64_t packets = size_bytes > 0 ? (int64_t)((size_bytes - 1) / most) + 1 : 1;
    int64_t last_bytes =
        (int64_t)size_bytes - (packets - 1) * (int64_t)most + network->config.header_bytes;
    if (last_bytes == 0) last_bytes = 1;
    struct rail_share share = rails_share(&network->config, rails, packets);
    int64_t time_ps =
        packets_ps(network, path, channels, share.before_last, last_bytes, maximum_millionths);
    if (share.others == 0) return time_ps;
    int64_t others_ps = packets_ps(network, path, channels, share.others - 1,
                                   network->full_packet_bytes, maximum_millionths);
    return others_ps > time_ps ? others_ps : time_ps;
}

/* Two terminal channels, up to two global ones, and the local ones of three groups. */
#define CHANNELS_MOST (4 + 3 * TOPOLOGY_LOCAL_HOPS_MOST)

static uint32_t add_local_hops(network_level *path, uint32_t channels,
                               const struct topology *topology, uint32_t group, uint32_t from,
                               uint32_t to) {
    uint32_t hops = topology_local_hops(topology, group, from, to);
    for (uint32_t i = 0; i < hops; i++)
        path[channels++] = NETWORK_LOCAL;
    return channels;
}

/* Writes the levels of the channels of the minimal path in a rail, from NIC to node, and returns
 * their number. */
static uint32_t find_path(network_level *path, const struct network *network,
                          const struct topology *topology, uint32_t source, uint32_t destination,
                          uint32_t sequence) {
    uint32_t from = source / topology->nodes_per_router;
    uint32_t to = destination / topology->nodes_per_router % topology->routers;
    uint32_t group = from / topology->routers, to_group = destination / topology->nodes_per_group;
    from %= topology->routers;
    uint32_t channels = 0;
    path[channels++] = NETWORK_TERMINAL;
    while (group != to_group) {
        uint32_t link =
            routing_link_of_message(network, topology, group, to_group, source, sequence);
        uint32_t peer = topology->peer[(size_t)group * topology->links + link];
        channels = add_local_hops(path, channels, topology, group, from, link / topology->globals);
        path[channels++] = NETWORK_GLOBAL;
        group = peer / topology->links;
        from = peer % topology->links / topology->globals;
    }
    channels = add_local_hops(path, channels, topology, group, from, to);
    path[channels++] = NETWORK_TERMINAL;
    return channels;
}

int64_t zero_load_ps(const struct network *network, uint32_t source, uint32_t destination,
                     uint64_t size_bytes, uint32_t sequence, uint32_t virtual_network) {
    const struct network_config *config = &network->config;
    if (source == destination) {
        wide time_ps = serialization_wide_ps(size_bytes, config->memory_bandwidth_bytes_per_s) +
                       (uint64_t)config->memory_latency_ps;
        return time_ps < NETWORK_TIME_LIMIT_PS ? (int64_t)time_ps : NETWORK_TIME_LIMIT_PS;
    }
    network_level path[CHANNELS_MOST];
    int64_t maximum_millionths = virtual_network < (uint32_t)config->classes
                                     ? config->class[virtual_network].maximum_millionths
                                     : 1000000;
    uint32_t usable = rails_between(network, source, destination);
    int64_t rails = __builtin_popcount(usable), least_ps = INT64_MAX;
    if (network->other_rails == NULL) usable = 1; /* all rails are alike */
    for (; usable != 0; usable &= usable - 1) {
        uint32_t rail = (uint32_t)__builtin_ctz(usable);
        const struct topology *topology =
            rail == 0 ? &network->topology : &network->other_rails[rail - 1];
        uint32_t channels = find_path(path, network, topology, source, destination, sequence);
        int64_t time_ps = path_ps(network, path, channels, size_bytes, rails, maximum_millionths);
        if (time_ps < least_ps) least_ps = time_ps;
    }
    int64_t time_ps =
        config->nic_send_latency_ps + config->nic_overhead_ps + least_ps + network->receive_ps;
    return time_ps < NETWORK_TIME_LIMIT_PS ? time_ps : NETWORK_TIME_LIMIT_PS;
}

int64_t network_zero_load_ps(const struct network *network, uint32_t source_node,
                             uint32_t destination_node, uint64_t size_bytes) {
    return zero_load_ps(network, source_node, destination_node, size_bytes, 0, 0);
}

int64_t network_zero_load_in_ps(const struct network *network, uint32_t source_node,
                                uint32_t destination_node, uint64_t size_bytes,
                                uint32_t virtual_network) {
    return zero_load_ps(network, source_node, destination_node, size_bytes, 0, virtual_network);
}
