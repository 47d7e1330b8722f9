/* Routing of first packets. Packets whose path depends on queues are routed after all events of
 * the time stamp have been processed. */
#include "network/engine/route_computation.h"

#include "core/base/hints.h"
#include "network/engine/events.h"
#include "network/engine/requests.h"
#include "network/routing/routing.h"

/* Routes the first packet of an input VC and requests its output. Callers pass a constant for
 * `in_event`, which says that an event is processed; otherwise routers decide or allocate. */
static inline void route_front(struct network_domain *domain,
                               const struct network_hop_features *features,
                               struct network_input_vc *input_vc,
                               const struct network_input_position *position, bool in_event) {
    struct network_packet *packet = &domain->packets.items[input_vc->first];
    routing_next_hop(domain, features, position->router, packet);
    if (in_event && domain->network->routers.counts_requests)
        request_defer(domain, features, input_vc, position, packet);
    else
        bitset_add(&domain->allocation.due, request_output(domain, features, position, packet));
}

/* Schedules another routing decision a cycle later for a packet at its source router whose path
 * depends on queues. network.reroute limits the number of decisions, so that a network in which
 * nothing else happens comes to an end. */
HINT_NOINLINE static void schedule_reroute(struct network_domain *domain, uint32_t port_vc,
                                           bool first) {
    const struct network *network = domain->network;
    const struct network_packet *packet = &domain->packets.items[domain->input_vcs[port_vc].first];
    if (packet->routers > 0 || !routing_decides(domain, packet)) return;
    domain->routing.decisions[port_vc] = first ? 0 : domain->routing.decisions[port_vc] + 1;
    if (domain->routing.decisions[port_vc] >= (uint64_t)network->config.reroute) return;
    event_queue_insert(&domain->events, domain->now_ps + network->channels.cycle_ps,
                       NETWORK_EVENT(NETWORK_REROUTE, packet->number, port_vc));
}

HINT_NOINLINE void front_reroute(struct network_domain *domain, uint32_t port_vc, uint32_t number) {
    uint32_t first = domain->input_vcs[port_vc].first;
    if (first != NETWORK_NONE && domain->packets.items[first].number == number)
        bitset_add(&domain->allocation.unrouted, port_vc);
}

/* Routes a packet again that already has a request. If its output VC stays the same, the output
 * is not due. */
HINT_NOINLINE static void reroute(struct network_domain *domain, uint32_t port_vc) {
    struct network_input_vc *input_vc = &domain->input_vcs[port_vc];
    const struct network_input_position *position = &domain->network->tables.positions[port_vc];
    struct network_packet *packet = &domain->packets.items[input_vc->first];
    uint32_t output_before = input_vc_output(domain, input_vc);
    uint32_t vc_before =
        packet_port_vc(domain->network, &domain->network->hop_features, packet, output_before);
    request_withdraw_during_stall(domain, input_vc);
    routing_undo_decision(domain->network, packet);
    routing_route(domain, position->router, packet);
    uint32_t output = input_vc_output(domain, input_vc);
    uint32_t allocator = request_output(domain, &domain->network->hop_features, position, packet);
    if (packet_port_vc(domain->network, &domain->network->hop_features, packet, output) !=
        vc_before) {
        request_end_stall(domain, output_before);
        bitset_add(&domain->allocation.due, allocator);
    }
    schedule_reroute(domain, port_vc, false);
}

void front_route(struct network_domain *domain, const struct network_hop_features *features,
                 uint32_t port_vc) {
    struct network_input_vc *input_vc = &domain->input_vcs[port_vc];
    const struct network_input_position *position = &domain->network->tables.positions[port_vc];
    if (features->basic || domain->routing.decisions == NULL) {
        route_front(domain, features, input_vc, position, false);
        return;
    }
    const struct network_packet *packet = &domain->packets.items[input_vc->first];
    if (packet->routers == 0 &&
        packet->flags & (NETWORK_PACKET_ROUTED | NETWORK_PACKET_TENTATIVE)) {
        reroute(domain, port_vc);
    } else {
        route_front(domain, features, input_vc, position, false);
        schedule_reroute(domain, port_vc, true);
    }
}

/* Routes the first packet of an input VC, which may request an output from now_ps on. If its
 * path depends on queues, only adds the input VC to `unrouted`, whose packets are routed in order
 * of their input VCs after all events of this time stamp. */
static inline void route_or_defer(struct network_domain *domain,
                                  const struct network_hop_features *features,
                                  struct network_input_vc *input_vc,
                                  const struct network_input_position *position, bool in_event) {
    const struct network_packet *packet = &domain->packets.items[input_vc->first];
    if (routing_reads_state(domain->network, packet)) {
        bitset_add(&domain->allocation.unrouted, (uint32_t)(input_vc - domain->input_vcs));
    } else {
        route_front(domain, features, input_vc, position, in_event);
    }
}

void front_may_request(struct network_domain *domain, const struct network_hop_features *features,
                       uint32_t port_vc) {
    route_or_defer(domain, features, &domain->input_vcs[port_vc],
                   &domain->network->tables.positions[port_vc], true);
}

static inline void becomes_first(struct network_domain *domain,
                                 const struct network_hop_features *features,
                                 struct network_input_vc *input_vc,
                                 const struct network_input_position *position, bool in_event) {
    if (input_vc->eligible_ps > domain->now_ps) {
        event_queue_insert(
            &domain->events, input_vc->eligible_ps,
            NETWORK_EVENT(NETWORK_FRONT, 0, (uint32_t)(input_vc - domain->input_vcs)));
    } else {
        route_or_defer(domain, features, input_vc, position, in_event);
    }
}

void front_changed(struct network_domain *domain, const struct network_hop_features *features,
                   struct network_input_vc *input_vc,
                   const struct network_input_position *position) {
    becomes_first(domain, features, input_vc, position, false);
}

void input_vc_append(struct network_domain *domain, const struct network_hop_features *features,
                     uint32_t port_vc, uint32_t packet) {
    struct network_input_vc *input_vc = &domain->input_vcs[port_vc];
    domain->packets.items[packet].next = NETWORK_NONE;
    if (input_vc->first == NETWORK_NONE) {
        input_vc->first = input_vc->last = packet;
        becomes_first(domain, features, input_vc, &domain->network->tables.positions[port_vc],
                      true);
    } else {
        domain->packets.items[input_vc->last].next = packet;
        input_vc->last = packet;
    }
}
