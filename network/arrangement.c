/*
 * The table of arrangements, and the rule for machines with fewer than a·h + 1 groups.
 *
 * With r = a·h div (g-1) and s = a·h mod (g-1), links 0 … r·(g-1)-1 are r rounds of the arrangement
 * proper. The s links left over join group i with i+1, i-1, i+2, i-2, …; if one is left then, with
 * i + g/2 (g even) or with its neighbour 2m <-> 2m+1 (g odd: the last group keeps one link free).
 * So any two pairs of groups differ by at most one link, but for that last case.
 */
#include "network/arrangement.h"

#include <stddef.h>

static const arrangement arrangement_rows[] = {
    {"absolute", "groups in order, skipping the own one (Kim 2008; also called consecutive)",
     arrangement_absolute_peer},
    {"relative", "groups counted from the own one upwards (palm tree; Camarero 2014)",
     arrangement_relative_peer},
    {NULL, NULL, NULL},
};

static const char *const arrangement_names[] = {"absolute", "relative", NULL};

const arrangement *arrangements(void) {
    return arrangement_rows;
}

const char *const *network_arrangement_names(void) {
    return arrangement_names;
}

static arrangement_link leftover_peer(uint32_t groups, uint32_t left, uint32_t base, uint32_t group,
                                      uint32_t slot) {
    const arrangement_link unconnected = {UINT32_MAX, UINT32_MAX};
    if (slot + 1 == left && left % 2 == 1) {
        if (groups % 2 == 0) return (arrangement_link){(group + groups / 2) % groups, base + slot};
        uint32_t neighbour = group ^ 1;
        return neighbour < groups ? (arrangement_link){neighbour, base + slot} : unconnected;
    }
    uint32_t distance = slot / 2 + 1;
    uint32_t target = slot % 2 == 0 ? group + distance : group + groups - distance;
    return (arrangement_link){target % groups, base + (slot ^ 1)};
}

arrangement_link arrangement_peer(const arrangement *arrangement, const arrangement_shape *shape,
                                  arrangement_link link) {
    if (shape->groups < 2) return (arrangement_link){UINT32_MAX, UINT32_MAX};
    uint32_t others = shape->groups - 1;
    uint32_t rounds = shape->routers * shape->globals / others;
    uint32_t regular = rounds * others;
    if (link.link >= regular)
        return leftover_peer(shape->groups, shape->routers * shape->globals - regular, regular,
                             link.group, link.link - regular);
    uint32_t round = link.link / others;
    arrangement_link peer = arrangement->peer(shape->groups, link.group, link.link % others);
    peer.link += round * others;
    return peer;
}
