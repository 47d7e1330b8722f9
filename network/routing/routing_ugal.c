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
 * path inside the group, which has no global port. With network.ugal.measure vc, ugal-l and ugal-g
 * also take the VCs that the paths use.
 *
 * Must not know how credits come back. Source: Kim et al. 2008, sections 4.2 and 4.3.
 */
#include "core/hints.h"
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

bool routing_paths_find(struct network_domain *domain, uint32_t router, const struct packet *packet,
                        uint32_t draw, struct routing_paths *paths) {
    bool stays = routing_stays(domain, packet);
    paths->detour_link = misrouting_link(domain, router, packet, draw);
    paths->minimal_link = stays ? NO_LINK : routing_link(domain, packet->target_group, packet);
    paths->minimal_port = stays ? routing_port_inside(domain, router, packet)
                                : routing_port_to_link(domain, router, paths->minimal_link, packet);
    if (paths->detour_link == NO_LINK || (stays && packet->target_router == router)) return false;
    paths->detour_port = routing_port_to_link(domain, router, paths->detour_link, packet);
    paths->minimal_class = routing_goes_round(domain, packet)
                               ? domain->network->policy->detour_class
                               : domain->network->minimal_class;
    return true;
}

/* The factors of the queues of the two paths. */
struct path_weights {
    int64_t minimal;
    int64_t detour;
};

/* Returns whether a router would own the link to another group in the arrangement absolute, where
 * links are in the order of the groups to which they lead. */
static bool owns_in_order(const struct topology *topology, uint32_t group, uint32_t router,
                          uint32_t to) {
    uint32_t place = to < group ? to : to - 1;
    return place / topology->globals == router;
}

/* Returns FOGSim's weights: the local hops that the paths would have in the arrangement absolute. A
 * non-minimal path is counted from a random router of the third group on. */
static struct path_weights absolute_local_hops(const struct network_domain *domain, uint32_t router,
                                               const struct packet *packet, uint32_t via) {
    const struct topology *topology = domain->topology;
    uint32_t own = domain->index, third = domain->peer_domain[via], target = packet->target_group;
    uint32_t turn_router = routing_turn_router(domain, third, packet);
    return (struct path_weights){
        .minimal = own == target ? router != packet->target_router
                                 : !owns_in_order(topology, own, router, target) +
                                       !owns_in_order(topology, target, packet->target_router, own),
        .detour = !owns_in_order(topology, own, router, third) +
                  !owns_in_order(topology, third, turn_router, target) +
                  !owns_in_order(topology, target, packet->target_router, third),
    };
}

/* Returns the weights for any network.ugal.weights other than hops. */
HINT_APART static struct path_weights find_weights(const struct network_domain *domain,
                                                   uint32_t router, const struct packet *packet,
                                                   uint32_t via) {
    const struct network_config *config = &domain->network->config;
    if (config->ugal_weights == NETWORK_UGAL_WEIGHTS_RATIO)
        return (struct path_weights){1000000, config->ugal_ratio_millionths};
    if (config->ugal_weights == NETWORK_UGAL_WEIGHTS_ABSOLUTE_LOCAL_HOPS)
        return absolute_local_hops(domain, router, packet, via);
    struct path_weights weights = {routing_minimal_hops(domain, router, packet),
                                   routing_detour_hops(domain, router, packet, via)};
    if (!routing_stays(domain, packet))
        weights.minimal -= routing_goes_round(domain, packet) ? 2 : 1;
    weights.detour -= 2; /* only local hops count */
    return weights;
}

static bool prefers_detour(const struct network_domain *domain, uint32_t router,
                           const struct packet *packet, const struct routing_paths *paths,
                           int64_t minimal_queue_bytes, int64_t detour_queue_bytes) {
    const struct network_config *config = &domain->network->config;
    if (config->ugal_weights == NETWORK_UGAL_WEIGHTS_HOPS)
        return minimal_queue_bytes * routing_minimal_hops(domain, router, packet) >
               detour_queue_bytes *
                       routing_detour_hops(domain, router, packet, paths->detour_link) +
                   config->routing_bias_byte_hops;
    struct path_weights weights = find_weights(domain, router, packet, paths->detour_link);
    int64_t unit = config->ugal_weights == NETWORK_UGAL_WEIGHTS_RATIO ? 1000000 : 1;
    return (__int128)minimal_queue_bytes * weights.minimal >
           (__int128)detour_queue_bytes * weights.detour +
               (__int128)config->routing_bias_byte_hops * unit;
}

/* Applies UGAL's rule to the queues of the VCs by which the paths leave. The VC classes are those
 * of a packet at its source router. */
static bool vc_prefers_detour(struct network_domain *domain, uint32_t router,
                              const struct packet *packet, const struct routing_paths *paths) {
    const struct network *network = domain->network;
    return prefers_detour(
        domain, router, packet, paths,
        routing_vc_queue_bytes(domain, router, paths->minimal_port, packet, paths->minimal_class),
        routing_vc_queue_bytes(domain, router, paths->detour_port, packet,
                               network->policy->detour_class));
}

bool routing_ugal_l_prefers_detour(struct network_domain *domain, uint32_t router,
                                   const struct packet *packet, const struct routing_paths *paths) {
    if (domain->network->config.ugal_measure == NETWORK_UGAL_MEASURE_VC)
        return vc_prefers_detour(domain, router, packet, paths);
    return prefers_detour(domain, router, packet, paths,
                          routing_queue_bytes(domain, router, paths->minimal_port),
                          routing_queue_bytes(domain, router, paths->detour_port));
}

void routing_ugal_l_decide(struct network_domain *domain, uint32_t router, struct packet *packet) {
    struct routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    if (routing_ugal_l_prefers_detour(domain, router, packet, &paths))
        packet->via = paths.detour_link;
}

/* Returns the queue of a port, or with network.ugal.measure vc that of its VC of the class. */
static int64_t port_queue_bytes(struct network_domain *domain, uint32_t router, uint32_t port,
                                const struct packet *packet, uint32_t class) {
    return domain->network->config.ugal_measure == NETWORK_UGAL_MEASURE_VC
               ? routing_vc_queue_bytes(domain, router, port, packet, class)
               : routing_queue_bytes(domain, router, port);
}

/* Returns the queue of a global link of the group, at the router that owns it. */
static int64_t link_queue_bytes(struct network_domain *domain, uint32_t link,
                                const struct packet *packet, uint32_t class) {
    const struct topology *topology = &domain->network->topology;
    uint32_t owner = domain->network->link_routers[link];
    return port_queue_bytes(
        domain, owner, topology->first_global + link - owner * topology->globals, packet, class);
}

void routing_ugal_g_decide(struct network_domain *domain, uint32_t router, struct packet *packet) {
    struct routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    uint32_t detour_class = domain->network->policy->detour_class;
    int64_t minimal_queue_bytes =
        paths.minimal_link == NO_LINK
            ? port_queue_bytes(domain, router, paths.minimal_port, packet, paths.minimal_class)
            : link_queue_bytes(domain, paths.minimal_link, packet, paths.minimal_class);
    if (prefers_detour(domain, router, packet, &paths, minimal_queue_bytes,
                       link_queue_bytes(domain, paths.detour_link, packet, detour_class)))
        packet->via = paths.detour_link;
}

void routing_ugal_l_vc_decide(struct network_domain *domain, uint32_t router,
                              struct packet *packet) {
    struct routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    if (vc_prefers_detour(domain, router, packet, &paths)) packet->via = paths.detour_link;
}

void routing_ugal_l_vch_decide(struct network_domain *domain, uint32_t router,
                               struct packet *packet) {
    struct routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    bool detour = paths.minimal_port == paths.detour_port
                      ? vc_prefers_detour(domain, router, packet, &paths)
                      : routing_ugal_l_prefers_detour(domain, router, packet, &paths);
    if (detour) packet->via = paths.detour_link;
}
