/*
 * Constants and tables that follow from the configuration: the constants of the engine, and the
 * table of a group's outputs, which all groups share.
 */
#include "network/engine/derive.h"

#include "core/memory.h"
#include "network/engine/channel_times.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

static void derive_vcs(struct network *network) {
    const struct network_config *config = &network->config;
    network->free_vcs = config->vcs > 0 ? (uint32_t)config->vcs : routing_vcs(config);
    network->injection_vcs =
        config->injection_vcs > 0 ? (uint32_t)config->injection_vcs : network->free_vcs;
    network->network_vcs = network->free_vcs;
    if (network->network_vcs < network->injection_vcs)
        network->network_vcs = network->injection_vcs;
    network->ring_vc =
        ring_needed(config) ? network->network_vcs++ : NONE; /* never an injection VC */
    network->virtual_networks = network_config_virtual_networks(config);
    network->vcs = network->virtual_networks * network->network_vcs;
    for (uint32_t vc = 0; vc < network->vcs; vc++)
        network->first_vcs[vc] = (uint8_t)(vc - vc % network->network_vcs);
    for (int level = 0; level < NETWORK_LEVELS; level++)
        network->level_vcs[level] = network->free_vcs;
    if (network->ring_vc != NONE && config->ofar_global_vcs > 0 &&
        config->ofar_global_vcs < (int64_t)network->free_vcs)
        network->level_vcs[NETWORK_GLOBAL] = (uint32_t)config->ofar_global_vcs;
}

/* Sets what the policy needs, and the initial VC class and flags of packets. */
static void derive_routing(struct network *network) {
    const struct network_config *config = &network->config;
    const struct topology *topology = &network->topology;
    const struct routing_transit *transit = network->policy->transit;
    network->find_output = transit != NULL ? transit->find_output : NULL;
    network->depart = transit != NULL ? transit->depart : NULL;
    network->transit_first = config->transit_priority == NETWORK_PRIORITY_AUTO
                                 ? transit != NULL && transit->transit_first
                                 : config->transit_priority == NETWORK_PRIORITY_ON;
    network->has_precedence = network->transit_first || network_config_has_shares(config);
    network->orders_inputs =
        config->arbitration == NETWORK_OLDEST || network_config_has_shares(config);
    unsigned more = config->valiant == NETWORK_VALIANT_ROUTER;
    network->minimal_class = (uint8_t)(config->minimal_vcs == NETWORK_MINIMAL_FIRST
                                           ? network->policy->detour_class
                                           : network->policy->minimal_class + more);
    network->needs = network->policy->needs;
    if (config->ugal_measure == NETWORK_UGAL_MEASURE_VC && routing_reads_queues(config))
        network->needs |= ROUTING_VC_QUEUES;
    network->notes_requests = network->needs != 0 || config->nic_receive_buffer_bytes > 0;
    network->plain = !network->notes_requests && network->depart == NULL &&
                     network->ring_vc == NONE && config->arbitration != NETWORK_LEAST_RECENT &&
                     !network_config_has_shares(config);
    bool cut = topology->cut;
    for (uint32_t rail = 1; network->other_rails != NULL && rail < network->rails; rail++)
        cut = cut || network->other_rails[rail - 1].cut;
    bool decided = network->policy->decide == NULL && (!cut || transit != NULL);
    network->launch_class = decided ? network->minimal_class : 0;
    network->launch_flags = decided ? PACKET_ROUTED : 0;
    bool parallel = group_shape_is_parallel(&topology->group);
    network->settled_flag = parallel && routing_reads_queues(config) ? 0 : PACKET_ROUTED;
}

static void derive_sizes(struct network *network) {
    const struct topology *topology = &network->topology;
    network->ports = topology->routers * topology->radix;
    network->outputs = network->ports + topology->nodes_per_group;
    network->kind_port_vcs[false] = topology->nodes_per_router * network->vcs;
    network->kind_port_vcs[true] = topology->radix * network->vcs - network->kind_port_vcs[false];
    network->port_words = (topology->radix + 63) / 64;
    network->request_words = (topology->radix * network->vcs + 63) / 64;
}

/* Returns the lower of a bandwidth and a limit, where 0 means unlimited. */
static int64_t slower(int64_t bandwidth, int64_t limit) {
    return limit > 0 && (bandwidth == 0 || limit < bandwidth) ? limit : bandwidth;
}

/* Sets the rates and times of NICs. A packet that is sent or received also occupies the host
 * interface for its serialisation time there, so host_bandwidth limits both directions. */
static void derive_hosts(struct network *network) {
    const struct network_config *config = &network->config;
    int64_t host_bandwidth = config->nic_host_bandwidth_bytes_per_s;
    network->injection_bandwidth =
        slower(slower(network->bandwidth[NETWORK_TERMINAL], config->nic_bandwidth_bytes_per_s),
               host_bandwidth);
    network->receive_bandwidth = slower(config->nic_receive_bandwidth_bytes_per_s, host_bandwidth);
    network->receive_ps = config->nic_receive_latency_ps + config->nic_receive_overhead_ps;
    network->host_receives = network->receive_bandwidth > 0 ||
                             config->nic_receive_overhead_ps > 0 ||
                             config->nic_receive_buffer_bytes > 0;
    network->host_model = network->host_receives || config->nic_message_gap_ps > 0;
    network->sends_at_once = network->rails == 1 && network->virtual_networks == 1 &&
                             !network_config_has_shares(config) && config->nic_overhead_ps == 0 &&
                             config->nic_send_latency_ps == 0 && !network->host_model;
}

static void derive_times(struct network *network) {
    const struct network_config *config = &network->config;
    network->full_packet_bytes = (uint32_t)(config->packet_bytes + config->header_bytes);
    int64_t fastest = 0;
    for (int level = 0; level < NETWORK_LEVELS; level++) {
        network->bandwidth[level] = config->level[level].bandwidth_bytes_per_s;
        network->latency_ps[level] = config->level[level].latency_ps;
        network->buffer_bytes[level] = (int32_t)config->level[level].buffer_bytes;
        network->full_packet_ps[level] =
            serialization_ps(network->full_packet_bytes, network->bandwidth[level]);
        if (network->bandwidth[level] > fastest) fastest = network->bandwidth[level];
        network->output_buffer_ps[level] =
            serialization_ps(config->output_buffer_bytes, network->bandwidth[level]);
    }
    derive_hosts(network);
    network->injection_full_ps =
        serialization_ps(network->full_packet_bytes, network->injection_bandwidth);
    network->hop_ps = config->router_latency_ps + config->allocation_latency_ps;
    network->output_buffered = config->output_buffer_bytes > 0;
    network->cycle_ps =
        serialization_ps(config->phit_bytes, config->level[NETWORK_LOCAL].bandwidth_bytes_per_s);
    network->rest_ps =
        (network->cycle_ps * 1000000 + config->speedup_millionths - 1) / config->speedup_millionths;
    if (config->crossbar != NETWORK_CROSSBAR_IDEAL) {
        network->crossbar_bandwidth =
            (int64_t)((__int128)fastest * config->speedup_millionths / 1000000);
        network->crossbar_full_ps =
            serialization_ps(network->full_packet_bytes, network->crossbar_bandwidth);
    }
}

void derive_constants(struct network *network) {
    network->policy = &routing_policies()[network->config.routing];
    network->reads_queues = routing_reads_queues(&network->config);
    network->misrouting = misrouting_chosen(&network->config);
    derive_vcs(network);
    derive_routing(network);
    derive_sizes(network);
    derive_times(network);
}

/* Wires a port of the physical ring. The ring visits the routers of a group in order. From the
 * last router it goes to the first one of the next group, by global links numbered after the
 * others: a·h forwards, a·h + 1 backwards. */
static void wire_ring_port(struct network *network, uint32_t output) {
    const struct topology *topology = &network->topology;
    uint32_t router = output / topology->radix;
    uint32_t port = output % topology->radix;
    uint32_t first = topology->radix - RING_PORTS;
    bool onwards = port == first;
    bool leaves = topology->groups > 1 && router == (onwards ? topology->routers - 1 : 0);
    uint32_t other = (router + (onwards ? 1 : topology->routers - 1)) % topology->routers;
    network->local_peer[output] =
        leaves ? NONE : other * topology->radix + first + (onwards ? 1 : 0);
    network->wiring[output] = (struct output_wiring){
        .router = (uint16_t)router,
        .port = (uint16_t)port,
        .level = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .first_port_vc = router * topology->radix * network->vcs,
        .peer_port_vc = leaves ? topology->links + (onwards ? 0 : 1)
                               : network->local_peer[output] * network->vcs,
    };
}

status_code derive_wiring(struct network *network, struct status *status) {
    const struct topology *topology = &network->topology;
    network->local_peer = memory_new(network->outputs, sizeof *network->local_peer);
    network->wiring = memory_new(network->outputs, sizeof *network->wiring);
    network->link_routers = memory_new(topology->links, sizeof *network->link_routers);
    RETURN_ERROR_IF(!network->local_peer || !network->wiring || !network->link_routers, status,
                    STATUS_MEMORY, "out of memory for the ports of a group");
    for (uint32_t link = 0; link < topology->links; link++)
        network->link_routers[link] = (uint16_t)(link / topology->globals);
    for (uint32_t output = 0; output < network->ports; output++) {
        uint32_t router = output / topology->radix;
        uint32_t port = output % topology->radix;
        network_level level = topology_level(topology, port);
        if (port >= topology->radix - topology->ring_ports) {
            wire_ring_port(network, output);
            continue;
        }
        network->local_peer[output] = NONE;
        if (level == NETWORK_TERMINAL) {
            network->local_peer[output] =
                network->ports + router * topology->nodes_per_router + port;
        } else if (level == NETWORK_LOCAL) {
            struct group_end end = topology_local_end(topology, router, port);
            network->local_peer[output] = end.router * topology->radix + end.port;
        }
        network->wiring[output] = (struct output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)port,
            .level = level,
            .first_port_vc = router * topology->radix * network->vcs,
            .peer_port_vc = level == NETWORK_GLOBAL
                                ? router * topology->globals + port - topology->first_global
                                : network->local_peer[output] * network->vcs,
        };
    }
    for (uint32_t node = 0; node < topology->nodes_per_group; node++) {
        uint32_t router = node / topology->nodes_per_router;
        uint32_t port = router * topology->radix + node % topology->nodes_per_router;
        network->local_peer[network->ports + node] = port;
        network->wiring[network->ports + node] = (struct output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)node,
            .level = NETWORK_TERMINAL,
            .first_port_vc = router * topology->radix * network->vcs,
            .peer_port_vc = port * network->vcs,
        };
    }
    return STATUS_OK;
}
