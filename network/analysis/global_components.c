/* Finds the global connected components of a wiring by joining the two ends of every link. */
#include "network/analysis/global_components.h"

#include "core/memory/memory.h"

#include <stdlib.h>

static int larger_first(const void *one, const void *two) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;
    return (a < b) - (a > b);
}

static void join_links(uint32_t *parent, const struct arrangement_shape *shape,
                       const uint32_t *other) {
    uint32_t routers = shape->groups * shape->routers_per_group;
    for (uint32_t member = 0; member < routers; member++)
        parent[member] = member;
    for (uint32_t position = 0; position < routers * shape->globals_per_router; position++) {
        if (other[position] != ARRANGEMENT_UNCONNECTED && other[position] > position)
            global_components_join(parent, position / shape->globals_per_router,
                                   other[position] / shape->globals_per_router);
    }
}

/* Counts the components, and how many have each size. */
static status_code tally(struct global_components *components, uint32_t *parent, uint32_t routers,
                         struct status *status) {
    uint32_t *sizes = memory_new(routers, sizeof *sizes);
    RETURN_ERROR_IF(sizes == NULL, status, STATUS_MEMORY, "out of memory for %u routers", routers);
    for (uint32_t member = 0; member < routers; member++)
        sizes[global_components_root(parent, member)]++;
    qsort(sizes, routers, sizeof *sizes, larger_first);
    uint32_t different = 0;
    for (uint32_t i = 0; i < routers && sizes[i] > 0; i++) {
        components->count++;
        different += i == 0 || sizes[i] != sizes[i - 1];
    }
    components->sizes = memory_new(different, sizeof *components->sizes);
    for (uint32_t i = 0; components->sizes != NULL && i < components->count; i++) {
        if (i == 0 || sizes[i] != sizes[i - 1])
            components->sizes[components->size_count++].routers = sizes[i];
        components->sizes[components->size_count - 1].count++;
    }
    free(sizes);
    RETURN_ERROR_IF(components->sizes == NULL, status, STATUS_MEMORY,
                    "out of memory for %u components", different);
    return STATUS_OK;
}

status_code global_components_find(struct global_components *components,
                                   const struct arrangement_shape *shape, const uint32_t *other,
                                   struct status *status) {
    uint32_t routers = shape->groups * shape->routers_per_group;
    uint32_t *parent = memory_new(routers, sizeof *parent);
    *components = (struct global_components){0};
    RETURN_ERROR_IF(parent == NULL, status, STATUS_MEMORY, "out of memory for %u routers", routers);
    join_links(parent, shape, other);
    status_code code = tally(components, parent, routers, status);
    free(parent);
    return code;
}

void global_components_free(struct global_components *components) {
    free(components->sizes);
    *components = (struct global_components){0};
}
