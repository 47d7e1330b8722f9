/*
 * Global connected components (GCCs): the sets of routers that global links alone connect (Belka
 * et al. 2017). In a machine of one GCC, every cut has a global link.
 *
 * Knows numbers only.
 */
#ifndef ANAX_NETWORK_GLOBAL_COMPONENTS_H
#define ANAX_NETWORK_GLOBAL_COMPONENTS_H

#include "core/base/status.h"
#include "network/arrangement/arrangement.h"

#include <stdint.h>

/* Returns the root of a member's set, among disjoint sets of numbers: parent[member] is another
 * member of the set, and a root is its own parent. Shortens the way to the root. */
static inline uint32_t global_components_root(uint32_t *parent, uint32_t member) {
    while (parent[member] != member) {
        parent[member] = parent[parent[member]];
        member = parent[member];
    }
    return member;
}

/* Joins the sets of two members. Returns whether they were in different sets. */
static inline bool global_components_join(uint32_t *parent, uint32_t one, uint32_t two) {
    one = global_components_root(parent, one);
    two = global_components_root(parent, two);
    if (one < two)
        parent[two] = one;
    else
        parent[one] = two;
    return one != two;
}

/* The components of one size. */
struct global_component_size {
    uint32_t routers;
    uint32_t count;
};

struct global_components {
    uint32_t count;
    struct global_component_size *sizes; /* by size, largest first; owned */
    uint32_t size_count;
};

/* Finds the components of a wiring as in arrangement.h. The caller frees them with
 * global_components_free. Errors: STATUS_MEMORY. */
status_code global_components_find(struct global_components *components,
                                   const struct arrangement_shape *shape, const uint32_t *other,
                                   struct status *status);

/* Frees what global_components_find has made. */
void global_components_free(struct global_components *components);

#endif
