/*
 * PAR, progressive adaptive routing: UGAL-L at the source router; a packet that stays minimal there
 * and takes a local hop chooses once more at the router that it comes to, and so on until it is at
 * the owner of the minimal global link, which knows that link's queue. Who has left the minimal
 * path does not come back.
 *
 * Local hops before the last choice have a VC of their own (class 0), below those of detours.
 * Source: Abts and Kim 2011, section 5.3.3.
 */
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

void routing_par_decide(struct network_domain *domain, uint32_t router, struct packet *packet) {
    const struct topology *topology = &domain->network->topology;
    packet->flags &= (uint8_t)~PACKET_TENTATIVE;
    struct routing_paths paths;
    /* Another draw for each choice: the one before has turned its candidate down, or been the
     * minimal path. */
    bool found = routing_paths_find(domain, router, packet, packet->routers, &paths);
    if (found && routing_ugal_l_prefers_detour(domain, router, packet, &paths)) {
        packet->via = paths.detour_link;
    } else if ((found || misrouting_may_be_minimal(domain->network)) &&
               topology_level(topology, paths.minimal_port) == NETWORK_LOCAL) {
        packet->flags |= PACKET_TENTATIVE;
    }
}
