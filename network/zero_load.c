/*
 * Zero-load latency of a message, in closed form (docs/model.md):
 *
 *   T = o_nic + sum over channels of latency + (routers passed)·(router + allocation latency)
 *       + sum over packets of size / bandwidth of the slowest channel on the path
 *
 * with o_nic the NIC's overhead per message, and size / bandwidth rounded up to a picosecond.
 */
#include "network/routing.h"

int64_t zero_load_ps(const network *network, uint32_t source, uint32_t destination,
                     uint64_t size_bytes, uint32_t sequence) {
    const network_config *config = &network->config;
    if (source == destination)
        return config->memory_latency_ps +
               serialization_ps((int64_t)size_bytes, config->memory_bandwidth_bytes_per_s);
    const topology *topology = &network->topology;
    uint32_t from = source / topology->nodes_per_router;
    uint32_t to = destination / topology->nodes_per_router;
    uint32_t from_group = from / topology->routers;
    uint32_t to_group = to / topology->routers;
    uint32_t locals = 0;
    uint32_t globals = 0;
    if (from_group == to_group) {
        locals = from != to;
    } else {
        uint32_t link =
            routing_link_of_message(network, from_group, to_group, source, sequence);
        uint32_t peer = topology->peer[(size_t)from_group * topology->links + link];
        globals = 1;
        locals = link / topology->globals != from % topology->routers;
        locals += peer % topology->links / topology->globals != to % topology->routers;
    }
    /* The slowest channel: compared by bandwidth, the first of equals. */
    int64_t bandwidth = network->injection_bandwidth;
    if (network->bandwidth[NETWORK_TERMINAL] < bandwidth)
        bandwidth = network->bandwidth[NETWORK_TERMINAL];
    if (locals > 0 && network->bandwidth[NETWORK_LOCAL] < bandwidth)
        bandwidth = network->bandwidth[NETWORK_LOCAL];
    if (globals > 0 && network->bandwidth[NETWORK_GLOBAL] < bandwidth)
        bandwidth = network->bandwidth[NETWORK_GLOBAL];
    int64_t time_ps = config->nic_overhead_ps + 2 * network->latency_ps[NETWORK_TERMINAL] +
                      locals * network->latency_ps[NETWORK_LOCAL] +
                      globals * network->latency_ps[NETWORK_GLOBAL] +
                      (locals + globals + 1) * network->hop_ps;
    int64_t full = (int64_t)(size_bytes / (uint64_t)config->packet_bytes);
    int64_t rest = (int64_t)(size_bytes % (uint64_t)config->packet_bytes);
    if (full > 0)
        time_ps += full * serialization_ps(network->full_packet_bytes, bandwidth);
    if (rest > 0 || full == 0) {
        int64_t last_bytes = rest + config->header_bytes;
        time_ps += serialization_ps(last_bytes > 0 ? last_bytes : 1, bandwidth);
    }
    return time_ps;
}

int64_t network_zero_load_ps(const network *network, uint32_t source_node,
                             uint32_t destination_node, uint64_t size_bytes) {
    return zero_load_ps(network, source_node, destination_node, size_bytes, 0);
}
