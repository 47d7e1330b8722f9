/*
 * Splits ranks with METIS (Karypis and Kumar, A Fast and High Quality Multilevel Scheme for
 * Partitioning Irregular Graphs, SIAM J. Scientific Computing 20(1), 1998). METIS makes parts of
 * approximately the wanted sizes, so this file then moves ranks out of parts that exceed their
 * room.
 *
 * METIS seeds the C library's rand() in each call and draws from it, so only one thread at a time
 * calls METIS. Equal seeds then give equal parts with one version of METIS, unless the calling
 * program also uses rand() at that time.
 */
#include "mapping/partition_split.h"

#include "core/memory/memory.h"

#include <stdlib.h>

#ifndef ANAX_METIS

status_code partition_begin(struct partition_work *work, const struct placement_traffic *traffic,
                            uint64_t seed, struct status *status) {
    (void)work, (void)traffic, (void)seed;
    return status_set(status, STATUS_USAGE,
                      "placement partition needs METIS, and anax was built without it; install "
                      "METIS (on Debian: libmetis-dev) and build anax again, or choose "
                      "placement greedy");
}

void partition_end(struct partition_work *work) {
    (void)work;
}

status_code partition_split(struct partition_work *work, uint32_t *ranks, uint32_t count,
                            const uint32_t *rooms, uint32_t parts, uint32_t *ends,
                            struct status *status) {
    (void)work, (void)ranks, (void)count, (void)rooms, (void)parts, (void)ends;
    return status_set(status, STATUS_USAGE, "placement partition needs METIS");
}

#else

#include <metis.h>
#include <pthread.h>

/* METIS adds up weights in an idx_t, which has 32 bits in most packages. */
#define WEIGHT_TOTAL ((uint64_t)1 << 30)

/* The ranks to split, in the form that METIS reads: numbered from 0, with edges only among
 * themselves. */
struct part_graph {
    idx_t count;
    idx_t *first;
    idx_t *neighbours;
    idx_t *weights;
    idx_t *part; /* part of each rank: the result */
};

status_code partition_begin(struct partition_work *work, const struct placement_traffic *traffic,
                            uint64_t seed, struct status *status) {
    *work = (struct partition_work){.seed = seed};
    FORWARD_IF_ERROR(placement_graph_new(&work->graph, traffic, status));
    work->local = memory_new(traffic->rank_count, sizeof *work->local);
    for (uint32_t rank = 0; work->local != NULL && rank < traffic->rank_count; rank++)
        work->local[rank] = UINT32_MAX;
    if (work->local != NULL && traffic->rank_count < INT32_MAX / 2 &&
        work->graph.first[traffic->rank_count] < WEIGHT_TOTAL / 2)
        return STATUS_OK;
    bool no_memory = work->local == NULL;
    partition_end(work);
    return status_set(status, no_memory ? STATUS_MEMORY : STATUS_USAGE, "%s",
                      no_memory ? "out of memory for partitioning"
                                : "placement partition: too many pairs of ranks exchange messages; "
                                  "choose placement greedy");
}

void partition_end(struct partition_work *work) {
    placement_graph_free(&work->graph);
    free(work->local);
    work->local = NULL;
}

static void free_part_graph(struct part_graph *graph) {
    free(graph->first);
    free(graph->neighbours);
    free(graph->weights);
    free(graph->part);
}

/* Counts the edges among the ranks, and sets *total to the sum of their weights. */
static size_t count_edges(const struct partition_work *work, const uint32_t *ranks, uint32_t count,
                          wide *total) {
    size_t edges = 0;
    *total = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = work->graph.first[ranks[i]]; k < work->graph.first[ranks[i] + 1]; k++) {
            if (work->local[work->graph.neighbours[k]] == UINT32_MAX) continue;
            *total += work->graph.weights[k];
            edges++;
        }
    }
    return edges;
}

static status_code new_part_graph(struct part_graph *graph, const struct partition_work *work,
                                  const uint32_t *ranks, uint32_t count, struct status *status) {
    wide total;
    size_t edges = count_edges(work, ranks, count, &total), next = 0;
    wide unit = total / (WEIGHT_TOTAL - edges) + 1;
    *graph = (struct part_graph){.count = (idx_t)count,
                                 .first = memory_new((size_t)count + 1, sizeof(idx_t)),
                                 .neighbours = memory_new(edges, sizeof(idx_t)),
                                 .weights = memory_new(edges, sizeof(idx_t)),
                                 .part = memory_new(count, sizeof(idx_t))};
    if (!graph->first || !graph->neighbours || !graph->weights || !graph->part) {
        free_part_graph(graph);
        return status_set(status, STATUS_MEMORY, "out of memory for partitioning %u ranks", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        graph->first[i] = (idx_t)next;
        for (size_t k = work->graph.first[ranks[i]]; k < work->graph.first[ranks[i] + 1]; k++) {
            uint32_t neighbour = work->local[work->graph.neighbours[k]];
            if (neighbour == UINT32_MAX) continue;
            graph->neighbours[next] = (idx_t)neighbour;
            graph->weights[next++] = (idx_t)(work->graph.weights[k] / unit + 1);
        }
    }
    graph->first[count] = (idx_t)next;
    return STATUS_OK;
}

static bool are_equal(const uint32_t *rooms, uint32_t parts) {
    for (uint32_t i = 1; i < parts; i++)
        if (rooms[i] != rooms[0]) return false;
    return true;
}

/* Splits the ranks into parts in proportion to the rooms. Uses recursive bisection for few parts,
 * as METIS advises. */
static status_code run_metis(struct part_graph *graph, const uint32_t *rooms, uint32_t parts,
                             uint64_t seed, struct status *status) {
    enum { FEW_PARTS = 8 };
    idx_t options[METIS_NOPTIONS], constraints = 1, part_count = (idx_t)parts, cut;
    real_t *shares = are_equal(rooms, parts) ? NULL : memory_new(parts, sizeof *shares);
    RETURN_ERROR_IF(shares == NULL && !are_equal(rooms, parts), status, STATUS_MEMORY,
                    "out of memory for %u parts", parts);
    uint64_t room = 0;
    for (uint32_t i = 0; i < parts; i++)
        room += rooms[i];
    for (uint32_t i = 0; shares != NULL && i < parts; i++)
        shares[i] = (real_t)rooms[i] / (real_t)room;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = (idx_t)(seed & INT32_MAX);
    static pthread_mutex_t metis_turn = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&metis_turn);
    int result = (parts <= FEW_PARTS ? METIS_PartGraphRecursive : METIS_PartGraphKway)(
        &graph->count, &constraints, graph->first, graph->neighbours, NULL, NULL, graph->weights,
        &part_count, shares, NULL, options, &cut, graph->part);
    pthread_mutex_unlock(&metis_turn);
    free(shares);
    RETURN_ERROR_IF(result == METIS_ERROR_MEMORY, status, STATUS_MEMORY,
                    "out of memory for partitioning");
    RETURN_ERROR_IF(result != METIS_OK, status, STATUS_RUN,
                    "placement partition: METIS could not split %d ranks into %u parts; choose "
                    "placement greedy",
                    (int)graph->count, parts);
    return STATUS_OK;
}

struct candidate {
    uint64_t inner_weight; /* weight of its edges within its part */
    uint32_t vertex;
};

static int by_inner_weight(const void *first, const void *second) {
    const struct candidate *a = first, *b = second;
    if (a->inner_weight != b->inner_weight) return a->inner_weight < b->inner_weight ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* Returns the part with room with which the rank exchanges most; of equal ones, the first. */
static uint32_t best_part(const struct part_graph *graph, uint32_t number, const uint32_t *sizes,
                          const uint32_t *rooms, uint32_t parts, uint64_t *sums) {
    uint32_t best = UINT32_MAX;
    for (idx_t k = graph->first[number]; k < graph->first[number + 1]; k++) {
        uint32_t part = (uint32_t)graph->part[graph->neighbours[k]];
        sums[part] += (uint64_t)graph->weights[k];
        if (sizes[part] >= rooms[part]) continue;
        if (best == UINT32_MAX || sums[part] > sums[best] ||
            (sums[part] == sums[best] && part < best))
            best = part;
    }
    for (idx_t k = graph->first[number]; k < graph->first[number + 1]; k++)
        sums[graph->part[graph->neighbours[k]]] = 0;
    for (uint32_t part = 0; best == UINT32_MAX && part < parts; part++)
        if (sizes[part] < rooms[part]) best = part;
    return best;
}

/* Moves ranks out of each part that exceeds its room, first those that exchange least within the
 * part. */
static status_code make_fit(struct part_graph *graph, const uint32_t *rooms, uint32_t parts,
                            struct status *status) {
    uint32_t count = (uint32_t)graph->count, listed = 0;
    uint32_t *sizes = memory_new(parts, sizeof *sizes);
    uint64_t *sums = memory_new(parts, sizeof *sums);
    struct candidate *candidates = memory_new(count, sizeof *candidates);
    bool allocated = sizes != NULL && sums != NULL && candidates != NULL;
    for (uint32_t i = 0; allocated && i < count; i++)
        sizes[graph->part[i]]++;
    for (uint32_t i = 0; allocated && i < count; i++) {
        uint32_t part = (uint32_t)graph->part[i];
        if (sizes[part] <= rooms[part]) continue;
        candidates[listed] = (struct candidate){0, i};
        for (idx_t k = graph->first[i]; k < graph->first[i + 1]; k++)
            if (graph->part[graph->neighbours[k]] == graph->part[i])
                candidates[listed].inner_weight += (uint64_t)graph->weights[k];
        listed++;
    }
    if (listed > 0) qsort(candidates, listed, sizeof *candidates, by_inner_weight);
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t number = candidates[i].vertex, part = (uint32_t)graph->part[number];
        if (sizes[part] <= rooms[part]) continue;
        uint32_t to = best_part(graph, number, sizes, rooms, parts, sums);
        graph->part[number] = (idx_t)to;
        sizes[part]--;
        sizes[to]++;
    }
    free(sizes);
    free(sums);
    free(candidates);
    RETURN_ERROR_IF(!allocated, status, STATUS_MEMORY, "out of memory for partitioning");
    return STATUS_OK;
}

/* Sorts ranks by part with a counting sort, which keeps the ranks of a part in ascending order. */
static status_code sort_by_part(uint32_t *ranks, const struct part_graph *graph, uint32_t parts,
                                uint32_t *ends, struct status *status) {
    uint32_t count = (uint32_t)graph->count;
    uint32_t *copy = memory_new(count, sizeof *copy);
    RETURN_ERROR_IF(copy == NULL, status, STATUS_MEMORY, "out of memory for partitioning");
    for (uint32_t part = 0; part <= parts; part++)
        ends[part] = 0;
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = ranks[i];
        ends[graph->part[i] + 1]++;
    }
    for (uint32_t part = 0; part < parts; part++)
        ends[part + 1] += ends[part];
    for (uint32_t i = 0; i < count; i++)
        ranks[ends[graph->part[i]]++] = copy[i];
    for (uint32_t part = parts; part > 0; part--)
        ends[part] = ends[part - 1];
    ends[0] = 0;
    free(copy);
    return STATUS_OK;
}

status_code partition_split(struct partition_work *work, uint32_t *ranks, uint32_t count,
                            const uint32_t *rooms, uint32_t parts, uint32_t *ends,
                            struct status *status) {
    struct part_graph graph = {0};
    if (parts == 1) {
        ends[0] = 0;
        ends[1] = count;
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < count; i++)
        work->local[ranks[i]] = i;
    status_code code = new_part_graph(&graph, work, ranks, count, status);
    for (uint32_t i = 0; i < count; i++)
        work->local[ranks[i]] = UINT32_MAX;
    FORWARD_IF_ERROR(code);
    if (parts < count)
        code = run_metis(&graph, rooms, parts, work->seed, status);
    else /* one rank in each part: all splits are equal */
        for (uint32_t i = 0; i < count; i++)
            graph.part[i] = (idx_t)i;
    if (code == STATUS_OK) code = make_fit(&graph, rooms, parts, status);
    if (code == STATUS_OK) code = sort_by_part(ranks, &graph, parts, ends, status);
    free_part_graph(&graph);
    return code;
}

#endif
