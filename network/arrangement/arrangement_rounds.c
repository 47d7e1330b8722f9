/*
 * The wiring of arrangements that are defined by an order of destinations, for any number of
 * groups.
 *
 * With r = a·h div (g-1) and s = a·h mod (g-1), links 0 … r·(g-1)-1 of a group are r rounds of the
 * order. The remaining s links join group i with i+1, i-1, i+2, i-2, …. If s is odd, the last of
 * them joins i with i + g/2 if g is even. If g is odd, it joins neighbours on the circle 0, m, 2m,
 * … with m = (g-1)/2, in pairs, and one group leaves its link unconnected. The other remaining
 * links never join such a pair, so the numbers of links of any two pairs of groups differ by at
 * most one.
 */
#include "network/arrangement/arrangement.h"

struct arrangement_link arrangement_wire_leftover(uint32_t groups, uint32_t left, uint32_t group,
                                                  uint32_t slot) {
    if (slot + 1 == left && left % 2 == 1) {
        if (groups % 2 == 0) return (struct arrangement_link){(group + groups / 2) % groups, slot};
        uint64_t step = (groups - 1) / 2; /* its inverse modulo g is -2 */
        uint32_t position = (uint32_t)((groups - 2 * (uint64_t)group % groups) % groups);
        uint32_t partner = position ^ 1;
        if (partner == groups) return (struct arrangement_link){ARRANGEMENT_UNCONNECTED, slot};
        return (struct arrangement_link){(uint32_t)(partner * step % groups), slot};
    }
    uint32_t distance = slot / 2 + 1;
    uint32_t target = slot % 2 == 0 ? group + distance : group + groups - distance;
    return (struct arrangement_link){target % groups, slot ^ 1};
}

static struct arrangement_link end_of(const struct arrangement_shape *shape,
                                      arrangement_round round, uint32_t group, uint32_t x) {
    uint32_t others = shape->groups - 1;
    uint32_t links = arrangement_links_per_group(shape);
    uint32_t regular = links / others * others;
    uint32_t before = x < regular ? x / others * others : regular;
    struct arrangement_link end =
        x < regular ? round(shape->groups, group, x - before)
                    : arrangement_wire_leftover(shape->groups, links - regular, group, x - before);
    end.link += before;
    return end;
}

void arrangement_wire_rounds(const struct arrangement_shape *shape, arrangement_round round,
                             uint32_t *other) {
    uint32_t links = arrangement_links_per_group(shape);
    for (uint32_t group = 0; group < shape->groups; group++) {
        for (uint32_t x = 0; x < links; x++) {
            struct arrangement_link end = end_of(shape, round, group, x);
            *other++ = end.group == ARRANGEMENT_UNCONNECTED ? ARRANGEMENT_UNCONNECTED
                                                            : end.group * links + end.link;
        }
    }
}
