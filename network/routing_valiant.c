/*
 * Valiant: every packet goes by way of a random intermediate group, other than its own two.
 * Source: Kim et al. 2008, section 4.1.
 */
#include "network/routing.h"

void routing_valiant_decide(network_domain *domain, uint32_t router, packet *packet) {
    (void)router;
    packet->via = routing_random_group(domain, packet, 0);
}
