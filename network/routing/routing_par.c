/*
 * PAR, progressive adaptive routing: UGAL-L at the source router. A packet that stays minimal there
 * and takes a local hop is decided on again at the next router, and so on until it is at the owner
 * of the minimal global link, which knows that link's queue. A packet that has left the minimal
 * path does not come back to it.
 *
 * Local hops before the last decision have a VC of their own (class 0), below the VCs of
 * non-minimal paths. Source: Abts and Kim 2011, section 5.3.3.
 */
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

void routing_par_decide(struct rail_group *rail_group, uint32_t router,
                        struct network_packet *packet) {
    const struct topology *topology = &rail_group->network->topology;
    packet->flags &= (uint8_t)~NETWORK_PACKET_TENTATIVE;
    struct routing_paths paths;
    /* Each decision uses another draw, since the candidate of the previous draw was rejected or was
     * the minimal path. */
    bool found = routing_paths_find(rail_group, router, packet, packet->routers, &paths);
    bool is_nonminimal = found && routing_prefers_nonminimal(rail_group, router, packet, &paths);
    routing_take_path(packet, &paths, is_nonminimal);
    if (!is_nonminimal && (found || misrouting_may_be_minimal(rail_group->network)) &&
        !(packet->flags & NETWORK_PACKET_BY_ROUTER) &&
        topology_channel_kind(topology, paths.minimal_port) == NETWORK_LOCAL)
        packet->flags |= NETWORK_PACKET_TENTATIVE;
}
