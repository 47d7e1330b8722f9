/* Routes packets: the path l-g-l towards the next group, which all routing policies share. */
#include "network/routing/routing.h"

#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "core/simulation/random.h"
#include "network/engine/flow_control/credits.h"
#include "network/routing/misrouting.h"
#include "network/topology/failures.h"

/* Chooses one of the parallel ports from `first` on. */
HINT_NOINLINE static uint32_t parallel_port(struct rail_group *rail_group, uint32_t router,
                                            uint32_t first, const struct network_packet *packet) {
    const struct network *network = rail_group->network;
    const struct topology *topology = rail_group->topology;
    uint32_t count = topology_parallel_ports(topology, first);
    if (count == 1) return first;
    uint32_t number = rail_group->group * topology->routers_per_group + router;
    uint64_t draw = digest_mix(network_seed(network) ^ (uint64_t)router << 32,
                               (uint64_t)packet->source << 32 | routing_key(network, packet));
    uint32_t chosen = random_below((uint32_t)draw, count);
    while (!failures_port_works(topology, number, first + chosen))
        chosen = (chosen + 1) % count;
    if (!network->routing.reads_queues) return first + chosen;
    uint32_t best = first + chosen;
    int64_t min_bytes = routing_queue_bytes(rail_group, router, best);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t port = first + (chosen + i) % count;
        if (!failures_port_works(topology, number, port)) continue;
        int64_t bytes = routing_queue_bytes(rail_group, router, port);
        if (bytes >= min_bytes) continue;
        best = port;
        min_bytes = bytes;
    }
    return best;
}

static inline uint32_t port_to_router(struct rail_group *rail_group, uint32_t router, uint32_t to,
                                      const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    uint32_t first = topology_local_port(topology, rail_group->group, router, to);
    return topology->next_hop_ports == NULL ? first
                                            : parallel_port(rail_group, router, first, packet);
}

uint32_t routing_port_to_router(struct rail_group *rail_group, uint32_t router, uint32_t to,
                                const struct network_packet *packet) {
    return port_to_router(rail_group, router, to, packet);
}

uint32_t routing_port_to_link(struct rail_group *rail_group, uint32_t router, uint32_t link,
                              const struct network_packet *packet) {
    const struct network_link_end *end = &rail_group->network->tables.link_ends[link];
    return end->router == router ? end->port
                                 : port_to_router(rail_group, router, end->router, packet);
}

/* Returns the hops from a router of `group` to link x of the group and over it to the next group.
 * Sets *end to the router of the next group where the link ends. */
static uint32_t hops_over_link(const struct rail_group *rail_group, uint32_t group, uint32_t router,
                               uint32_t link, uint32_t next_group, uint32_t *end) {
    const struct topology *topology = rail_group->topology;
    const struct network_link_end *link_ends = rail_group->network->tables.link_ends;
    uint32_t peer = topology->link_peers[(size_t)group * topology->links_per_group + link];
    *end = link_ends[peer - next_group * topology->links_per_group].router;
    return 1 + topology_local_hops(topology, group, router, link_ends[link].router);
}

/* Returns the hops of the minimal path from a router of any group. The packet's first candidate
 * stands for the link that it will take in a group where it has yet to choose. */
static uint32_t minimal_hops_from(const struct rail_group *rail_group, uint32_t group,
                                  uint32_t router, const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    uint32_t hops = 0;
    while (group != packet->target_group) {
        uint32_t link = routing_link_from(rail_group, group, router, packet);
        uint32_t next = packet->target_group;
        if (topology->lacks_links)
            next = topology->link_peers[(size_t)group * topology->links_per_group + link] /
                   topology->links_per_group;
        hops += hops_over_link(rail_group, group, router, link, next, &router);
        group = next;
    }
    return hops + topology_local_hops(topology, group, router, packet->target_router);
}

uint32_t routing_minimal_hops(const struct rail_group *rail_group, uint32_t router,
                              const struct network_packet *packet) {
    return minimal_hops_from(rail_group, rail_group->group, router, packet);
}

uint32_t routing_hops_over(const struct rail_group *rail_group, uint32_t router,
                           const struct network_packet *packet, uint32_t link) {
    uint32_t next = rail_group->wiring.peer_group[link];
    uint32_t hops = hops_over_link(rail_group, rail_group->group, router, link, next, &router);
    if (next != packet->target_group)
        return hops + minimal_hops_from(rail_group, next, router, packet);
    return hops + topology_local_hops(rail_group->topology, next, router, packet->target_router);
}

uint32_t routing_intermediate_router(const struct rail_group *rail_group, uint32_t group,
                                     const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    struct random_block block =
        random_draw(network_seed(rail_group->network), RANDOM_ROUTING, packet->source,
                    (uint64_t)packet->packet_number << 8 | ROUTING_INTERMEDIATE_DRAW);
    if (topology->failures == NULL) return random_below(block.word[0], topology->routers_per_group);
    uint32_t left = random_below(block.word[0], topology->failures->working_routers[group]);
    uint32_t router = 0;
    while (!failures_router_works(topology, group * topology->routers_per_group + router) ||
           left-- > 0)
        router++;
    return router;
}

uint32_t routing_nonminimal_hops(const struct rail_group *rail_group, uint32_t router,
                                 const struct network_packet *packet, uint32_t link) {
    uint32_t group = rail_group->wiring.peer_group[link];
    uint32_t hops = hops_over_link(rail_group, rail_group->group, router, link, group, &router);
    if (rail_group->network->config.valiant == NETWORK_VALIANT_ROUTER) {
        uint32_t intermediate_router = routing_intermediate_router(rail_group, group, packet);
        hops += topology_local_hops(rail_group->topology, group, router, intermediate_router);
        router = intermediate_router;
    }
    return hops + minimal_hops_from(rail_group, group, router, packet);
}

/* Returns the bytes that an output has taken and not yet put on its channel. */
static int64_t unsent_bytes(const struct rail_group *rail_group, uint32_t output) {
    int64_t rest_ps = rail_group->outputs[output].free_ps - rail_group->now_ps;
    if (rest_ps <= 0) return 0;
    const struct network *network = rail_group->network;
    int64_t bandwidth = network->channels.bytes_per_s[network->tables.wiring[output].channel_type];
    return (int64_t)((__int128)rest_ps * bandwidth / 1000000000000);
}

int64_t routing_queue_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port) {
    const struct network *network = rail_group->network;
    network_channel_kind kind = topology_channel_kind(&network->topology, port);
    uint32_t output = router * network->topology.radix + port;
    int64_t buffer = network->channels.buffer_bytes[kind];
    int64_t queue = network->config.ugal_waiting ? rail_group->outputs[output].waiting_bytes : 0;
    if (network->config.ugal_queue == NETWORK_UGAL_QUEUE_OUTPUT)
        return queue + unsent_bytes(rail_group, output);
    for (uint32_t vc = 0; vc < network->vcs.per_port; vc++) {
        credits_settle(rail_group, &rail_group->network->hop_features,
                       output * network->vcs.per_port + vc);
        queue += buffer - rail_group->output_vcs[output * network->vcs.per_port + vc].credits_bytes;
    }
    return queue;
}

int64_t routing_vc_queue_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port,
                               const struct network_packet *packet, uint32_t vc_class) {
    const struct network *network = rail_group->network;
    uint32_t vc =
        vc_class < network->vcs.without_ring_count ? vc_class : network->vcs.without_ring_count - 1;
    uint32_t port_vc = (router * network->topology.radix + port) * network->vcs.per_port +
                       packet_first_vc(network, packet) + vc;
    network_channel_kind kind = topology_channel_kind(&network->topology, port);
    int64_t queue =
        network->config.ugal_waiting ? rail_group->routing.vc_waiting_bytes[port_vc] : 0;
    if (network->config.ugal_queue == NETWORK_UGAL_QUEUE_OUTPUT)
        return queue + unsent_bytes(rail_group, port_of_vc(network, port_vc));
    credits_settle(rail_group, &rail_group->network->hop_features, port_vc);
    return queue + network->channels.buffer_bytes[kind] -
           rail_group->output_vcs[port_vc].credits_bytes;
}

/* Sets the VC class of a packet whose path has been decided on. If failures have left no link to
 * the packet's group, its minimal path leads through a third group, too. */
static void begin_path(struct rail_group *rail_group, struct network_packet *packet) {
    const struct network *network = rail_group->network;
    bool turns = network->config.valiant == NETWORK_VALIANT_ROUTER;
    if (packet->waypoint == NETWORK_NO_LINK && routing_needs_third_group(rail_group, packet)) {
        packet->waypoint_link = (uint16_t)routing_link(rail_group, packet->target_group, packet);
        turns = false;
    }
    bool is_nonminimal =
        packet->waypoint != NETWORK_NO_LINK &&
        (rail_group->wiring.peer_group[packet->waypoint_link] != packet->target_group);
    packet->vc_class =
        is_nonminimal ? network->routing.policy->nonminimal_class : network->routing.minimal_class;
    if (is_nonminimal)
        packet->flags |= turns ? NETWORK_PACKET_NONMINIMAL | NETWORK_PACKET_TO_INTERMEDIATE
                               : NETWORK_PACKET_NONMINIMAL;
}

/* Begins a path inside a group that passes the packet's waypoint_router. It is non-minimal unless
 * it only takes the dimensions in another order. */
HINT_NOINLINE static void begin_path_by_router(const struct rail_group *rail_group, uint32_t router,
                                               struct network_packet *packet) {
    packet->flags |= NETWORK_PACKET_TO_INTERMEDIATE;
    packet->vc_class = rail_group->network->routing.policy->nonminimal_class;
    if (routing_hops_by_router(rail_group, router, packet, packet->waypoint_router) >
        topology_local_hops(rail_group->topology, rail_group->group, router, packet->target_router))
        packet->flags |= NETWORK_PACKET_NONMINIMAL;
}

/* Decides in the source group whether the packet goes minimally, and sets its VC class. */
static void decide_at_source(struct rail_group *rail_group, uint32_t router,
                             struct network_packet *packet) {
    if (routing_decides(rail_group, packet))
        rail_group->network->routing.policy->decide(rail_group, router, packet);
    if (packet->flags & NETWORK_PACKET_TENTATIVE) {
        packet->vc_class = 0;
        return;
    }
    packet->flags |= NETWORK_PACKET_ROUTED;
    if (packet->flags & NETWORK_PACKET_BY_ROUTER)
        begin_path_by_router(rail_group, router, packet);
    else
        begin_path(rail_group, packet);
}

void routing_undo_decision(const struct network *network, struct network_packet *packet) {
    packet->flags &= (uint8_t) ~(NETWORK_PACKET_ROUTED | NETWORK_PACKET_NONMINIMAL |
                                 NETWORK_PACKET_TO_INTERMEDIATE | NETWORK_PACKET_TENTATIVE |
                                 NETWORK_PACKET_BY_ROUTER);
    packet->waypoint = NETWORK_NO_LINK;
    packet->vc_class = network->routing.injection_class;
}

uint32_t routing_port_inside(struct rail_group *rail_group, uint32_t router,
                             const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    if (packet->target_router != router)
        return port_to_router(rail_group, router, packet->target_router, packet);
    return packet->destination - (rail_group->group * topology->routers_per_group + router) *
                                     topology->endpoints_per_router;
}

/* Chooses the link by which the packet leaves a group on a minimal path, and returns the port to
 * it.
 */
HINT_NOINLINE static uint32_t port_of_choice(struct rail_group *rail_group, uint32_t router,
                                             struct network_packet *packet) {
    packet->waypoint_link = (uint16_t)routing_best_link(rail_group, router, packet);
    return routing_port_to_link(rail_group, router, packet->waypoint_link, packet);
}

/* Returns the port by which the packet goes on where single links join all groups and all routers
 * of a group. The code has no branches because the packets of a router are on different parts of
 * their paths, so branches would be mispredicted. */
static inline uint32_t only_port(const struct rail_group *rail_group, uint32_t router,
                                 const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    const uint32_t count = packet->target_group != rail_group->group; /* of links to its group */
    const uint32_t to_group =
        *topology_single_link(topology, rail_group->group, packet->target_group);
    const uint32_t has_link = packet->waypoint != NETWORK_NO_LINK;
    const uint32_t link = has_link ? packet->waypoint_link : to_group;
    const struct network_link_end way = rail_group->network->tables.link_ends[link];
    const uint32_t target = packet->target_router;
    const uint32_t endpoint = packet->destination -
                              rail_group->group * topology->endpoints_per_group -
                              target * topology->endpoints_per_router;
    /* All bits are set if the packet stays in its group. */
    const uint32_t stays = (has_link | count) - 1;
    const uint32_t end = way.router ^ ((way.router ^ target) & stays);
    const uint32_t last = way.port ^ ((way.port ^ endpoint) & stays);
    const uint32_t is_there = (uint32_t)(end != router) - 1;
    const uint32_t local = topology->endpoints_per_router + end - (end > router);
    return (last & is_there) | (local & ~is_there);
}

/* Returns whether only_port can be used in a rail with that topology. */
static inline bool has_only_ports(const struct network *network, const struct topology *topology) {
    return topology->has_single_links && topology->next_hop_ports == NULL &&
           !network->routing.keeps_links;
}

bool routing_has_port_ahead(const struct network *network) {
    return has_only_ports(network, &network->topology);
}

uint32_t routing_port_ahead(const struct rail_group *rail_group, uint32_t router,
                            const struct network_packet *packet) {
    return only_port(rail_group, router, packet);
}

/* Returns the port by which the packet goes on: to its link, to a link to its group, or inside its
 * group. */
static inline uint32_t port_onwards(struct rail_group *rail_group,
                                    const struct network_hop_features *features, uint32_t router,
                                    struct network_packet *packet) {
    if (features->has_basic_routing || has_only_ports(rail_group->network, rail_group->topology))
        return only_port(rail_group, router, packet);
    if (packet->waypoint != NETWORK_NO_LINK)
        return routing_port_to_link(rail_group, router, packet->waypoint_link, packet);
    if (routing_is_in_target_group(rail_group, packet))
        return routing_port_inside(rail_group, router, packet);
    if (rail_group->network->routing.keeps_links) return port_of_choice(rail_group, router, packet);
    return routing_port_to_link(rail_group, router,
                                routing_link(rail_group, packet->target_group, packet), packet);
}

/* Routes a packet with an intermediate router, which is in the third group or, for paths inside a
 * group, in that group: to that router in the VC class in which the packet came, and from there in
 * the next class. */
static uint32_t port_to_intermediate(struct rail_group *rail_group, uint32_t router,
                                     struct network_packet *packet, uint32_t *vc) {
    uint32_t intermediate_router =
        packet->flags & NETWORK_PACKET_BY_ROUTER
            ? packet->waypoint_router
            : routing_intermediate_router(rail_group, rail_group->group, packet);
    if (intermediate_router != router)
        return port_to_router(rail_group, router, intermediate_router, packet);
    if (packet->flags & NETWORK_PACKET_BY_ROUTER) packet->waypoint = NETWORK_NO_LINK;
    packet->flags &= (uint8_t) ~(NETWORK_PACKET_TO_INTERMEDIATE | NETWORK_PACKET_BY_ROUTER);
    *vc = ++packet->vc_class;
    return port_onwards(rail_group, &rail_group->network->hop_features, router, packet);
}

/* Routes a packet that does not simply go on: decides in the source group, or turns in the third
 * group. */
HINT_NOINLINE static uint32_t special_port(struct rail_group *rail_group, uint32_t router,
                                           struct network_packet *packet, uint32_t *vc) {
    if (!(packet->flags & NETWORK_PACKET_ROUTED)) decide_at_source(rail_group, router, packet);
    *vc = packet->vc_class;
    bool turns = packet->flags & NETWORK_PACKET_TO_INTERMEDIATE &&
                 (packet->waypoint == NETWORK_NO_LINK || packet->flags & NETWORK_PACKET_BY_ROUTER);
    return turns ? port_to_intermediate(rail_group, router, packet, vc)
                 : port_onwards(rail_group, &rail_group->network->hop_features, router, packet);
}

void routing_set_next_hop(struct rail_group *rail_group,
                          const struct network_hop_features *features, uint32_t router,
                          struct network_packet *packet) {
    uint32_t free_vcs = rail_group->network->vcs.without_ring_count;
    uint32_t vc = packet->vc_class;
    bool simple = (packet->flags & (NETWORK_PACKET_ROUTED | NETWORK_PACKET_TO_INTERMEDIATE)) ==
                  NETWORK_PACKET_ROUTED;
    uint32_t port = simple ? port_onwards(rail_group, features, router, packet)
                           : special_port(rail_group, router, packet, &vc);
    packet->output_port = (uint16_t)port;
    packet->vc = (uint8_t)((vc < free_vcs ? vc : free_vcs - 1) +
                           virtual_network_first_vc(rail_group->network, features, packet->vc));
}

void routing_route(struct rail_group *rail_group, uint32_t router, struct network_packet *packet) {
    routing_set_next_hop(rail_group, &rail_group->network->hop_features, router, packet);
}
