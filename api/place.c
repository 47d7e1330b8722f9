/* Placing programs. See place.h. */
#include "api/place.h"

#include "core/memory.h"
#include "network/topology/failures.h"
#include "replay/replay_traffic.h"

status_code place_taken(bool **taken, const anax_config *config, status *status) {
    placement_machine machine = place_machine(&config->network);
    *taken = memory_new(machine.node_count, sizeof **taken);
    RETURN_ERROR_IF(*taken == NULL, status, STATUS_MEMORY, "out of memory for %u nodes",
                    machine.node_count);
    placement_occupy(*taken, &machine, config->placement.occupied_millionths,
                     (uint64_t)config->run.seed);
    return failures_mark_nodes(*taken, &config->network, status);
}

/* Traffic is a matter of ranks: any machine does, and that of the defaults is small. */
status_code place_traffic(placement_traffic *traffic, const anax_config *config,
                          const program *program, status *status) {
    network_config machine = {0};
    setting_section section = {network_setting_rows, network_setting_count, &machine};
    settings settings = {&section, 1};
    status_code code = settings_defaults(&settings, status);
    if (code == STATUS_OK)
        code = replay_traffic_new(traffic, program, &config->replay, &machine, status);
    settings_clear(&settings);
    return code;
}

status_code place_beside(placement **placement, const anax_config *config,
                         const placement_config *own, const program *program, uint64_t seed,
                         const bool *taken, const placement_traffic *traffic, status *status) {
    placement_machine machine = place_machine(&config->network);
    placement_traffic found = {0};
    placement_request request = {own, &machine, program->rank_count, seed, taken, traffic};
    if (traffic == NULL && placement_policies()[own->policy].reads_traffic) {
        FORWARD_IF_ERROR(place_traffic(&found, config, program, status));
        request.traffic = &found;
    }
    status_code code = placement_new(placement, &request, status);
    replay_traffic_free(&found);
    return code;
}
