/*
 * UGAL: at the source router, once, the minimal path if
 *   q_m · H_m <= q_v · H_v + bias,
 * else the packet's non-minimal candidate. The members differ in what they take for q alone:
 *
 *   ugal-l      the source router's output ports by which the paths leave, all VCs
 *   ugal-g      the global ports that the paths take, wherever in the group they are
 *   ugal-l-vc   the output ports' VCs that the paths use
 *   ugal-l-vch  as ugal-l-vc if both paths leave by one port, else as ugal-l
 *   ugal-l-cr   as ugal-l-vch, with credits that tell of queues behind (round_trips.c)
 *
 * Must not know how credits come back. Source: Kim et al. 2008, sections 4.2 and 4.3.
 */
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

bool routing_paths_find(network_domain *domain, uint32_t router, const packet *packet,
                        uint32_t draw, routing_paths *paths) {
    paths->detour_link = misrouting_link(domain, router, packet, draw);
    if (paths->detour_link == NO_LINK) return false;
    paths->minimal_link = routing_link(domain, packet->target_group, packet);
    paths->minimal_port = routing_port_to_link(domain, router, paths->minimal_link, packet);
    paths->detour_port = routing_port_to_link(domain, router, paths->detour_link, packet);
    paths->minimal_class = routing_goes_round(domain, packet)
                               ? domain->network->policy->detour_class
                               : domain->network->minimal_class;
    return true;
}

static bool prefers_detour(const network_domain *domain, uint32_t router, const packet *packet,
                           const routing_paths *paths, int64_t minimal_queue_bytes,
                           int64_t detour_queue_bytes) {
    int64_t minimal = minimal_queue_bytes * routing_minimal_hops(domain, router, packet);
    int64_t detour =
        detour_queue_bytes * routing_detour_hops(domain, router, packet, paths->detour_link);
    return minimal > detour + domain->network->config.routing_bias_byte_hops;
}

bool routing_ugal_l_prefers_detour(network_domain *domain, uint32_t router, const packet *packet,
                                   const routing_paths *paths) {
    return prefers_detour(domain, router, packet, paths,
                          routing_queue_bytes(domain, router, paths->minimal_port),
                          routing_queue_bytes(domain, router, paths->detour_port));
}

void routing_ugal_l_decide(network_domain *domain, uint32_t router, packet *packet) {
    routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    if (routing_ugal_l_prefers_detour(domain, router, packet, &paths))
        packet->via = paths.detour_link;
}

/* Queue of a global link of the group, at the router that owns it. */
static int64_t link_queue_bytes(network_domain *domain, uint32_t link) {
    const topology *topology = &domain->network->topology;
    uint32_t owner = domain->network->link_routers[link];
    return routing_queue_bytes(domain, owner,
                               topology->first_global + link - owner * topology->globals);
}

void routing_ugal_g_decide(network_domain *domain, uint32_t router, packet *packet) {
    routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    if (prefers_detour(domain, router, packet, &paths, link_queue_bytes(domain, paths.minimal_link),
                       link_queue_bytes(domain, paths.detour_link)))
        packet->via = paths.detour_link;
}

/* The queues of the VCs by which the paths leave; VC classes are those of a packet at its source.
 */
static bool vc_prefers_detour(network_domain *domain, uint32_t router, const packet *packet,
                              const routing_paths *paths) {
    const network *network = domain->network;
    return prefers_detour(
        domain, router, packet, paths,
        routing_vc_queue_bytes(domain, router, paths->minimal_port, paths->minimal_class),
        routing_vc_queue_bytes(domain, router, paths->detour_port, network->policy->detour_class));
}

void routing_ugal_l_vc_decide(network_domain *domain, uint32_t router, packet *packet) {
    routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    if (vc_prefers_detour(domain, router, packet, &paths)) packet->via = paths.detour_link;
}

void routing_ugal_l_vch_decide(network_domain *domain, uint32_t router, packet *packet) {
    routing_paths paths;
    if (!routing_paths_find(domain, router, packet, 0, &paths)) return;
    bool detour = paths.minimal_port == paths.detour_port
                      ? vc_prefers_detour(domain, router, packet, &paths)
                      : routing_ugal_l_prefers_detour(domain, router, packet, &paths);
    if (detour) packet->via = paths.detour_link;
}
