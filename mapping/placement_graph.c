/* Lists the traffic of each pair of ranks in both directions, sorts the list, and merges equal
 * pairs. */
#include "mapping/placement_graph.h"

#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_pair(const void *first, const void *second) {
    const struct placement_edge *a = first, *b = second;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

size_t placement_edges_merge(struct placement_edge *edges, size_t count) {
    if (count == 0) return 0;
    size_t last = 0;
    qsort(edges, count, sizeof *edges, by_pair);
    for (size_t i = 1; i < count; i++) {
        if (by_pair(&edges[last], &edges[i]) == 0) {
            edges[last].messages += edges[i].messages;
            edges[last].bytes += edges[i].bytes;
        } else {
            edges[++last] = edges[i];
        }
    }
    return last + 1;
}

/* Makes a list with each edge in both directions, and merges equal pairs. */
static status_code both_ways(struct placement_edge **edges, size_t *count,
                             const struct placement_traffic *traffic, struct status *status) {
    *edges = memory_new(2 * traffic->edge_count, sizeof **edges);
    *count = 0;
    RETURN_ERROR_IF(*edges == NULL, status, STATUS_MEMORY,
                    "out of memory for the traffic of %u ranks", traffic->rank_count);
    for (size_t i = 0; i < traffic->edge_count; i++) {
        const struct placement_edge *edge = &traffic->edges[i];
        if (edge->from == edge->to) continue;
        (*edges)[(*count)++] = *edge;
        (*edges)[(*count)++] =
            (struct placement_edge){edge->to, edge->from, edge->messages, edge->bytes};
    }
    *count = placement_edges_merge(*edges, *count);
    return STATUS_OK;
}

static void fill_edges(struct placement_graph *graph, const struct placement_edge *edges,
                       size_t count) {
    size_t next = 0;
    for (uint32_t rank = 0; rank < graph->rank_count; rank++) {
        graph->first[rank] = next;
        for (; next < count && edges[next].from == rank; next++) {
            graph->neighbours[next] = edges[next].to;
            graph->weights[next] = edges[next].bytes > 0 ? edges[next].bytes : edges[next].messages;
            graph->degree[rank] += graph->weights[next];
        }
    }
    graph->first[graph->rank_count] = next;
}

status_code placement_graph_new(struct placement_graph *graph,
                                const struct placement_traffic *traffic, struct status *status) {
    struct placement_edge *edges;
    size_t count;
    *graph = (struct placement_graph){.rank_count = traffic->rank_count};
    FORWARD_IF_ERROR(both_ways(&edges, &count, traffic, status));
    graph->first = memory_new((size_t)traffic->rank_count + 1, sizeof *graph->first);
    graph->degree = memory_new(traffic->rank_count, sizeof *graph->degree);
    graph->neighbours = memory_new(count, sizeof *graph->neighbours);
    graph->weights = memory_new(count, sizeof *graph->weights);
    bool allocated = graph->first && graph->degree && graph->neighbours && graph->weights;
    if (allocated) fill_edges(graph, edges, count);
    free(edges);
    if (allocated) return STATUS_OK;
    placement_graph_free(graph);
    return status_set(status, STATUS_MEMORY, "out of memory for the traffic of %u ranks",
                      traffic->rank_count);
}

void placement_graph_free(struct placement_graph *graph) {
    free(graph->first);
    free(graph->neighbours);
    free(graph->weights);
    free(graph->degree);
    *graph = (struct placement_graph){0};
}

/* Sums of the weights between different groups, routers and nodes. */
struct distance_sums {
    wide sums[3];
};

static struct distance_sums sum_distances(const struct placement_graph *graph,
                                          const struct placement_machine *machine,
                                          const uint32_t *node_of_rank) {
    const uint32_t sizes[] = {machine->nodes_per_group, machine->nodes_per_router, 1};
    struct distance_sums result = {{0, 0, 0}};
    for (uint32_t rank = 0; rank < graph->rank_count; rank++) {
        for (size_t i = graph->first[rank]; i < graph->first[rank + 1]; i++) {
            uint32_t from = node_of_rank[rank], to = node_of_rank[graph->neighbours[i]];
            for (unsigned level = 0; level < 3; level++)
                if (from / sizes[level] != to / sizes[level])
                    result.sums[level] += graph->weights[i];
        }
    }
    return result;
}

static bool is_less(const struct distance_sums *a, const struct distance_sums *b) {
    for (unsigned level = 0; level < 3; level++)
        if (a->sums[level] != b->sums[level]) return a->sums[level] < b->sums[level];
    return false;
}

status_code placement_graph_fall_back_to_block(const struct placement_graph *graph,
                                               const struct placement_request *request,
                                               uint32_t *node_of_rank, struct status *status) {
    uint32_t *block = memory_new(graph->rank_count, sizeof *block);
    RETURN_ERROR_IF(block == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    graph->rank_count);
    uint32_t rank = 0;
    for (uint32_t node = 0; rank < graph->rank_count; node++) {
        if (request->taken[node]) continue;
        for (int64_t k = 0; k < request->config->ranks_per_node && rank < graph->rank_count; k++)
            block[rank++] = node;
    }
    struct distance_sums found = sum_distances(graph, request->machine, node_of_rank);
    struct distance_sums simple = sum_distances(graph, request->machine, block);
    if (is_less(&simple, &found)) memcpy(node_of_rank, block, graph->rank_count * sizeof *block);
    free(block);
    return STATUS_OK;
}
