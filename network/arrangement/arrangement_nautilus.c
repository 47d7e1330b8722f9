/*
 * Nautilus arrangement. Groups are visited in order, and the routers of each group in order. A
 * visited router links its free ports to the next groups to which its group still needs links,
 * modulo g: a + router goes up through the groups, a - router goes down. All links that group i
 * makes end at router i mod a. Source: Belka et al. 2017, section 2.1. By the text there, a router
 * is + if its number j in the group is even (nautilus). The figures there agree with + being an
 * even number i·a + j in the whole machine (nautilus-index). For even a the two agree.
 *
 * With fewer groups than a·h + 1, each pair of groups needs as many links as in the other
 * arrangements (arrangement_rounds.c). A router goes through the groups repeatedly, one link at a
 * time, until no needs are left, and a link ends at the first router from i mod a on that has a
 * free port.
 *
 * The ports of a router are used in the order in which its links are made. Invariant: a router has
 * a free port for every link that its group still needs, since the needs of a group add up to at
 * most a·h.
 */
#include "core/memory/memory.h"
#include "network/arrangement/arrangement.h"

#include <stdlib.h>

struct nautilus {
    struct arrangement_shape shape;
    uint32_t links;  /* a·h */
    uint32_t *other; /* the wiring */
    uint32_t *used;  /* [router of the machine]: ports linked so far */
    uint32_t *needs; /* [group]: links to it that the visited group still needs */
    uint32_t needed; /* sum of needs */
    uint32_t up;     /* group where the search for the next + link begins */
    uint32_t down;   /* group where the search for the next - link begins */
};

/* Sets the needs of a group. Groups before it have already made their links with it. */
static void begin_group(struct nautilus *nautilus, uint32_t group) {
    uint32_t groups = nautilus->shape.groups, others = groups - 1;
    uint32_t rounds = nautilus->links / others, left = nautilus->links % others;
    for (uint32_t target = group + 1; target < groups; target++)
        nautilus->needs[target] = rounds;
    nautilus->needed = rounds * (groups - 1 - group);
    for (uint32_t slot = 0; slot < left; slot++) {
        uint32_t target = arrangement_wire_leftover(groups, left, group, slot).group;
        if (target == ARRANGEMENT_UNCONNECTED || target < group) continue;
        nautilus->needs[target]++;
        nautilus->needed++;
    }
    nautilus->up = group + 1;
    nautilus->down = groups - 1;
}

/* Returns the next group, upwards if plus and else downwards, that needs a link. At least one
 * does. */
static uint32_t next_target(struct nautilus *nautilus, uint32_t group, bool plus) {
    uint32_t target;
    do {
        target = plus ? nautilus->up : nautilus->down;
        if (plus)
            nautilus->up = target + 1 < nautilus->shape.groups ? target + 1 : group + 1;
        else
            nautilus->down = target - 1 > group ? target - 1 : nautilus->shape.groups - 1;
    } while (nautilus->needs[target] == 0);
    return target;
}

static void visit(struct nautilus *nautilus, uint32_t group, uint32_t router, bool plus) {
    uint32_t a = nautilus->shape.routers_per_group, h = nautilus->shape.globals_per_router;
    uint32_t from = group * a + router;
    while (nautilus->used[from] < h && nautilus->needed > 0) {
        uint32_t target = next_target(nautilus, group, plus);
        uint32_t end = group % a;
        while (nautilus->used[target * a + end] == h)
            end = end + 1 < a ? end + 1 : 0;
        uint32_t to = target * a + end;
        uint32_t one = from * h + nautilus->used[from]++;
        uint32_t two = to * h + nautilus->used[to]++;
        nautilus->other[one] = two;
        nautilus->other[two] = one;
        nautilus->needs[target]--;
        nautilus->needed--;
    }
}

static status_code wire(const struct arrangement_input *input, bool by_index, uint32_t *other,
                        struct status *status) {
    uint32_t a = input->shape.routers_per_group, groups = input->shape.groups;
    struct nautilus nautilus = {.shape = input->shape,
                                .links = arrangement_links_per_group(&input->shape)};
    nautilus.other = other;
    nautilus.used = memory_new((size_t)groups * a, sizeof *nautilus.used);
    nautilus.needs = memory_new(groups, sizeof *nautilus.needs);
    status_code code = STATUS_OK;
    if (nautilus.used == NULL || nautilus.needs == NULL) {
        code =
            status_set(status, STATUS_MEMORY, "out of memory for the wiring of %u groups", groups);
    } else {
        for (size_t position = 0; position < (size_t)groups * nautilus.links; position++)
            other[position] = ARRANGEMENT_UNCONNECTED;
        for (uint32_t i = 0; i < groups; i++) {
            begin_group(&nautilus, i);
            for (uint32_t j = 0; j < a; j++)
                visit(&nautilus, i, j, ((by_index ? (uint64_t)i * a : 0) + j) % 2 == 0);
        }
    }
    free(nautilus.used);
    free(nautilus.needs);
    return code;
}

status_code arrangement_nautilus(const struct arrangement_input *input, uint32_t *other,
                                 struct status *status) {
    return wire(input, false, other, status);
}

status_code arrangement_nautilus_index(const struct arrangement_input *input, uint32_t *other,
                                       struct status *status) {
    return wire(input, true, other, status);
}
