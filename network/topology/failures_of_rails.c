/* The effects of failures on several rails together. */
#include "network/topology/failures.h"

#include "core/memory.h"
#include "network/topology/topology.h"

#include <inttypes.h>
#include <stdlib.h>

void failures_note_rail(uint16_t *rails, const struct topology *topology, uint32_t rail) {
    for (uint32_t i = 0; i < topology->groups * topology->routers; i++)
        if (failures_router_works(topology, i)) rails[i] = (uint16_t)(rails[i] | 1u << rail);
}

/* Checks that any two nodes have a rail in common. `kinds` holds one router for each set of rails
 * that occurs. */
static status_code check_common_rails(const uint16_t *rails, uint32_t *kinds,
                                      const struct topology *topology, struct status *status) {
    uint32_t count = 0, p = topology->nodes_per_router;
    for (uint32_t i = 0; i < topology->groups * topology->routers; i++) {
        bool known = rails[i] == 0;
        for (uint32_t j = 0; j < count && !known; j++) {
            known = rails[kinds[j]] == rails[i];
            RETURN_ERROR_IF((rails[kinds[j]] & rails[i]) == 0, status, STATUS_USAGE,
                            "network: failures leave no rail in which node %" PRIu32
                            " and node %" PRIu32 " both have a router; fail fewer routers",
                            kinds[j] * p, i * p);
        }
        if (!known) kinds[count++] = i;
    }
    RETURN_ERROR_IF(count == 0, status, STATUS_USAGE,
                    "network: all routers of the machine have failed; fail fewer");
    return STATUS_OK;
}

status_code failures_check_joined(const uint16_t *rails, const struct topology *topology,
                                  struct status *status) {
    uint32_t *kinds = memory_new((size_t)topology->groups * topology->routers, sizeof *kinds);
    RETURN_ERROR_IF(kinds == NULL, status, STATUS_MEMORY, "out of memory for failures");
    status_code code = check_common_rails(rails, kinds, topology, status);
    free(kinds);
    return code;
}

status_code failures_mark_nodes(bool *nodes, const struct network_config *config,
                                struct status *status) {
    if (!network_config_fails(config)) return STATUS_OK;
    FORWARD_IF_ERROR(network_config_check(config, status));
    uint32_t count = (uint32_t)network_config_nodes(config);
    uint16_t *rails = memory_new(count, sizeof *rails);
    RETURN_ERROR_IF(rails == NULL, status, STATUS_MEMORY, "out of memory for %u nodes", count);
    status_code code = STATUS_OK;
    for (uint32_t rail = 0; code == STATUS_OK && rail < config->rails; rail++) {
        struct topology topology;
        code = topology_of_rail(&topology, config, rail, status);
        if (code == STATUS_OK) failures_note_rail(rails, &topology, rail);
        topology_free(&topology);
    }
    for (uint32_t node = 0; code == STATUS_OK && node < count; node++)
        if (rails[node / (uint32_t)config->nodes_per_router] == 0) nodes[node] = true;
    free(rails);
    return code;
}
