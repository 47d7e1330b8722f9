/*
 * Constants and tables that follow from the configuration: the constants of the engine, and the
 * table of a group's outputs, which all groups share.
 */
#include "network/engine/derive.h"

#include "core/memory/memory.h"
#include "network/engine/nic/nic_choice.h"
#include "network/engine/router/crossbar.h"
#include "network/engine/state/channel_times.h"
#include "network/engine/zero_load.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"

#include <assert.h>

static void derive_tables(struct network *network) {
    const struct topology *topology = &network->topology;
    network->tables.ports = topology->routers_per_group * topology->radix;
    network->tables.outputs = network->tables.ports + topology->endpoints_per_group;
}

static void derive_vcs(struct network *network) {
    const struct network_config *config = &network->config;
    struct network_vc_constants *vcs = &network->vcs;
    vcs->without_ring_count = config->vcs > 0 ? (uint32_t)config->vcs : routing_vcs(config);
    vcs->injection_count =
        config->injection_vcs > 0 ? (uint32_t)config->injection_vcs : vcs->without_ring_count;
    vcs->per_virtual_network = vcs->without_ring_count < vcs->injection_count
                                   ? vcs->injection_count
                                   : vcs->without_ring_count;
    vcs->ring_vc = ring_is_needed(config) ? vcs->per_virtual_network++
                                          : NETWORK_NONE; /* never an injection VC */
    vcs->virtual_networks = network_config_virtual_networks(config);
    vcs->per_port = vcs->virtual_networks * vcs->per_virtual_network;
    assert(vcs->per_port <= NETWORK_VCS_MAX); /* the limits of the settings see to it */
    vcs->per_port_divisor = divisor_of(vcs->per_port);
    vcs->first_response_vc = network_config_has_responses(config)
                                 ? (uint32_t)config->classes * vcs->per_virtual_network
                                 : UINT32_MAX;
    for (uint32_t vc = 0; vc < vcs->per_port; vc++)
        vcs->first_of_virtual_network[vc] = (uint8_t)(vc - vc % vcs->per_virtual_network);
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++)
        vcs->ofar_count[kind] = vcs->without_ring_count;
    if (vcs->ring_vc != NETWORK_NONE && config->ofar_global_vcs > 0 &&
        config->ofar_global_vcs < (int64_t)vcs->without_ring_count)
        vcs->ofar_count[NETWORK_GLOBAL] = (uint32_t)config->ofar_global_vcs;
}

static void derive_channels(struct network *network) {
    const struct network_config *config = &network->config;
    struct network_channel_constants *channels = &network->channels;
    channels->full_packet_bytes = (uint32_t)network_config_full_bytes(config);
    channels->rounds_sizes = config->cell_bytes > 0 || config->flit_bytes > 1;
    for (int kind = 0; kind < NETWORK_CHANNEL_KINDS; kind++) {
        channels->buffer_bytes[kind] = (int32_t)config->channels[kind].buffer_bytes;
        channels->shared_buffer_bytes[kind] = (int32_t)config->channels[kind].shared_buffer_bytes;
        channels->shares_buffers |= channels->shared_buffer_bytes[kind] > 0;
    }
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++) {
        const int64_t bandwidth = network_config_bytes_per_s(config, type);
        channels->bytes_per_s[type] = bandwidth;
        channels->latency_ps[type] = network_config_latency_ps(config, type);
        channels->full_packet_ps[type] =
            channel_serialisation_ps(channels->full_packet_bytes, bandwidth);
        channels->output_buffer_ps[type] =
            channel_serialisation_ps(config->output_buffer_bytes, bandwidth);
        if (network_kind_of_channel_type(type) == NETWORK_LOCAL &&
            channels->latency_ps[type] > channels->local_latency_ps)
            channels->local_latency_ps = channels->latency_ps[type];
    }
    channels->has_unequal_locals = group_shape_local_types(&network->topology.group_shape) > 1;
    channels->cycle_ps = channel_serialisation_ps(config->phit_bytes,
                                                  network_config_fastest_local_bytes_per_s(config));
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
    struct network_routing_constants *routing = &network->routing;
    const bool in_transit = routing->policy->transit != NULL, reads = routing->reads_queues;
    routing->draws_links_by_packet = config->link_choice != NETWORK_LINK_OF_MESSAGE;
    routing->draws_shortest_links = config->link_choice == NETWORK_LINK_SHORTEST && !in_transit;
    routing->compares_port_loads = routing->policy->load == ROUTING_LOAD_PORT &&
                                   config->ugal_measure == NETWORK_UGAL_MEASURE_PORT;
    routing->minimal_candidates = reads ? (uint32_t)config->minimal_candidates : 1;
    routing->nonminimal_candidates = reads ? (uint32_t)config->nonminimal_candidates : 1;
    routing->keeps_links = routing->draws_shortest_links || routing->minimal_candidates > 1;
    routing->uses_candidates = routing->keeps_links || routing->nonminimal_candidates > 1 ||
                               config->intragroup_paths == NETWORK_INTRAGROUP_ROUTER;
    const bool parallel =
        group_shape_is_parallel(&network->topology.group_shape) ||
        (routing->minimal_candidates > 1 && has_parallel_globals(&network->topology));
    routing->settled_flag = parallel && reads ? 0 : NETWORK_PACKET_ROUTED;
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
    const struct by_hop *bias = &modes[config->routing_mode];
    network->routing.bias_byte_hops = *bias;
    network->routing.has_bias_by_hop = bias->count > 1 || bias->values[0] != 0;
}

/* Returns whether failures have cut all links between some groups, in any rail. */
static bool lacks_links(const struct network *network) {
    bool lacks = network->topology.lacks_links;
    for (uint32_t rail = 1; network->rails.other_topologies != NULL && rail < network->rails.count;
         rail++)
        lacks = lacks || network->rails.other_topologies[rail - 1].lacks_links;
    return lacks;
}

/* Sets what the policy needs, and the initial VC class and flags of packets. */
static void derive_routing(struct network *network) {
    const struct network_config *config = &network->config;
    struct network_routing_constants *routing = &network->routing;
    const struct routing_policy *policy = &routing_policies()[config->routing];
    const struct routing_transit *transit = policy->transit;
    routing->policy = policy;
    routing->misrouting = misrouting_chosen(config);
    routing->reads_queues = routing_reads_queues(config);
    routing->find_output = transit != NULL ? transit->find_output : NULL;
    routing->depart = transit != NULL ? transit->depart : NULL;
    routing->needs = policy->needs;
    if (config->ugal_measure == NETWORK_UGAL_MEASURE_VC && routing->reads_queues)
        routing->needs |= ROUTING_VC_QUEUES;
    const unsigned more = config->valiant == NETWORK_VALIANT_ROUTER;
    routing->minimal_class = (uint8_t)(config->minimal_vcs == NETWORK_MINIMAL_FIRST
                                           ? policy->nonminimal_class
                                           : policy->initial_minimal_class + more);
    const bool decided = policy->decide == NULL && (transit != NULL || !lacks_links(network));
    routing->injection_class = decided ? routing->minimal_class : 0;
    routing->injection_flags = decided ? NETWORK_PACKET_ROUTED : 0;
    derive_candidates(network);
    derive_bias(network);
}

/* Returns whether a traversal changes state that not all machines have: of shared or receive
 * buffers, congestion control, the arbiter, late credits or shares. */
static bool machine_tracks_traversals(const struct network *network) {
    const struct network_config *config = &network->config;
    return network->channels.shares_buffers || config->nic_receive_buffer_bytes > 0 ||
           config->congestion_control != NETWORK_CONGESTION_CONTROL_OFF ||
           config->arbitration == NETWORK_LEAST_RECENT || config->credit_latency_ps > 0 ||
           network_config_has_shares(config);
}

/* Returns whether a traversal changes state that not all routing policies have: counts for each VC,
 * what routing in transit waits for, or the escape ring. */
static bool routing_tracks_traversals(const struct network *network) {
    return network->routing.needs != 0 || network->routing.policy->transit != NULL ||
           network->vcs.ring_vc != NETWORK_NONE;
}

static void derive_routers(struct network *network) {
    const struct network_config *config = &network->config;
    const struct topology *topology = &network->topology;
    const struct routing_transit *transit = network->routing.policy->transit;
    const bool has_shares = network_config_has_shares(config);
    struct network_router_constants *routers = &network->routers;
    routers->port_counts[false] = topology->endpoints_per_router;
    routers->port_counts[true] = topology->radix - topology->endpoints_per_router;
    routers->port_words = (topology->radix + 63) / 64;
    routers->request_words = (topology->radix * network->vcs.per_port + 63) / 64;
    routers->serves_transit_first = config->transit_priority == NETWORK_PRIORITY_AUTO
                                        ? transit != NULL && transit->serves_transit_first
                                        : config->transit_priority == NETWORK_PRIORITY_ON;
    const bool orders_networks = has_shares || network_config_has_responses(config);
    routers->has_precedence = routers->serves_transit_first || orders_networks;
    routers->orders_inputs = config->arbitration == NETWORK_OLDEST || orders_networks;
    routers->counts_requests = network->routing.reads_queues || transit != NULL;
    routers->counts_requests_by_vc = network->routing.needs != 0;
    routers->tracks_traversals =
        machine_tracks_traversals(network) || routing_tracks_traversals(network);
    routers->delay_ps = config->router_latency_ps + config->allocation_latency_ps;
    routers->allocation_pause_ps =
        (network->channels.cycle_ps * 1000000 + config->speedup_millionths - 1) /
        config->speedup_millionths;
    if (config->crossbar == NETWORK_CROSSBAR_IDEAL) return;
    int64_t fastest = 0; /* before framing, which does not pass through the crossbar */
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++) {
        const int64_t bandwidth = network_config_raw_bytes_per_s(config, type);
        if (bandwidth > fastest) fastest = bandwidth;
    }
    routers->crossbar_bytes_per_s =
        (int64_t)((__int128)fastest * config->speedup_millionths / 1000000);
    routers->crossbar_full_ps = channel_serialisation_ps(network->channels.full_packet_bytes,
                                                         routers->crossbar_bytes_per_s);
}

/* Returns the lower of a bandwidth and a limit, where 0 means unlimited. */
static int64_t slower(int64_t bandwidth, int64_t limit) {
    return limit > 0 && (bandwidth == 0 || limit < bandwidth) ? limit : bandwidth;
}

/* Sets the constants of NICs. A packet that is sent or received also occupies the host interface
 * for its serialisation time there, so host_bandwidth limits both directions. */
static void derive_nics(struct network *network) {
    const struct network_config *config = &network->config;
    const bool several_nics = config->node_nics > 1;
    const bool has_shares = network_config_has_shares(config);
    struct network_nic_constants *nics = &network->nics;
    nics->injection_bytes_per_s = network_config_nic_bytes_per_s(config);
    nics->injection_full_ps =
        channel_serialisation_ps(network->channels.full_packet_bytes, nics->injection_bytes_per_s);
    nics->receive_bytes_per_s =
        slower(config->nic_receive_bandwidth_bytes_per_s, config->nic_host_bandwidth_bytes_per_s);
    nics->receive_ps = config->nic_receive_latency_ps + config->nic_receive_overhead_ps;
    nics->drain_bytes_per_s =
        slower(network->channels.bytes_per_s[NETWORK_TERMINAL], nics->receive_bytes_per_s);
    nics->stripe_bytes = several_nics ? (uint64_t)config->stripe_bytes : 0;
    nics->is_chosen_by_queue = several_nics && nic_choices()[config->nic_choice].is_by_queue;
    nics->counts_queues = network->rails.count > 1 || nics->is_chosen_by_queue;
    nics->has_receive_limits = nics->receive_bytes_per_s > 0 ||
                               config->nic_receive_overhead_ps > 0 ||
                               config->nic_receive_buffer_bytes > 0;
    nics->has_host_limits = nics->has_receive_limits || config->nic_message_gap_ps > 0;
    nics->has_congestion_control =
        config->congestion_control == NETWORK_CONGESTION_CONTROL_ENDPOINT;
    nics->congestion_window_bytes = config->congestion_window_bytes > 0
                                        ? config->congestion_window_bytes
                                        : config->packet_bytes;
    nics->has_pairs = nics->has_congestion_control || config->nic_pair_window_bytes > 0;
    nics->has_windows = nics->has_pairs || config->nic_window_bytes > 0;
    nics->has_responses = network_config_has_responses(config);
    nics->acknowledges = nics->has_windows || nics->has_responses;
    nics->limits_sending = nics->has_windows || has_shares || nics->has_responses;
    nics->sends_at_once = network->rails.count == 1 && network->vcs.virtual_networks == 1 &&
                          !has_shares && config->nic_overhead_ps == 0 &&
                          by_size_is_zero(&config->nic_send_latency_ps) && !nics->has_host_limits &&
                          !network->channels.rounds_sizes && !nics->has_windows;
    nics->path_latency_ps = zero_load_path_latency_ps;
}

/* Returns whether it pays to prefetch the outputs that packets will request: only if the outputs of
 * all groups are larger than most caches, since the output of a packet is then computed twice. */
static bool pays_to_fetch_outputs(const struct network *network) {
    enum { OUTPUTS = 1 << 18 }; /* 16 MiB of them */
    const uint64_t groups = (uint64_t)network->topology.groups * network->rails.count;
    return groups * network->tables.outputs >= OUTPUTS && routing_has_port_ahead(network);
}

/* Returns whether a machine has nothing that only some machines have, as far as a packet's hop is
 * concerned. */
static bool is_basic(const struct network *network) {
    const struct network_config *config = &network->config;
    return !machine_tracks_traversals(network) && network->rails.count == 1 &&
           network->vcs.virtual_networks == 1 && !network->nics.has_host_limits &&
           !network->nics.limits_sending && !network->nics.acknowledges &&
           !network->routers.orders_inputs && config->arbitration == NETWORK_ROUND_ROBIN &&
           config->vc_allocation != NETWORK_VC_FIRST && config->release != NETWORK_RELEASE_HEAD;
}

/* Returns whether the routing policy decides at the source router and by whole queues at most,
 * packets go on by the only port there is, and those in transit have no precedence. */
static bool has_basic_routing(const struct network *network) {
    return !routing_tracks_traversals(network) && !network->routers.serves_transit_first &&
           network->config.reroute == 0 && routing_has_port_ahead(network);
}

/* Sets what the code of a hop knows of the machine. */
static void derive_hop_features(struct network *network) {
    const struct network_config *config = &network->config;
    network->hop_features = (struct network_hop_features){
        .is_basic = is_basic(network),
        .has_basic_routing = is_basic(network) && has_basic_routing(network),
        .allocates_by_router =
            config->crossbar != NETWORK_CROSSBAR_IDEAL || network->routing.policy->transit != NULL,
        .has_output_buffers = config->output_buffer_bytes > 0,
        .keeps_allocation_times = config->allocation_latency_ps > 0 ||
                                  network->routing.policy->transit != NULL ||
                                  network_config_has_shares(config),
        .has_one_word = network->routers.request_words == 1,
        .crossbar = (uint8_t)config->crossbar,
        .traverse = crossbar_traverse,
    };
}

void derive_constants(struct network *network) {
    derive_tables(network);
    derive_vcs(network);
    derive_channels(network);
    derive_routing(network);
    derive_routers(network);
    derive_nics(network);
    derive_hop_features(network);
    network->prefetching.covers_outputs = pays_to_fetch_outputs(network);
}

/* Wires a port of the physical ring. The ring visits the routers of a group in order. From the
 * last router it goes to the first one of the next group, by global links numbered after the
 * others: a·h forwards, a·h + 1 backwards. */
static void wire_ring_port(struct network *network, uint32_t output) {
    const struct topology *topology = &network->topology;
    uint32_t router = output / topology->radix;
    uint32_t port = output % topology->radix;
    uint32_t first = topology->radix - RING_PORTS;
    bool is_forward = port == first;
    bool leaves =
        topology->groups > 1 && router == (is_forward ? topology->routers_per_group - 1 : 0);
    uint32_t other =
        (router + (is_forward ? 1 : topology->routers_per_group - 1)) % topology->routers_per_group;
    network->tables.local_peer[output] =
        leaves ? NETWORK_NONE : other * topology->radix + first + (is_forward ? 1 : 0);
    network->tables.wiring[output] = (struct network_output_wiring){
        .router = (uint16_t)router,
        .port = (uint16_t)port,
        .channel_kind = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .channel_type = leaves ? NETWORK_GLOBAL : NETWORK_LOCAL,
        .first_port_vc = router * topology->radix * network->vcs.per_port,
    };
    if (leaves)
        network->tables.wiring[output].global_link =
            topology->links_per_group + (is_forward ? 0 : 1);
    else
        network->tables.wiring[output].peer_port_vc =
            network->tables.local_peer[output] * network->vcs.per_port;
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
            .channel_type = (uint8_t)wiring->channel_type,
            .vc = (uint8_t)vc,
            .is_global = wiring->channel_kind == NETWORK_GLOBAL,
        };
        if (position->is_global)
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
    network->tables.link_ends =
        memory_new(topology->links_per_group, sizeof *network->tables.link_ends);
    network->tables.positions = memory_new_aligned(
        (size_t)network->tables.ports * network->vcs.per_port, sizeof *network->tables.positions);
    RETURN_ERROR_IF(!network->tables.local_peer || !network->tables.wiring ||
                        !network->tables.link_ends || !network->tables.positions,
                    status, STATUS_MEMORY, "out of memory for the ports of a group");
    for (uint32_t link = 0; link < topology->links_per_group; link++)
        network->tables.link_ends[link] = (struct network_link_end){
            .router = (uint16_t)(link / topology->globals_per_router),
            .port = (uint16_t)(topology->first_global_port + link % topology->globals_per_router)};
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
                network->tables.ports + router * topology->endpoints_per_router + port;
        } else if (kind == NETWORK_LOCAL) {
            struct group_end end = topology_local_end(topology, router, port);
            network->tables.local_peer[output] = end.router * topology->radix + end.port;
        }
        network->tables.wiring[output] = (struct network_output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)port,
            .channel_kind = (uint16_t)kind,
            .channel_type = (uint16_t)topology_channel_type(topology, router, port),
            .first_port_vc = router * topology->radix * network->vcs.per_port,
        };
        if (kind == NETWORK_GLOBAL)
            network->tables.wiring[output].global_link =
                router * topology->globals_per_router + port - topology->first_global_port;
        else
            network->tables.wiring[output].peer_port_vc =
                network->tables.local_peer[output] * network->vcs.per_port;
    }
    for (uint32_t endpoint = 0; endpoint < topology->endpoints_per_group; endpoint++) {
        uint32_t router = endpoint / topology->endpoints_per_router;
        uint32_t port = router * topology->radix + endpoint % topology->endpoints_per_router;
        network->tables.local_peer[network->tables.ports + endpoint] = port;
        network->tables.wiring[network->tables.ports + endpoint] = (struct network_output_wiring){
            .router = (uint16_t)router,
            .port = (uint16_t)endpoint,
            .channel_kind = NETWORK_TERMINAL,
            .channel_type = NETWORK_TERMINAL,
            .first_port_vc = router * topology->radix * network->vcs.per_port,
            .peer_port_vc = port * network->vcs.per_port,
        };
    }
    fill_positions(network);
    return STATUS_OK;
}
