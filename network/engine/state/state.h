/*
 * The engine's state: a network, and small functions on networks and rail groups.
 * Internal to network/.
 *
 * The files that share this state, by folder, lowest layer first (docs/layers.md has all layers):
 *
 * state/: the state, and what all other folders use
 *   ports.h             input VCs, output VCs and outputs
 *   hop_features.h      what the code of a hop knows of the machine
 *   packet.h            packets, notices, and messages on their way
 *   events.h            what a rail group's events mean
 *   constants.h         what follows from the configuration: channels, VCs, routing, routers, NICs
 *   rail_group_state.h  the state of a rail group
 *   run_state.h         the state of a run that all groups share
 *   channel_times.h     times of packets on channels
 *   fetch_ahead.h       prefetching of what the next events need
 *   packet_pool.c       pools of packets and messages
 *
 * measurement/: what is counted
 *   packet_trails.c     what the times of packets consist of, if the network explains times
 *   statistics.c        counts of deliveries, and the totals and tables made of them
 *   link_measurement.c  what each output sends in a measurement
 *   history.c           the load of channels over time, if it is kept
 *   labels.c, watch.c   the owners of packets, and who loads a link, if links are watched
 *
 * flow_control/: when an output can take a packet
 *   credits.c           credits of output VCs
 *   outputs.h           when an output can take a packet
 *   requests.c          requests of first packets for outputs
 *   class_shares.c      shares of traffic classes
 *   wakeups.c           when an output allocates
 *   sleepers.c          input VCs that an allocator can skip
 *
 * exchange/: between groups
 *   group_exchange.c    packets, credits and notices that cross between groups
 *   distribution.c      which process simulates which group
 *
 * nic/: NICs
 *   nic.c, nic_receive.c
 *                       messages are cut into packets, and reassembled
 *   nic_host.c          limits that come from hosts
 *   nic_choice.c        choice of the NICs of a message
 *   nic_windows.c, nic_responses.c
 *                       limits of what NICs have outstanding, and queues of responses
 *   acknowledgements.c  acknowledgements to the NICs that sent packets
 *   nic_classes.c       queues of a NIC by traffic class
 *   nic_abandon.c       messages dropped before NICs have begun to send them
 *   rails.c             choice of the rail of a message
 *
 * network/routing/: choice of paths, which stands between NICs and routers. Its files
 * observation/saturation.c and observation/round_trips.c stand beside credits.c.
 *
 * router/: routers
 *   input_vc.c          what happens when a packet becomes first in its input VC
 *   arbiter.c           which of several requests is granted
 *   crossbar.c          traversals
 *   congestion.c        congested ports to endpoints, and notices of them to the sending NICs
 *   basic_machines.h    the basic machines for which the code of a hop is compiled separately
 *   separable_allocation.c, vc_allocation.c, router.c
 *                       the allocators; all allocation of an instant
 *
 * engine/ itself: the network as a whole
 *   derive.c, rail_wiring.c
 *                       constants and tables that follow from the configuration
 *   zero_load.c         times on an idle network
 *   rail_group.c, rail_group_run.c
 *                       a rail group's memory; a group's events in their order
 *   fetch_in_stages.h   prefetching of what the next packets need, in several steps
 *   rail_group_checkpoint.c, network_checkpoint.c
 *                       the state of a rail group, and of a run, in a checkpoint
 *   network.c, network_run.c
 *                       building the machine, messages and timers; threads and windows
 *
 * checks/: what is checked after a run, and if it cannot go on
 *   conservation.c      checks that nothing is lost or stuck
 *   stuck_report.c      where packets are stuck
 *
 * processes/: several processes that simulate one network
 *   process_exchange.c  packets, credits and notices that cross to groups of other processes
 *   process_gather.c    results, brought together
 *
 * Indices within a rail group:
 *   port      router·radix + port of the router; input and output side share the number
 *   output    0 … ports-1 are the routers' output ports, ports + n is the NIC of local endpoint n
 *   port VC   output·vcs + vc (output VCs: credits), port·vcs + vc (input VCs: buffers)
 * In names, port_vc is such an index, vc is the number of a VC within its port, and output_vc and
 * input_vc point to the structs of ports.h.
 * Times are picoseconds. Sizes are bytes and include headers unless a comment says otherwise.
 *
 * Packets go from endpoint to endpoint: an endpoint is a terminal port of a router, where a NIC is
 * (node_shape.h). The network's user gives and gets nodes, which have one or several endpoints.
 * Inside, node_shape_node and node_shape_endpoint translate, wherever a node meets an endpoint:
 * when messages are handed in and delivered, in the wiring of rails, in results and in reports.
 * network_nic.first_nic names the first NIC of an endpoint's node. With one NIC per node both have
 * the same numbers.
 *
 * Invariant: for every output VC whose channel ends at a router, five amounts add up to the size of
 * the buffer at the other end: the credits, the bytes in the output buffer (a packet takes its
 * credits when it is granted), the bytes on the wire, the bytes in the buffer at the other end, and
 * the credits on their way back. A packet of the escape ring counts as the largest packet. With
 * network.router.release: head, a packet's bytes count as free from when its head leaves. With
 * shared buffers, credits can be negative: see credits.h. An output VC to an endpoint has credits,
 * too, but packets take none of them, so it always has all of them. If NICs have receive buffers,
 * packets do take them, and the VCs of a port to an endpoint share the credits of VC 0.
 */
#ifndef ANAX_NETWORK_STATE_H
#define ANAX_NETWORK_STATE_H

#include "network/engine/state/constants.h"
#include "network/engine/state/hop_features.h"
#include "network/engine/state/packet.h"
#include "network/engine/state/ports.h"
#include "network/engine/state/rail_group_state.h"
#include "network/engine/state/run_state.h"
#include "network/network.h"
#include "network/topology/topology.h"

#include <stdatomic.h>
#include <stdint.h>

struct network {
    /* Constant during a run. */
    struct network_config config;
    /* What the code of a hop knows. It is set in derive.c, and is_observed before a run. */
    struct network_hop_features hop_features;
    struct topology topology; /* of the first rail */
    struct network_group_tables tables;
    struct network_channel_constants channels;
    struct network_vc_constants vcs;
    struct network_routing_constants routing;
    struct network_router_constants routers;
    struct network_nic_constants nics;
    struct network_rail_constants rails;
    struct network_prefetching prefetching;
    struct network_observation observation;
    struct network_sink sink;
    uint64_t seed; /* network_seed reads it */

    uint32_t rail_group_count; /* rails · groups; network_group_count: those of one rail */

    /* Changes during a run. */
    struct rail_group *rail_groups; /* [rail·groups + group] */
    void *rail_groups_memory;       /* in which they lie; to be freed */
    char *group_arrays; /* all rail groups' arrays with a row for each output, port, VC or endpoint,
                           in one piece for huge pages */
    atomic_bool *seed_was_read; /* the results depend on the seed */
    struct network_run_state run;
    struct network_process_state distribution;
};

/* Returns the number of the rail group's first router in the whole machine. Routers are numbered
 * rail by rail, and in each rail from group to group. */
static inline uint32_t rail_group_first_router(const struct rail_group *rail_group) {
    uint32_t number = (uint32_t)(rail_group - rail_group->network->rail_groups);
    return number * rail_group->network->topology.routers_per_group;
}

/* Makes the engine record every traversal of a rail group. */
static inline void rail_group_observe(struct rail_group *rail_group) {
    rail_group->observers.has_any = true;
    rail_group->network->hop_features.is_observed = true;
}

/* Returns the position of an input VC. */
static inline const struct network_input_position *
input_vc_position(const struct rail_group *rail_group, const struct network_input_vc *input_vc) {
    return &rail_group->network->tables.positions[input_vc - rail_group->input_vcs];
}

/* Returns the output of an output VC, or the port of an input VC. */
static inline uint32_t port_of_vc(const struct network *network, uint32_t port_vc) {
    return divisor_quotient(network->vcs.per_port_divisor, port_vc);
}

/* Returns the first packet of an input VC that is not empty. */
static inline struct network_packet *input_vc_packet(const struct rail_group *rail_group,
                                                     const struct network_input_vc *input_vc) {
    return &rail_group->packets.items[input_vc->first];
}

/* Returns the output that the first packet of an input VC requests. */
static inline uint32_t input_vc_output(const struct rail_group *rail_group,
                                       const struct network_input_vc *requester) {
    uint32_t radix = rail_group->network->topology.radix;
    return input_vc_position(rail_group, requester)->router * radix +
           input_vc_packet(rail_group, requester)->output_port;
}

/* Returns when an output VC can be allocated again. */
static inline int64_t output_vc_free_ps(const struct rail_group *rail_group,
                                        const struct network_hop_features *features,
                                        uint32_t port_vc) {
    return features->keeps_allocation_times ? rail_group->allocation.vc_free_ps[port_vc] : 0;
}

/* Returns the size in bytes of the buffer at the other end of an output, for each VC. */
static inline int32_t network_buffer_behind(const struct network *network, uint32_t output) {
    uint32_t kind = network->tables.wiring[output].channel_kind;
    bool to_endpoint = output < network->tables.ports && kind == NETWORK_TERMINAL;
    return to_endpoint && network->config.nic_receive_buffer_bytes > 0
               ? (int32_t)network->config.nic_receive_buffer_bytes
               : network->channels.buffer_bytes[kind];
}

/* Returns the first VC of the virtual network of a VC. A basic machine has one virtual network. */
static inline uint32_t virtual_network_first_vc(const struct network *network,
                                                const struct network_hop_features *features,
                                                uint32_t vc) {
    return features->is_basic ? 0 : network->vcs.first_of_virtual_network[vc];
}

/* Returns the first VC of a packet's virtual network. */
static inline uint32_t packet_first_vc(const struct network *network,
                                       const struct network_packet *packet) {
    return network->vcs.first_of_virtual_network[packet->vc];
}

/* Returns the virtual network of a packet. */
static inline uint32_t packet_virtual_network(const struct network *network,
                                              const struct network_packet *packet) {
    return packet->vc / network->vcs.per_virtual_network;
}

/* Returns whether a VC is one of the responses' virtual network. */
static inline bool network_is_response_vc(const struct network *network, uint32_t vc) {
    return vc >= network->vcs.first_response_vc;
}

/* Returns the output VC that a packet requests at an output. If NICs have receive buffers, all VCs
 * of an ejection port share the credits of VC 0, because a receive buffer serves all VCs but those
 * of responses, which NICs take at once. */
static inline uint32_t packet_port_vc(const struct network *network,
                                      const struct network_hop_features *features,
                                      const struct network_packet *packet, uint32_t output) {
    bool shared = !features->is_basic && network->config.nic_receive_buffer_bytes > 0 &&
                  network->tables.wiring[output].channel_kind == NETWORK_TERMINAL &&
                  !network_is_response_vc(network, packet->vc);
    return output * network->vcs.per_port + (shared ? 0 : packet->vc);
}

/* Returns whether a VC is one of the escape ring's. */
static inline bool network_is_ring_vc(const struct network *network, uint32_t vc) {
    return vc - network->vcs.first_of_virtual_network[vc] == network->vcs.ring_vc;
}

/* Returns the bytes of the buffer that the VCs at the other end of an output share. */
static inline int32_t network_shared_behind(const struct network *network, uint32_t output) {
    uint32_t kind = network->tables.wiring[output].channel_kind;
    bool to_endpoint = output < network->tables.ports && kind == NETWORK_TERMINAL;
    return to_endpoint ? 0 : network->channels.shared_buffer_bytes[kind];
}

/* Returns the same group in another rail. */
static inline struct rail_group *rail_group_in(const struct rail_group *rail_group, uint32_t rail) {
    return rail_group->home + (size_t)rail * rail_group->network->topology.groups;
}

/* Returns the seed for a random choice between several possibilities, and records that the run
 * depends on the seed. Several threads may call it at once. */
static inline uint64_t network_seed(const struct network *network) {
    if (!atomic_load_explicit(network->seed_was_read, memory_order_relaxed))
        atomic_store_explicit(network->seed_was_read, true, memory_order_relaxed);
    return network->seed;
}

#endif
