/*
 * Random placements: over nodes, routers or whole groups, and over the nodes of a block of groups.
 * Must not know ranks.
 *
 * Invariant: every ordered choice is equally likely, and a seed gives the same choice on every
 * computer that runs anax. Taken nodes are passed over, so the choices among the others stay
 * equally likely.
 */
#include "core/memory/memory.h"
#include "mapping/placement.h"

#include <stdlib.h>

/* Makes an array of count consecutive numbers from first on. */
static status_code new_numbers(uint32_t **numbers, uint32_t first, uint32_t count,
                               struct status *status) {
    *numbers = memory_new(count, sizeof **numbers);
    RETURN_ERROR_IF(*numbers == NULL, status, STATUS_MEMORY, "out of memory for %u numbers", count);
    for (uint32_t i = 0; i < count; i++)
        (*numbers)[i] = first + i;
    return STATUS_OK;
}

static status_code shuffle_nodes(const struct placement_request *request,
                                 struct placement_pick *pick, uint32_t first, uint32_t count,
                                 placement_draw draw, struct status *status) {
    uint32_t *nodes;
    FORWARD_IF_ERROR(new_numbers(&nodes, first, count, status));
    for (uint32_t i = 0; i < count; i++)
        if (!placement_offer(pick, placement_shuffle_step(nodes, count, i, request->seed, draw)))
            break;
    free(nodes);
    return STATUS_OK;
}

status_code placement_random_choose(const struct placement_request *request,
                                    struct placement_pick *pick, struct status *status) {
    return shuffle_nodes(request, pick, 0, request->machine->node_count, PLACEMENT_DRAW_NODES,
                         status);
}

/* Shuffles sets of `size` nodes (routers or groups), and fills each set before the next. */
static status_code shuffle_sets(const struct placement_request *request,
                                struct placement_pick *pick, uint32_t size, placement_draw draw,
                                struct status *status) {
    uint32_t node_count = request->machine->node_count, count = (node_count - 1) / size + 1, *sets;
    bool more = true;
    FORWARD_IF_ERROR(new_numbers(&sets, 0, count, status));
    for (uint32_t i = 0; i < count && more; i++) {
        uint32_t first = placement_shuffle_step(sets, count, i, request->seed, draw) * size;
        for (uint32_t k = 0; k < size && k < node_count - first && more; k++)
            more = placement_offer(pick, first + k);
    }
    free(sets);
    return STATUS_OK;
}

status_code placement_random_routers_choose(const struct placement_request *request,
                                            struct placement_pick *pick, struct status *status) {
    return shuffle_sets(request, pick, request->machine->nodes_per_router, PLACEMENT_DRAW_ROUTERS,
                        status);
}

status_code placement_random_groups_choose(const struct placement_request *request,
                                           struct placement_pick *pick, struct status *status) {
    return shuffle_sets(request, pick, request->machine->nodes_per_group, PLACEMENT_DRAW_GROUPS,
                        status);
}

static uint32_t free_nodes(const struct placement_request *request, uint32_t group) {
    uint32_t first = group * request->machine->nodes_per_group, count = 0;
    for (uint32_t k = 0; k < request->machine->nodes_per_group; k++)
        count += first + k < request->machine->node_count && !request->taken[first + k];
    return count;
}

/*
 * Hybrid placement chooses the fewest consecutive groups of whose free nodes the job takes at most
 * placement.share; of several such blocks, the first one; all groups if even they are too few. The
 * search moves a window over the groups, whose end only moves forward.
 */
status_code placement_hybrid_choose(const struct placement_request *request,
                                    struct placement_pick *pick, struct status *status) {
    uint32_t size = request->machine->nodes_per_group, node_count = request->machine->node_count;
    uint32_t groups = (node_count - 1) / size + 1, best = 0, length = groups, end = 0;
    uint64_t free_count = 0, share = (uint64_t)request->config->share_millionths;
    for (uint32_t start = 0; start < groups; start++) {
        while (end < groups && free_count * share < (uint64_t)pick->wanted * 1000000)
            free_count += free_nodes(request, end++);
        if (free_count * share < (uint64_t)pick->wanted * 1000000) break;
        if (end - start < length) {
            length = end - start;
            best = start;
        }
        free_count -= free_nodes(request, start);
    }
    uint32_t first = best * size;
    uint32_t count =
        (uint64_t)length * size < node_count - first ? length * size : node_count - first;
    return shuffle_nodes(request, pick, first, count, PLACEMENT_DRAW_HYBRID, status);
}
