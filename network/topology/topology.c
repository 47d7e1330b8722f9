/* Builds the wiring of a dragonfly from its shape and arrangement. */
#include "network/topology/topology.h"

#include "core/memory/memory.h"
#include "network/arrangement/arrangement.h"
#include "network/routing/ring.h"
#include "network/topology/failures.h"

#include <stdlib.h>
#include <string.h>

/* Lists the links of one group by destination (counting sort), in ascending order of x. */
static void list_routes(struct topology *topology, uint32_t group) {
    uint32_t *first = &topology->first_by_destination[(size_t)group * (topology->groups + 1)];
    uint16_t *routes = &topology->links_by_destination[(size_t)group * topology->links_per_group];
    const uint32_t *peer = &topology->link_peers[(size_t)group * topology->links_per_group];
    for (uint32_t x = 0; x < topology->links_per_group; x++) {
        if (peer[x] != TOPOLOGY_UNCONNECTED) first[peer[x] / topology->links_per_group + 1]++;
    }
    for (uint32_t i = 0; i < topology->groups; i++)
        first[i + 1] += first[i];
    for (uint32_t x = topology->links_per_group; x-- > 0;) {
        if (peer[x] != TOPOLOGY_UNCONNECTED)
            routes[--first[peer[x] / topology->links_per_group + 1]] = (uint16_t)x;
    }
    /* Each entry above 0 has moved down to the start of its own destination. */
    memmove(first, first + 1, topology->groups * sizeof *first);
    uint32_t connected = 0;
    for (uint32_t x = 0; x < topology->links_per_group; x++)
        connected += peer[x] != TOPOLOGY_UNCONNECTED;
    first[topology->groups] = connected;
}

/* Returns whether exactly one link joins every two groups. */
static bool has_single_links(const struct topology *topology) {
    for (uint32_t i = 0; i < topology->groups; i++) {
        for (uint32_t j = 0; j < topology->groups; j++) {
            uint32_t count;
            topology_links(topology, i, j, &count);
            if (count != (i != j)) return false;
        }
    }
    return true;
}

static status_code check_connected(const struct topology *topology, struct status *status) {
    for (uint32_t i = 0; i < topology->groups; i++) {
        for (uint32_t j = 0; j < topology->groups; j++) {
            uint32_t count;
            topology_links(topology, i, j, &count);
            RETURN_ERROR_IF(i != j && count == 0, status, STATUS_USAGE,
                            "network: no global link joins group %u with group %u; lower "
                            "network.groups, or choose "
                            "another network.arrangement",
                            i, j);
        }
    }
    return STATUS_OK;
}

/* Moves the places of a wiring with `used` links per router to places for h links per router, from
 * the last place on. The other links are not connected. */
static void spread_places(struct topology *topology, uint32_t used) {
    uint32_t h = topology->globals_per_router;
    for (uint32_t router = topology->groups * topology->routers_per_group; router-- > 0;) {
        for (uint32_t k = h; k-- > 0;) {
            uint32_t end =
                k < used ? topology->link_peers[router * used + k] : TOPOLOGY_UNCONNECTED;
            topology->link_peers[router * h + k] =
                end == TOPOLOGY_UNCONNECTED ? TOPOLOGY_UNCONNECTED : end / used * h + end % used;
        }
    }
}

static status_code connect_groups(struct topology *topology, const struct network_config *config,
                                  struct status *status) {
    struct arrangement_input input = network_config_arrangement(config);
    FORWARD_IF_ERROR(arrangement_wire(&arrangements()[config->arrangement], &input,
                                      topology->link_peers, status));
    if (input.shape.globals_per_router < topology->globals_per_router)
        spread_places(topology, input.shape.globals_per_router);
    return STATUS_OK;
}

/* Fills the tables of paths inside a group. A completely connected group with single links needs
 * none. */
static status_code list_paths(struct topology *topology, struct status *status) {
    const struct group_shape *group = &topology->group_shape;
    if (group->dimension_count == 1 && group->dimensions[0].links_per_neighbour == 1)
        return STATUS_OK;
    uint32_t a = topology->routers_per_group;
    topology->next_hop_ports = memory_new((size_t)a * a, sizeof *topology->next_hop_ports);
    topology->local_distances = memory_new((size_t)a * a, sizeof *topology->local_distances);
    RETURN_ERROR_IF(topology->next_hop_ports == NULL || topology->local_distances == NULL, status,
                    STATUS_MEMORY, "out of memory for the paths between %u routers", a);
    for (uint32_t from = 0; from < a; from++) {
        for (uint32_t to = 0; to < a; to++) {
            topology->local_distances[from * a + to] = (uint8_t)group_shape_hops(group, from, to);
            if (from != to)
                topology->next_hop_ports[from * a + to] =
                    (uint16_t)(topology->endpoints_per_router + group_shape_port(group, from, to));
        }
    }
    return STATUS_OK;
}

status_code topology_new_of_rail(struct topology *topology, const struct network_config *config,
                                 uint32_t rail, struct status *status) {
    memset(topology, 0, sizeof *topology);
    topology->endpoints_per_router = (uint32_t)config->nodes_per_router;
    topology->node_shape = network_config_node(config);
    topology->routers_per_group = (uint32_t)config->routers_per_group;
    topology->globals_per_router = (uint32_t)config->globals_per_router;
    topology->groups = (uint32_t)config->groups;
    topology->group_shape = network_config_group(config);
    topology->first_global_port =
        topology->endpoints_per_router + topology->group_shape.ports_per_router;
    topology->ring_ports = ring_is_physical(config) ? RING_PORTS : 0;
    topology->radix =
        topology->first_global_port + topology->globals_per_router + topology->ring_ports;
    topology->endpoints_per_group = topology->endpoints_per_router * topology->routers_per_group;
    topology->links_per_group = topology->routers_per_group * topology->globals_per_router;
    topology->endpoints_per_router_divisor = divisor_of(topology->endpoints_per_router);
    topology->routers_per_group_divisor = divisor_of(topology->routers_per_group);
    RETURN_ERROR_IF(topology->links_per_group > UINT16_MAX, status, STATUS_USAGE,
                    "network: %u global links a group; at most 65535 can be simulated",
                    topology->links_per_group);
    size_t all = (size_t)topology->groups * topology->links_per_group;
    topology->link_peers = memory_new(all, sizeof *topology->link_peers);
    topology->first_by_destination = memory_new((size_t)topology->groups * (topology->groups + 1),
                                                sizeof *topology->first_by_destination);
    topology->links_by_destination = memory_new(all + 1, sizeof *topology->links_by_destination);
    RETURN_ERROR_IF(topology->link_peers == NULL || topology->first_by_destination == NULL ||
                        topology->links_by_destination == NULL,
                    status, STATUS_MEMORY, "out of memory for the wiring of %u groups",
                    topology->groups);
    topology->local_diameter = topology->group_shape.diameter;
    FORWARD_IF_ERROR(connect_groups(topology, config, status));
    if (network_config_has_failures(config))
        FORWARD_IF_ERROR(failures_new(&topology->failures, topology, config, rail, status));
    for (uint32_t group = 0; group < topology->groups; group++)
        list_routes(topology, group);
    topology->has_single_links = has_single_links(topology);
    if (topology->failures != NULL) {
        status_code code = failures_find_paths(topology, status);
        if (code != STATUS_OK && config->rails > 1) status_prefix(status, "rail %u", rail);
        return code;
    }
    FORWARD_IF_ERROR(list_paths(topology, status));
    return check_connected(topology, status);
}

status_code topology_new(struct topology *topology, const struct network_config *config,
                         struct status *status) {
    return topology_new_of_rail(topology, config, 0, status);
}

void topology_free(struct topology *topology) {
    failures_free(topology->failures);
    free(topology->next_hop_ports);
    free(topology->local_distances);
    free(topology->link_peers);
    free(topology->first_by_destination);
    free(topology->links_by_destination);
    memset(topology, 0, sizeof *topology);
}
