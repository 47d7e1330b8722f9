/* Checks what holds for any placement: each rank has a node in range, no node has too many ranks,
 * and the list of each node has the ranks of the node. */
#include "tests/support/mapping/placement_check.h"

#include <inttypes.h>

status_code placement_check(const struct placement *placement,
                            const struct placement_config *config,
                            const struct placement_machine *machine, struct status *status) {
    RETURN_ERROR_IF(placement->node_count != machine->node_count, status, STATUS_RUN,
                    "the placement is for %" PRIu32 " nodes, the machine has %" PRIu32,
                    placement->node_count, machine->node_count);
    uint32_t placed = 0; /* ranks found under the node they are on, each once since they ascend */
    for (uint32_t node = 0; node < placement->node_count; node++) {
        uint32_t first = placement->first_rank[node], end = placement->first_rank[node + 1];
        RETURN_ERROR_IF(first != placed || end < first || end > placement->rank_count, status,
                        STATUS_RUN, "node %" PRIu32 ": its list of ranks is broken", node);
        RETURN_ERROR_IF(end - first > config->ranks_per_node, status, STATUS_RUN,
                        "node %" PRIu32 " holds %" PRIu32 " ranks, more than %" PRId64, node,
                        end - first, config->ranks_per_node);
        for (uint32_t i = first; i < end; i++) {
            uint32_t rank = placement->ranks[i];
            RETURN_ERROR_IF(rank >= placement->rank_count ||
                                placement->node_of_rank[rank] != node ||
                                (i > first && rank <= placement->ranks[i - 1]),
                            status, STATUS_RUN,
                            "rank %" PRIu32 " is listed for node %" PRIu32 " wrongly", rank, node);
        }
        placed = end;
    }
    RETURN_ERROR_IF(placed != placement->rank_count, status, STATUS_RUN,
                    "%" PRIu32 " of %" PRIu32 " ranks are on a node", placed,
                    placement->rank_count);
    return STATUS_OK;
}
