/*
 * How tests see and set what changes inside a network during a run: the domains and the last
 * members of struct network (network/engine/state.h). No other file of the tests names this state,
 * so that changes of the network end here. Tests read the first members of struct network
 * themselves, which are constant during a run, but only this file sets them. tests/style/tidy.sh
 * holds both rules.
 *
 * Header only, as network_world.h. Routers and outputs are numbered within their group: output
 * radix·router + port, port VC vcs·output + vc.
 */
#ifndef ANAX_TESTS_NETWORK_FACE_H
#define ANAX_TESTS_NETWORK_FACE_H

#include "network_world.h"

#include "network/engine/channel_times.h"
#include "network/engine/events.h"
#include "network/engine/exchange.h"
#include "network/engine/nic_choice.h"
#include "network/engine/outputs.h"
#include "network/engine/packets.h"
#include "network/engine/rails.h"
#include "network/engine/requests.h"
#include "network/engine/sleepers.h"
#include "network/engine/wakeups.h"
#include "network/routing/routing.h"

/* ---------------------------------------------------------------- the machine */

/* Domains are numbered rail by rail, in each group by group. */
static inline struct network_domain *face_domain(const struct network *network, uint32_t domain) {
    return &network->domains[domain];
}

static inline const struct network *face_network(const struct network_domain *domain) {
    return domain->network;
}

/* Returns whether the network may use code of a hop that is compiled for its kind of machine. */
static inline bool face_is_basic(const struct network *network) {
    return network->hop_features.basic;
}

static inline bool face_is_observed(const struct network *network) {
    return network->hop_features.observed;
}

/* Sets who is told of deliveries. */
static inline void
face_set_delivered(struct network *network,
                   void (*delivered)(void *context, struct network_domain *domain, int64_t now_ps,
                                     const struct network_delivery *delivery)) {
    network->sink.delivered = delivered;
}

/* Makes the network use the code of a hop for all machines, even if it is basic. */
static inline void face_make_not_basic(struct network *network) {
    network->hop_features.basic = false;
}

static inline const struct topology *face_topology(const struct network *network, uint32_t domain) {
    return network->domains[domain].topology;
}

static inline uint32_t face_outputs(const struct network *network) {
    return network->tables.outputs;
}

static inline uint32_t face_output(const struct network *network, uint32_t router, uint32_t port) {
    return router * network->topology.radix + port;
}

static inline uint32_t face_port_vc(const struct network *network, uint32_t output, uint32_t vc) {
    return output * network->vcs.per_port + vc;
}

static inline network_channel_kind face_channel_kind(const struct network *network,
                                                     uint32_t output) {
    return (network_channel_kind)network->tables.wiring[output].channel_kind;
}

static inline int32_t face_buffer_bytes(const struct network *network, uint32_t output) {
    return network->channels.buffer_bytes[network->tables.wiring[output].channel_kind];
}

/* The group at the other end of global link x; NETWORK_NONE: the link is not connected. */
static inline uint32_t face_group_behind(const struct network_domain *domain, uint32_t link) {
    uint32_t group = domain->wiring.peer_group[link];
    return group == NETWORK_NO_GROUP ? NETWORK_NONE : group;
}

/* The router (in the machine) at the other end of an output, and its port there as an output.
 * NETWORK_NONE: a global port without a link that works. */
static inline uint32_t face_router_behind(const struct network_domain *domain, uint32_t output,
                                          uint32_t *end) {
    const struct network *network = domain->network;
    const struct network_output_wiring *wiring = &network->tables.wiring[output];
    const struct topology *topology = &network->topology;
    uint32_t group = domain->group;
    if (wiring->channel_kind == NETWORK_LOCAL) {
        *end = network->tables.local_peer[output];
    } else {
        group = face_group_behind(domain, wiring->global_link);
        *end = domain->wiring.peer_port[wiring->global_link];
    }
    return group == NETWORK_NONE ? NETWORK_NONE
                                 : group * topology->routers + *end / topology->radix;
}

/* The port of its router by which a packet that came in there gets into the ring, or on in it. */
static inline uint32_t face_ring_port(const struct network_domain *domain, uint32_t input) {
    return domain->wiring.ring_ports[input];
}

/* From now on there is no escape ring, and VCs are as with it. */
static inline void face_remove_ring(struct network *network) {
    network->vcs.ring = NETWORK_NONE;
}

/* Puts a packet that has not left its node into a virtual network. */
static inline void face_enter(const struct network *network, struct network_packet *packet,
                              uint32_t virtual_network) {
    packet->vc = (uint8_t)(virtual_network * network->vcs.per_virtual_network);
}

static inline uint32_t face_virtual_network(const struct network *network, uint32_t vc) {
    return vc / network->vcs.per_virtual_network;
}

static inline void face_set_bias(struct network *network, int64_t bias_byte_hops) {
    network->config.routing_bias_byte_hops = bias_byte_hops;
}

static inline void face_set_timer(struct network *network,
                                  void (*timer)(void *context, struct network_domain *domain,
                                                int64_t now_ps, uint32_t entity, uint64_t data)) {
    network->sink.timer = timer;
}

/* ---------------------------------------------------------------- time and counts */

static inline void face_set_time(struct network_domain *domain, int64_t now_ps) {
    domain->now_ps = now_ps;
}

static inline int64_t face_time(const struct network_domain *domain) {
    return domain->now_ps;
}

static inline int64_t face_next_event(const struct network_domain *domain) {
    return event_queue_next_time(&domain->events);
}

static inline uint64_t face_packets_sent(const struct network_domain *domain, uint32_t output) {
    return domain->outputs[output].packets;
}

static inline int64_t face_stalled_ps(const struct network_domain *domain, uint32_t output) {
    return domain->counts.links[output].stalled_ps;
}

/* As if one more message had been handed in. */
static inline void face_count_message(struct network_domain *domain) {
    domain->counts.started_messages++;
}

/* ---------------------------------------------------------------- outputs */

static inline int32_t face_credits(const struct network_domain *domain, uint32_t port_vc) {
    return domain->output_vcs[port_vc].credits_bytes;
}

static inline void face_set_credits(struct network_domain *domain, uint32_t port_vc,
                                    int32_t bytes) {
    domain->output_vcs[port_vc].credits_bytes = bytes;
}

static inline void face_take_credits(struct network_domain *domain, uint32_t port_vc,
                                     int32_t bytes) {
    domain->output_vcs[port_vc].credits_bytes -= bytes;
}

/* The outputs of routers are numbered below this; the others are NICs. */
static inline uint32_t face_ports(const struct network *network) {
    return network->tables.ports;
}

/* Where the bytes are that an output VC may have under way, see network/engine/state.h. */
struct face_amounts {
    int64_t credits;       /* which have arrived */
    int64_t output_buffer; /* of packets whose heads have not left the output yet */
    int64_t wire;
    int64_t buffer;    /* at the other end */
    int64_t returning; /* credits on their way back */
};

/* The size of the buffer at the other end of an output, for each VC. */
static inline int32_t face_other_end_bytes(const struct network *network, uint32_t output) {
    return network_buffer_behind(network, output);
}

/* The output VC at the other end of an input VC: its place among those of all domains. */
static inline size_t face_upstream(const struct network_domain *domain, uint32_t port_vc) {
    const struct network *network = domain->network;
    const struct network_input_position *position = &network->tables.positions[port_vc];
    const size_t per_domain = (size_t)network->tables.outputs * network->vcs.per_port;
    const size_t own = (size_t)(domain - network->domains);
    if (!position->global) return own * per_domain + position->peer;
    const uint32_t link = position->global_link;
    return (domain->rail_offset + (size_t)domain->wiring.peer_group[link]) * per_domain +
           domain->wiring.peer_port[link] * network->vcs.per_port + position->vc;
}

/* Counts the amounts of all output VCs after a run on one thread that was stopped: amounts[domain
 * · port VCs of its outputs + port VC], all 0 before. The network cannot go on afterwards: all of
 * its events are taken. */
static inline void face_count_amounts(struct network *network, struct face_amounts *amounts) {
    const size_t per_domain = (size_t)network->tables.outputs * network->vcs.per_port;
    for (uint32_t i = 0; i < network->topology.groups; i++)
        exchange_receive(network, i, network->domains[0].sender->window);
    for (uint32_t i = 0; i < network->domains_of_all_rails; i++) {
        struct network_domain *domain = &network->domains[i];
        for (uint32_t port_vc = 0; port_vc < per_domain; port_vc++) {
            credits_settle(domain, &network->hop_features, port_vc);
            amounts[i * per_domain + port_vc].credits = domain->output_vcs[port_vc].credits_bytes;
        }
        for (uint32_t port_vc = 0; port_vc < network->tables.ports * network->vcs.per_port;
             port_vc++)
            for (uint32_t packet = domain->input_vcs[port_vc].first; packet != NETWORK_NONE;
                 packet = domain->packets.items[packet].next)
                amounts[face_upstream(domain, port_vc)].buffer +=
                    domain->packets.items[packet].size_bytes;
        for (int64_t at_ps;
             (at_ps = event_queue_peek(&domain->events, EVENT_NEVER)) != EVENT_NEVER;) {
            uint64_t event;
            struct event_record record;
            if (!event_queue_take(&domain->events, at_ps, &event)) {
                event_queue_take_keyed(&domain->events, at_ps, &record);
                continue;
            }
            if (NETWORK_KIND(event) != NETWORK_ENTER_VC) continue;
            const uint32_t port_vc = NETWORK_WHERE(event);
            const uint32_t channel = network->tables.positions[port_vc].channel;
            const int64_t left_ps =
                at_ps - network->routers.delay_ps - network->channels.latency_ps[channel];
            const size_t from = face_upstream(domain, port_vc);
            struct face_amounts *each = &amounts[from];
            *(left_ps > network->domains[from / per_domain].now_ps ? &each->output_buffer
                                                                   : &each->wire) +=
                domain->packets.items[NETWORK_WHAT(event)].size_bytes;
        }
    }
    for (uint32_t i = 0; i < network->domains_of_all_rails; i++) {
        struct network_domain *domain = &network->domains[i];
        domain->now_ps = EVENT_NEVER - 1;
        for (uint32_t port_vc = 0; port_vc < per_domain; port_vc++) {
            struct face_amounts *each = &amounts[i * per_domain + port_vc];
            credits_settle(domain, &network->hop_features, port_vc);
            each->returning = domain->output_vcs[port_vc].credits_bytes - each->credits;
        }
    }
}

/* Of the buffer that the VCs at the other end of an output share, what is free. */
static inline int32_t face_pool(const struct network_domain *domain, uint32_t output) {
    return domain->shared_free_bytes[output];
}

/* What a packet takes of a VC's own and shared buffer; and its credit that comes at time_ps. */
static inline void face_take_shared(struct network_domain *domain, uint32_t port_vc,
                                    uint32_t bytes) {
    credits_take_shared(domain, port_vc, bytes);
    domain->output_vcs[port_vc].credits_bytes -= (int32_t)bytes;
}

static inline void face_give_back(struct network_domain *domain, uint32_t port_vc, int64_t time_ps,
                                  uint32_t bytes) {
    credits_return(domain, &domain->network->hop_features, port_vc, time_ps, bytes);
}

static inline bool face_has_room(struct network_domain *domain, uint32_t port_vc, uint32_t bytes) {
    return credits_available(domain, &domain->network->hop_features, port_vc, bytes);
}

static inline int64_t face_room_ps(struct network_domain *domain, uint32_t port_vc,
                                   uint32_t bytes) {
    return credits_time(domain, port_vc, bytes);
}

/* The channel is in use, or the VC cannot be allocated, until then. */
static inline void face_set_channel_free(struct network_domain *domain, uint32_t output,
                                         int64_t free_ps) {
    domain->outputs[output].free_ps = free_ps;
}

static inline void face_set_vc_free(struct network_domain *domain, uint32_t port_vc,
                                    int64_t free_ps) {
    if (domain->allocation.vc_free_ps != NULL) domain->allocation.vc_free_ps[port_vc] = free_ps;
}

/* So many bytes wait for the output, and for its VC where that is counted. */
static inline void face_set_waiting(struct network_domain *domain, uint32_t output,
                                    uint32_t bytes) {
    domain->outputs[output].waiting_bytes = bytes;
}

static inline void face_set_vc_waiting(struct network_domain *domain, uint32_t port_vc,
                                       uint32_t bytes) {
    if (domain->routing.vc_waiting_bytes != NULL) domain->routing.vc_waiting_bytes[port_vc] = bytes;
}

/* ---------------------------------------------------------------- packets in input VCs */

/* The policy decides on the path of a packet to another group, at its source router. */
static inline void face_decide(struct network_domain *domain, uint32_t router,
                               struct network_packet *packet) {
    domain->network->routing.policy->decide(domain, router, packet);
}

/* Puts a packet first in an input VC and lets it ask, as when it has arrived there. */
static inline void face_put(struct network_domain *domain, uint32_t port_vc,
                            const struct network_packet *what) {
    uint32_t index = packet_new(domain);
    struct network_packet *placed = &domain->packets.items[index];
    *placed = *what;
    domain->input_vcs[port_vc].first = domain->input_vcs[port_vc].last = index;
    routing_route(domain, domain->network->tables.positions[port_vc].router, placed);
    request_again(domain, port_vc);
}

/* Takes it out again. */
static inline struct network_packet face_take(struct network_domain *domain, uint32_t port_vc) {
    uint32_t index = domain->input_vcs[port_vc].first;
    struct network_packet taken = domain->packets.items[index];
    request_withdraw(domain, port_vc);
    domain->input_vcs[port_vc].first = domain->input_vcs[port_vc].last = NETWORK_NONE;
    packet_free(domain, index);
    return taken;
}

static inline uint32_t face_router_of(const struct network_domain *domain, uint32_t port_vc) {
    return domain->network->tables.positions[port_vc].router;
}

/* The output that the first packet of an input VC asks for. */
static inline uint32_t face_asked_output(const struct network_domain *domain, uint32_t port_vc) {
    return input_vc_output(domain, &domain->input_vcs[port_vc]);
}

/* What a policy that decides in transit says of the first packet: when it can go (see
 * routing_transit.find_output); and that it goes. */
static inline int64_t face_find_output(struct network_domain *domain, uint32_t port_vc) {
    return domain->network->routing.find_output(domain, port_vc);
}

static inline bool face_can_go(struct network_domain *domain, uint32_t port_vc) {
    return face_find_output(domain, port_vc) <= domain->now_ps;
}

static inline void face_depart(struct network_domain *domain, uint32_t port_vc) {
    const struct network_input_vc *buffer = &domain->input_vcs[port_vc];
    struct network_packet *packet = &domain->packets.items[buffer->first];
    packet->routers++;
    domain->network->routing.depart(domain, buffer, packet);
}

/* What the router makes of a packet that leaves by a global link. */
static inline void face_cross(const struct network *network, struct network_packet *packet) {
    packet->vc_class = (uint8_t)(packet->vc + 1 - packet_first_vc(network, packet));
    packet->waypoint = NETWORK_NO_LINK;
}

/* Whether some input VC sleeps until that output changes. */
static inline bool face_is_waited_for(const struct network_domain *domain, uint32_t output) {
    return domain->allocation.sleepers->any_waits[output];
}

/* Nothing sleeps any longer, and all routers allocate now. */
static inline void face_wake_all(struct network_domain *domain) {
    const struct network *network = domain->network;
    for (uint32_t router = 0; router < network->topology.routers; router++) {
        for (uint32_t word = 0; word < network->routers.request_words; word++)
            domain->allocation.sleepers
                ->asleep_bits[router * network->routers.request_words + word] = 0;
        wakeup_now(domain, &domain->network->hop_features, router * network->topology.radix);
    }
}

#endif
