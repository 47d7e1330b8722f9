/* Routing of first packets. Packets whose path depends on queues are routed after all events of
 * the time stamp have been processed. */
#include "network/engine/router/input_vc.h"

#include "core/base/compiler_hints.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/state/events.h"
#include "network/routing/routing.h"

/* Routes the first packet of an input VC and requests its output. in_event: true while events are
 * handled, false during routing and allocation; callers pass a constant. */
static inline void route_front(struct rail_group *rail_group,
                               const struct network_hop_features *features,
                               struct network_input_vc *input_vc,
                               const struct network_input_position *position, bool in_event) {
    struct network_packet *packet = &rail_group->packets.items[input_vc->first];
    routing_set_next_hop(rail_group, features, position->router, packet);
    if (in_event && rail_group->network->routers.counts_requests)
        request_defer(rail_group, features, input_vc, position, packet);
    else
        bitset_add(&rail_group->allocation.due_allocators,
                   request_output(rail_group, features, position, packet));
}

/* Schedules another routing decision a cycle later for a packet at its source router whose path
 * depends on queues. network.reroute limits the number of decisions, so that a network in which
 * nothing else happens comes to an end. */
HINT_NOINLINE static void schedule_reroute(struct rail_group *rail_group, uint32_t port_vc,
                                           bool first) {
    const struct network *network = rail_group->network;
    const struct network_packet *packet =
        &rail_group->packets.items[rail_group->input_vcs[port_vc].first];
    if (packet->routers > 0 || !routing_decides(rail_group, packet)) return;
    rail_group->routing.decisions[port_vc] = first ? 0 : rail_group->routing.decisions[port_vc] + 1;
    if (rail_group->routing.decisions[port_vc] >= (uint64_t)network->config.reroute) return;
    event_queue_insert(&rail_group->events, rail_group->now_ps + network->channels.cycle_ps,
                       NETWORK_EVENT(NETWORK_EVENT_REROUTE, packet->packet_number, port_vc));
}

HINT_NOINLINE void input_vc_reroute(struct rail_group *rail_group, uint32_t port_vc,
                                    uint32_t number) {
    uint32_t first = rail_group->input_vcs[port_vc].first;
    if (first != NETWORK_NONE && rail_group->packets.items[first].packet_number == number)
        bitset_add(&rail_group->allocation.unrouted, port_vc);
}

/* Routes a packet again that already has a request. If its output VC stays the same, the output
 * is not due. */
HINT_NOINLINE static void reroute(struct rail_group *rail_group, uint32_t port_vc) {
    struct network_input_vc *input_vc = &rail_group->input_vcs[port_vc];
    const struct network_input_position *position = &rail_group->network->tables.positions[port_vc];
    struct network_packet *packet = &rail_group->packets.items[input_vc->first];
    uint32_t output_before = input_vc_output(rail_group, input_vc);
    uint32_t vc_before = packet_port_vc(rail_group->network, &rail_group->network->hop_features,
                                        packet, output_before);
    request_withdraw_during_stall(rail_group, input_vc);
    routing_undo_decision(rail_group->network, packet);
    routing_route(rail_group, position->router, packet);
    uint32_t output = input_vc_output(rail_group, input_vc);
    uint32_t allocator =
        request_output(rail_group, &rail_group->network->hop_features, position, packet);
    if (packet_port_vc(rail_group->network, &rail_group->network->hop_features, packet, output) !=
        vc_before) {
        request_end_stall(rail_group, output_before);
        bitset_add(&rail_group->allocation.due_allocators, allocator);
    }
    schedule_reroute(rail_group, port_vc, false);
}

void input_vc_route(struct rail_group *rail_group, const struct network_hop_features *features,
                    uint32_t port_vc) {
    struct network_input_vc *input_vc = &rail_group->input_vcs[port_vc];
    const struct network_input_position *position = &rail_group->network->tables.positions[port_vc];
    if (features->has_basic_routing || rail_group->routing.decisions == NULL) {
        route_front(rail_group, features, input_vc, position, false);
        return;
    }
    const struct network_packet *packet = &rail_group->packets.items[input_vc->first];
    if (packet->routers == 0 &&
        packet->flags & (NETWORK_PACKET_ROUTED | NETWORK_PACKET_TENTATIVE)) {
        reroute(rail_group, port_vc);
    } else {
        route_front(rail_group, features, input_vc, position, false);
        schedule_reroute(rail_group, port_vc, true);
    }
}

/* Routes the first packet of an input VC, which may request an output from now_ps on. If its
 * path depends on queues, only adds the input VC to `unrouted`, whose packets are routed in order
 * of their input VCs after all events of this time stamp. */
static inline void route_or_defer(struct rail_group *rail_group,
                                  const struct network_hop_features *features,
                                  struct network_input_vc *input_vc,
                                  const struct network_input_position *position, bool in_event) {
    const struct network_packet *packet = &rail_group->packets.items[input_vc->first];
    if (routing_reads_state(rail_group->network, packet)) {
        bitset_add(&rail_group->allocation.unrouted, (uint32_t)(input_vc - rail_group->input_vcs));
    } else {
        route_front(rail_group, features, input_vc, position, in_event);
    }
}

void input_vc_may_request(struct rail_group *rail_group,
                          const struct network_hop_features *features, uint32_t port_vc) {
    route_or_defer(rail_group, features, &rail_group->input_vcs[port_vc],
                   &rail_group->network->tables.positions[port_vc], true);
}

static inline void becomes_first(struct rail_group *rail_group,
                                 const struct network_hop_features *features,
                                 struct network_input_vc *input_vc,
                                 const struct network_input_position *position, bool in_event) {
    if (input_vc->eligible_ps > rail_group->now_ps) {
        event_queue_insert(
            &rail_group->events, input_vc->eligible_ps,
            NETWORK_EVENT(NETWORK_EVENT_FRONT, 0, (uint32_t)(input_vc - rail_group->input_vcs)));
    } else {
        route_or_defer(rail_group, features, input_vc, position, in_event);
    }
}

void input_vc_advance(struct rail_group *rail_group, const struct network_hop_features *features,
                      struct network_input_vc *input_vc,
                      const struct network_input_position *position) {
    becomes_first(rail_group, features, input_vc, position, false);
}

void input_vc_append(struct rail_group *rail_group, const struct network_hop_features *features,
                     uint32_t port_vc, uint32_t packet) {
    struct network_input_vc *input_vc = &rail_group->input_vcs[port_vc];
    rail_group->packets.items[packet].next = NETWORK_NONE;
    if (input_vc->first == NETWORK_NONE) {
        input_vc->first = input_vc->last = packet;
        becomes_first(rail_group, features, input_vc,
                      &rail_group->network->tables.positions[port_vc], true);
    } else {
        rail_group->packets.items[input_vc->last].next = packet;
        input_vc->last = packet;
    }
}
