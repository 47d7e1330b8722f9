/*
 * Valiant: every packet on which the policy decides passes a third group, or with
 * network.intragroup_paths router, inside its group, another router. If network.third_group
 * allows its own or its destination's group to be drawn, a packet for which one of them is drawn
 * goes minimally. Source: Kim et al. 2008, section 4.1.
 */
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

void routing_valiant_decide(struct rail_group *rail_group, uint32_t router,
                            struct network_packet *packet) {
    if (routing_may_pass_router(rail_group, packet)) {
        packet->waypoint_router = misrouting_draw_router(rail_group, router, packet, 0);
        if (packet->waypoint != NETWORK_NO_LINK) packet->flags |= NETWORK_PACKET_BY_ROUTER;
    } else {
        packet->waypoint_link = misrouting_draw_link(rail_group, router, packet, 0);
    }
}
