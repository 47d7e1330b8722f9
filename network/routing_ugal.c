/*
 * UGAL-L: at the source router, from its own queues alone, the minimal path if
 *   q_m · H_m <= q_nm · H_nm + bias,
 * else the candidate that the misrouting policy draws. Source: Kim et al. 2008, section 4.2.
 */
#include "network/misrouting.h"
#include "network/routing.h"

void routing_ugal_l_decide(network_domain *domain, uint32_t router, packet *packet) {
    const network *network = domain->network;
    uint16_t via = misrouting_link(domain, router, packet, 0);
    if (via == NO_LINK) return;
    uint32_t minimal_port =
        routing_port_to_link(network, router, routing_link(domain, packet->target_group, packet));
    uint32_t detour_port = routing_port_to_link(network, router, via);
    int64_t minimal = routing_queue_bytes(domain, router, minimal_port) *
                      routing_minimal_hops(domain, router, packet);
    int64_t detour = routing_queue_bytes(domain, router, detour_port) *
                     routing_detour_hops(domain, router, packet, via);
    if (minimal > detour + network->config.routing_bias_bytes) packet->via = via;
}
