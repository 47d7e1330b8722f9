/*
 * Valiant: every packet goes by way of an intermediate group, other than its own two; where a
 * setting lets one of these two be drawn (network.third_group), such a packet goes minimally.
 * Source: Kim et al. 2008, section 4.1.
 */
#include "network/routing/misrouting.h"
#include "network/routing/routing.h"

void routing_valiant_decide(struct network_domain *domain, uint32_t router, struct packet *packet) {
    packet->via = misrouting_link(domain, router, packet, 0);
}
