/*
 * Greedy placement by traffic. The policy fills free nodes in order of their numbers. It puts on
 * each node the rank that exchanges most with the ranks already on the node; of equal ranks, the
 * one that exchanges most with ranks on its router, then in its group, then with all placed ranks,
 * then with all ranks; and of these the lowest rank.
 *
 * The greedy idea is old (Hoefler and Snir, Generic Topology Mapping Strategies, ICS 2011, describe
 * one for general networks). The order of criteria is that of anax; it fits a dragonfly, which has
 * exactly these distances.
 *
 * Invariant: `heap` holds the ranks that have not been placed, in this order. Each pair of ranks
 * moves a rank a few times per level, so the policy takes O(pairs · log ranks).
 */
#include "core/memory/memory.h"
#include "mapping/placement_graph.h"

#include <stdlib.h>

enum { NODE, ROUTER, GROUP, ALL, LEVELS };

#define PLACED UINT32_MAX

struct greedy {
    struct placement_graph graph;
    wide (*near)[LEVELS]; /* for each rank: weight of its edges to the ranks on the current node,
                             router, group, and all placed */
    uint32_t *heap;
    uint32_t *position;     /* position of each rank in the heap; PLACED: not in the heap */
    uint32_t heap_count;    /* ranks that are not placed yet */
    uint32_t *touched[ALL]; /* ranks whose weight for the level is not 0 */
    uint32_t touched_count[ALL];
};

static bool goes_before(const struct greedy *greedy, uint32_t a, uint32_t b) {
    for (unsigned level = 0; level < LEVELS; level++)
        if (greedy->near[a][level] != greedy->near[b][level])
            return greedy->near[a][level] > greedy->near[b][level];
    if (greedy->graph.degree[a] != greedy->graph.degree[b])
        return greedy->graph.degree[a] > greedy->graph.degree[b];
    return a < b;
}

static void put_rank(struct greedy *greedy, uint32_t position, uint32_t rank) {
    greedy->heap[position] = rank;
    greedy->position[rank] = position;
}

static void move_up(struct greedy *greedy, uint32_t rank) {
    uint32_t position = greedy->position[rank];
    while (position > 0 && goes_before(greedy, rank, greedy->heap[(position - 1) / 2])) {
        put_rank(greedy, position, greedy->heap[(position - 1) / 2]);
        position = (position - 1) / 2;
    }
    put_rank(greedy, position, rank);
}

static void move_down(struct greedy *greedy, uint32_t rank) {
    uint32_t position = greedy->position[rank];
    while (2 * (uint64_t)position + 1 < greedy->heap_count) {
        uint32_t child = 2 * position + 1;
        if (child + 1 < greedy->heap_count &&
            goes_before(greedy, greedy->heap[child + 1], greedy->heap[child]))
            child++;
        if (!goes_before(greedy, greedy->heap[child], rank)) break;
        put_rank(greedy, position, greedy->heap[child]);
        position = child;
    }
    put_rank(greedy, position, rank);
}

static uint32_t pop_rank(struct greedy *greedy) {
    uint32_t first = greedy->heap[0], last = greedy->heap[--greedy->heap_count];
    greedy->position[first] = PLACED;
    if (last == first) return first;
    put_rank(greedy, 0, last);
    move_down(greedy, last);
    return first;
}

/* Resets the weights of a level, because the next node lies in another node, router or group. */
static void reset_level(struct greedy *greedy, unsigned level) {
    for (uint32_t i = 0; i < greedy->touched_count[level]; i++) {
        uint32_t rank = greedy->touched[level][i];
        greedy->near[rank][level] = 0;
        if (greedy->position[rank] != PLACED) move_down(greedy, rank);
    }
    greedy->touched_count[level] = 0;
}

static void add_to_neighbours(struct greedy *greedy, uint32_t placed) {
    const struct placement_graph *graph = &greedy->graph;
    for (size_t i = graph->first[placed]; i < graph->first[placed + 1]; i++) {
        uint32_t rank = graph->neighbours[i];
        if (greedy->position[rank] == PLACED) continue;
        for (unsigned level = 0; level < LEVELS; level++) {
            wide *near = &greedy->near[rank][level];
            if (level < ALL && *near == 0)
                greedy->touched[level][greedy->touched_count[level]++] = rank;
            *near += graph->weights[i];
        }
        move_up(greedy, rank);
    }
}

static bool prepare_greedy(struct greedy *greedy) {
    uint32_t ranks = greedy->graph.rank_count;
    greedy->near = memory_new(ranks, sizeof *greedy->near);
    greedy->heap = memory_new(ranks, sizeof *greedy->heap);
    greedy->position = memory_new(ranks, sizeof *greedy->position);
    bool allocated = greedy->near != NULL && greedy->heap != NULL && greedy->position != NULL;
    for (unsigned level = 0; level < ALL; level++) {
        greedy->touched[level] = memory_new(ranks, sizeof *greedy->touched[level]);
        allocated = allocated && greedy->touched[level] != NULL;
    }
    for (uint32_t rank = 0; allocated && rank < ranks; rank++) {
        greedy->heap_count = rank + 1;
        put_rank(greedy, rank, rank);
        move_up(greedy, rank);
    }
    return allocated;
}

static void place_all(struct greedy *greedy, const struct placement_request *request,
                      uint32_t *node_of_rank) {
    const struct placement_machine *machine = request->machine;
    uint32_t router = UINT32_MAX, group = UINT32_MAX;
    for (uint32_t node = 0; node < machine->node_count && greedy->heap_count > 0; node++) {
        if (request->taken[node]) continue;
        if (node / machine->nodes_per_group != group) reset_level(greedy, GROUP);
        if (node / machine->nodes_per_router != router) reset_level(greedy, ROUTER);
        reset_level(greedy, NODE);
        group = node / machine->nodes_per_group;
        router = node / machine->nodes_per_router;
        for (int64_t k = 0; k < request->config->ranks_per_node && greedy->heap_count > 0; k++) {
            uint32_t rank = pop_rank(greedy);
            node_of_rank[rank] = node;
            add_to_neighbours(greedy, rank);
        }
    }
}

status_code placement_greedy_assign(const struct placement_request *request, uint32_t *node_of_rank,
                                    struct status *status) {
    struct greedy greedy = {0};
    FORWARD_IF_ERROR(placement_graph_new(&greedy.graph, request->traffic, status));
    bool allocated = prepare_greedy(&greedy);
    if (allocated) place_all(&greedy, request, node_of_rank);
    allocated = allocated && placement_graph_fall_back_to_block(&greedy.graph, request,
                                                                node_of_rank, NULL) == STATUS_OK;
    placement_graph_free(&greedy.graph);
    free(greedy.near);
    free(greedy.heap);
    free(greedy.position);
    for (unsigned level = 0; level < ALL; level++)
        free(greedy.touched[level]);
    RETURN_ERROR_IF(!allocated, status, STATUS_MEMORY, "out of memory for placing %u ranks",
                    request->rank_count);
    return STATUS_OK;
}
