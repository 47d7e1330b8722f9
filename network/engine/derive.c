/*
 * Constants and tables that follow from the configuration: the constants of the engine, and the
 * table of a group's outputs, which all groups share.
 */
#include "network/engine/derive.h"

#include "core/memory/memory.h"
#include "network/engine/channel_times.h"
#include "network/engine/crossbar.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

static void derive_vcs(struct network *network) {
    const struct network_config *config = &network->config;
    network->vcs.without_ring = config->vcs > 0 ? (uint32_t)config->vcs : routing_vcs(config);
    network->vcs.injection =
        config->injection_vcs > 0 ? (uint32_t)config->injection_vcs : network->vcs.without_ring;
    network->vcs.per_virtual_network = network->vcs.without_ring;
    if (network->vcs.per_virtual_network < network->vcs.injection)
        network->vcs.per_virtual_network = network->vcs.injection;
    network->vcs.ring = ring_needed(config) ? network->vcs.per_virtual_network++
                                            : NETWORK_NONE; /* never an injection VC */
    network->vcs.virtual_networks = network_config_virtual_networks(config);
    network->vcs.per_port = network->vcs.virtual_networks * network->vcs.per_virtual_network;
    network->vcs.by_per_port = divisor_of(network->vcs.per_port);
    network->nics.has_responses = network_config_has_responses(config);
    network->vcs.first_response = network->nics.has_responses
                                      ? (uint32_t)config->classes * network->vcs.per_virtual_network
                                      : UINT32_MAX;
    for (uint32_t vc = 0; vc < network->vcs.per_port; vc++)
        network->vcs.first_of_network[vc] = (uint8_t)(vc - vc % network->vcs.per_virtual_network);
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        network->vcs.ofar[kind] = network->vcs.without_ring;
    if (network->vcs.ring != NETWORK_NONE && config->ofar_global_vcs > 0 &&
        config->ofar_global_vcs < (int64_t)network->vcs.without_ring)
        network->vcs.ofar[NETWORK_GLOBAL] = (uint32_t)config->ofar_global_vcs;
}

/* Returns whether any two groups are joined by several links. */
static bool has_parallel_globals(const struct topology *topology) {
    for (uint32_t group = 0; group < topology->groups; group++) {
        for (uint32_t to = 0; to < topology->groups; to++) {
            uint32_t count;
            topology_links(topology, group, to, &count);
            if (count > 1) return true;
        }
    }
    return false;
}

/* Sets how packets choose among several links, and how many paths decisions compare. Policies that
 * choose in transit choose among links at every router. */
static void derive_candidates(struct network *network) {
    const struct network_config *config = &network->config;
    bool in_transit = network->routing.policy->transit != NULL,
         reads = network->routing.reads_queues;
    network->routing.links_by_packet = config->link_choice != NETWORK_LINK_OF_MESSAGE;
    network->routing.shortest_links = config->link_choice == NETWORK_LINK_SHORTEST && !in_transit;
    network->routing.loads_of_ports = network->routing.policy->load == ROUTING_LOAD_PORT &&
                                      config->ugal_measure == NETWORK_UGAL_MEASURE_PORT;
    network->routing.minimal_candidates = reads ? (uint32_t)config->minimal_candidates : 1;
    network->routing.detour_candidates = reads ? (uint32_t)config->detour_candidates : 1;
    network->routing.keeps_links =
        network->routing.shortest_links || network->routing.minimal_candidates > 1;
    network->routing.several_paths = network->routing.keeps_links ||
                                     network->routing.detour_candidates > 1 ||
                                     config->intragroup_paths == NETWORK_INTRAGROUP_ROUTER;
}

/* Sets the table of biases. The purpose of each mode of Aries is published, its values are not:
 * they are anax's own. */
static void derive_bias(struct network *network) {
    const struct network_config *config = &network->config;
    int64_t buffer = config->channels[NETWORK_LOCAL].buffer_bytes;
    int64_t low = buffer / 4, high = 8 * buffer;
    const struct by_hop modes[] = {
        [NETWORK_MODE_NONE] = config->routing_bias_by_hop, [NETWORK_MODE_ADAPTIVE_0] = {1, {0}},
        [NETWORK_MODE_ADAPTIVE_1] = {3, {0, low, high}},   [NETWORK_MODE_ADAPTIVE_2] = {1, {low}},
        [NETWORK_MODE_ADAPTIVE_3] = {1, {high}},
    };
    network->routing.bias_byte_hops = modes[config->routing_mode];
    network->routing.bias_by_hop =
        network->routing.bias_byte_hops.count > 1 || network->routing.bias_byte_hops.values[0] != 0;
}

/* Sets what the policy needs, and the initial VC class and flags of packets. */
static void derive_routing(struct network *network) {
    const struct network_config *config = &network->config;
    const struct topology *topology = &network->topology;
    const struct routing_transit *transit = network->routing.policy->transit;
    network->routing.find_output = transit != NULL ? transit->find_output : NULL;
    network->routing.depart = transit != NULL ? transit->depart : NULL;
    network->routers.transit_first = config->transit_priority == NETWORK_PRIORITY_AUTO
                                         ? transit != NULL && transit->transit_first
                                         : config->transit_priority == NETWORK_PRIORITY_ON;
    bool orders_networks = network_config_has_shares(config) || network->nics.has_responses;
    network->routers.has_precedence = network->routers.transit_first || orders_networks;
    network->routers.orders_inputs = config->arbitration == NETWORK_OLDEST || orders_networks;
    unsigned more = config->valiant == NETWORK_VALIANT_ROUTER;
    network->routing.minimal_class = (uint8_t)(config->minimal_vcs == NETWORK_MINIMAL_FIRST
                                                   ? network->routing.policy->detour_class
                                                   : network->routing.policy->minimal_class + more);
    network->routing.needs = network->routing.policy->needs;
    if (config->ugal_measure == NETWORK_UGAL_MEASURE_VC && routing_reads_queues(config))
        network->routing.needs |= ROUTING_VC_QUEUES;
    network->routers.counts_requests = network->routing.reads_queues || transit != NULL;
    network->routers.notes_requests =
        network->routing.needs != 0 || config->nic_receive_buffer_bytes > 0;
    bool shares = false;
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        shares = shares || config->channels[kind].shared_buffer_bytes > 0;
    network->channels.shares_buffers = shares;
    network->routers.notes_transfers =
        network->routers.notes_requests || shares || transit != NULL ||
        network->vcs.ring != NETWORK_NONE ||
        config->congestion_control != NETWORK_CONGESTION_CONTROL_OFF ||
        config->arbitration == NETWORK_LEAST_RECENT || config->credit_latency_ps > 0 ||
        network_config_has_shares(config);
    bool cut = topology->lacks_links;
    for (uint32_t rail = 1; network->rails.others != NULL && rail < network->rails.count; rail++)
        cut = cut || network->rails.others[rail - 1].lacks_links;
    bool decided = network->routing.policy->decide == NULL && (!cut || transit != NULL);
    network->routing.injection_class = decided ? network->routing.minimal_class : 0;
    network->routing.injection_flags = decided ? NETWORK_PACKET_ROUTED : 0;
    derive_candidates(network);
    derive_bias(network);
    bool parallel = group_shape_is_parallel(&topology->group) ||
                    (network->routing.minimal_candidates > 1 && has_parallel_globals(topology));
    network->routing.settled_flag =
        parallel && routing_reads_queues(config) ? 0 : NETWORK_PACKET_ROUTED;
}

static void derive_sizes(struct network *network) {
    const struct topology *topology = &network->topology;
    network->tables.ports = topology->routers * topology->radix;
    network->tables.outputs = network->tables.ports + topology->nodes_per_group;
    network->routers.kind_ports[false] = topology->nodes_per_router;
    network->routers.kind_ports[true] = topology->radix - topology->nodes_per_router;
    network->routers.port_words = (topology->radix + 63) / 64;
    network->routers.request_words = (topology->radix * network->vcs.per_port + 63) / 64;
}

/* Returns whether it pays to prefetch the outputs that packets will request: only if the outputs of
 * all groups are larger than most caches, since the output of a packet is then computed twice. */
static bool pays_to_fetch_outputs(const struct network *network) {
    enum { OUTPUTS = 1 << 18 }; /* 16 MiB of them */
    const uint64_t groups = (uint64_t)network->topology.groups * network->rails.count;
    return groups * network->tables.outputs >= OUTPUTS && routing_has_port_ahead(network);
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
    network->nics.injection_bandwidth = network_config_nic_bandwidth(config);
    network->nics.receive_bandwidth =
        slower(config->nic_receive_bandwidth_bytes_per_s, host_bandwidth);
    network->nics.receive_ps = config->nic_receive_latency_ps + config->nic_receive_overhead_ps;
    network->nics.host_receives = network->nics.receive_bandwidth > 0 ||
                                  config->nic_receive_overhead_ps > 0 ||
                                  config->nic_receive_buffer_bytes > 0;
    network->nics.host_model = network->nics.host_receives || config->nic_message_gap_ps > 0;
    network->nics.has_congestion_control =
        config->congestion_control == NETWORK_CONGESTION_CONTROL_ENDPOINT;
    network->nics.congestion_window_bytes = config->congestion_window_bytes > 0
                                                ? config->congestion_window_bytes
                                                : config->packet_bytes;
    network->nics.drain_bandwidth =
        slower(network->channels.bandwidth[NETWORK_TERMINAL], network->nics.receive_bandwidth);
    network->nics.has_pairs =
        network->nics.has_congestion_control || config->nic_pair_window_bytes > 0;
    network->nics.has_windows = network->nics.has_pairs || config->nic_window_bytes > 0;
    network->nics.acknowledges = network->nics.has_windows || network->nics.has_responses;
    network->nics.limits_sending = network->nics.has_windows || network_config_has_shares(config) ||
                                   network->nics.has_responses;
    network->nics.sends_at_once =
        network->rails.count == 1 && network->vcs.virtual_networks == 1 &&
        !network_config_has_shares(config) && config->nic_overhead_ps == 0 &&
        by_size_is_zero(&config->nic_send_latency_ps) && !network->nics.host_model &&
        !network->channels.rounds_sizes && !network->nics.has_windows;
}

static void derive_times(struct network *network) {
    const struct network_config *config = &network->config;
    network->channels.full_packet_bytes = (uint32_t)network_config_full_bytes(config);
    network->channels.rounds_sizes = config->cell_bytes > 0 || config->flit_bytes > 1;
    int64_t fastest = 0; /* before framing, which does not pass through the crossbar */
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        network->channels.buffer_bytes[kind] = (int32_t)config->channels[kind].buffer_bytes;
        network->channels.shared_buffer_bytes[kind] =
            (int32_t)config->channels[kind].shared_buffer_bytes;
    }
    for (uint32_t channel = 0; channel < NETWORK_CHANNELS; channel++) {
        int64_t bandwidth = network_config_raw_bandwidth(config, channel);
        if (bandwidth > fastest) fastest = bandwidth;
        network->channels.bandwidth[channel] = network_config_bandwidth(config, channel);
        network->channels.latency_ps[channel] = network_config_latency(config, channel);
        network->channels.full_packet_ps[channel] = serialization_ps(
            network->channels.full_packet_bytes, network->channels.bandwidth[channel]);
        network->channels.output_buffer_ps[channel] =
            serialization_ps(config->output_buffer_bytes, network->channels.bandwidth[channel]);
        if (network_channel_level(channel) == NETWORK_LOCAL &&
            network->channels.latency_ps[channel] > network->channels.local_latency_ps)
            network->channels.local_latency_ps = network->channels.latency_ps[channel];
    }
    network->channels.unequal_locals = group_shape_kinds(&network->topology.group) > 1;
    derive_hosts(network);
    network->nics.injection_full_ps =
        serialization_ps(network->channels.full_packet_bytes, network->nics.injection_bandwidth);
    network->routers.delay_ps = config->router_latency_ps + config->allocation_latency_ps;
    network->channels.cycle_ps =
        serialization_ps(config->phit_bytes, network_config_fastest_local(config));
    network->routers.allocation_pause_ps =
        (network->channels.cycle_ps * 1000000 + config->speedup_millionths - 1) /
        config->speedup_millionths;
    if (config->crossbar != NETWORK_CROSSBAR_IDEAL) {
        network->routers.crossbar_bandwidth =
            (int64_t)((__int128)fastest * config->speedup_millionths / 1000000);
        network->routers.crossbar_full_ps = serialization_ps(network->channels.full_packet_bytes,
                                                             network->routers.crossbar_bandwidth);
    }
}

/* Returns whether a machine has nothing that only some machines have, as far as a packet's hop is
 * concerned. */
static bool is_plain(const struct network *network) {
    const struct network_config *config = &network->config;
    return !network->routers.notes_transfers && !network->routers.notes_requests &&
           network->rails.count == 1 && network->vcs.virtual_networks == 1 &&
           !network->nics.host_model && !network->nics.limits_sending &&
           !network->nics.acknowledges && !network->routers.has_precedence &&
           !network->routers.orders_inputs && config->arbitration == NETWORK_ROUND_ROBIN &&
           config->vc_allocation != NETWORK_VC_FIRST && config->reroute == 0 &&
           config->release != NETWORK_RELEASE_HEAD && routing_has_port_ahead(network);
}

/* Sets what the code of a hop knows of the machine. */
static void derive_machine(struct network *network) {
    const struct network_config *config = &network->config;
    network->machine = (struct network_machine){
        .plain = is_plain(network),
        .by_router =
            config->crossbar != NETWORK_CROSSBAR_IDEAL || network->routing.policy->transit != NULL,
        .output_buffers = config->output_buffer_bytes > 0,
        .allocation_times = config->allocation_latency_ps > 0 ||
                            network->routing.policy->transit != NULL ||
                            network_config_has_shares(config),
        .narrow = network->routers.request_words == 1,
        .crossbar = (uint8_t)config->crossbar,
        .transfer = crossbar_transfer,
    };
}

void derive_constants(struct network *network) {
    network->routing.policy = &routing_policies()[network->config.routing];
    network->routing.reads_queues = routing_reads_queues(&network->config);
    network->routing.misrouting = misrouting_chosen(&network->config);
    derive_vcs(network);
    derive_routing(network);
    derive_sizes(network);
    derive_times(network);
    derive_machine(network);
    network->prefetching.outputs = pays_to_fetch_outputs(network);
}

/* Wires a port of the physical ring. The ring visits the routers of a group in order. From the
 * last router it goes to the first one of the next group, by global links numbered after the
 * others: a·h forwards, a·h + 1 backwards. */
static void wire_ring_port(struct network *network, uint32_t output) {
    const struct topology *topology = &network->topology;
    uint32_t router = output / topology->radix;
    uint32_t port = output % topology->radix;
    uint32_t first = topology->radix - RING_PORTS;
    bool next_hop_ports = port == first;
    bool leaves = topology->groups > 1 && router == (next_hop_ports ? topology->routers - 1 : 0);
    uint32_t other = (router + (next_hop_ports ? 1 : topology->routers - 1)) % topology->routers;
    network->tables.local_peer[output] =
        leaves ? NETWORK_NONE : other * topology->radix + first + (next_hop_ports ? 1 : 0);
    network->tables.wiring[output] = (struct network_output_wiring){
        .router = (uint16_t)router,
        .port = (uint16_t)port,
        .channel_kind = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .channel = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .first_port_vc = router * topology->radix * network->vcs.per_port,
        .peer_port_vc = leaves ? topology->links + (next_hop_ports ? 0 : 1)
                               : network->tables.local_peer[output] * network->vcs.per_port,
    };
}

/* Fills in the position of each input VC. */
static void fill_positions(struct network *network) {
    for (uint32_t i = 0; i < network->tables.ports * network->vcs.per_port; i++) {
        uint32_t input = port_of_vc(network, i), vc = i % network->vcs.per_port;
        const struct network_output_wiring *wiring = &network->tables.wiring[input];
        struct network_input_position *position = &network->tables.positions[i];
        *position = (struct network_input_position){
            .input = input,
            .router = wiring->router,
            .bit = (uint16_t)(i - wiring->first_port_vc),
            .channel = (uint8_t)wiring->channel,
            .vc = (uint8_t)vc,
            .global = wiring->channel_kind == NETWORK_GLOBAL,
        };
        if (position->global)
            position->global_link = wiring->global_link;
        else
            position->peer = wiring->peer_port_vc + vc;
    }
}

status_code derive_wiring(struct network *network, struct status *status) {
    const struct topology *topology = &network->topology;
    network->tables.local_peer =
        memory_new(network->tables.outputs, sizeof *network->tables.local_peer);
    network->tables.wiring = memory_new(network->tables.outputs, sizeof *network->tables.wiring);
    network->tables.link_ends = memory_new(topology->links, sizeof *network->tables.link_ends);
    network->tables.positions = memory_new_aligned(
        (size_t)network->tables.ports * network->vcs.per_port, sizeof *network->tables.positions);
    RETURN_ERROR_IF(!network->tables.local_peer || !network->tables.wiring ||
                        !network->tables.link_ends || !network->tables.positions,
                    status, STATUS_MEMORY, "out of memory for the ports of a group");
    for (uint32_t link = 0; link < topology->links; link++)
        network->tables.link_ends[link] = (struct network_link_end){
            .router = (uint16_t)(link / topology->globals),
            .port = (uint16_t)(topology->first_global + link % topology->globals)};
    for (uint32_t output = 0; output < network->tables.ports; output++) {
        uint32_t router = output / topology->radix;
        uint32_t port = output % topology->radix;
        network_channel_kind kind = topology_channel_kind(topology, port);
        if (port >= topology->radix - topology->ring_ports) {
            wire_ring_port(network, output);
            continue;
        }
        network->tables.local_peer[output] = NETWORK_NONE;
        if (kind == NETWORK_TERMINAL) {
            network->tables.local_peer[output] =
                network->tables.ports + router * topology->nodes_per_router + port;
        } else if (kind == NETWORK_LOCAL) {
            struct group_end end = topology_local_end(topology, router, port);
            network->tables.local_peer[output] = end.router * topology->radix + end.port;
        }
        network->tables.wiring[output] = (struct network_output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)port,
            .channel_kind = (uint16_t)kind,
            .channel = (uint16_t)topology_channel(topology, router, port),
            .first_port_vc = router * topology->radix * network->vcs.per_port,
            .peer_port_vc = kind == NETWORK_GLOBAL
                                ? router * topology->globals + port - topology->first_global
                                : network->tables.local_peer[output] * network->vcs.per_port,
        };
    }
    for (uint32_t node = 0; node < topology->nodes_per_group; node++) {
        uint32_t router = node / topology->nodes_per_router;
        uint32_t port = router * topology->radix + node % topology->nodes_per_router;
        network->tables.local_peer[network->tables.ports + node] = port;
        network->tables.wiring[network->tables.ports + node] = (struct network_output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)node,
            .channel_kind = NETWORK_TERMINAL,
            .channel = NETWORK_TERMINAL,
            .first_port_vc = router * topology->radix * network->vcs.per_port,
            .peer_port_vc = port * network->vcs.per_port,
        };
    }
    fill_positions(network);
    return STATUS_OK;
}
