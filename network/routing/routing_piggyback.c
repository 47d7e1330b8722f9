/*
 * Piggyback: non-minimal if UGAL-L says so, or if the router has heard that the minimal global link
 * is saturated. Source: N. Jiang, J. Kim, W. J. Dally, Indirect Adaptive Routing on Large Scale
 * Interconnection Networks, ISCA 2009; Abts and Kim 2011, section 5.4.
 */
#include "network/routing/observation/saturation.h"
#include "network/routing/routing.h"

void routing_piggyback_decide(struct rail_group *rail_group, uint32_t router,
                              struct network_packet *packet) {
    struct routing_paths paths;
    bool found = routing_paths_find(rail_group, router, packet, 0, &paths);
    bool saturated = found && paths.minimal_link != NETWORK_NO_LINK &&
                     saturation_known(rail_group, router, paths.minimal_link);
    routing_take_path(
        packet, &paths,
        saturated || (found && routing_prefers_nonminimal(rail_group, router, packet, &paths)));
}
