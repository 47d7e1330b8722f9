/* Derives the shape of a configuration's groups, and the input of its arrangement. */
#include "network/network_config.h"

struct group_shape network_config_group(const struct network_config *config) {
    struct group_shape shape = group_shape_of((uint32_t)config->routers_per_group,
                                              config->group_dimensions, config->group_links);
    shape.drawer = (uint32_t)config->drawer_routers;
    return shape;
}

struct arrangement_input network_config_arrangement(const struct network_config *config) {
    return (struct arrangement_input){
        .shape = {.routers = (uint32_t)config->routers_per_group,
                  .globals = (uint32_t)(config->globals_used > 0 ? config->globals_used
                                                                 : config->globals_per_router),
                  .groups = (uint32_t)config->groups},
        .seed = (uint64_t)config->arrangement_seed,
        .file = config->arrangement_file,
    };
}
