/* Finds the nodes that ranks may use, the traffic between ranks if the policy needs it, and then
 * the placement. A replay on a network that takes no time gives the traffic. */
#include "api/run/place.h"

#include "core/memory/memory.h"
#include "network/topology/failures.h"
#include "replay/hosts/storage_nodes.h"
#include "replay/replay_traffic.h"
#include "traces/program/file/program_division.h"

#include <inttypes.h>
#include <stdlib.h>

status_code place_storage_take(struct place_nodes *nodes, const anax_config *config,
                               struct status *status) {
    uint32_t *found = NULL;
    FORWARD_IF_ERROR(
        storage_nodes_find(&found, &nodes->storage, &config->replay, &config->network, status));
    for (uint32_t i = 0; i < nodes->storage; i++)
        nodes->taken[found[i]] = true;
    free(found);
    return STATUS_OK;
}

status_code place_nodes_find(struct place_nodes *nodes, const anax_config *config,
                             struct status *status) {
    const struct placement_machine machine = place_machine(&config->network);
    nodes->taken = memory_new(machine.node_count, sizeof *nodes->taken);
    nodes->failed = memory_new(machine.node_count, sizeof *nodes->failed);
    status_code code = STATUS_OK;
    if (nodes->taken == NULL || nodes->failed == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u nodes", machine.node_count);
    if (code == STATUS_OK) code = failures_mark_nodes(nodes->failed, &config->network, status);
    if (code != STATUS_OK) {
        place_nodes_free(nodes);
        return code;
    }
    placement_mark_occupied(nodes->taken, &machine, config->placement.occupied_millionths,
                            (uint64_t)config->run.seed);
    for (uint32_t node = 0; node < machine.node_count; node++)
        nodes->taken[node] = nodes->taken[node] || nodes->failed[node];
    code = place_storage_take(nodes, config, status);
    if (code != STATUS_OK) place_nodes_free(nodes);
    return code;
}

void place_nodes_free(struct place_nodes *nodes) {
    free(nodes->taken);
    free(nodes->failed);
    *nodes = (struct place_nodes){0};
}

/* Traffic between ranks does not depend on the machine, so the small machine of the defaults is
 * used. */
status_code place_find_traffic(struct placement_traffic *traffic, const anax_config *config,
                               const struct program *program, struct status *status) {
    FORWARD_IF_ERROR(program_division_load_all(program->division, status));
    struct network_config network_config = {0};
    struct setting_section section = {network_setting_rows, network_setting_count, &network_config};
    struct settings settings = {&section, 1};
    status_code code = settings_set_defaults(&settings, status);
    if (code == STATUS_OK)
        code = replay_traffic_new(traffic, program, &config->replay, &network_config, status);
    settings_clear(&settings);
    return code;
}

status_code place_on_free_nodes(struct placement **placement, const anax_config *config,
                                const struct placement_config *own, const struct program *program,
                                uint64_t seed, const struct place_nodes *nodes,
                                const struct placement_traffic *traffic, struct status *status) {
    struct placement_machine machine = place_machine(&config->network);
    struct placement_traffic found = {0};
    struct placement_request request = {.config = own,
                                        .machine = &machine,
                                        .rank_count = program->rank_count,
                                        .seed = seed,
                                        .taken = nodes->taken,
                                        .failed = nodes->failed,
                                        .traffic = traffic};
    if (traffic == NULL && placement_policies()[own->policy].reads_traffic) {
        FORWARD_IF_ERROR(place_find_traffic(&found, config, program, status));
        request.traffic = &found;
    }
    status_code code = placement_new(placement, &request, status);
    if (code != STATUS_OK && nodes->storage > 0)
        status_append(status, "%" PRIu32 " of the nodes that are taken %s (io.nodes, io.share)",
                      nodes->storage, nodes->storage == 1 ? "is an I/O node" : "are I/O nodes");
    replay_traffic_free(&found);
    return code;
}
