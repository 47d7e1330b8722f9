/*
 * Finds a Hamiltonian path of a flattened butterfly, dimension by dimension. Routers with one
 * coordinate in the last dimension are a layer, and all layers are alike. A path between routers of
 * different layers passes layer after layer. It enters the next layer at the router that
 * corresponds to the one by which it left the last. A path between routers of one layer follows
 * that layer's own path, but makes its first step through all other layers.
 *
 * In a layer of at least three routers, there is always an exit that is neither the router where
 * the layer was entered nor the router where the next layer must be left. So the longest dimension
 * comes first.
 */
#include "network/topology/hamiltonian_path.h"

#include <string.h>

/* A position is a router's number with the longest dimension first. */
struct path_plan {
    struct group_dimension dimension[UNITS_DIMENSIONS];
    uint32_t size[UNITS_DIMENSIONS + 1]; /* positions in the first so many dimensions */
};

static bool path_of_dimensions(const struct path_plan *plan, unsigned dimensions, uint32_t from,
                               uint32_t to, uint32_t *path);

/* Returns the position at which to leave a layer that was entered at `from`. `to` is the position
 * at which the next layer must be left; NULL: it may be left anywhere. */
static uint32_t exit_of_layer(uint32_t size, uint32_t from, const uint32_t *to) {
    uint32_t exit = 0;
    while (size > 1 && (exit == from || (to != NULL && exit == *to)))
        exit++;
    return exit;
}

/* Finds a path through some layers, from a position of the first layer to a position of the last.
 */
static bool path_through_layers(const struct path_plan *plan, unsigned dimensions,
                                const uint32_t *layers, uint32_t count, uint32_t from, uint32_t to,
                                uint32_t *path) {
    uint32_t size = plan->size[dimensions - 1];
    for (uint32_t i = 0; i < count; i++, path += size) {
        uint32_t exit = to;
        if (i + 1 < count) exit = exit_of_layer(size, from, i + 2 == count ? &to : NULL);
        if (exit >= size || !path_of_dimensions(plan, dimensions - 1, from, exit, path))
            return false;
        for (uint32_t k = 0; k < size; k++)
            path[k] += layers[i] * size;
        from = exit;
    }
    return true;
}

static bool path_of_dimensions(const struct path_plan *plan, unsigned dimensions, uint32_t from,
                               uint32_t to, uint32_t *path) {
    if (dimensions == 0) {
        path[0] = 0;
        return true;
    }
    uint32_t size = plan->size[dimensions - 1], extent = plan->dimension[dimensions - 1].extent;
    uint32_t first = from / size, last = to / size, count = 0;
    uint32_t layers[1024];
    if (first != last) layers[count++] = first;
    for (uint32_t layer = 0; layer < extent; layer++)
        if (layer != first && layer != last) layers[count++] = layer;
    if (first != last) {
        layers[count++] = last;
        return path_through_layers(plan, dimensions, layers, count, from % size, to % size, path);
    }
    if (from == to && extent * size > 1) return false;
    if (!path_of_dimensions(plan, dimensions - 1, from % size, to % size, path)) return false;
    uint32_t *rest = path + 1 + (size_t)count * size;
    uint32_t step[] = {path[0], size > 1 ? path[1] : 0};
    memmove(rest, path + 1, (size - 1) * sizeof *rest);
    path[0] += first * size;
    for (uint32_t k = 0; k + 1 < size; k++)
        rest[k] += first * size;
    return count == 0 ||
           path_through_layers(plan, dimensions, layers, count, step[0], step[1], path + 1);
}

static uint32_t tour_position(const struct path_plan *plan, unsigned dimensions, uint32_t router) {
    uint32_t position = 0;
    for (unsigned i = 0; i < dimensions; i++)
        position += router / plan->dimension[i].stride % plan->dimension[i].extent * plan->size[i];
    return position;
}

static uint32_t tour_router(const struct path_plan *plan, unsigned dimensions, uint32_t position) {
    uint32_t router = 0;
    for (unsigned i = 0; i < dimensions; i++)
        router += position / plan->size[i] % plan->dimension[i].extent * plan->dimension[i].stride;
    return router;
}

bool hamiltonian_path_find(const struct group_shape *shape, uint32_t from, uint32_t to,
                           uint32_t *path) {
    struct path_plan plan = {.size = {1}};
    for (unsigned i = 0; i < shape->dimension_count; i++) {
        unsigned at = i;
        for (; at > 0 && plan.dimension[at - 1].extent < shape->dimensions[i].extent; at--)
            plan.dimension[at] = plan.dimension[at - 1];
        plan.dimension[at] = shape->dimensions[i];
    }
    for (unsigned i = 0; i < shape->dimension_count; i++)
        plan.size[i + 1] = plan.size[i] * plan.dimension[i].extent;
    unsigned all = shape->dimension_count;
    if (!path_of_dimensions(&plan, all, tour_position(&plan, all, from),
                            tour_position(&plan, all, to), path))
        return false;
    for (uint32_t i = 0; i < shape->routers; i++)
        path[i] = tour_router(&plan, all, path[i]);
    return true;
}
