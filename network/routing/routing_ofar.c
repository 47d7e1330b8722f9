/*
 * OFAR: in-transit adaptive routing. A packet takes its minimal path while it can. When its minimal
 * output is taken or has no room, it may leave by another output. It is routed again each time its
 * router allocates, except while its input VC sleeps, until it leaves.
 *
 * There are two forms. With an escape ring, a packet may take any virtual channel, and a packet
 * that can do nothing else enters the ring, which never blocks. Without a ring, packets take
 * virtual channels in ascending order.
 *
 * How often a router checks a blocked packet must not change any result. Therefore all checks give
 * one result until something changes, and the time that a check returns is not later than the first
 * known change that lets the packet go. For changes that are not known yet, the input VC sleeps
 * (sleepers.h): for credits that are not yet on their way, and for packets that the minimal output
 * sends, because that output may then hold more.
 *
 * Source: Garcia et al. 2013, sections 2 and 3; docs/model.md, 6.4, has the complete rules.
 */
#include "core/base/compiler_hints.h"
#include "core/simulation/random.h"
#include "network/engine/flow_control/outputs.h"
#include "network/engine/flow_control/requests.h"
#include "network/engine/flow_control/sleepers.h"
#include "network/routing/misrouting.h"
#include "network/routing/ring.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"

/* ---------------------------------------------------------------- virtual channels */

/* Returns the VC (of a virtual network) in the form without a ring. Global channels of the n-th
 * global hop take VC n. Local channels of the first group take a pair of VCs; each later group
 * takes the next pair if local misroutes are possible, else the next single VC. Of a pair, hops
 * take the first VC until the packet's local misroute and the second VC after it. A misroute in the
 * source group takes the first VC if it is the packet's first hop, else the second. */
static uint32_t ordered_vc(const struct network *network, const struct network_packet *packet,
                           uint32_t kind, bool misrouted) {
    uint32_t globals = packet->vc_class;
    if (kind == NETWORK_GLOBAL) return globals;
    uint32_t before = misrouted && globals == 0 ? packet->routers > 0
                                                : (packet->flags & NETWORK_PACKET_BY_ROUTER) != 0;
    if (network->routing.misrouting->allows_local) return 2 * globals + before;
    return globals == 0 ? before : globals + 1;
}

/* Returns the VC that the packet takes on every channel of a kind other than terminal, or
 * NETWORK_NONE if it takes the VC with most credits. */
static inline uint32_t same_vc(const struct network *network, const struct network_packet *packet,
                               uint32_t kind, bool misrouted) {
    if (network->vcs.ring_vc != NETWORK_NONE) return NETWORK_NONE;
    uint32_t vc = ordered_vc(network, packet, kind, misrouted);
    if (vc >= network->vcs.without_ring_count)
        vc = network->vcs.without_ring_count - 1; /* network.vcs may be fewer */
    return packet_first_vc(network, packet) + vc;
}

/* Returns the VC of an output with most credits, of those of the virtual network with that first
 * VC, the ring's excepted. */
HINT_NOINLINE static uint32_t vc_with_most(struct rail_group *rail_group, uint32_t output,
                                           uint32_t kind, uint32_t first_vc) {
    const struct network *network = rail_group->network;
    int32_t all_bytes = network->channels.buffer_bytes[kind];
    uint32_t first = output * network->vcs.per_port + first_vc;
    uint32_t end = first + network->vcs.ofar_count[kind];
    uint32_t best = first;
    int32_t max_bytes = INT32_MIN;
    for (uint32_t port_vc = first; port_vc < end && max_bytes < all_bytes; port_vc++) {
        credits_settle(rail_group, &rail_group->network->hop_features, port_vc);
        int32_t bytes = rail_group->output_vcs[port_vc].credits_bytes;
        if (bytes <= max_bytes) continue;
        best = port_vc;
        max_bytes = bytes;
    }
    return best - output * network->vcs.per_port;
}

/* Returns the VC that the packet takes at an output: `same`, or if that is NETWORK_NONE the VC with
 * most credits. */
static inline uint32_t vc_of(struct rail_group *rail_group, uint32_t output, uint32_t kind,
                             uint32_t first_vc, uint32_t same) {
    if (same != NETWORK_NONE) return same;
    const struct network *network = rail_group->network;
    /* Usually no packet is under way by the first VC; then no VC has more credits. */
    if (rail_group->output_vcs[(size_t)output * network->vcs.per_port + first_vc].credits_bytes ==
        network->channels.buffer_bytes[kind])
        return first_vc;
    return vc_with_most(rail_group, output, kind, first_vc);
}

/* Returns the bytes sent by an output and not yet credited back: of one VC, or of all VCs of
 * its virtual network but the ring's. */
static inline int64_t occupancy(struct rail_group *rail_group, uint32_t output, uint32_t kind,
                                uint32_t first_vc, uint32_t vc) {
    const struct network *network = rail_group->network;
    int64_t buffer = network->channels.buffer_bytes[kind];
    uint32_t first = output * network->vcs.per_port;
    if (network->config.ofar_measure == NETWORK_OFAR_MEASURE_VC) {
        credits_settle(rail_group, &rail_group->network->hop_features, first + vc);
        return buffer - rail_group->output_vcs[first + vc].credits_bytes;
    }
    int64_t bytes = 0;
    first += first_vc;
    for (uint32_t i = 0; i < network->vcs.ofar_count[kind]; i++) {
        credits_settle(rail_group, &rail_group->network->hop_features, first + i);
        bytes += buffer - rail_group->output_vcs[first + i].credits_bytes;
    }
    return bytes;
}

/* Returns when a port VC will have so many credits. If that is not known, makes the input VC wait
 * for the output and returns EVENT_NEVER. */
static inline int64_t credits_ps(struct rail_group *rail_group,
                                 const struct network_input_vc *requester, uint32_t port_vc,
                                 int32_t bytes) {
    int64_t at_ps = credits_at_ps(rail_group, port_vc, bytes > 0 ? (uint32_t)bytes : 1);
    if (at_ps == EVENT_NEVER || rail_group->shared_free_bytes != NULL)
        sleepers_wait(rail_group, requester, port_of_vc(rail_group->network, port_vc));
    return at_ps;
}

/* Returns when the next credit comes to any VC of an output in the virtual network of the first
 * packet of an input VC. */
static int64_t next_credit_ps(struct rail_group *rail_group,
                              const struct network_input_vc *requester, uint32_t output) {
    const struct network *network = rail_group->network;
    int64_t wake_ps = EVENT_NEVER;
    uint32_t vcs = network->vcs.ofar_count[network->tables.wiring[output].channel_kind];
    uint32_t first = output * network->vcs.per_port +
                     packet_first_vc(network, &rail_group->packets.items[requester->first]);
    for (uint32_t port_vc = first; port_vc < first + vcs; port_vc++) {
        credits_settle(rail_group, &rail_group->network->hop_features, port_vc);
        int64_t at_ps = credits_ps(rail_group, requester, port_vc,
                                   rail_group->output_vcs[port_vc].credits_bytes + 1);
        if (at_ps < wake_ps) wake_ps = at_ps;
    }
    return wake_ps;
}

/* Returns when the packet may have the credits that it lacks: credits of its VC, or of any VC if it
 * may take any. */
static inline int64_t room_ps(struct rail_group *rail_group,
                              const struct network_input_vc *requester, uint32_t port_vc,
                              uint32_t bytes) {
    const struct network *network = rail_group->network;
    if (network->vcs.ring_vc == NETWORK_NONE)
        return credits_ps(rail_group, requester, port_vc, (int32_t)bytes);
    return next_credit_ps(rail_group, requester, port_of_vc(network, port_vc));
}

/* Returns when the occupancy of an output may fall: of the packet's VC, or of any VC if the packet
 * may use all VCs or if network.ofar.measure counts all of them. */
static inline int64_t drain_ps(struct rail_group *rail_group,
                               const struct network_input_vc *requester, uint32_t port_vc) {
    const struct network *network = rail_group->network;
    if (network->vcs.ring_vc == NETWORK_NONE &&
        network->config.ofar_measure == NETWORK_OFAR_MEASURE_VC)
        return credits_ps(rail_group, requester, port_vc,
                          rail_group->output_vcs[port_vc].credits_bytes + 1);
    return next_credit_ps(rail_group, requester, port_of_vc(network, port_vc));
}

/* The output cannot be used before at_ps by this VC. Returns an earlier time if another VC may work
 * sooner: where VCs are not free at all times, the credits decide which VC the packet takes. */
static inline int64_t unless_other_vc_ps(struct rail_group *rail_group,
                                         const struct network_input_vc *requester, uint32_t output,
                                         int64_t at_ps) {
    const struct network *network = rail_group->network;
    if (at_ps <= rail_group->now_ps || network->config.allocation_latency_ps == 0 ||
        network->vcs.ring_vc == NETWORK_NONE)
        return at_ps;
    int64_t credit_ps = next_credit_ps(rail_group, requester, output);
    return credit_ps < at_ps ? credit_ps : at_ps;
}

/* Returns the credits in bytes that a packet needs to leave: for itself and, if its node has just
 * injected it, for the packets for which it must leave room. */
static uint32_t room_bytes(const struct network *network, const struct network_packet *packet,
                           const struct network_input_position *position) {
    if (position->channel_type != NETWORK_TERMINAL || network->vcs.ring_vc == NETWORK_NONE)
        return packet->size_bytes;
    return packet->size_bytes +
           (uint32_t)network->config.ofar_injection_room * network->channels.full_packet_bytes;
}

/* ---------------------------------------------------------------- candidates */

struct ofar_search {
    struct rail_group *rail_group;
    struct network_input_vc *requester;
    const struct network_input_position *position; /* of `requester` */
    const struct network_packet *packet;
    uint32_t minimal;    /* output of the minimal path */
    uint32_t first_vc;   /* first VC of the packet's virtual network */
    uint32_t room_bytes; /* credits that the packet needs to leave */
    bool free_choice;    /* candidates of any occupancy are allowed */
    int64_t held_bytes;  /* bytes that the minimal output holds; -1: not computed yet */
    int64_t wake_ps;     /* when an output that is impossible now may become possible */
    uint32_t count;
    uint16_t ports[NETWORK_RADIX_MAX];
};

/* Returns whether a candidate's occupancy is at most the given share of the minimal output's. Both
 * are taken relative to their buffers. */
static bool within_limit(struct ofar_search *search, uint32_t output, uint32_t kind, uint32_t vc) {
    if (search->free_choice) return true;
    struct rail_group *rail_group = search->rail_group;
    const struct network *network = rail_group->network;
    uint32_t minimal_kind = network->tables.wiring[search->minimal].channel_kind;
    if (search->held_bytes < 0)
        search->held_bytes =
            occupancy(rail_group, search->minimal, minimal_kind, search->first_vc,
                      vc_of(rail_group, search->minimal, minimal_kind, search->first_vc,
                            same_vc(network, search->packet, minimal_kind, false)));
    int64_t held = occupancy(rail_group, output, kind, search->first_vc, vc);
    int64_t buffer = network->channels.buffer_bytes[kind];
    int64_t minimal_buffer = network->channels.buffer_bytes[minimal_kind];
    int64_t share = held * 1000000;
    int64_t max = search->held_bytes * network->config.ofar_threshold_millionths;
    if (buffer == minimal_buffer ? share <= max
                                 : (__int128)share * minimal_buffer <= (__int128)max * buffer)
        return true;
    sleepers_wait(rail_group, search->requester, search->minimal); /* it may hold more later */
    return false;
}

/* Returns whether an output's channel is taken. */
static inline bool is_taken(struct ofar_search *search, uint32_t output) {
    const struct rail_group *rail_group = search->rail_group;
    int64_t at_ps = output_channel_free_ps(rail_group, &rail_group->network->hop_features, output,
                                           search->packet->size_bytes);
    if (at_ps <= rail_group->now_ps) return false;
    if (at_ps < search->wake_ps) search->wake_ps = at_ps;
    return true;
}

/* Returns whether the packet could leave now by a port VC of an output whose channel is free. Else
 * lowers search->wake_ps. */
HINT_NOINLINE static bool could_leave(struct ofar_search *search, uint32_t output, uint32_t kind,
                                      uint32_t port_vc) {
    struct rail_group *rail_group = search->rail_group;
    const struct network_input_vc *requester = search->requester;
    int64_t at_ps = unless_other_vc_ps(
        rail_group, requester, output,
        output_vc_free_ps(rail_group, &rail_group->network->hop_features, port_vc));
    if (at_ps <= rail_group->now_ps) {
        if (!credits_are_available(rail_group, &rail_group->network->hop_features, port_vc,
                                   search->room_bytes)) {
            at_ps = room_ps(rail_group, requester, port_vc, search->room_bytes);
        } else if (within_limit(search, output, kind,
                                port_vc - output * rail_group->network->vcs.per_port)) {
            return true;
        } else {
            at_ps = drain_ps(rail_group, requester, port_vc);
        }
    }
    if (at_ps < search->wake_ps) search->wake_ps = at_ps;
    return false;
}

/* Adds an output whose channel is free to the candidates if the packet could leave by it now. */
static inline void consider(struct ofar_search *search, uint32_t output, uint32_t port,
                            uint32_t kind, uint32_t same) {
    struct rail_group *rail_group = search->rail_group;
    const struct network *network = rail_group->network;
    if (output == search->minimal) return;
    uint32_t port_vc =
        output * network->vcs.per_port + vc_of(rail_group, output, kind, search->first_vc, same);
    const struct network_output_vc *taken = &rail_group->output_vcs[port_vc];
    /* An empty buffer is within every limit. */
    bool empty = output_vc_free_ps(rail_group, &rail_group->network->hop_features, port_vc) <=
                     rail_group->now_ps &&
                 taken->credits_bytes == network->channels.buffer_bytes[kind] &&
                 taken->credits_bytes >= (int32_t)search->room_bytes &&
                 network->config.ofar_measure == NETWORK_OFAR_MEASURE_VC;
    if (empty || could_leave(search, output, kind, port_vc))
        search->ports[search->count++] = (uint16_t)port;
}

/* Considers the global ports of the packet's router. */
static void consider_globals(struct ofar_search *search) {
    const struct network *network = search->rail_group->network;
    const struct topology *topology = &network->topology;
    uint32_t first = search->position->router * topology->radix + topology->first_global_port;
    uint32_t same = same_vc(network, search->packet, NETWORK_GLOBAL, true);
    for (uint32_t k = 0; k < topology->globals_per_router; k++) {
        if (is_taken(search, first + k)) continue;
        uint32_t link = search->position->router * topology->globals_per_router + k;
        if (misrouting_leads_away(search->rail_group, search->packet, link))
            consider(search, first + k, topology->first_global_port + k, NETWORK_GLOBAL, same);
    }
}

/* Considers the local ports: to all neighbours, or to those that have a global link that is a
 * candidate. */
static void consider_locals(struct ofar_search *search, bool with_links) {
    const struct network *network = search->rail_group->network;
    const struct topology *topology = &network->topology;
    uint32_t first = search->position->router * topology->radix;
    uint32_t router_in_rail =
        search->rail_group->group * topology->routers_per_group + search->position->router;
    uint32_t same = same_vc(network, search->packet, NETWORK_LOCAL, true);
    for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port;
         port++) {
        if (is_taken(search, first + port)) continue;
        if (!failures_port_works(search->rail_group->topology, router_in_rail, port)) continue;
        if (with_links) {
            uint32_t router = network->tables.local_peer[first + port] / topology->radix;
            if (!misrouting_router_leads_away(search->rail_group, router, search->packet)) continue;
        }
        consider(search, first + port, port, NETWORK_LOCAL, same);
    }
}

/* Returns whether the packet can still be misrouted globally, which happens once, in its source
 * group. */
static bool may_misroute_globally(const struct rail_group *rail_group,
                                  const struct network_packet *packet) {
    return packet->target_group != rail_group->group &&
           !(packet->flags & NETWORK_PACKET_GLOBAL_MISROUTE);
}

static void find_candidates(struct ofar_search *search) {
    const struct network *network = search->rail_group->network;
    const struct network_packet *packet = search->packet;
    if (packet->waypoint != NETWORK_NO_LINK) {
        search->free_choice = true; /* the global hop is due, and all links are equally good */
        consider_globals(search);
    } else if (may_misroute_globally(search->rail_group, packet)) {
        unsigned candidates = misrouting_candidates(network, packet);
        if (candidates & MISROUTING_CURRENT) consider_globals(search);
        if (candidates & MISROUTING_NEIGHBOUR) consider_locals(search, true);
    } else if (network->routing.misrouting->allows_local &&
               !(packet->flags & NETWORK_PACKET_BY_ROUTER) &&
               network->tables.wiring[search->minimal].channel_kind == NETWORK_LOCAL &&
               (network->vcs.ring_vc != NETWORK_NONE ||
                network_kind_of_channel_type(search->position->channel_type) != NETWORK_LOCAL)) {
        consider_locals(search, false);
    }
}

/* ---------------------------------------------------------------- checking a blocked packet */

/* Makes the packet request another output. Sets no flags. */
static void turn_to(struct rail_group *rail_group, uint32_t port_vc, uint32_t port, uint32_t vc) {
    struct network_packet *packet =
        &rail_group->packets.items[rail_group->input_vcs[port_vc].first];
    request_withdraw(rail_group, port_vc);
    packet->output_port = (uint16_t)port;
    packet->vc = (uint8_t)vc;
    request_again(rail_group, port_vc);
}

/* Returns the port VC by which packets of an input enter the ring or go on in it. */
static inline uint32_t ring_port_vc(const struct rail_group *rail_group,
                                    const struct network_input_vc *requester, uint32_t first_vc) {
    const struct network *network = rail_group->network;
    const struct network_input_position *position = input_vc_position(rail_group, requester);
    uint32_t port = rail_group->wiring.ring_output_of_input[position->input];
    return (position->router * network->topology.radix + port) * network->vcs.per_port + first_vc +
           network->vcs.ring_vc;
}

/* Returns when a packet just injected may leave: now, if the ring's next buffer is empty. Packets
 * in the ring found no room elsewhere, so a new packet would not find any either. */
static inline int64_t may_inject_ps(struct rail_group *rail_group,
                                    const struct network_input_vc *requester, uint32_t first_vc) {
    const struct network *network = rail_group->network;
    if (input_vc_position(rail_group, requester)->channel_type != NETWORK_TERMINAL ||
        !network->config.ofar_ring_first)
        return rail_group->now_ps;
    uint32_t port_vc = ring_port_vc(rail_group, requester, first_vc);
    int32_t all_bytes =
        network->channels
            .buffer_bytes[network->tables.wiring[port_of_vc(network, port_vc)].channel_kind];
    if (credits_are_available(rail_group, &rail_group->network->hop_features, port_vc,
                              (uint32_t)all_bytes))
        return rail_group->now_ps;
    return credits_ps(rail_group, requester, port_vc, all_bytes);
}

/* Tries to send the packet into the ring, for which the next buffer must have room for two packets,
 * or on in the ring, for which it must have room for one. If the packet cannot go, lowers *wake_ps
 * to the time at which it may be able to. */
static bool try_ring(struct rail_group *rail_group, uint32_t port_vc, uint32_t first_vc,
                     bool in_ring, int64_t *wake_ps) {
    const struct network *network = rail_group->network;
    const struct network_input_vc *requester = &rail_group->input_vcs[port_vc];
    uint32_t into = ring_port_vc(rail_group, requester, first_vc);
    uint32_t output = port_of_vc(network, into);
    uint32_t bytes = network->channels.full_packet_bytes * (in_ring ? 1 : 2);
    int64_t at_ps = output_channel_free_ps(rail_group, &rail_group->network->hop_features, output,
                                           rail_group->packets.items[requester->first].size_bytes);
    int64_t vc_ps = output_vc_free_ps(rail_group, &rail_group->network->hop_features, into);
    if (vc_ps > at_ps) at_ps = vc_ps;
    if (at_ps <= rail_group->now_ps) {
        if (credits_are_available(rail_group, &rail_group->network->hop_features, into, bytes)) {
            rail_group->packets.items[requester->first].flags |= NETWORK_PACKET_MISROUTES;
            turn_to(
                rail_group, port_vc,
                rail_group->wiring.ring_output_of_input[network->tables.positions[port_vc].input],
                first_vc + network->vcs.ring_vc);
            return true;
        }
        at_ps = credits_ps(rail_group, requester, into, (int32_t)bytes);
    }
    if (at_ps < *wake_ps) *wake_ps = at_ps;
    return false;
}

/* Returns whether the packet may take another output now. An output is granted whenever one of its
 * VCs is allocated; the packets that request it are checked again after that. */
static bool may_leave(const struct rail_group *rail_group, const struct network_packet *packet,
                      uint32_t minimal) {
    const struct network *network = rail_group->network;
    if (network->config.ofar_trigger == NETWORK_OFAR_TRIGGER_BLOCKED ||
        packet->waypoint != NETWORK_NO_LINK)
        return true;
    int64_t granted_ps = rail_group->now_ps + network->config.allocation_latency_ps;
    const int64_t *vc_free_ps =
        &rail_group->allocation.vc_free_ps[(size_t)minimal * network->vcs.per_port];
    for (uint32_t vc = 0; vc < network->vcs.per_port; vc++)
        if (vc_free_ps[vc] == granted_ps) return true;
    return false;
}

/* Looks for another output for a packet whose minimal output is impossible until minimal_ps, for
 * lack of credits if `starved`. Returns now_ps if the packet can go, else when it may be able
 * to. */
static int64_t find_misroute(struct rail_group *rail_group, uint32_t port_vc, int64_t minimal_ps,
                             bool starved) {
    const struct network *network = rail_group->network;
    struct network_input_vc *requester = &rail_group->input_vcs[port_vc];
    const struct network_input_position *position = &network->tables.positions[port_vc];
    struct network_packet *packet = &rail_group->packets.items[requester->first];
    uint32_t minimal = input_vc_output(rail_group, requester);
    uint32_t first_vc = packet_first_vc(network, packet);
    bool in_ring = position->vc - first_vc == network->vcs.ring_vc;
    struct ofar_search search;
    search.wake_ps = minimal_ps;
    search.count = 0;
    if (!in_ring && may_leave(rail_group, packet, minimal)) {
        search.rail_group = rail_group;
        search.requester = requester;
        search.position = position;
        search.packet = packet;
        search.minimal = minimal;
        search.first_vc = first_vc;
        search.room_bytes = room_bytes(network, packet, position);
        search.free_choice = false;
        search.held_bytes = -1;
        find_candidates(&search);
    }
    if (search.count > 0) {
        struct random_block block =
            random_draw(network_seed(network), RANDOM_MISROUTING, packet->source,
                        (uint64_t)rail_group->now_ps ^ (uint64_t)packet->packet_number << 40);
        uint32_t port = search.ports[random_below(block.word[0], search.count)];
        uint32_t output = position->router * network->topology.radix + port;
        uint32_t kind = network->tables.wiring[output].channel_kind;
        packet->flags |= NETWORK_PACKET_MISROUTES;
        turn_to(rail_group, port_vc, port,
                vc_of(rail_group, output, kind, first_vc, same_vc(network, packet, kind, true)));
        return rail_group->now_ps;
    }
    bool to_ring = network->vcs.ring_vc != NETWORK_NONE &&
                   (in_ring || (starved && position->channel_type != NETWORK_TERMINAL));
    if (to_ring && try_ring(rail_group, port_vc, first_vc, in_ring, &search.wake_ps))
        return rail_group->now_ps;
    if (starved) output_begin_stall(rail_group, minimal);
    /* A packet that the minimal output sends ends a stall, raises the occupancy with which
     * candidates are compared, and may trigger a misroute. */
    sleepers_wait(rail_group, requester, minimal);
    return search.wake_ps;
}

/* Returns a packet that did not get the output of its misroute to its minimal output. */
HINT_NOINLINE static void turn_back(struct rail_group *rail_group, uint32_t port_vc) {
    const struct network_input_vc *requester = &rail_group->input_vcs[port_vc];
    struct network_packet *packet = &rail_group->packets.items[requester->first];
    packet->flags &= (uint8_t)~NETWORK_PACKET_MISROUTES;
    request_withdraw(rail_group, port_vc);
    routing_route(rail_group, rail_group->network->tables.positions[port_vc].router, packet);
    request_again(rail_group, port_vc);
}

int64_t routing_ofar_find_output(struct rail_group *rail_group, uint32_t port_vc) {
    const struct network *network = rail_group->network;
    struct network_input_vc *requester = &rail_group->input_vcs[port_vc];
    struct network_packet *packet = &rail_group->packets.items[requester->first];
    if (packet->flags & NETWORK_PACKET_MISROUTES) turn_back(rail_group, port_vc);
    const uint32_t output = input_vc_output(rail_group, requester);
    uint32_t first_vc = packet_first_vc(network, packet);
    uint32_t kind = network->tables.wiring[output].channel_kind;
    int64_t at_ps = output_channel_free_ps(rail_group, &rail_group->network->hop_features, output,
                                           packet->size_bytes);
    if (kind == NETWORK_TERMINAL) {
        if (at_ps > rail_group->now_ps) return at_ps;
        packet->vc = (uint8_t)first_vc;
        uint32_t ejection_vc =
            packet_port_vc(network, &rail_group->network->hop_features, packet, output);
        at_ps = output_vc_free_ps(rail_group, &rail_group->network->hop_features, ejection_vc);
        if (at_ps > rail_group->now_ps || network->config.nic_receive_buffer_bytes == 0 ||
            credits_are_available(rail_group, &rail_group->network->hop_features, ejection_vc,
                                  packet->size_bytes))
            return at_ps;
        output_begin_stall(rail_group, output);
        return credits_ps(rail_group, requester, ejection_vc, (int32_t)packet->size_bytes);
    }
    if (network->vcs.ring_vc != NETWORK_NONE) {
        int64_t inject_ps = may_inject_ps(rail_group, requester, first_vc);
        if (inject_ps > rail_group->now_ps) return inject_ps;
        if (network->tables.positions[port_vc].vc - first_vc == network->vcs.ring_vc &&
            packet->routers >= network->config.ofar_hop_limit)
            return find_misroute(rail_group, port_vc, EVENT_NEVER, true); /* it stays in the ring */
    }
    if (at_ps > rail_group->now_ps) return find_misroute(rail_group, port_vc, at_ps, false);
    uint32_t vc = vc_of(rail_group, output, kind, first_vc, same_vc(network, packet, kind, false));
    packet->vc = (uint8_t)vc;
    uint32_t out_port_vc = output * network->vcs.per_port + vc;
    at_ps = output_vc_free_ps(rail_group, &rail_group->network->hop_features, out_port_vc);
    if (at_ps > rail_group->now_ps)
        return find_misroute(rail_group, port_vc,
                             unless_other_vc_ps(rail_group, requester, output, at_ps), false);
    uint32_t bytes = room_bytes(network, packet, &network->tables.positions[port_vc]);
    if (credits_are_available(rail_group, &rail_group->network->hop_features, out_port_vc, bytes))
        return rail_group->now_ps;
    return find_misroute(rail_group, port_vc, room_ps(rail_group, requester, out_port_vc, bytes),
                         true);
}

/* ---------------------------------------------------------------- a packet goes */

/* Updates a packet that departs by a global channel, by the ring, or by a misroute. */
HINT_NOINLINE static void depart_specially(struct rail_group *rail_group,
                                           const struct network_input_vc *from,
                                           struct network_packet *packet, uint32_t kind,
                                           bool misrouted) {
    const struct network *network = rail_group->network;
    const uint32_t output = input_vc_output(rail_group, from);
    if (kind == NETWORK_GLOBAL) packet->flags &= (uint8_t)~NETWORK_PACKET_BY_ROUTER;
    if (network_is_ring_vc(network, packet->vc)) {
        if (!network_is_ring_vc(network, input_vc_position(rail_group, from)->vc))
            rail_group->counts.totals.ring_entries++;
        if (packet->waypoint != NETWORK_NO_LINK)
            packet->flags &= (uint8_t)~NETWORK_PACKET_GLOBAL_MISROUTE; /* not taken */
        packet->waypoint = NETWORK_NO_LINK;
        packet->flags |= NETWORK_PACKET_NONMINIMAL;
    } else if (kind == NETWORK_GLOBAL &&
               rail_group->wiring.peer_group[network->tables.wiring[output].global_link] !=
                   packet->target_group) {
        packet->flags |= NETWORK_PACKET_GLOBAL_MISROUTE | NETWORK_PACKET_NONMINIMAL;
    } else if (misrouted && may_misroute_globally(rail_group, packet)) {
        uint32_t router = network->tables.local_peer[output] / network->topology.radix;
        packet->waypoint_link = misrouting_draw_link_of_router(rail_group, router, packet, 1);
        packet->flags |= NETWORK_PACKET_GLOBAL_MISROUTE | NETWORK_PACKET_NONMINIMAL;
    } else if (misrouted) {
        packet->flags |= NETWORK_PACKET_BY_ROUTER | NETWORK_PACKET_NONMINIMAL;
    }
}

void routing_ofar_depart(struct rail_group *rail_group, const struct network_input_vc *from,
                         struct network_packet *packet) {
    const struct network *network = rail_group->network;
    uint32_t kind = network->tables.wiring[input_vc_output(rail_group, from)].channel_kind;
    bool misrouted = packet->flags & NETWORK_PACKET_MISROUTES;
    packet->flags &= (uint8_t)~NETWORK_PACKET_MISROUTES;
    if (kind == NETWORK_TERMINAL) return;
    if (kind == NETWORK_GLOBAL || misrouted || network_is_ring_vc(network, packet->vc))
        depart_specially(rail_group, from, packet, kind, misrouted);
}
