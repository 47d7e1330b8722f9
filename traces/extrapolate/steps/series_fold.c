/*
 * Folds the steps of a rank into loops: a sequence of nodes that repeats itself becomes one loop.
 * The steps are added to a list one by one. After each step, the last nodes of the list are
 * compared with those before them: a repetition of the body of a loop is one more of its trips, and
 * two equal sequences become a loop. Short repetitions come first, so loops are nested as in the
 * program.
 */
#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_BODY = 1024 }; /* nodes of a loop */

/* The nodes of the steps so far. */
struct folder {
    struct series_rank *rank;
    struct series_node *list;
    size_t count, capacity;
};

static uint64_t hash_loop(const struct series_node *nodes, uint32_t count, uint32_t trips) {
    uint64_t hash = content_hash_add(trips, count);
    for (uint32_t i = 0; i < count; i++)
        hash = content_hash_add(hash, nodes[i].hash);
    return hash;
}

static bool are_equal(const struct series_node *left, const struct series_node *right,
                      size_t count) {
    for (size_t i = count; i-- > 0;)
        if (left[i].hash != right[i].hash) return false;
    return true;
}

status_code series_keep_nodes(struct series_rank *rank, const struct series_node *nodes,
                              size_t count, uint32_t *first, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&rank->nodes, &rank->node_capacity,
                                 rank->node_count + count, sizeof *nodes, status));
    *first = (uint32_t)rank->node_count;
    if (count > 0) memcpy(rank->nodes + rank->node_count, nodes, count * sizeof *nodes);
    rank->node_count += count;
    return STATUS_OK;
}

/* Makes the list shorter if its last nodes repeat the nodes before them. Sets *shorter to whether
 * they do. */
static status_code shorten(struct folder *folder, bool *shorter, struct status *status) {
    struct series_node *list = folder->list;
    const size_t count = folder->count;
    *shorter = false;
    for (size_t body = 1; body <= LONGEST_BODY && body < count; body++) {
        struct series_node *before = &list[count - body - 1];
        if (before->symbol == SERIES_LOOP && before->count == body &&
            are_equal(folder->rank->nodes + before->first, before + 1, body)) {
            before->trips++;
            before->hash = hash_loop(before + 1, (uint32_t)body, before->trips);
            folder->count -= body;
            *shorter = true;
            return STATUS_OK;
        }
        if (2 * body > count || before->hash != list[count - 1].hash ||
            !are_equal(list + count - 2 * body, list + count - body, body))
            continue;
        struct series_node loop = {.symbol = SERIES_LOOP, .trips = 2, .count = (uint32_t)body};
        FORWARD_IF_ERROR(
            series_keep_nodes(folder->rank, list + count - body, body, &loop.first, status));
        loop.hash = hash_loop(list + count - body, loop.count, loop.trips);
        folder->count -= 2 * body;
        list[folder->count++] = loop;
        *shorter = true;
        return STATUS_OK;
    }
    return STATUS_OK;
}

enum { LONGEST_REPEAT = 16 }; /* symbols */

/* Appends the symbols of nodes to a list of `used` symbols, those of a loop once, whatever its
 * trips. A sequence that repeats the one before it is left out, so that the list does not depend on
 * where a loop begins. list: has room for all steps. Returns the number of symbols in the list. */
static size_t list_symbols(const struct series_rank *rank, uint32_t first, uint32_t count,
                           uint32_t *list, size_t used) {
    for (uint32_t i = first; i < first + count; i++) {
        const struct series_node *node = &rank->nodes[i];
        if (node->symbol == SERIES_LOOP) {
            used = list_symbols(rank, node->first, node->count, list, used);
            continue;
        }
        list[used++] = node->symbol;
        for (size_t body = 1; body <= LONGEST_REPEAT && 2 * body <= used; body++)
            if (memcmp(list + used - body, list + used - 2 * body, body * sizeof *list) == 0) {
                used -= body;
                body = 0;
            }
    }
    return used;
}

/* Sets the flat hash of a rank. */
static status_code hash_symbols(struct series_rank *rank, struct status *status) {
    uint32_t *list = memory_new(rank->step_count + 1, sizeof *list);
    RETURN_ERROR_IF(list == NULL, status, STATUS_MEMORY, "out of memory for a series");
    const size_t count = list_symbols(rank, rank->first, rank->count, list, 0);
    rank->flat_hash = 0;
    for (size_t i = 0; i < count; i++)
        rank->flat_hash = content_hash_add(rank->flat_hash, list[i]);
    free(list);
    return STATUS_OK;
}

status_code series_fold(struct series_rank *rank, struct status *status) {
    struct folder folder = {.rank = rank};
    status_code code = STATUS_OK;
    rank->node_count = 0;
    for (size_t i = 0; i < rank->step_count && code == STATUS_OK; i++) {
        code = memory_grow((void **)&folder.list, &folder.capacity, folder.count + 1,
                           sizeof *folder.list, status);
        if (code != STATUS_OK) break;
        uint32_t symbol = rank->steps[i].symbol;
        folder.list[folder.count++] =
            (struct series_node){.hash = content_hash_mix(symbol + 1), .symbol = symbol};
        for (bool shorter = true; shorter && code == STATUS_OK;)
            code = shorten(&folder, &shorter, status);
    }
    if (code == STATUS_OK)
        code = series_keep_nodes(rank, folder.list, folder.count, &rank->first, status);
    rank->count = (uint32_t)folder.count;
    if (code == STATUS_OK) code = hash_symbols(rank, status);
    free(folder.list);
    return code;
}

static status_code fold_rank(void *context, unsigned worker, uint64_t rank, struct status *status) {
    (void)worker;
    struct series_rank *ranks = context;
    return series_fold(&ranks[rank], status);
}

status_code series_fold_ranks(const struct series *series, const struct series_program *from,
                              struct status *status) {
    return parallel_for(series->config->threads, from->program->rank_count, fold_rank, from->ranks,
                        status);
}
