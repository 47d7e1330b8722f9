/*
 * Counts the components of the nautilus arrangement on full machines by closed forms, without its
 * wiring. It is fast enough for a = 500, h = 9, a machine of ten million links.
 *
 * Let i = q·a + r with r < a. When router (i, j) is visited, it has q + (j < r) links, one from
 * each group before i that is j mod a, and it makes the other h - q - (j < r). At that time group i
 * needs links to groups i+1 … g-1. Its + routers take these groups from the low end, in order of
 * j, and its - routers from the high end. So the links of each router lead to an interval of
 * groups, all to router i mod a.
 *
 * Thus every router (t, m) with t > m has a link from one router of group m, its owner, and belongs
 * to the owner's component. So it is enough to join the a·a routers of groups 0 … a-1: each router
 * with its own owner, and for every router of a later group its owner with the owners in its
 * interval.
 *
 * tests/network/analysis/test_global_components.c compares the counts with the wiring.
 */
#include "network/analysis/nautilus_components.h"
#include "network/analysis/global_components.h"

#include "core/memory/memory.h"

#include <stdlib.h>

struct nautilus_form {
    uint32_t a, h, g;
    bool by_index;
    uint64_t by_h, by_fewer; /* 2^32 / h and 2^32 / (h-1), rounded up: divide below 2^16 */
};

/* Group i = q·a + r. odd is 1 if its first router is a - router, else 0. */
struct group_place {
    uint32_t i, q, r, odd;
};

/* Returns how many of routers 0 … j-1 of a group are + routers. odd is as in group_place. */
static uint32_t plus_below(uint32_t j, uint32_t odd) {
    return (j + 1 - odd) / 2;
}

static struct group_place place_of_group(const struct nautilus_form *form, uint32_t i) {
    return (struct group_place){i, i / form->a, i % form->a,
                                form->by_index ? i % 2 * (form->a % 2) : 0};
}

/* An interval of groups: those to which a router makes links. */
struct interval {
    uint32_t first, count;
};

static struct interval targets_of(const struct nautilus_form *form, const struct group_place *group,
                                  uint32_t j) {
    uint32_t max = form->h - group->q, odd = group->odd;
    uint32_t fewer = j < group->r ? j : group->r; /* routers before j that make one link less */
    uint32_t plus = plus_below(j, odd) * max - plus_below(fewer, odd);
    uint32_t minus = j * max - fewer - plus;
    uint32_t count = max - (j < group->r);
    if ((j + odd) % 2 == 0) return (struct interval){group->i + 1 + plus, count};
    return (struct interval){form->g - minus - count, count};
}

/* Returns the position, among the + or the - routers of a group, of the router that takes link d.
 * The first `few` of them take h-1 links each, the others h. */
static uint32_t router_of_link(const struct nautilus_form *form, uint32_t d, uint32_t few) {
    uint32_t of_few = few * (form->h - 1);
    if (d < of_few) return (uint32_t)(d * form->by_fewer >> 32);
    return few + (uint32_t)((d - of_few) * form->by_h >> 32);
}

/* Returns the router of group m < a that links to router (t, m), t > m. */
static uint32_t owner_of(const struct nautilus_form *form, const struct group_place *m,
                         uint32_t t) {
    uint32_t few = plus_below(m->r, m->odd);
    uint32_t plus_links = plus_below(form->a, m->odd) * form->h - few;
    uint32_t d = t - m->i - 1;
    if (d < plus_links) return 2 * router_of_link(form, d, few) + m->odd;
    return 2 * router_of_link(form, form->g - 1 - t, m->r - few) + 1 - m->odd;
}

/* Joins a router with the owners of all routers to which it links, once for each owner. Returns
 * how many joins reduced the number of components. */
static uint32_t join_interval(const struct nautilus_form *form, uint32_t *parent, uint32_t self,
                              const struct group_place *m, struct interval targets) {
    uint32_t joined = 0;
    for (uint32_t t = targets.first, end = t + targets.count; t < end;) {
        uint32_t owner = owner_of(form, m, t);
        struct interval of_owner = targets_of(form, m, owner);
        joined += global_components_join(parent, self, m->i * form->a + owner);
        t = of_owner.first + of_owner.count;
    }
    return joined;
}

static uint32_t join_all(const struct nautilus_form *form, uint32_t *parent,
                         const struct group_place *first) {
    uint32_t a = form->a;
    for (uint32_t i = 0; i < a; i++) { /* owners are in earlier groups, so there are no cycles */
        for (uint32_t j = 0; j < a; j++)
            parent[i * a + j] = j < i ? j * a + owner_of(form, &first[j], i) : i * a + j;
    }
    uint32_t components = a * a - a * (a - 1) / 2;
    for (uint32_t i = a; i < form->g && components > 1; i++) {
        struct group_place group = place_of_group(form, i);
        for (uint32_t j = 0; j < a; j++)
            components -= join_interval(form, parent, j * a + owner_of(form, &first[j], i),
                                        &first[group.r], targets_of(form, &group, j));
    }
    return components;
}

status_code nautilus_count_components(uint32_t routers, uint32_t globals, bool by_index,
                                      uint32_t *count, struct status *status) {
    struct nautilus_form form = {.a = routers, .h = globals, .g = routers * globals + 1};
    form.by_index = by_index;
    form.by_h = (UINT64_C(1) << 32) / globals + 1;
    form.by_fewer = globals > 1 ? (UINT64_C(1) << 32) / (globals - 1) + 1 : 0;
    uint32_t *parent = memory_new((size_t)routers * routers, sizeof *parent);
    struct group_place *first = memory_new(routers, sizeof *first);
    status_code code = STATUS_OK;
    if (parent == NULL || first == NULL) {
        code = status_set(status, STATUS_MEMORY, "out of memory for %u groups", routers);
    } else {
        for (uint32_t i = 0; i < routers; i++)
            first[i] = place_of_group(&form, i);
        *count = join_all(&form, parent, first);
    }
    free(parent);
    free(first);
    return code;
}
