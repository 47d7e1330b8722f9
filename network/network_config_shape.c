/* Derives the shape of a configuration's groups and nodes, and the input of its arrangement. */
#include "network/network_config.h"

struct group_shape network_config_group(const struct network_config *config) {
    struct group_shape shape = group_shape_of((uint32_t)config->routers_per_group,
                                              config->group_dimensions, config->group_links);
    shape.routers_per_drawer = (uint32_t)config->drawer_routers;
    return shape;
}

struct arrangement_input network_config_arrangement(const struct network_config *config) {
    return (struct arrangement_input){
        .shape = {.routers_per_group = (uint32_t)config->routers_per_group,
                  .globals_per_router =
                      (uint32_t)(config->globals_used > 0 ? config->globals_used
                                                          : config->globals_per_router),
                  .groups = (uint32_t)config->groups},
        .seed = (uint64_t)config->arrangement_seed,
        .file = config->arrangement_file,
    };
}

struct node_shape network_config_node(const struct network_config *config) {
    uint32_t nics = (uint32_t)network_config_nics(config);
    uint32_t routers = config->node_routers > 0 ? (uint32_t)config->node_routers : nics;
    uint32_t ports = (uint32_t)config->nodes_per_router;
    uint32_t per_router = routers < nics ? nics / routers : 1;
    uint32_t per_set = ports / per_router;
    return (struct node_shape){
        .nics_per_node = nics,
        .nics_per_router = per_router,
        .routers_per_node = routers,
        .router_stride = config->node_router_stride > 1 ? (uint32_t)config->node_router_stride : 1,
        .endpoints_per_router = ports,
        .nodes_per_set = per_set > 0 ? per_set : 1,
        .nodes_per_group = network_config_domain_nodes(config),
        .endpoints_per_group = ports * (uint32_t)config->routers_per_group,
    };
}

uint32_t network_config_router_of_node(const struct network_config *config, uint32_t node) {
    const struct node_shape shape = network_config_node(config);
    return node_shape_endpoint(&shape, node, 0) / shape.endpoints_per_router;
}
