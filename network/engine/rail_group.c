/* Makes and frees the state of a rail group. */
#include "network/engine/rail_group.h"

#include "core/memory/memory.h"
#include "network/engine/exchange/distribution.h"
#include "network/engine/measurement/history.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/measurement/watch.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_responses.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/router/class_shares.h"
#include "network/engine/router/congestion.h"
#include "network/engine/router/sleepers.h"
#include "network/engine/router/vc_allocation.h"
#include "network/engine/zero_load.h"
#include "network/routing/round_trips.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

#include <stdlib.h>

/* Returns the bucket width of the event queue in picoseconds: the smallest whose wheel holds
 * four times the longest delay of an event that a transfer schedules. */
static int64_t bucket_ps(const struct network *network) {
    int64_t longest_ps = 0;
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++) {
        int64_t ahead_ps =
            network->channels.latency_ps[type] + network->channels.full_packet_ps[type];
        if (ahead_ps > longest_ps) longest_ps = ahead_ps;
    }
    return (longest_ps + network->routers.delay_ps) * 4 / EVENT_BUCKETS + 1;
}

static void fill_port_vcs(struct rail_group *rail_group, const struct network *network) {
    for (uint32_t i = 0; i < network->tables.outputs; i++) {
        rail_group->outputs[i].wake_ps = -1;
        rail_group->outputs[i].stalled_since_ps = EVENT_NEVER;
        /* The output VCs of a NIC have the credits of its router's injection buffers. */
        int32_t buffer_bytes = network_buffer_behind(network, i);
        if (rail_group->shared_free_bytes != NULL)
            rail_group->shared_free_bytes[i] = network_shared_behind(network, i);
        for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
            struct network_output_vc *output_vc =
                &rail_group->output_vcs[(size_t)i * network->vcs.per_port + vc];
            output_vc->credits_bytes = buffer_bytes;
            output_vc->returning_ps = EVENT_NEVER;
        }
    }
    for (uint32_t i = 0; i < network->tables.ports * network->vcs.per_port; i++)
        rail_group->input_vcs[i] = (struct network_input_vc){
            .first = NETWORK_NONE, .last = NETWORK_NONE, .eligible_ps = -1};
    for (uint32_t i = 0; i < network->topology.endpoints_per_group; i++) {
        rail_group->nics[i].first_message = rail_group->nics[i].last_message = NETWORK_NONE;
        rail_group->nics[i].first_nic = node_shape_endpoint(
            &network->topology.node_shape, node_shape_node(&network->topology.node_shape, i), 0);
    }
}

static void wire_globals(struct rail_group *rail_group) {
    const struct topology *topology = rail_group->topology;
    for (uint32_t x = 0; x < topology->links_per_group; x++) {
        uint32_t peer =
            topology->link_peers[(size_t)rail_group->group * topology->links_per_group + x];
        if (peer == TOPOLOGY_UNCONNECTED) {
            rail_group->wiring.peer_group[x] = NETWORK_NO_GROUP;
            rail_group->wiring.peer_port[x] = NETWORK_NONE;
            continue;
        }
        uint32_t y = peer % topology->links_per_group;
        rail_group->wiring.peer_group[x] = (uint16_t)(peer / topology->links_per_group);
        rail_group->wiring.peer_port[x] = y / topology->globals_per_router * topology->radix +
                                          topology->first_global_port +
                                          y % topology->globals_per_router;
    }
    /* the two links of the physical ring: see wire_ring_port */
    rail_group->wiring.peer_group[topology->links_per_group] =
        (uint16_t)((rail_group->group + 1) % topology->groups);
    rail_group->wiring.peer_port[topology->links_per_group] = topology->radix - 1;
    rail_group->wiring.peer_group[topology->links_per_group + 1] =
        (uint16_t)((rail_group->group + topology->groups - 1) % topology->groups);
    rail_group->wiring.peer_port[topology->links_per_group + 1] =
        topology->routers_per_group * topology->radix - topology->ring_ports;
}

bool rail_group_describe(struct rail_group *rail_group) {
    const struct topology *topology = rail_group->topology;
    rail_group->wiring.peer_group =
        memory_new(topology->links_per_group + 2, sizeof *rail_group->wiring.peer_group);
    rail_group->wiring.peer_port =
        memory_new(topology->links_per_group + 2, sizeof *rail_group->wiring.peer_port);
    rail_group->counts.links =
        memory_new(rail_group->network->tables.outputs, sizeof *rail_group->counts.links);
    if (rail_group->network->nics.has_windows)
        rail_group->counts.held_ps =
            memory_new(topology->endpoints_per_group, sizeof *rail_group->counts.held_ps);
    if (rail_group->wiring.peer_group == NULL || rail_group->wiring.peer_port == NULL ||
        rail_group->counts.links == NULL ||
        (rail_group->network->nics.has_windows && rail_group->counts.held_ps == NULL))
        return false;
    wire_globals(rail_group);
    return true;
}

/* Returns the bytes that a rail group needs in network->port_state for its outputs, input VCs and
 * output VCs, in whole cache lines. */
static size_t port_state_bytes(const struct network *network) {
    size_t bytes =
        (size_t)network->tables.outputs *
            (sizeof(struct network_output) +
             network->vcs.per_port * sizeof(struct network_output_vc)) +
        (size_t)network->tables.ports * network->vcs.per_port * sizeof(struct network_input_vc);
    return (bytes + 63) / 64 * 64;
}

char *rail_group_port_state_new(const struct network *network) {
    size_t count = (size_t)distribution_own_groups(network) * network->rails.count;
    size_t bytes = port_state_bytes(network);
    if (count == 0) count = 1;
    size_t huge = MEMORY_HUGE_PAGE_BYTES / count; /* for each rail group, rounded down */
    if (bytes < huge && bytes >= huge / 2) /* the rail groups fill at least half of a huge page */
        return memory_new_aligned(MEMORY_HUGE_PAGE_BYTES, 1);
    return memory_new_aligned(count, bytes);
}

/* Records whether something could not be allocated. */
static void *note_if_missing(void *made, bool *failed) {
    *failed |= made == NULL;
    return made;
}

/* Returns an array if the machine needs it, else NULL. */
static void *array_if(bool is_needed, size_t count, size_t element_bytes, bool *failed) {
    return is_needed ? note_if_missing(memory_new(count, element_bytes), failed) : NULL;
}

/* Says which group it is, and of which rail. */
static void set_identity(struct rail_group *rail_group, struct network *network, uint32_t index) {
    rail_group->network = network;
    rail_group->group = index % network->topology.groups;
    rail_group->rail_offset = index - rail_group->group;
    rail_group->home = &network->rail_groups[rail_group->group];
    rail_group->groups_of_rail = &network->rail_groups[index - rail_group->group];
    uint32_t rail = index / network->topology.groups;
    rail_group->topology = rail == 0 || network->rails.other_topologies == NULL
                               ? &network->topology
                               : &network->rails.other_topologies[rail - 1];
    /* messages handed in before the run, at time 0 or later, become events */
    rail_group->now_ps = -1;
    rail_group->failure.starving_port_vc = NETWORK_NONE;
    rail_group->is_elsewhere =
        distribution_process_of(network, rail_group->group) != network->distribution.process;
}

/* Takes the rail group's part of network->port_state. */
static void take_port_state(struct rail_group *rail_group, struct network *network) {
    char *lines =
        network->port_state + network->distribution.rail_groups_here++ * port_state_bytes(network);
    rail_group->outputs = (struct network_output *)(void *)lines;
    rail_group->input_vcs =
        (struct network_input_vc *)(void *)(rail_group->outputs + network->tables.outputs);
    rail_group->output_vcs =
        (struct network_output_vc *)(void *)(rail_group->input_vcs +
                                             (size_t)network->tables.ports * network->vcs.per_port);
}

/* Allocates what allocators and arbiters need. */
static void allocate_allocators(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    const uint32_t routers = network->topology.routers_per_group, ports = network->tables.ports;
    const size_t port_vcs = (size_t)ports * network->vcs.per_port;
    const bool by_router = network->hop_features.allocates_by_router;
    const bool is_first = network->config.vc_allocation == NETWORK_VC_FIRST;
    const bool finds_outputs = network->routing.find_output != NULL;
    rail_group->allocation.request_bits =
        array_if(true, (size_t)(by_router ? routers : ports) * network->routers.request_words,
                 sizeof *rail_group->allocation.request_bits, failed);
    *failed |= !bitset_new(&rail_group->allocation.unrouted, ports * network->vcs.per_port);
    *failed |= !bitset_new(&rail_group->allocation.due_allocators, network->tables.outputs);
    rail_group->allocation.vc_free_ps =
        array_if(network->hop_features.keeps_allocation_times,
                 (size_t)network->tables.outputs * network->vcs.per_port,
                 sizeof *rail_group->allocation.vc_free_ps, failed);
    rail_group->allocation.resume_ps = array_if(finds_outputs || is_first, routers,
                                                sizeof *rail_group->allocation.resume_ps, failed);
    if (finds_outputs)
        rail_group->allocation.sleepers = note_if_missing(sleepers_new(network), failed);
    else if (is_first)
        rail_group->allocation.vc_allocation = note_if_missing(vc_allocation_new(network), failed);
    rail_group->allocation.input_free_ps =
        array_if(by_router, ports, sizeof *rail_group->allocation.input_free_ps, failed);
    rail_group->allocation.round_robin =
        array_if(network->config.arbitration == NETWORK_ROUND_ROBIN, port_vcs,
                 sizeof *rail_group->allocation.round_robin, failed);
    rail_group->allocation.service_order = array_if(
        network->config.arbitration == NETWORK_LEAST_RECENT, port_vcs * network->topology.radix,
        sizeof *rail_group->allocation.service_order, failed);
    for (size_t i = 0; rail_group->allocation.round_robin != NULL && i < port_vcs; i++)
        rail_group->allocation.round_robin[i].next_transit =
            network->routers.port_counts[false] & ((1 << NETWORK_PORT_BITS) - 1);
}

/* Allocates what routing policies need. */
static void allocate_routing(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    if (network->routing.needs & ROUTING_SATURATION)
        rail_group->routing.saturation = note_if_missing(saturation_new(network), failed);
    if (network->routing.needs & ROUTING_ROUND_TRIPS)
        rail_group->routing.round_trips = note_if_missing(round_trips_new(rail_group), failed);
    rail_group->routing.decisions =
        array_if(network->config.reroute > 0 && network->routing.reads_queues,
                 (size_t)network->tables.ports * network->vcs.per_port,
                 sizeof *rail_group->routing.decisions, failed);
    rail_group->routing.vc_waiting_bytes =
        array_if((network->routing.needs & ROUTING_VC_QUEUES) != 0,
                 (size_t)network->tables.outputs * network->vcs.per_port,
                 sizeof *rail_group->routing.vc_waiting_bytes, failed);
}

/* Allocates NICs, and what limits them and their messages. */
static void allocate_nics(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    const uint32_t endpoints = network->topology.endpoints_per_group;
    rail_group->nics = array_if(true, endpoints, sizeof *rail_group->nics, failed);
    rail_group->queued_bytes =
        array_if(network->nics.counts_queues, endpoints, sizeof *rail_group->queued_bytes, failed);
    if (network->nics.has_host_limits)
        rail_group->limits.hosts = note_if_missing(nic_host_new(network), failed);
    if (network->nics.has_windows)
        rail_group->limits.windows = note_if_missing(nic_windows_new(network), failed);
    else
        rail_group->zero_load_times = note_if_missing(zero_load_times_new(), failed);
    if (network->nics.has_responses)
        rail_group->limits.responses = note_if_missing(nic_responses_new(network), failed);
    if (!network_config_has_shares(&network->config)) return;
    rail_group->limits.shares = note_if_missing(class_shares_new(network), failed);
    rail_group->limits.nic_classes = note_if_missing(nic_classes_new(network), failed);
    rail_group->counts.class_totals = array_if(true, network->vcs.virtual_networks,
                                               sizeof *rail_group->counts.class_totals, failed);
}

status_code rail_group_new(struct rail_group *rail_group, struct network *network, uint32_t index,
                           struct status *status) {
    set_identity(rail_group, network, index);
    FORWARD_IF_ERROR(event_queue_new(&rail_group->events, bucket_ps(network), status));
    if (rail_group->is_elsewhere) return STATUS_OK; /* its queue stays empty */
    take_port_state(rail_group, network);
    bool failed = !rail_group_describe(rail_group);
    rail_group->shared_free_bytes =
        array_if(network->channels.shares_buffers, network->tables.outputs,
                 sizeof *rail_group->shared_free_bytes, &failed);
    allocate_allocators(rail_group, &failed);
    allocate_nics(rail_group, &failed);
    allocate_routing(rail_group, &failed);
    if (network->nics.has_congestion_control)
        rail_group->limits.congestion = note_if_missing(congestion_new(network), &failed);
    RETURN_ERROR_IF(failed, status, STATUS_MEMORY, "out of memory for group %u of the machine",
                    rail_group->group);
    rail_group->tracks_injections = rail_group->shared_free_bytes != NULL;
    rail_group->tracks_credits =
        rail_group->routing.round_trips != NULL || rail_group->shared_free_bytes != NULL;
    fill_port_vcs(rail_group, network);
    return STATUS_OK;
}

void rail_group_free(struct rail_group *rail_group) {
    event_queue_free(&rail_group->events);
    free(rail_group->allocation.vc_free_ps);
    free(rail_group->allocation.request_bits);
    free(rail_group->wiring.ring_ports);
    free(rail_group->allocation.input_free_ps);
    free(rail_group->allocation.resume_ps);
    sleepers_free(rail_group->allocation.sleepers);
    vc_allocation_free(rail_group->allocation.vc_allocation);
    saturation_free(rail_group->routing.saturation);
    round_trips_free(rail_group->routing.round_trips);
    free(rail_group->shared_free_bytes);
    free(rail_group->routing.decisions);
    free(rail_group->routing.vc_waiting_bytes);
    free(rail_group->allocation.service_order);
    free(rail_group->allocation.round_robin);
    free(rail_group->wiring.peer_group);
    free(rail_group->wiring.peer_port);
    free(rail_group->nics);
    free(rail_group->queued_bytes);
    free(rail_group->limits.hosts);
    class_shares_free(rail_group->limits.shares);
    free(rail_group->limits.nic_classes);
    free(rail_group->counts.class_totals);
    nic_windows_free(rail_group->limits.windows);
    free(rail_group->zero_load_times);
    free(rail_group->limits.responses);
    congestion_free(rail_group->limits.congestion);
    packet_trails_free(rail_group->observers.trails);
    labels_free(rail_group->observers.labels);
    watch_free(rail_group->observers.watch);
    if (rail_group == rail_group->home) history_free(rail_group->observers.history);
    bitset_free(&rail_group->allocation.unrouted);
    bitset_free(&rail_group->allocation.due_allocators);
    network_packet_pool_clear(&rail_group->packets);
    network_message_record_pool_clear(&rail_group->messages);
    network_credit_pool_clear(&rail_group->credits);
    network_assembly_map_clear(&rail_group->assemblies);
    free(rail_group->counts.links);
    free(rail_group->counts.held_ps);
    free(rail_group->counts.measured);
}
