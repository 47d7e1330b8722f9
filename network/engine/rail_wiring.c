/* Records which routers work in which rail, and so which nodes. */
#include "network/engine/nic/rails.h"

#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <inttypes.h>
#include <stdlib.h>

status_code rails_make_topologies(struct network *network, struct status *status) {
    if (network->rails.count == 1 || !network_config_has_failures(&network->config))
        return STATUS_OK;
    uint32_t routers = network->topology.groups * network->topology.routers_per_group;
    network->rails.other_topologies =
        memory_new(network->rails.count - 1, sizeof *network->rails.other_topologies);
    network->rails.working_rails = memory_new(routers, sizeof *network->rails.working_rails);
    RETURN_ERROR_IF(!network->rails.other_topologies || !network->rails.working_rails, status,
                    STATUS_MEMORY, "out of memory for the wiring of %" PRIu32 " rails",
                    network->rails.count);
    for (uint32_t rail = 0; rail < network->rails.count; rail++) {
        struct topology *topology =
            rail == 0 ? &network->topology : &network->rails.other_topologies[rail - 1];
        if (rail > 0)
            FORWARD_IF_ERROR(topology_new_of_rail(topology, &network->config, rail, status));
        failures_record_rail(network->rails.working_rails, topology, rail);
    }
    return failures_check_joined(network->rails.working_rails, &network->config, status);
}

void rails_free(struct network *network) {
    for (uint32_t rail = 1; network->rails.other_topologies != NULL && rail < network->rails.count;
         rail++)
        topology_free(&network->rails.other_topologies[rail - 1]);
    free(network->rails.other_topologies);
    free(network->rails.working_rails);
}

bool network_node_works(const struct network *network, uint32_t node) {
    for (uint32_t nic = 0; nic < network->topology.node_shape.nics_per_node; nic++)
        if (rails_endpoint_works(network,
                                 node_shape_endpoint(&network->topology.node_shape, node, nic)))
            return true;
    return false;
}

uint32_t network_working_nodes(const struct network *network) {
    uint32_t count = network_node_count(network), working = 0;
    if (network->topology.failures == NULL) return count;
    for (uint32_t node = 0; node < count; node++)
        working += network_node_works(network, node);
    return working;
}
