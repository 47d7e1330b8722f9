/* Builds the graph of all routers from a topology, in which parallel links of a pair of routers are
 * one end with a count, and multiplies these counts by bandwidths or by the number of rails. */
#include "core/memory/memory.h"
#include "network/analysis/bisection/bisection.h"
#include "network/topology/failures.h"

#include <stdlib.h>
#include <string.h>

static int compare_ends(const void *left, const void *right) {
    const struct bisection_end *a = left, *b = right;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* Sorts the ends of one router and merges parallel links. Returns how many ends remain. */
static uint32_t merge_ends(struct bisection_end *ends, uint32_t count) {
    qsort(ends, count, sizeof *ends, compare_ends);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && ends[kept - 1].to == ends[i].to) {
            ends[kept - 1].local_links += ends[i].local_links;
            ends[kept - 1].global_links += ends[i].global_links;
        } else {
            ends[kept++] = ends[i];
        }
    }
    return kept;
}

status_code bisection_graph_new(struct bisection_graph *graph, uint32_t routers, uint32_t group,
                                const struct bisection_link *links, size_t count,
                                struct status *status) {
    *graph = (struct bisection_graph){.routers = routers, .group = group > 0 ? group : 1};
    graph->first = memory_new((size_t)routers + 2, sizeof *graph->first);
    graph->ends = memory_new(2 * count, sizeof *graph->ends);
    if (graph->first == NULL || graph->ends == NULL || count > UINT32_MAX / 2) {
        bisection_graph_free(graph);
        return status_set(status, STATUS_MEMORY, "out of memory for %zu links", count);
    }
    uint32_t *position = graph->first + 1; /* one index higher: filling moves starts to ends */
    for (size_t i = 0; i < count; i++) {
        position[links[i].a + 1]++;
        position[links[i].b + 1]++;
        *(links[i].is_global ? &graph->global_links : &graph->local_links) += 1;
    }
    for (uint32_t i = 0; i < routers; i++)
        position[i + 1] += position[i];
    for (size_t i = 0; i < count; i++) {
        const uint32_t from[] = {links[i].a, links[i].b};
        for (int side = 0; side < 2; side++)
            graph->ends[position[from[side]]++] =
                (struct bisection_end){from[1 - side], !links[i].is_global, links[i].is_global};
    }
    uint32_t kept = 0, begin = 0;
    for (uint32_t i = 0; i < routers; i++) {
        uint32_t end = graph->first[i + 1];
        uint32_t merged = merge_ends(&graph->ends[begin], end - begin);
        memmove(&graph->ends[kept], &graph->ends[begin], merged * sizeof *graph->ends);
        graph->first[i] = kept;
        kept += merged;
        begin = end;
    }
    graph->first[routers] = kept;
    return STATUS_OK;
}

status_code bisection_graph_from_topology(struct bisection_graph *graph,
                                          const struct topology *topology, struct status *status) {
    const size_t routers = topology->routers_per_group, globals = topology->globals_per_router;
    size_t max = topology->groups *
                 (routers * topology->group_shape.ports_per_router / 2 + routers * globals);
    struct bisection_link *links = memory_new(max, sizeof *links);
    RETURN_ERROR_IF(links == NULL, status, STATUS_MEMORY, "out of memory for %zu links", max);
    size_t count = 0;
    for (uint32_t group = 0; group < topology->groups; group++) {
        const uint32_t base = group * topology->routers_per_group;
        for (uint32_t j = 0; j < topology->routers_per_group; j++)
            for (uint32_t k = topology->endpoints_per_router; k < topology->first_global_port;
                 k++) {
                uint32_t end = topology_local_end(topology, j, k).router;
                if (j < end && failures_port_works(topology, base + j, k))
                    links[count++] = (struct bisection_link){base + j, base + end, false};
            }
        for (uint32_t x = 0; x < topology->links_per_group; x++) {
            uint32_t here = group * topology->links_per_group + x,
                     there = topology->link_peers[here];
            if (there != TOPOLOGY_UNCONNECTED && here < there) /* takes each link once */
                links[count++] =
                    (struct bisection_link){here / topology->globals_per_router,
                                            there / topology->globals_per_router, true};
        }
    }
    status_code code = bisection_graph_new(graph, topology->groups * topology->routers_per_group,
                                           topology->routers_per_group, links, count, status);
    free(links);
    return code;
}

void bisection_graph_apply_bandwidths(struct bisection_graph *graph,
                                      const struct group_shape *group,
                                      const uint32_t weights[UNITS_DIMENSIONS]) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < graph->routers; i++) {
        uint32_t router = i % group->routers;
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            struct bisection_end *end = &graph->ends[e];
            if (end->local_links == 0) continue;
            uint32_t port = group_shape_port(group, router, end->to % group->routers);
            end->local_links *= weights[group_shape_local_type(group, router, port)];
            sum += end->local_links;
        }
    }
    graph->local_links = sum / 2; /* every link has two ends */
}

void bisection_graph_repeat(struct bisection_graph *graph, uint32_t times) {
    for (uint32_t e = 0; e < graph->first[graph->routers]; e++) {
        graph->ends[e].local_links *= times;
        graph->ends[e].global_links *= times;
    }
    graph->local_links *= times;
    graph->global_links *= times;
}

void bisection_graph_free(struct bisection_graph *graph) {
    free(graph->first);
    free(graph->ends);
    memset(graph, 0, sizeof *graph);
}

void bisection_count(const struct bisection_graph *graph, const uint8_t *side,
                     uint64_t *local_links, uint64_t *global_links) {
    *local_links = *global_links = 0;
    for (uint32_t i = 0; i < graph->routers; i++) {
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            if (graph->ends[e].to < i || side[i] == side[graph->ends[e].to]) continue;
            *local_links += graph->ends[e].local_links;
            *global_links += graph->ends[e].global_links;
        }
    }
}
