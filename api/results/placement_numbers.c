/* Adds up the expected load of all messages of a program under a placement, and gives the time that
 * the busiest link of a kind needs for its load. */
#include "api/results/placement_numbers.h"
#include "api/run/place.h"

const char *const placement_distance_names[PLACEMENT_DISTANCES] = {"same_node", "same_router",
                                                                   "same_group", "other_group"};
const char *const placement_link_names[EXPECTED_KINDS] = {"injection", "ejection", "local",
                                                          "global"};

wide placement_link_time_ps(const struct expected_links *links) {
    uint64_t bandwidth = (uint64_t)links->bandwidth_bytes_per_s;
    wide seconds = links->max_bytes / bandwidth, rest_bytes = links->max_bytes % bandwidth;
    return seconds * 1000000000000u + (rest_bytes * 1000000000000u + bandwidth - 1) / bandwidth;
}

void placement_add_load(struct expected_load *load, const struct network_config *network,
                        const struct placement *placement,
                        const struct placement_traffic *traffic) {
    const uint32_t *nodes = placement->node_of_rank;
    for (size_t i = 0; i < traffic->edge_count; i++) {
        const struct placement_edge *edge = &traffic->edges[i];
        const struct network_message message = {
            .source_node = nodes[edge->from],
            .destination_node = nodes[edge->to],
            .source_nic = (uint8_t)place_nic(network, placement, edge->from),
            .destination_nic = (uint8_t)place_nic(network, placement, edge->to)};
        expected_load_add(load, &message, edge->bytes);
    }
}
