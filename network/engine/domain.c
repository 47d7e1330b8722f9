/* Makes and frees the state of a domain. */
#include "network/engine/domain.h"

#include "core/memory/memory.h"
#include "network/engine/congestion.h"
#include "network/engine/distribution.h"
#include "network/engine/history.h"
#include "network/engine/labels.h"
#include "network/engine/nic_classes.h"
#include "network/engine/nic_host.h"
#include "network/engine/nic_responses.h"
#include "network/engine/nic_windows.h"
#include "network/engine/packet_trails.h"
#include "network/engine/shares.h"
#include "network/engine/sleepers.h"
#include "network/engine/vc_allocation.h"
#include "network/engine/watch.h"
#include "network/engine/zero_load.h"
#include "network/routing/round_trips.h"
#include "network/routing/routing.h"
#include "network/routing/saturation.h"

#include <stdlib.h>

/* Returns the bucket width of the event queue in picoseconds: the smallest whose wheel holds
 * four times the longest delay of an event that a transfer schedules. */
static int64_t bucket_ps(const struct network *network) {
    int64_t longest_ps = 0;
    for (uint32_t channel = 0; channel < NETWORK_CHANNELS; channel++) {
        int64_t ahead_ps =
            network->channels.latency_ps[channel] + network->channels.full_packet_ps[channel];
        if (ahead_ps > longest_ps) longest_ps = ahead_ps;
    }
    return (longest_ps + network->routers.delay_ps) * 4 / EVENT_BUCKETS + 1;
}

static void fill_port_vcs(struct network_domain *domain, const struct network *network) {
    for (uint32_t i = 0; i < network->tables.outputs; i++) {
        domain->outputs[i].wake_ps = -1;
        domain->outputs[i].stalled_since_ps = EVENT_NEVER;
        /* The output VCs of a NIC have the credits of its router's injection buffers. */
        int32_t buffer_bytes = network_buffer_behind(network, i);
        if (domain->shared_free_bytes != NULL)
            domain->shared_free_bytes[i] = network_shared_behind(network, i);
        for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
            struct network_output_vc *output_vc =
                &domain->output_vcs[(size_t)i * network->vcs.per_port + vc];
            output_vc->credits_bytes = buffer_bytes;
            output_vc->returning_ps = EVENT_NEVER;
        }
    }
    for (uint32_t i = 0; i < network->tables.ports * network->vcs.per_port; i++)
        domain->input_vcs[i] = (struct network_input_vc){
            .first = NETWORK_NONE, .last = NETWORK_NONE, .eligible_ps = -1};
    for (uint32_t i = 0; i < network->topology.endpoints_per_group; i++) {
        domain->nics[i].first_message = domain->nics[i].last_message = NETWORK_NONE;
        domain->nics[i].first_nic = node_shape_endpoint(
            &network->topology.node, node_shape_node(&network->topology.node, i), 0);
    }
}

static void wire_globals(struct network_domain *domain) {
    const struct topology *topology = domain->topology;
    for (uint32_t x = 0; x < topology->links; x++) {
        uint32_t peer = topology->peer[(size_t)domain->group * topology->links + x];
        if (peer == TOPOLOGY_UNCONNECTED) {
            domain->wiring.peer_group[x] = NETWORK_NO_GROUP;
            domain->wiring.peer_port[x] = NETWORK_NONE;
            continue;
        }
        uint32_t y = peer % topology->links;
        domain->wiring.peer_group[x] = (uint16_t)(peer / topology->links);
        domain->wiring.peer_port[x] = y / topology->globals * topology->radix +
                                      topology->first_global + y % topology->globals;
    }
    /* the two links of the physical ring: see wire_ring_port */
    domain->wiring.peer_group[topology->links] = (uint16_t)((domain->group + 1) % topology->groups);
    domain->wiring.peer_port[topology->links] = topology->radix - 1;
    domain->wiring.peer_group[topology->links + 1] =
        (uint16_t)((domain->group + topology->groups - 1) % topology->groups);
    domain->wiring.peer_port[topology->links + 1] =
        topology->routers * topology->radix - topology->ring_ports;
}

bool domain_describe(struct network_domain *domain) {
    const struct topology *topology = domain->topology;
    domain->wiring.peer_group = memory_new(topology->links + 2, sizeof *domain->wiring.peer_group);
    domain->wiring.peer_port = memory_new(topology->links + 2, sizeof *domain->wiring.peer_port);
    domain->counts.links =
        memory_new(domain->network->tables.outputs, sizeof *domain->counts.links);
    if (domain->network->nics.has_windows)
        domain->counts.held_ps =
            memory_new(topology->endpoints_per_group, sizeof *domain->counts.held_ps);
    if (domain->wiring.peer_group == NULL || domain->wiring.peer_port == NULL ||
        domain->counts.links == NULL ||
        (domain->network->nics.has_windows && domain->counts.held_ps == NULL))
        return false;
    wire_globals(domain);
    return true;
}

/* Returns the bytes that a domain needs in network->port_state for its outputs, input VCs and
 * output VCs, in whole cache lines. */
static size_t port_state_bytes(const struct network *network) {
    size_t bytes =
        (size_t)network->tables.outputs *
            (sizeof(struct network_output) +
             network->vcs.per_port * sizeof(struct network_output_vc)) +
        (size_t)network->tables.ports * network->vcs.per_port * sizeof(struct network_input_vc);
    return (bytes + 63) / 64 * 64;
}

char *domain_port_state_new(const struct network *network) {
    size_t count = (size_t)distribution_own_groups(network) * network->rails.count;
    size_t bytes = port_state_bytes(network);
    if (count == 0) count = 1;
    size_t huge = MEMORY_HUGE_PAGE_BYTES / count; /* for each domain, rounded down */
    if (bytes < huge && bytes >= huge / 2) /* the domains fill at least half of a huge page */
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

/* Says which group and rail the domain is. */
static void set_identity(struct network_domain *domain, struct network *network, uint32_t index) {
    domain->network = network;
    domain->group = index % network->topology.groups;
    domain->rail_offset = index - domain->group;
    domain->home = &network->domains[domain->group];
    domain->rail_domains = &network->domains[index - domain->group];
    uint32_t rail = index / network->topology.groups;
    domain->topology = rail == 0 || network->rails.others == NULL
                           ? &network->topology
                           : &network->rails.others[rail - 1];
    domain->now_ps = -1; /* messages handed in before the run, at time 0 or later, become events */
    domain->failure.starving_port_vc = NETWORK_NONE;
    domain->is_elsewhere =
        distribution_process_of(network, domain->group) != network->distribution.process;
}

/* Takes the domain's part of network->port_state. */
static void take_port_state(struct network_domain *domain, struct network *network) {
    char *lines =
        network->port_state + network->distribution.domains_here++ * port_state_bytes(network);
    domain->outputs = (struct network_output *)(void *)lines;
    domain->input_vcs =
        (struct network_input_vc *)(void *)(domain->outputs + network->tables.outputs);
    domain->output_vcs =
        (struct network_output_vc *)(void *)(domain->input_vcs +
                                             (size_t)network->tables.ports * network->vcs.per_port);
}

/* Allocates what allocators and arbiters need. */
static void allocate_allocators(struct network_domain *domain, bool *failed) {
    const struct network *network = domain->network;
    const uint32_t routers = network->topology.routers, ports = network->tables.ports;
    const size_t port_vcs = (size_t)ports * network->vcs.per_port;
    const bool by_router = network->hop_features.by_router;
    const bool is_first = network->config.vc_allocation == NETWORK_VC_FIRST;
    const bool finds_outputs = network->routing.find_output != NULL;
    domain->allocation.request_bits =
        array_if(true, (size_t)(by_router ? routers : ports) * network->routers.request_words,
                 sizeof *domain->allocation.request_bits, failed);
    *failed |= !bitset_new(&domain->allocation.unrouted, ports * network->vcs.per_port);
    *failed |= !bitset_new(&domain->allocation.due, network->tables.outputs);
    domain->allocation.vc_free_ps =
        array_if(network->hop_features.allocation_times,
                 (size_t)network->tables.outputs * network->vcs.per_port,
                 sizeof *domain->allocation.vc_free_ps, failed);
    domain->allocation.resume_ps =
        array_if(finds_outputs || is_first, routers, sizeof *domain->allocation.resume_ps, failed);
    if (finds_outputs)
        domain->allocation.sleepers = note_if_missing(sleepers_new(network), failed);
    else if (is_first)
        domain->allocation.vc_allocation = note_if_missing(vc_allocation_new(network), failed);
    domain->allocation.input_free_ps =
        array_if(by_router, ports, sizeof *domain->allocation.input_free_ps, failed);
    domain->allocation.round_robin =
        array_if(network->config.arbitration == NETWORK_ROUND_ROBIN, port_vcs,
                 sizeof *domain->allocation.round_robin, failed);
    domain->allocation.served =
        array_if(network->config.arbitration == NETWORK_LEAST_RECENT,
                 port_vcs * network->topology.radix, sizeof *domain->allocation.served, failed);
    for (size_t i = 0; domain->allocation.round_robin != NULL && i < port_vcs; i++)
        domain->allocation.round_robin[i].next_transit =
            network->routers.kind_ports[false] & ((1 << NETWORK_PORT_BITS) - 1);
}

/* Allocates what routing policies need. */
static void allocate_routing(struct network_domain *domain, bool *failed) {
    const struct network *network = domain->network;
    if (network->routing.needs & ROUTING_SATURATION)
        domain->routing.saturation = note_if_missing(saturation_new(network), failed);
    if (network->routing.needs & ROUTING_ROUND_TRIPS)
        domain->routing.round_trips = note_if_missing(round_trips_new(domain), failed);
    domain->routing.decisions =
        array_if(network->config.reroute > 0 && network->routing.reads_queues,
                 (size_t)network->tables.ports * network->vcs.per_port,
                 sizeof *domain->routing.decisions, failed);
    domain->routing.vc_waiting_bytes =
        array_if((network->routing.needs & ROUTING_VC_QUEUES) != 0,
                 (size_t)network->tables.outputs * network->vcs.per_port,
                 sizeof *domain->routing.vc_waiting_bytes, failed);
}

/* Allocates NICs, and what limits them and their messages. */
static void allocate_nics(struct network_domain *domain, bool *failed) {
    const struct network *network = domain->network;
    const uint32_t endpoints = network->topology.endpoints_per_group;
    domain->nics = array_if(true, endpoints, sizeof *domain->nics, failed);
    domain->queued_bytes =
        array_if(network->nics.counts_queues, endpoints, sizeof *domain->queued_bytes, failed);
    if (network->nics.host_model)
        domain->limits.hosts = note_if_missing(nic_host_new(network), failed);
    if (network->nics.has_windows)
        domain->limits.windows = note_if_missing(nic_windows_new(network), failed);
    else
        domain->zero_load_times = note_if_missing(zero_load_times_new(), failed);
    if (network->nics.has_responses)
        domain->limits.responses = note_if_missing(nic_responses_new(network), failed);
    if (!network_config_has_shares(&network->config)) return;
    domain->limits.shares = note_if_missing(shares_new(network), failed);
    domain->limits.nic_classes = note_if_missing(nic_classes_new(network), failed);
    domain->counts.classes =
        array_if(true, network->vcs.virtual_networks, sizeof *domain->counts.classes, failed);
}

status_code domain_new(struct network_domain *domain, struct network *network, uint32_t index,
                       struct status *status) {
    set_identity(domain, network, index);
    FORWARD_IF_ERROR(event_queue_new(&domain->events, bucket_ps(network), status));
    if (domain->is_elsewhere) return STATUS_OK; /* its queue stays empty */
    take_port_state(domain, network);
    bool failed = !domain_describe(domain);
    domain->shared_free_bytes = array_if(network->channels.shares_buffers, network->tables.outputs,
                                         sizeof *domain->shared_free_bytes, &failed);
    allocate_allocators(domain, &failed);
    allocate_nics(domain, &failed);
    allocate_routing(domain, &failed);
    if (network->nics.has_congestion_control)
        domain->limits.congestion = note_if_missing(congestion_new(network), &failed);
    RETURN_ERROR_IF(failed, status, STATUS_MEMORY, "out of memory for group %u of the machine",
                    domain->group);
    domain->tracks_injections = domain->shared_free_bytes != NULL;
    domain->tracks_credits =
        domain->routing.round_trips != NULL || domain->shared_free_bytes != NULL;
    fill_port_vcs(domain, network);
    return STATUS_OK;
}

void domain_free(struct network_domain *domain) {
    event_queue_free(&domain->events);
    free(domain->allocation.vc_free_ps);
    free(domain->allocation.request_bits);
    free(domain->wiring.ring_ports);
    free(domain->allocation.input_free_ps);
    free(domain->allocation.resume_ps);
    sleepers_free(domain->allocation.sleepers);
    vc_allocation_free(domain->allocation.vc_allocation);
    saturation_free(domain->routing.saturation);
    round_trips_free(domain->routing.round_trips);
    free(domain->shared_free_bytes);
    free(domain->routing.decisions);
    free(domain->routing.vc_waiting_bytes);
    free(domain->allocation.served);
    free(domain->allocation.round_robin);
    free(domain->wiring.peer_group);
    free(domain->wiring.peer_port);
    free(domain->nics);
    free(domain->queued_bytes);
    free(domain->limits.hosts);
    shares_free(domain->limits.shares);
    free(domain->limits.nic_classes);
    free(domain->counts.classes);
    nic_windows_free(domain->limits.windows);
    free(domain->zero_load_times);
    free(domain->limits.responses);
    congestion_free(domain->limits.congestion);
    trails_free(domain->observers.trails);
    labels_free(domain->observers.labels);
    watch_free(domain->observers.watch);
    if (domain == domain->home) history_free(domain->observers.history);
    bitset_free(&domain->allocation.unrouted);
    bitset_free(&domain->allocation.due);
    network_packet_pool_clear(&domain->packets);
    network_message_record_pool_clear(&domain->messages);
    network_credit_pool_clear(&domain->credits);
    network_assembly_map_clear(&domain->assemblies);
    free(domain->counts.links);
    free(domain->counts.held_ps);
    free(domain->counts.measured);
}
