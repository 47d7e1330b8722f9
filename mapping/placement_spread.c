/*
 * Placements that spread neighbouring ranks: dealt out over routers or groups, or a stride apart.
 * Must not know ranks.
 */
#include "core/memory/memory.h"
#include "mapping/placement.h"

#include <stdlib.h>

/* Deals out the nodes of sets of `size` nodes (routers or groups): each set in turn gives its next
 * free node, until all nodes are used. */
static status_code deal_ranks(const struct placement_request *request, struct placement_pick *pick,
                              uint32_t size, struct status *status) {
    uint32_t node_count = request->machine->node_count, sets = (node_count - 1) / size + 1;
    uint32_t *next = memory_new(sets, sizeof *next);
    RETURN_ERROR_IF(next == NULL, status, STATUS_MEMORY, "out of memory for %u routers or groups",
                    sets);
    bool more = true;
    for (uint32_t round = 0; round < size && more; round++) {
        for (uint32_t set = 0; set < sets && more; set++) {
            uint32_t end = node_count - set * size < size ? node_count - set * size : size;
            while (next[set] < end && pick->taken[set * size + next[set]])
                next[set]++;
            if (next[set] < end) more = placement_offer(pick, set * size + next[set]++);
        }
    }
    free(next);
    return STATUS_OK;
}

status_code placement_round_robin_routers_choose(const struct placement_request *request,
                                                 struct placement_pick *pick,
                                                 struct status *status) {
    return deal_ranks(request, pick, request->machine->nodes_per_router, status);
}

status_code placement_round_robin_groups_choose(const struct placement_request *request,
                                                struct placement_pick *pick,
                                                struct status *status) {
    return deal_ranks(request, pick, request->machine->nodes_per_group, status);
}

/* Takes nodes 0, s, 2s, …, then 1, s+1, … for the stride s. Every node comes once for any s. */
status_code placement_strided_choose(const struct placement_request *request,
                                     struct placement_pick *pick, struct status *status) {
    (void)status;
    uint64_t stride = (uint64_t)request->config->stride, node_count = request->machine->node_count;
    bool more = true;
    for (uint64_t start = 0; start < stride && start < node_count && more; start++)
        for (uint64_t node = start; node < node_count && more; node += stride)
            more = placement_offer(pick, (uint32_t)node);
    return STATUS_OK;
}
