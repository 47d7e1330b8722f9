/* The effects of failures on several rails together. */
#include "network/topology/failures.h"

#include "core/memory/memory.h"
#include "network/topology/topology.h"

#include <inttypes.h>
#include <stdlib.h>

void failures_record_rail(uint16_t *rails, const struct topology *topology, uint32_t rail) {
    for (uint32_t i = 0; i < topology->groups * topology->routers_per_group; i++)
        if (failures_router_works(topology, i)) rails[i] = (uint16_t)(rails[i] | 1u << rail);
}

/* Returns the rails in which at least one of a node's routers works. */
static uint16_t rails_of_node(const uint16_t *rails, const struct node_shape *shape,
                              uint32_t node) {
    uint16_t all = 0;
    for (uint32_t nic = 0; nic < shape->nics_per_node; nic++)
        all =
            (uint16_t)(all |
                       rails[node_shape_endpoint(shape, node, nic) / shape->endpoints_per_router]);
    return all;
}

/* Checks that any two nodes have a rail in common. `kinds` holds one node for each set of rails
 * that occurs; the nodes of the same routers have the same rails. */
static status_code check_common_rails(const uint16_t *rails, uint32_t *kinds,
                                      const struct node_shape *shape, uint32_t nodes,
                                      struct status *status) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; node += shape->nodes_per_set) {
        uint16_t own = rails_of_node(rails, shape, node);
        bool known = own == 0;
        for (uint32_t j = 0; j < count && !known; j++) {
            uint16_t other = rails_of_node(rails, shape, kinds[j]);
            known = other == own;
            RETURN_ERROR_IF((other & own) == 0, status, STATUS_USAGE,
                            "network: failures leave no rail in which node %" PRIu32
                            " and node %" PRIu32 " both have a router; fail fewer routers",
                            kinds[j], node);
        }
        if (!known) kinds[count++] = node;
    }
    RETURN_ERROR_IF(count == 0, status, STATUS_USAGE,
                    "network: all routers of the machine have failed; fail fewer");
    return STATUS_OK;
}

status_code failures_check_joined(const uint16_t *rails, const struct network_config *config,
                                  struct status *status) {
    uint32_t nodes = (uint32_t)network_config_nodes(config);
    struct node_shape shape = network_config_node(config);
    uint32_t *kinds = memory_new(nodes, sizeof *kinds);
    RETURN_ERROR_IF(kinds == NULL, status, STATUS_MEMORY, "out of memory for failures");
    status_code code = check_common_rails(rails, kinds, &shape, nodes, status);
    free(kinds);
    return code;
}

status_code failures_mark_nodes(bool *nodes, const struct network_config *config,
                                struct status *status) {
    if (!network_config_has_failures(config)) return STATUS_OK;
    FORWARD_IF_ERROR(network_config_check(config, status));
    uint32_t count = (uint32_t)network_config_nodes(config);
    struct node_shape shape = network_config_node(config);
    uint16_t *rails =
        memory_new((size_t)(config->groups * config->routers_per_group), sizeof *rails);
    RETURN_ERROR_IF(rails == NULL, status, STATUS_MEMORY, "out of memory for %u nodes", count);
    status_code code = STATUS_OK;
    for (uint32_t rail = 0; code == STATUS_OK && rail < config->rails; rail++) {
        struct topology topology;
        code = topology_new_of_rail(&topology, config, rail, status);
        if (code == STATUS_OK) failures_record_rail(rails, &topology, rail);
        topology_free(&topology);
    }
    for (uint32_t node = 0; code == STATUS_OK && node < count; node++)
        if (rails_of_node(rails, &shape, node) == 0) nodes[node] = true;
    free(rails);
    return code;
}
