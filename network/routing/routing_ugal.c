/*
 * UGAL: decides at the source router, once unless network.reroute asks for more. It takes the
 * minimal path if
 *
 *   q_m · w_m <= q_v · w_v + bias,
 *
 * and else the packet's non-minimal candidate. The weights w are settings (network.ugal.weights).
 * The members of the family differ only in their queues q:
 *
 *   ugal-l      the source router's output ports by which the paths leave, all VCs
 *   ugal-g      the global ports that the paths take, at any router of the group
 *   ugal-l-vc   the VCs of the source router's output ports that the paths use
 *   ugal-l-vch  as ugal-l-vc if both paths leave by one port, else as ugal-l
 *   ugal-l-cr   as ugal-l-vch, with credits that reflect later queues (round_trips.c)
 *
 * With network.intragroup_paths policy, ugal-g takes the source router's output port for a minimal
 * path inside the group, which has no global port. With network.ugal.measure vc, all policies
 * that compare q take the VCs that the paths use.
 *
 * Must not know how credits come back. Source: Kim et al. 2008, sections 4.2 and 4.3.
 */
#include "core/base/compiler_hints.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

/* Returns whether a router would own the link to another group in the arrangement absolute, where
 * links are in the order of the groups to which they lead. */
static bool owns_in_order(const struct topology *topology, uint32_t group, uint32_t router,
                          uint32_t to) {
    uint32_t position = to < group ? to : to - 1;
    return position / topology->globals_per_router == router;
}

/* Returns FOGSim's weight of the minimal path: the local hops that it would have in the arrangement
 * absolute. */
static int64_t absolute_minimal_hops(const struct rail_group *rail_group, uint32_t router,
                                     const struct network_packet *packet) {
    const struct topology *topology = rail_group->topology;
    uint32_t own = rail_group->group, target = packet->target_group;
    return own == target ? router != packet->target_router
                         : !owns_in_order(topology, own, router, target) +
                               !owns_in_order(topology, target, packet->target_router, own);
}

/* Returns FOGSim's weight of a non-minimal path: the local hops that it would have in the
 * arrangement absolute, without those in the third group to the random router at which it turns. */
static int64_t absolute_nonminimal_hops(const struct rail_group *rail_group, uint32_t router,
                                        const struct network_packet *packet, uint32_t link) {
    const struct topology *topology = rail_group->topology;
    uint32_t own = rail_group->group, third = rail_group->wiring.peer_group[link],
             target = packet->target_group;
    uint32_t intermediate_router = routing_intermediate_router(rail_group, third, packet);
    return !owns_in_order(topology, own, router, third) +
           !owns_in_order(topology, third, intermediate_router, target) +
           !owns_in_order(topology, target, packet->target_router, third);
}

int64_t routing_minimal_weight(const struct rail_group *rail_group, uint32_t router,
                               const struct network_packet *packet, uint32_t hops) {
    switch (rail_group->network->config.ugal_weights) {
    case NETWORK_UGAL_WEIGHTS_HOPS:
        return hops;
    case NETWORK_UGAL_WEIGHTS_RATIO:
        return 1000000;
    case NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS:
        return absolute_minimal_hops(rail_group, router, packet);
    default:
        if (routing_is_in_target_group(rail_group, packet)) return hops;
        return (int64_t)hops - (routing_needs_third_group(rail_group, packet) ? 2 : 1);
    }
}

int64_t routing_nonminimal_weight(const struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet, uint32_t link,
                                  uint32_t hops) {
    const struct network_config *config = &rail_group->network->config;
    switch (config->ugal_weights) {
    case NETWORK_UGAL_WEIGHTS_HOPS:
        return hops;
    case NETWORK_UGAL_WEIGHTS_RATIO:
        return config->ugal_ratio_millionths;
    case NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS:
        return link == NETWORK_NO_LINK ? hops
                                       : absolute_nonminimal_hops(rail_group, router, packet, link);
    default:
        return (int64_t)hops - (link == NETWORK_NO_LINK ? 0 : 2);
    }
}

/* Sets the weights for any network.ugal.weights other than hops. */
HINT_NOINLINE static void set_weights(const struct rail_group *rail_group, uint32_t router,
                                      const struct network_packet *packet,
                                      struct routing_paths *paths) {
    uint32_t minimal_hops = 0, nonminimal_hops = 0;
    if (rail_group->network->config.ugal_weights == NETWORK_UGAL_WEIGHTS_LOCAL_HOPS) {
        minimal_hops = routing_minimal_hops(rail_group, router, packet);
        nonminimal_hops =
            routing_nonminimal_hops(rail_group, router, packet, paths->nonminimal_link);
    }
    paths->minimal_weight = routing_minimal_weight(rail_group, router, packet, minimal_hops);
    paths->nonminimal_weight = routing_nonminimal_weight(rail_group, router, packet,
                                                         paths->nonminimal_link, nonminimal_hops);
}

bool routing_paths_find(struct rail_group *rail_group, uint32_t router,
                        const struct network_packet *packet, uint32_t draw,
                        struct routing_paths *paths) {
    const struct network *network = rail_group->network;
    if (network->routing.uses_candidates)
        return routing_candidates_find(rail_group, router, packet, draw, paths);
    bool stays = routing_is_in_target_group(rail_group, packet);
    uint16_t nonminimal = misrouting_draw_link(rail_group, router, packet, draw);
    paths->nonminimal_link = paths->nonminimal_waypoint = nonminimal;
    paths->minimal_waypoint = NETWORK_NO_LINK;
    paths->hops = packet->routers;
    paths->minimal_flags = paths->nonminimal_flags = 0;
    paths->minimal_link =
        stays ? NETWORK_NO_LINK : routing_link(rail_group, packet->target_group, packet);
    paths->minimal_port =
        stays ? routing_port_inside(rail_group, router, packet)
              : routing_port_to_link(rail_group, router, paths->minimal_link, packet);
    if (nonminimal == NETWORK_NO_LINK || (stays && packet->target_router == router)) return false;
    paths->nonminimal_port = routing_port_to_link(rail_group, router, nonminimal, packet);
    paths->minimal_class = routing_needs_third_group(rail_group, packet)
                               ? network->routing.policy->nonminimal_class
                               : network->routing.minimal_class;
    if (network->config.ugal_weights == NETWORK_UGAL_WEIGHTS_HOPS) {
        paths->minimal_weight =
            stays ? routing_minimal_hops(rail_group, router, packet)
                  : routing_hops_over(rail_group, router, packet, paths->minimal_link);
        paths->nonminimal_weight = routing_nonminimal_hops(rail_group, router, packet, nonminimal);
    } else {
        set_weights(rail_group, router, packet, paths);
    }
    return true;
}

static inline bool prefers_nonminimal(const struct rail_group *rail_group,
                                      const struct routing_paths *paths,
                                      int64_t minimal_queue_bytes, int64_t nonminimal_queue_bytes) {
    const struct network_config *config = &rail_group->network->config;
    int64_t bias = config->routing_bias_byte_hops;
    if (rail_group->network->routing.has_bias_by_hop)
        bias += by_hop_at(&rail_group->network->routing.bias_byte_hops, paths->hops);
    if (config->ugal_weights == NETWORK_UGAL_WEIGHTS_HOPS)
        return minimal_queue_bytes * paths->minimal_weight >
               nonminimal_queue_bytes * paths->nonminimal_weight + bias;
    int64_t unit = config->ugal_weights == NETWORK_UGAL_WEIGHTS_RATIO ? 1000000 : 1;
    return (__int128)minimal_queue_bytes * paths->minimal_weight >
           (__int128)nonminimal_queue_bytes * paths->nonminimal_weight + (__int128)bias * unit;
}

/* Returns the queue of a port, or with network.ugal.measure vc that of its VC of the class. */
static int64_t port_queue_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port,
                                const struct network_packet *packet, uint32_t vc_class) {
    return rail_group->network->config.ugal_measure == NETWORK_UGAL_MEASURE_VC
               ? routing_vc_queue_bytes(rail_group, router, port, packet, vc_class)
               : routing_queue_bytes(rail_group, router, port);
}

/* Returns the queue of a global link of the group, at the router that owns it. */
static int64_t link_queue_bytes(struct rail_group *rail_group, uint32_t link,
                                const struct network_packet *packet, uint32_t vc_class) {
    const struct network_link_end *end = &rail_group->network->tables.link_ends[link];
    return port_queue_bytes(rail_group, end->router, end->port, packet, vc_class);
}

int64_t routing_load_bytes(struct rail_group *rail_group, uint32_t router, uint32_t port,
                           uint32_t link, const struct network_packet *packet, uint32_t vc_class) {
    routing_load load = rail_group->network->routing.policy->load;
    if (load == ROUTING_LOAD_VC)
        return routing_vc_queue_bytes(rail_group, router, port, packet, vc_class);
    if (load == ROUTING_LOAD_GLOBAL && link != NETWORK_NO_LINK)
        return link_queue_bytes(rail_group, link, packet, vc_class);
    return port_queue_bytes(rail_group, router, port, packet, vc_class);
}

bool routing_prefers_nonminimal(struct rail_group *rail_group, uint32_t router,
                                const struct network_packet *packet,
                                const struct routing_paths *paths) {
    if (rail_group->network->routing.compares_port_loads)
        return prefers_nonminimal(rail_group, paths,
                                  routing_queue_bytes(rail_group, router, paths->minimal_port),
                                  routing_queue_bytes(rail_group, router, paths->nonminimal_port));
    uint32_t nonminimal_class = rail_group->network->routing.policy->nonminimal_class;
    return prefers_nonminimal(rail_group, paths,
                              routing_load_bytes(rail_group, router, paths->minimal_port,
                                                 paths->minimal_link, packet, paths->minimal_class),
                              routing_load_bytes(rail_group, router, paths->nonminimal_port,
                                                 paths->nonminimal_link, packet, nonminimal_class));
}

/* Applies UGAL's rule to the queues of the VCs by which the paths leave. */
static bool vc_prefers_nonminimal(struct rail_group *rail_group, uint32_t router,
                                  const struct network_packet *packet,
                                  const struct routing_paths *paths) {
    uint32_t nonminimal_class = rail_group->network->routing.policy->nonminimal_class;
    return prefers_nonminimal(rail_group, paths,
                              routing_vc_queue_bytes(rail_group, router, paths->minimal_port,
                                                     packet, paths->minimal_class),
                              routing_vc_queue_bytes(rail_group, router, paths->nonminimal_port,
                                                     packet, nonminimal_class));
}

void routing_ugal_decide(struct rail_group *rail_group, uint32_t router,
                         struct network_packet *packet) {
    struct routing_paths paths;
    bool is_nonminimal = routing_paths_find(rail_group, router, packet, 0, &paths) &&
                         routing_prefers_nonminimal(rail_group, router, packet, &paths);
    routing_take_path(packet, &paths, is_nonminimal);
}

void routing_ugal_l_vch_decide(struct rail_group *rail_group, uint32_t router,
                               struct network_packet *packet) {
    struct routing_paths paths;
    bool is_nonminimal = routing_paths_find(rail_group, router, packet, 0, &paths) &&
                         (paths.minimal_port == paths.nonminimal_port
                              ? vc_prefers_nonminimal(rail_group, router, packet, &paths)
                              : routing_prefers_nonminimal(rail_group, router, packet, &paths));
    routing_take_path(packet, &paths, is_nonminimal);
}
