/* Makes and frees the state of a rail group. */
#include "network/engine/rail_group.h"

#include "core/memory/memory.h"
#include "network/engine/exchange/distribution.h"
#include "network/engine/flow_control/class_shares.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/engine/measurement/history.h"
#include "network/engine/measurement/labels.h"
#include "network/engine/measurement/packet_trails.h"
#include "network/engine/measurement/watch.h"
#include "network/engine/nic/nic_classes.h"
#include "network/engine/nic/nic_host.h"
#include "network/engine/nic/nic_responses.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/router/congestion.h"
#include "network/engine/router/vc_allocation.h"
#include "network/engine/zero_load.h"
#include "network/routing/observation/round_trips.h"
#include "network/routing/observation/saturation.h"
#include "network/routing/routing.h"

#include <stdlib.h>

/* Returns the bucket width of the event queue in picoseconds: the smallest whose wheel holds
 * eight times the longest delay of an event that a traversal schedules. In wider buckets, sorting
 * costs more than opening fewer buckets saves. */
static int64_t bucket_ps(const struct network *network) {
    int64_t longest_ps = 0;
    for (uint32_t type = 0; type < NETWORK_CHANNEL_TYPES; type++) {
        int64_t ahead_ps =
            network->channels.latency_ps[type] + network->channels.full_packet_ps[type];
        if (ahead_ps > longest_ps) longest_ps = ahead_ps;
    }
    return (longest_ps + network->routers.delay_ps) * 8 / EVENT_BUCKETS + 1;
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
    const struct rail_group_allocation *allocation = &rail_group->allocation;
    for (uint32_t i = 0;
         allocation->round_robin != NULL && i < network->tables.ports * network->vcs.per_port; i++)
        allocation->round_robin[i].next_transit =
            network->routers.port_counts[false] & ((1 << NETWORK_PORT_BITS) - 1);
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

/* Cuts a piece of memory into arrays. */
struct array_cutter {
    char *memory; /* NULL: only counts the bytes */
    size_t bytes; /* that the arrays take so far, in whole cache lines */
};

/* Returns an array of the piece if the machine needs it, else NULL. */
static void *cut_if(struct array_cutter *cutter, bool is_needed, size_t count,
                    size_t element_bytes) {
    if (!is_needed) return NULL;
    char *array = cutter->memory == NULL ? NULL : cutter->memory + cutter->bytes;
    cutter->bytes += (count * element_bytes + 63) / 64 * 64;
    return array;
}

static void cut_router_arrays(struct rail_group *rail_group, const struct network *network,
                              struct array_cutter *cutter) {
    const size_t ports = network->tables.ports, outputs = network->tables.outputs;
    const size_t port_vcs = ports * network->vcs.per_port;
    const size_t output_vcs = outputs * network->vcs.per_port;
    rail_group->outputs = cut_if(cutter, true, outputs, sizeof *rail_group->outputs);
    rail_group->input_vcs = cut_if(cutter, true, port_vcs, sizeof *rail_group->input_vcs);
    rail_group->output_vcs = cut_if(cutter, true, output_vcs, sizeof *rail_group->output_vcs);
    rail_group->shared_free_bytes = cut_if(cutter, network->channels.shares_buffers, outputs,
                                           sizeof *rail_group->shared_free_bytes);
}

static void cut_allocator_arrays(struct rail_group_allocation *allocation,
                                 const struct network *network, struct array_cutter *cutter) {
    const size_t ports = network->tables.ports, routers = network->topology.routers_per_group;
    const size_t port_vcs = ports * network->vcs.per_port;
    const bool by_router = network->hop_features.allocates_by_router;
    const int32_t arbitration = network->config.arbitration;
    allocation->request_bits =
        cut_if(cutter, true, (by_router ? routers : ports) * network->routers.request_words,
               sizeof *allocation->request_bits);
    allocation->round_robin = cut_if(cutter, arbitration == NETWORK_ROUND_ROBIN, port_vcs,
                                     sizeof *allocation->round_robin);
    allocation->service_order =
        cut_if(cutter, arbitration == NETWORK_LEAST_RECENT, port_vcs * network->topology.radix,
               sizeof *allocation->service_order);
    allocation->vc_free_ps = cut_if(cutter, network->hop_features.keeps_allocation_times,
                                    (size_t)network->tables.outputs * network->vcs.per_port,
                                    sizeof *allocation->vc_free_ps);
    allocation->input_free_ps = cut_if(cutter, by_router, ports, sizeof *allocation->input_free_ps);
    allocation->resume_ps = cut_if(cutter,
                                   network->routing.find_output != NULL ||
                                       network->config.vc_allocation == NETWORK_VC_FIRST,
                                   routers, sizeof *allocation->resume_ps);
}

static void cut_routing_arrays(struct rail_group_routing *routing, const struct network *network,
                               struct array_cutter *cutter) {
    routing->decisions =
        cut_if(cutter, network->config.reroute > 0 && network->routing.reads_queues,
               (size_t)network->tables.ports * network->vcs.per_port, sizeof *routing->decisions);
    routing->vc_waiting_bytes = cut_if(cutter, (network->routing.needs & ROUTING_VC_QUEUES) != 0,
                                       (size_t)network->tables.outputs * network->vcs.per_port,
                                       sizeof *routing->vc_waiting_bytes);
}

/* Cuts a rail group's arrays with a row for each output, port, VC or endpoint. Returns their bytes.
 * If `memory` is NULL, only counts them. */
static size_t cut_arrays(struct rail_group *rail_group, const struct network *network,
                         char *memory) {
    struct array_cutter cutter = {.memory = memory};
    const size_t endpoints = network->topology.endpoints_per_group;
    cut_router_arrays(rail_group, network, &cutter);
    cut_allocator_arrays(&rail_group->allocation, network, &cutter);
    cut_routing_arrays(&rail_group->routing, network, &cutter);
    rail_group->nics = cut_if(&cutter, true, endpoints, sizeof *rail_group->nics);
    rail_group->queued_bytes =
        cut_if(&cutter, network->nics.counts_queues, endpoints, sizeof *rail_group->queued_bytes);
    return cutter.bytes;
}

char *rail_group_arrays_new(const struct network *network) {
    size_t count = (size_t)distribution_own_groups(network) * network->rails.count;
    struct rail_group counted = {0};
    size_t bytes = cut_arrays(&counted, network, NULL);
    if (count == 0) count = 1;
    size_t huge = MEMORY_HUGE_PAGE_BYTES / count; /* for each rail group, rounded down */
    if (bytes < huge && bytes >= huge / 2) /* the rail groups fill at least half of a huge page */
        return memory_new_aligned(MEMORY_HUGE_PAGE_BYTES, 1);
    return memory_new_aligned(count, bytes);
}

/* Takes the rail group's part of network->group_arrays. */
static void take_arrays(struct rail_group *rail_group, struct network *network) {
    size_t bytes = cut_arrays(rail_group, network, NULL);
    (void)cut_arrays(rail_group, network,
                     network->group_arrays + network->distribution.rail_groups_here++ * bytes);
}

/* Records whether something could not be allocated. */
static void *note_if_missing(void *made, bool *failed) {
    *failed |= made == NULL;
    return made;
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

/* Allocates what allocators and arbiters need besides arrays. */
static void allocate_allocators(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    struct rail_group_allocation *allocation = &rail_group->allocation;
    const uint32_t ports = network->tables.ports;
    *failed |= !bitset_new(&allocation->unrouted, ports * network->vcs.per_port);
    *failed |= !bitset_new(&allocation->due_allocators, network->tables.outputs);
    if (network->routing.find_output != NULL)
        allocation->sleepers = note_if_missing(sleepers_new(network), failed);
    else if (network->config.vc_allocation == NETWORK_VC_FIRST)
        allocation->vc_allocation = note_if_missing(vc_allocation_new(network), failed);
}

/* Allocates what routing policies need besides arrays. */
static void allocate_routing(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    if (network->routing.needs & ROUTING_SATURATION)
        rail_group->routing.saturation = note_if_missing(saturation_new(network), failed);
    if (network->routing.needs & ROUTING_ROUND_TRIPS)
        rail_group->routing.round_trips = note_if_missing(round_trips_new(rail_group), failed);
}

/* Allocates what limits NICs and their messages. */
static void allocate_limits(struct rail_group *rail_group, bool *failed) {
    const struct network *network = rail_group->network;
    if (network->nics.has_host_limits)
        rail_group->limits.hosts = note_if_missing(nic_host_new(network), failed);
    if (network->nics.has_windows)
        rail_group->limits.windows = note_if_missing(nic_windows_new(network), failed);
    else
        rail_group->zero_load_times = note_if_missing(zero_load_times_new(), failed);
    if (network->nics.has_responses)
        rail_group->limits.responses = note_if_missing(nic_responses_new(network), failed);
    if (network->nics.has_congestion_control)
        rail_group->limits.congestion = note_if_missing(congestion_new(network), failed);
    if (!network_config_has_shares(&network->config)) return;
    rail_group->limits.shares = note_if_missing(class_shares_new(network), failed);
    rail_group->limits.nic_classes = note_if_missing(nic_classes_new(network), failed);
    rail_group->counts.class_totals = note_if_missing(
        memory_new(network->vcs.virtual_networks, sizeof *rail_group->counts.class_totals), failed);
}

status_code rail_group_new(struct rail_group *rail_group, struct network *network, uint32_t index,
                           struct status *status) {
    set_identity(rail_group, network, index);
    FORWARD_IF_ERROR(event_queue_new(&rail_group->events, bucket_ps(network), status));
    if (rail_group->is_elsewhere) return STATUS_OK; /* its queue stays empty */
    take_arrays(rail_group, network);
    bool failed = !rail_group_describe(rail_group);
    allocate_allocators(rail_group, &failed);
    allocate_limits(rail_group, &failed);
    allocate_routing(rail_group, &failed);
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
    free(rail_group->wiring.ring_output_of_input);
    sleepers_free(rail_group->allocation.sleepers);
    vc_allocation_free(rail_group->allocation.vc_allocation);
    saturation_free(rail_group->routing.saturation);
    round_trips_free(rail_group->routing.round_trips);
    free(rail_group->wiring.peer_group);
    free(rail_group->wiring.peer_port);
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
