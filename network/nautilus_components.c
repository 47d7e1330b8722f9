/*
 * Components of the nautilus arrangement on full machines, from closed forms instead of its wiring:
 * fast enough for a = 500, h = 9, a machine of ten million links.
 *
 * Let i = q·a + r with r < a. Switch (i, j) has q + (j < r) links when it is visited, one from each
 * group before i that is j mod a, and makes the other h - q - (j < r). Group i then lacks the
 * groups i+1 … g-1. Its + switches take them from the low end, in order of j, its - switches from
 * the high end; so the links of each switch lead to an interval of groups, all to switch i mod a.
 *
 * Every switch (t, m) with t > m thus has a link from one switch of group m, its owner, and belongs
 * to the owner's component. So it is enough to join the a·a switches of groups 0 … a-1: each with
 * its own owner, and for every switch of a later group its owner with the owners in its interval.
 *
 * Held against the wiring itself by tests/network/test_global_components.c.
 */
#include "core/memory.h"
#include "network/global_components.h"

#include <stdlib.h>

typedef struct nautilus_form {
    uint32_t a, h, g;
    bool by_index;
} nautilus_form;

/* How many of switches 0 … j-1 of a group are + switches; odd: the group begins with a - switch. */
static uint32_t plus_below(uint32_t j, uint32_t odd) {
    return (j + 1 - odd) / 2;
}

static uint32_t oddness(const nautilus_form *form, uint32_t i) {
    return form->by_index ? i % 2 * (form->a % 2) : 0;
}

/* The groups that switch (i, j) makes links to. */
typedef struct interval {
    uint32_t first, count;
} interval;

static interval targets_of(const nautilus_form *form, uint32_t i, uint32_t j) {
    uint32_t most = form->h - i / form->a, r = i % form->a, odd = oddness(form, i);
    uint32_t fewer = j < r ? j : r; /* of the switches before j, those with a link less to make */
    uint32_t plus = plus_below(j, odd) * most - plus_below(fewer, odd);
    uint32_t minus = j * most - fewer - plus;
    uint32_t count = most - (j < r);
    if ((j + odd) % 2 == 0) return (interval){i + 1 + plus, count};
    return (interval){form->g - minus - count, count};
}

/* The position among equals of the switch that takes link d: the first `few` of them take
 * least links each, the others one more. */
static uint32_t taker(uint32_t d, uint32_t few, uint32_t least) {
    return d < few * least ? d / least : few + (d - few * least) / (least + 1);
}

/* The switch of group m < a that links to (t, m), t > m. */
static uint32_t owner_of(const nautilus_form *form, uint32_t m, uint32_t t) {
    uint32_t odd = oddness(form, m), few = plus_below(m, odd);
    uint32_t plus_links = plus_below(form->a, odd) * form->h - few;
    uint32_t d = t - m - 1;
    uint32_t j = d < plus_links ? 2 * taker(d, few, form->h - 1) + odd
                                : 2 * taker(form->g - 1 - t, m - few, form->h - 1) + 1 - odd;
    return m * form->a + j;
}

/* Joins a switch with the owners of all it links to, once for each owner. */
static uint32_t join_interval(const nautilus_form *form, uint32_t *parent, uint32_t self,
                              uint32_t m, interval targets) {
    uint32_t joined = 0;
    for (uint32_t t = targets.first, end = t + targets.count; t < end;) {
        uint32_t owner = owner_of(form, m, t);
        interval of_owner = targets_of(form, m, owner % form->a);
        joined += component_join(parent, self, owner);
        t = of_owner.first + of_owner.count;
    }
    return joined;
}

status_code nautilus_components(uint32_t routers, uint32_t globals, bool by_index, uint32_t *count,
                                status *status) {
    nautilus_form form = {routers, globals, routers * globals + 1, by_index};
    uint32_t nodes = routers * routers;
    uint32_t *parent = memory_new(nodes, sizeof *parent);
    RETURN_ERROR_IF(parent == NULL, status, STATUS_MEMORY, "out of memory for %u switches", nodes);
    for (uint32_t i = 0; i < routers; i++) { /* owners are of groups before: no circles */
        for (uint32_t j = 0; j < routers; j++)
            parent[i * routers + j] = j < i ? owner_of(&form, j, i) : i * routers + j;
    }
    uint32_t components = nodes - routers * (routers - 1) / 2;
    for (uint32_t i = routers; i < form.g && components > 1; i++) {
        for (uint32_t j = 0; j < routers; j++)
            components -= join_interval(&form, parent, owner_of(&form, j, i), i % routers,
                                        targets_of(&form, i, j));
    }
    free(parent);
    *count = components;
    return STATUS_OK;
}
