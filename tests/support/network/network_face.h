/*
 * How tests see and set what changes inside a network during a run: the rail groups and the last
 * members of struct network (network/engine/state/state.h). No other file of the tests names this
 * state, so that changes of the network end here. Tests read the first members of struct network
 * themselves, which are constant during a run, but only this file sets them. tests/style/tidy.sh
 * holds both rules.
 *
 * Header only, as network_world.h. Routers and outputs are numbered within their group: output
 * radix·router + port, port VC vcs·output + vc.
 */
#ifndef ANAX_TESTS_NETWORK_FACE_H
#define ANAX_TESTS_NETWORK_FACE_H

#include "tests/support/network/network_world.h"

#include "network/engine/exchange/group_exchange.h"
#include "network/engine/flow_control/outputs.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/engine/flow_control/wakeups.h"
#include "network/engine/nic/nic_choice.h"
#include "network/engine/nic/rails.h"
#include "network/engine/state/channel_times.h"
#include "network/engine/state/events.h"
#include "network/engine/state/packet_pool.h"
#include "network/routing/routing.h"

/* ---------------------------------------------------------------- the machine */

/* Rail groups are numbered rail by rail, and in each rail from group to group. */
static inline struct rail_group *face_rail_group(const struct network *network,
                                                 uint32_t rail_group) {
    return &network->rail_groups[rail_group];
}

/* Returns the network of a rail group. */
static inline const struct network *face_network(const struct rail_group *rail_group) {
    return rail_group->network;
}

/* Returns whether the network may use code of a hop that is compiled for its kind of machine. */
static inline bool face_is_basic(const struct network *network) {
    return network->hop_features.is_basic;
}

/* Returns whether the same holds for code that is compiled for basic routing, too. */
static inline bool face_has_basic_routing(const struct network *network) {
    return network->hop_features.has_basic_routing;
}

/* Returns whether transmissions are recorded, for trails, labels, a history or watched links. */
static inline bool face_is_observed(const struct network *network) {
    return network->hop_features.is_observed;
}

/* Sets who is told of deliveries. */
static inline void
face_set_delivered(struct network *network,
                   void (*delivered)(void *context, struct rail_group *rail_group, int64_t now_ps,
                                     const struct network_delivery *delivery)) {
    network->sink.delivered = delivered;
}

/* Makes the network use the code of a hop for all machines, even if it is basic. */
static inline void face_make_not_basic(struct network *network) {
    network->hop_features.is_basic = network->hop_features.has_basic_routing = false;
}

/* Returns the topology of its rail. */
static inline const struct topology *face_topology(const struct network *network,
                                                   uint32_t rail_group) {
    return network->rail_groups[rail_group].topology;
}

/* Returns the number of outputs of a group, those of NICs included. */
static inline uint32_t face_outputs(const struct network *network) {
    return network->tables.outputs;
}

/* Returns the number of the output at a router's port. */
static inline uint32_t face_output(const struct network *network, uint32_t router, uint32_t port) {
    return router * network->topology.radix + port;
}

/* Returns the number of an output's port VC. */
static inline uint32_t face_port_vc(const struct network *network, uint32_t output, uint32_t vc) {
    return output * network->vcs.per_port + vc;
}

/* Returns the kind of an output's channel. */
static inline network_channel_kind face_channel_kind(const struct network *network,
                                                     uint32_t output) {
    return (network_channel_kind)network->tables.wiring[output].channel_kind;
}

/* Returns the size that the configuration gives each VC's buffer of the output's kind of channel.
 */
static inline int32_t face_buffer_bytes(const struct network *network, uint32_t output) {
    return network->channels.buffer_bytes[network->tables.wiring[output].channel_kind];
}

/* Returns the group at the other end of global link x; NETWORK_NONE: the link is not connected. */
static inline uint32_t face_group_behind(const struct rail_group *rail_group, uint32_t link) {
    uint32_t group = rail_group->wiring.peer_group[link];
    return group == NETWORK_NO_GROUP ? NETWORK_NONE : group;
}

/* Returns the router (in the machine) at the other end of an output, and sets *end to the port
 * there, as an output. NETWORK_NONE: a global port without a link that works. */
static inline uint32_t face_router_behind(const struct rail_group *rail_group, uint32_t output,
                                          uint32_t *end) {
    const struct network *network = rail_group->network;
    const struct network_output_wiring *wiring = &network->tables.wiring[output];
    const struct topology *topology = &network->topology;
    uint32_t group = rail_group->group;
    if (wiring->channel_kind == NETWORK_LOCAL) {
        *end = network->tables.local_peer[output];
    } else {
        group = face_group_behind(rail_group, wiring->global_link);
        *end = rail_group->wiring.peer_port[wiring->global_link];
    }
    return group == NETWORK_NONE ? NETWORK_NONE
                                 : group * topology->routers_per_group + *end / topology->radix;
}

/* Returns the port by which a packet that came in by `input` gets into the ring, or on in it. */
static inline uint32_t face_ring_port(const struct rail_group *rail_group, uint32_t input) {
    return rail_group->wiring.ring_output_of_input[input];
}

/* Removes the escape ring; the VCs stay as they were with it. No setting does so, because a network
 * like that can come to a standstill. */
static inline void face_remove_ring(struct network *network) {
    network->vcs.ring_vc = NETWORK_NONE;
}

/* Puts a packet that has not left its node into a virtual network. */
static inline void face_set_virtual_network(const struct network *network,
                                            struct network_packet *packet,
                                            uint32_t virtual_network) {
    packet->vc = (uint8_t)(virtual_network * network->vcs.per_virtual_network);
}

/* Returns the virtual network of a VC. */
static inline uint32_t face_virtual_network(const struct network *network, uint32_t vc) {
    return vc / network->vcs.per_virtual_network;
}

/* Sets who is told of timers. */
static inline void face_set_timer(struct network *network,
                                  void (*timer)(void *context, struct rail_group *rail_group,
                                                int64_t now_ps, uint32_t entity, uint64_t data)) {
    network->sink.timer = timer;
}

/* ---------------------------------------------------------------- time and counts */

/* Lets a network run once more, from times that the test sets; network_run refuses that otherwise.
 */
static inline void face_let_run_again(struct network *network) {
    network->run.has_begun = false;
}

/* Sets the current time of a rail group. */
static inline void face_set_time(struct rail_group *rail_group, int64_t now_ps) {
    rail_group->now_ps = now_ps;
}

/* Returns the current time of a rail group. */
static inline int64_t face_now_ps(const struct rail_group *rail_group) {
    return rail_group->now_ps;
}

/* Returns the time of a rail group's next event; EVENT_NEVER: there is none. */
static inline int64_t face_next_event_ps(const struct rail_group *rail_group) {
    return event_queue_next_ps(&rail_group->events);
}

/* Returns the number of packets that an output has sent. */
static inline uint64_t face_packets_sent(const struct rail_group *rail_group, uint32_t output) {
    return rail_group->outputs[output].packets;
}

/* Returns how long an output was stalled, without a stall that lasts. */
static inline int64_t face_stalled_ps(const struct rail_group *rail_group, uint32_t output) {
    return rail_group->counts.links[output].stalled_ps;
}

/* Counts one more message as handed in. */
static inline void face_count_message(struct rail_group *rail_group) {
    rail_group->counts.started_messages++;
}

/* ---------------------------------------------------------------- outputs */

/* Returns the credits of an output VC that have arrived. */
static inline int32_t face_credits(const struct rail_group *rail_group, uint32_t port_vc) {
    return rail_group->output_vcs[port_vc].credits_bytes;
}

/* Sets the credits of an output VC. */
static inline void face_set_credits(struct rail_group *rail_group, uint32_t port_vc,
                                    int32_t bytes) {
    rail_group->output_vcs[port_vc].credits_bytes = bytes;
}

/* Takes credits from an output VC. */
static inline void face_take_credits(struct rail_group *rail_group, uint32_t port_vc,
                                     int32_t bytes) {
    rail_group->output_vcs[port_vc].credits_bytes -= bytes;
}

/* Returns the number of outputs of routers, which come first; the others are those of NICs. */
static inline uint32_t face_ports(const struct network *network) {
    return network->tables.ports;
}

/* Where the bytes are that an output VC may have under way, see network/engine/state/state.h. */
struct face_amounts {
    int64_t credits;       /* which have arrived */
    int64_t output_buffer; /* of packets whose heads have not left the output yet */
    int64_t wire;
    int64_t buffer;    /* at the other end */
    int64_t returning; /* credits on their way back */
};

/* Returns the size of each VC's buffer at the other end of an output. */
static inline int32_t face_other_end_bytes(const struct network *network, uint32_t output) {
    return network_buffer_behind(network, output);
}

/* Returns the output VC at the other end of an input VC: its place among those of all rail groups.
 */
static inline size_t face_upstream(const struct rail_group *rail_group, uint32_t port_vc) {
    const struct network *network = rail_group->network;
    const struct network_input_position *position = &network->tables.positions[port_vc];
    const size_t per_rail_group = (size_t)network->tables.outputs * network->vcs.per_port;
    const size_t own = (size_t)(rail_group - network->rail_groups);
    if (!position->is_global) return own * per_rail_group + position->peer;
    const uint32_t link = position->global_link;
    return (rail_group->rail_offset + (size_t)rail_group->wiring.peer_group[link]) *
               per_rail_group +
           rail_group->wiring.peer_port[link] * network->vcs.per_port + position->vc;
}

/* Counts the amounts of all output VCs after a run on one thread that was stopped: amounts[rail
 * group · port VCs of its outputs + port VC], all 0 before. The network cannot go on afterwards:
 * all of its events are taken. */
static inline void face_count_amounts(struct network *network, struct face_amounts *amounts) {
    const size_t per_rail_group = (size_t)network->tables.outputs * network->vcs.per_port;
    for (uint32_t i = 0; i < network->topology.groups; i++)
        exchange_receive(network, i, network->rail_groups[0].sender->window);
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        for (uint32_t port_vc = 0; port_vc < per_rail_group; port_vc++) {
            credits_settle(rail_group, &network->hop_features, port_vc);
            amounts[i * per_rail_group + port_vc].credits =
                rail_group->output_vcs[port_vc].credits_bytes;
        }
        for (uint32_t port_vc = 0; port_vc < network->tables.ports * network->vcs.per_port;
             port_vc++)
            for (uint32_t packet = rail_group->input_vcs[port_vc].first; packet != NETWORK_NONE;
                 packet = rail_group->packets.items[packet].next)
                amounts[face_upstream(rail_group, port_vc)].buffer +=
                    rail_group->packets.items[packet].size_bytes;
        for (int64_t at_ps;
             (at_ps = event_queue_peek(&rail_group->events, EVENT_NEVER)) != EVENT_NEVER;) {
            uint64_t event;
            struct event_record record;
            if (!event_queue_take(&rail_group->events, at_ps, &event)) {
                event_queue_take_keyed(&rail_group->events, at_ps, &record);
                continue;
            }
            if (NETWORK_EVENT_KIND(event) != NETWORK_EVENT_ENTER_VC) continue;
            const uint32_t port_vc = NETWORK_EVENT_WHERE(event);
            const uint32_t type = network->tables.positions[port_vc].channel_type;
            const int64_t left_ps =
                at_ps - network->routers.delay_ps - network->channels.latency_ps[type];
            const size_t from = face_upstream(rail_group, port_vc);
            struct face_amounts *each = &amounts[from];
            *(left_ps > network->rail_groups[from / per_rail_group].now_ps ? &each->output_buffer
                                                                           : &each->wire) +=
                rail_group->packets.items[NETWORK_EVENT_WHAT(event)].size_bytes;
        }
    }
    for (uint32_t i = 0; i < network->rail_group_count; i++) {
        struct rail_group *rail_group = &network->rail_groups[i];
        rail_group->now_ps = EVENT_NEVER - 1;
        for (uint32_t port_vc = 0; port_vc < per_rail_group; port_vc++) {
            struct face_amounts *each = &amounts[i * per_rail_group + port_vc];
            credits_settle(rail_group, &network->hop_features, port_vc);
            each->returning = rail_group->output_vcs[port_vc].credits_bytes - each->credits;
        }
    }
}

/* Returns how many bytes are free in the buffer that the VCs at the other end of an output share.
 */
static inline int32_t face_shared_free_bytes(const struct rail_group *rail_group, uint32_t output) {
    return rail_group->shared_free_bytes[output];
}

/* Takes the credits of a packet from a VC's own and shared buffer. */
static inline void face_take_shared(struct rail_group *rail_group, uint32_t port_vc,
                                    uint32_t bytes) {
    credits_take_shared(rail_group, port_vc, bytes);
    rail_group->output_vcs[port_vc].credits_bytes -= (int32_t)bytes;
}

/* Gives an output VC a credit that arrives at time_ps. */
static inline void face_give_back(struct rail_group *rail_group, uint32_t port_vc, int64_t time_ps,
                                  uint32_t bytes) {
    credits_return(rail_group, &rail_group->network->hop_features, port_vc, time_ps, bytes);
}

/* Returns whether an output VC has credits for so many bytes. */
static inline bool face_has_room(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes) {
    return credits_are_available(rail_group, &rail_group->network->hop_features, port_vc, bytes);
}

/* Returns when an output VC has credits for so many bytes. */
static inline int64_t face_room_ps(struct rail_group *rail_group, uint32_t port_vc,
                                   uint32_t bytes) {
    return credits_at_ps(rail_group, port_vc, bytes);
}

/* Sets until when the channel of an output is in use. */
static inline void face_set_channel_free(struct rail_group *rail_group, uint32_t output,
                                         int64_t free_ps) {
    rail_group->outputs[output].free_ps = free_ps;
}

/* Sets until when a VC cannot be allocated, where VCs are allocated. */
static inline void face_set_vc_free(struct rail_group *rail_group, uint32_t port_vc,
                                    int64_t free_ps) {
    if (rail_group->allocation.vc_free_ps != NULL)
        rail_group->allocation.vc_free_ps[port_vc] = free_ps;
}

/* Sets how many bytes wait for an output. */
static inline void face_set_waiting(struct rail_group *rail_group, uint32_t output,
                                    uint32_t bytes) {
    rail_group->outputs[output].waiting_bytes = bytes;
}

/* Sets how many bytes wait for an output VC, where that is counted. */
static inline void face_set_vc_waiting(struct rail_group *rail_group, uint32_t port_vc,
                                       uint32_t bytes) {
    if (rail_group->routing.vc_waiting_bytes != NULL)
        rail_group->routing.vc_waiting_bytes[port_vc] = bytes;
}

/* ---------------------------------------------------------------- packets in input VCs */

/* Lets the policy decide on the path of a packet to another group, at its source router. */
static inline void face_decide(struct rail_group *rail_group, uint32_t router,
                               struct network_packet *packet) {
    rail_group->network->routing.policy->decide(rail_group, router, packet);
}

/* Puts a packet first into an input VC and makes its request, as when it has arrived there. */
static inline void face_put(struct rail_group *rail_group, uint32_t port_vc,
                            const struct network_packet *what) {
    uint32_t index = network_packet_new(rail_group);
    struct network_packet *placed = &rail_group->packets.items[index];
    *placed = *what;
    rail_group->input_vcs[port_vc].first = rail_group->input_vcs[port_vc].last = index;
    routing_route(rail_group, rail_group->network->tables.positions[port_vc].router, placed);
    request_again(rail_group, port_vc);
}

/* Takes the packet that face_put has put into an input VC out again, and returns it. */
static inline struct network_packet face_take(struct rail_group *rail_group, uint32_t port_vc) {
    uint32_t index = rail_group->input_vcs[port_vc].first;
    struct network_packet taken = rail_group->packets.items[index];
    request_withdraw(rail_group, port_vc);
    rail_group->input_vcs[port_vc].first = rail_group->input_vcs[port_vc].last = NETWORK_NONE;
    network_packet_free(rail_group, index);
    return taken;
}

/* Returns the router of an input VC. */
static inline uint32_t face_router_of(const struct rail_group *rail_group, uint32_t port_vc) {
    return rail_group->network->tables.positions[port_vc].router;
}

/* Returns the output that the first packet of an input VC requests. */
static inline uint32_t face_asked_output(const struct rail_group *rail_group, uint32_t port_vc) {
    return input_vc_output(rail_group, &rail_group->input_vcs[port_vc]);
}

/* Returns when the first packet of an input VC can go, by a policy that decides in transit (see
 * routing_transit.find_output). */
static inline int64_t face_find_output(struct rail_group *rail_group, uint32_t port_vc) {
    return rail_group->network->routing.find_output(rail_group, port_vc);
}

/* Returns whether the first packet of an input VC can go now, by such a policy. */
static inline bool face_can_go(struct rail_group *rail_group, uint32_t port_vc) {
    return face_find_output(rail_group, port_vc) <= rail_group->now_ps;
}

/* Tells such a policy that the first packet of an input VC goes. */
static inline void face_depart(struct rail_group *rail_group, uint32_t port_vc) {
    const struct network_input_vc *buffer = &rail_group->input_vcs[port_vc];
    struct network_packet *packet = &rail_group->packets.items[buffer->first];
    packet->routers++;
    rail_group->network->routing.depart(rail_group, buffer, packet);
}

/* Changes a packet as the router does whose global link it leaves by. */
static inline void face_cross(const struct network *network, struct network_packet *packet) {
    packet->vc_class = (uint8_t)(packet->vc + 1 - packet_first_vc(network, packet));
    packet->waypoint = NETWORK_NO_LINK;
}

/* Returns whether some input VC sleeps until that output changes. */
static inline bool face_is_waited_for(const struct rail_group *rail_group, uint32_t output) {
    return rail_group->allocation.sleepers->any_waits[output];
}

/* Ends the sleep of all input VCs, and makes all routers allocate now. */
static inline void face_wake_all(struct rail_group *rail_group) {
    const struct network *network = rail_group->network;
    for (uint32_t router = 0; router < network->topology.routers_per_group; router++) {
        for (uint32_t word = 0; word < network->routers.request_words; word++)
            rail_group->allocation.sleepers
                ->asleep_bits[router * network->routers.request_words + word] = 0;
        wakeup_make_due(rail_group, &rail_group->network->hop_features,
                        router * network->topology.radix);
    }
}

#endif
