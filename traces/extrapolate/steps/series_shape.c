/*
 * Unites the folded steps of several ranks into one shape. The trips of a loop may differ between
 * ranks. In the nodes of a rank, a loop with one trip is not a loop, but the nodes of its body.
 */
#include "traces/extrapolate/steps/series_shape.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

void series_shape_free(struct series_shape_node *shape) {
    for (size_t i = 0; i < shape->count; i++)
        series_shape_free(&shape->nodes[i]);
    free(shape->nodes);
    *shape = (struct series_shape_node){.symbol = shape->symbol};
}

static status_code append(struct series_shape_node *shape, uint32_t symbol, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&shape->nodes, &shape->capacity, shape->count + 1,
                                 sizeof *shape->nodes, status));
    shape->nodes[shape->count++] = (struct series_shape_node){.symbol = symbol};
    return STATUS_OK;
}

status_code series_shape_copy(struct series_shape_node *shape, const struct series_rank *rank,
                              uint32_t first, uint32_t count, struct status *status) {
    for (uint32_t i = first; i < first + count; i++) {
        const struct series_node *node = &rank->nodes[i];
        FORWARD_IF_ERROR(append(shape, node->symbol, status));
        if (node->symbol == SERIES_LOOP)
            FORWARD_IF_ERROR(series_shape_copy(&shape->nodes[shape->count - 1], rank, node->first,
                                               node->count, status));
    }
    return STATUS_OK;
}

/* Appends copies of the nodes of a shape to `copy`, which is empty after an error. */
static status_code append_copies(struct series_shape_node *copy,
                                 const struct series_shape_node *shape, struct status *status) {
    status_code code = STATUS_OK;
    for (size_t i = 0; i < shape->count && code == STATUS_OK; i++) {
        code = append(copy, shape->nodes[i].symbol, status);
        if (code == STATUS_OK)
            code = append_copies(&copy->nodes[copy->count - 1], &shape->nodes[i], status);
    }
    if (code != STATUS_OK) series_shape_free(copy);
    return code;
}

/* Returns how many of `count` nodes of a rank, from number `first` on, one iteration of a shape
 * takes; 0: they do not fit the shape. */
static uint32_t covers(const struct series_shape_node *shape, const struct series_rank *rank,
                       uint32_t first, uint32_t count) {
    uint32_t used = 0;
    for (size_t i = 0; i < shape->count; i++) {
        if (used == count) return 0;
        const struct series_shape_node *own = &shape->nodes[i];
        const struct series_node *node = &rank->nodes[first + used];
        if (own->symbol == SERIES_LOOP) {
            if (node->symbol == SERIES_LOOP &&
                covers(own, rank, node->first, node->count) == node->count) {
                used++;
                continue;
            }
            uint32_t inside = covers(own, rank, first + used, count - used);
            if (inside == 0) return 0;
            used += inside;
        } else {
            if (own->symbol != node->symbol) return 0;
            used++;
        }
    }
    return used;
}

static uint32_t unite(struct series_shape_node *shape, const struct series_rank *rank,
                      uint32_t first, uint32_t count, uint32_t depth, struct status *status);

/* Looks for nodes of a shape, from number `place` on, that the body of a rank's loop fits, and
 * makes them a loop. Returns false if there are none, or if memory is short. */
static bool wrap(struct series_shape_node *shape, size_t place, const struct series_rank *rank,
                 const struct series_node *loop, struct status *status) {
    const size_t most = shape->count - place;
    for (size_t length = 1; length <= most && length <= 2 * (size_t)loop->count; length++) {
        struct series_shape_node body = {.symbol = SERIES_LOOP,
                                         .nodes = shape->nodes + place,
                                         .count = length,
                                         .capacity = length};
        if (covers(&body, rank, loop->first, loop->count) != loop->count) continue;
        struct series_shape_node *nodes = memory_new(length, sizeof *nodes);
        if (nodes == NULL) {
            status_set(status, STATUS_MEMORY, "out of memory for a loop");
            return false;
        }
        memcpy(nodes, body.nodes, length * sizeof *nodes);
        shape->nodes[place] = (struct series_shape_node){
            .symbol = SERIES_LOOP, .nodes = nodes, .count = length, .capacity = length};
        memmove(shape->nodes + place + 1, shape->nodes + place + length,
                (most - length) * sizeof *shape->nodes);
        shape->count -= length - 1;
        return true;
    }
    return false;
}

/* Unites node `place` of a shape with nodes of a rank, from number `first` on, and returns how many
 * of them it takes; 0: they do not fit. count: of the nodes that are left. depth: loops around the
 * node. */
static uint32_t unite_node(struct series_shape_node *shape, size_t place,
                           const struct series_rank *rank, uint32_t first, uint32_t count,
                           uint32_t depth, struct status *status) {
    struct series_shape_node *own = &shape->nodes[place];
    const struct series_node *node = &rank->nodes[first];
    if (own->symbol != SERIES_LOOP) {
        if (own->symbol == node->symbol) return 1;
        return node->symbol == SERIES_LOOP && wrap(shape, place, rank, node, status) ? 1 : 0;
    }
    if (node->symbol == SERIES_LOOP &&
        unite(own, rank, node->first, node->count, depth + 1, status) == node->count)
        return 1;
    uint32_t inside = covers(own, rank, first, count);
    if (inside > 0) return inside;
    if (node->symbol == SERIES_LOOP && wrap(shape, place, rank, node, status)) return 1;
    return unite(own, rank, first, count, depth + 1, status);
}

/* Unites the nodes of a shape with nodes of a rank in the same way. */
static uint32_t unite(struct series_shape_node *shape, const struct series_rank *rank,
                      uint32_t first, uint32_t count, uint32_t depth, struct status *status) {
    uint32_t used = 0;
    if (depth > SERIES_DEPTH) return 0;
    for (size_t i = 0; i < shape->count; i++) {
        if (used == count) return 0;
        uint32_t taken = unite_node(shape, i, rank, first + used, count - used, depth, status);
        if (taken == 0) return 0;
        used += taken;
    }
    return used;
}

bool series_shape_has(const struct series_shape_node *shape, const struct series_rank *rank) {
    return covers(shape, rank, rank->first, rank->count) == rank->count;
}

bool series_shape_unite(struct series_shape_node *shape, const struct series_rank *rank,
                        struct status *status) {
    struct series_shape_node copy = {.symbol = shape->symbol};
    if (append_copies(&copy, shape, status) != STATUS_OK) return false;
    const bool fits = unite(&copy, rank, rank->first, rank->count, 0, status) == rank->count;
    struct series_shape_node dropped = fits ? *shape : copy;
    if (fits) *shape = copy;
    series_shape_free(&dropped);
    return fits;
}

static status_code walk_nodes(struct series_shape_walk *walk, const struct series_shape_node *shape,
                              uint32_t first, uint32_t *used, uint32_t count,
                              struct status *status);

/* Walks through a loop of a shape. first, count: the nodes of the rank on this level. used: how
 * many of them have been walked through. */
static status_code walk_loop(struct series_shape_walk *walk, const struct series_shape_node *loop,
                             uint32_t first, uint32_t *used, uint32_t count,
                             struct status *status) {
    const struct series_node *node = &walk->rank->nodes[first + *used];
    const bool is_loop = node->symbol == SERIES_LOOP &&
                         covers(loop, walk->rank, node->first, node->count) == node->count;
    const uint32_t level = walk->depth, trips = is_loop ? node->trips : 1;
    walk->index[level] = 0;
    walk->trips[level] = trips;
    walk->depth = level + 1;
    FORWARD_IF_ERROR(walk->visit(walk, loop, status));
    for (uint32_t trip = 0; trip < trips; trip++) {
        walk->index[level] = trip;
        uint32_t inside = 0;
        if (is_loop)
            FORWARD_IF_ERROR(walk_nodes(walk, loop, node->first, &inside, node->count, status));
        else
            FORWARD_IF_ERROR(walk_nodes(walk, loop, first, used, count, status));
    }
    walk->depth = level;
    *used += is_loop ? 1 : 0;
    return STATUS_OK;
}

static status_code walk_nodes(struct series_shape_walk *walk, const struct series_shape_node *shape,
                              uint32_t first, uint32_t *used, uint32_t count,
                              struct status *status) {
    for (size_t i = 0; i < shape->count; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        const bool is_loop = node->symbol == SERIES_LOOP;
        RETURN_ERROR_IF(*used == count ||
                            (!is_loop && walk->rank->nodes[first + *used].symbol != node->symbol),
                        status, STATUS_INPUT,
                        "its calls can be folded into loops in several ways, and not as on the "
                        "other ranks of its role");
        if (is_loop) {
            FORWARD_IF_ERROR(walk_loop(walk, node, first, used, count, status));
            continue;
        }
        FORWARD_IF_ERROR(walk->visit(walk, node, status));
        walk->steps++;
        ++*used;
    }
    return STATUS_OK;
}

status_code series_shape_walk(struct series_shape_walk *walk, const struct series_shape_node *shape,
                              struct status *status) {
    uint32_t used = 0;
    walk->depth = 0;
    walk->steps = 0;
    return walk_nodes(walk, shape, walk->rank->first, &used, walk->rank->count, status);
}
