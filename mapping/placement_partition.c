/*
 * Placement by graph partitioning. The policy splits the ranks among groups so that the parts send
 * little to each other, then each group's ranks among its routers, and each router's ranks among
 * its nodes. At every level it uses the fewest sets of nodes with room for all ranks: those with
 * most room.
 *
 * Knows sets of nodes and their room; partition_split splits the ranks. Invariant: no node gets
 * more ranks than its room.
 */
#include "core/memory/memory.h"
#include "mapping/partition_split.h"

#include <stdlib.h>

/* A node, router or group that takes ranks. */
struct node_set {
    uint32_t first; /* first node */
    uint32_t end;
    uint32_t room; /* ranks that fit */
};

static int by_room(const void *first, const void *second) {
    const struct node_set *a = first, *b = second;
    if (a->room != b->room) return a->room > b->room ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static int by_first(const void *first, const void *second) {
    const struct node_set *a = first, *b = second;
    return (a->first > b->first) - (a->first < b->first);
}

static uint32_t room_of(const struct placement_request *request, uint32_t first, uint32_t end) {
    uint64_t per_node = (uint64_t)request->config->ranks_per_node, room = 0;
    if (per_node > request->rank_count) per_node = request->rank_count;
    for (uint32_t node = first; node < end; node++)
        if (!request->taken[node]) room += per_node;
    return room < request->rank_count ? (uint32_t)room : request->rank_count;
}

/* Chooses the sets of `size` nodes in a range that take `needed` ranks. Returns their number. */
static uint32_t choose_sets(const struct placement_request *request, uint32_t first, uint32_t end,
                            uint32_t size, uint32_t needed, struct node_set *sets) {
    uint32_t count = 0, used = 0;
    for (uint32_t node = first; node < end; node += size) {
        uint32_t last = end - node < size ? end : node + size;
        struct node_set set = {node, last, room_of(request, node, last)};
        if (set.room > 0) sets[count++] = set;
    }
    qsort(sets, count, sizeof *sets, by_room);
    for (uint64_t room = 0; room < needed; used++)
        room += sets[used].room;
    qsort(sets, used, sizeof *sets, by_first);
    return used;
}

struct work {
    const struct placement_request *request;
    struct partition_work split;
    uint32_t *node_of_rank;
};

static status_code place_range(struct work *work, uint32_t *ranks, uint32_t count, uint32_t first,
                               uint32_t end, unsigned level, struct status *status);

/* Splits ranks among the sets and places the ranks of each set in it. */
static status_code place_in_sets(struct work *work, uint32_t *ranks, uint32_t count,
                                 struct node_set *sets, uint32_t set_count, unsigned level,
                                 struct status *status) {
    uint32_t *rooms = memory_new(set_count, sizeof *rooms);
    uint32_t *ends = memory_new((size_t)set_count + 1, sizeof *ends);
    status_code code = STATUS_OK;
    if (rooms == NULL || ends == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u parts", set_count);
    for (uint32_t i = 0; code == STATUS_OK && i < set_count; i++)
        rooms[i] = sets[i].room;
    if (code == STATUS_OK)
        code = partition_split(&work->split, ranks, count, rooms, set_count, ends, status);
    for (uint32_t i = 0; code == STATUS_OK && i < set_count; i++)
        code = place_range(work, ranks + ends[i], ends[i + 1] - ends[i], sets[i].first, sets[i].end,
                           level + 1, status);
    free(rooms);
    free(ends);
    return code;
}

/* Places ranks in a range of nodes. Levels 0 to 2 split the range into groups, routers and nodes;
 * at level 3 the range is one node. */
static status_code place_range(struct work *work, uint32_t *ranks, uint32_t count, uint32_t first,
                               uint32_t end, unsigned level, struct status *status) {
    const struct placement_machine *machine = work->request->machine;
    const uint32_t sizes[] = {machine->nodes_per_group, machine->nodes_per_router, 1};
    if (count == 0) return STATUS_OK;
    if (level == 3) {
        for (uint32_t i = 0; i < count; i++)
            work->node_of_rank[ranks[i]] = first;
        return STATUS_OK;
    }
    struct node_set *sets = memory_new((end - first - 1) / sizes[level] + 1, sizeof *sets);
    RETURN_ERROR_IF(sets == NULL, status, STATUS_MEMORY, "out of memory for %u nodes", end - first);
    uint32_t used = choose_sets(work->request, first, end, sizes[level], count, sets);
    status_code code = place_in_sets(work, ranks, count, sets, used, level, status);
    free(sets);
    return code;
}

status_code placement_partition_assign(const struct placement_request *request,
                                       uint32_t *node_of_rank, struct status *status) {
    struct work work = {.request = request, .node_of_rank = node_of_rank};
    FORWARD_IF_ERROR(partition_begin(&work.split, request->traffic, request->seed, status));
    uint32_t *ranks = memory_new(request->rank_count, sizeof *ranks);
    status_code code = STATUS_OK;
    if (ranks == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u ranks", request->rank_count);
    for (uint32_t rank = 0; ranks != NULL && rank < request->rank_count; rank++)
        ranks[rank] = rank;
    if (code == STATUS_OK)
        code = place_range(&work, ranks, request->rank_count, 0, request->machine->node_count, 0,
                           status);
    if (code == STATUS_OK)
        code = placement_graph_fall_back_to_block(&work.split.graph, request, node_of_rank, status);
    free(ranks);
    partition_end(&work.split);
    return code;
}
