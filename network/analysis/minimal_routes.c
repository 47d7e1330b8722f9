/*
 * Computes lengths of minimal routes. The sums over the routers of each group are computed once, so
 * that a pair of groups takes as many steps as it has links. Invariant: the sum of a pair of groups
 * is rounded once, or if no link joins them once for each third group.
 */
#include "network/analysis/minimal_routes.h"

#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <stdlib.h>

#define MILLION UINT64_C(1000000)

/* Hops from the routers of a group that work to one router, and from it to them. */
struct inner_hops {
    uint32_t to_sum;
    uint32_t from_sum;
    uint32_t to_max;
    uint32_t from_max;
};

struct route_sums {
    const struct topology *topology;
    struct inner_hops *inside; /* [router of the machine] */
    uint32_t *turns;           /* [third group]: number of draws, out of g, that choose it */
    struct minimal_routes routes;
};

static uint64_t working_in_group(const struct route_sums *sums, uint32_t group) {
    return sums->topology->failures->working_routers[group];
}

static void record_hops(struct route_sums *sums, uint32_t hops) {
    if (hops > sums->routes.max) sums->routes.max = hops;
}

static void sum_inside(struct route_sums *sums, uint32_t group) {
    const struct topology *topology = sums->topology;
    const uint32_t first = group * topology->routers_per_group;
    for (uint32_t i = 0; i < topology->routers_per_group; i++) {
        struct inner_hops *inside = &sums->inside[first + i];
        if (!failures_router_works(topology, first + i)) continue;
        for (uint32_t j = 0; j < topology->routers_per_group; j++) {
            if (!failures_router_works(topology, first + j)) continue;
            uint32_t to = topology_local_hops(topology, group, j, i);
            uint32_t from = topology_local_hops(topology, group, i, j);
            inside->to_sum += to;
            inside->from_sum += from;
            if (to > inside->to_max) inside->to_max = to;
            if (from > inside->from_max) inside->from_max = from;
        }
        sums->routes.millionths += (__uint128_t)inside->to_sum * MILLION;
        record_hops(sums, inside->to_max);
    }
}

/* Returns the router of the machine that owns link x of a group; end_of_link returns the router at
 * its other end. */
static uint32_t owner_of_link(const struct topology *topology, uint32_t group, uint32_t x) {
    return (group * topology->links_per_group + x) / topology->globals_per_router;
}

static uint32_t end_of_link(const struct topology *topology, uint32_t group, uint32_t x) {
    return topology->link_peers[(size_t)group * topology->links_per_group + x] /
           topology->globals_per_router;
}

static void sum_direct(struct route_sums *sums, uint32_t from, uint32_t to) {
    const struct topology *topology = sums->topology;
    uint32_t count;
    const uint16_t *links = topology_links(topology, from, to, &count);
    __uint128_t hops =
        (__uint128_t)count * working_in_group(sums, from) * working_in_group(sums, to);
    for (uint32_t i = 0; i < count; i++) {
        const struct inner_hops *first = &sums->inside[owner_of_link(topology, from, links[i])];
        const struct inner_hops *last = &sums->inside[end_of_link(topology, from, links[i])];
        hops += first->to_sum * working_in_group(sums, to) +
                last->from_sum * working_in_group(sums, from);
        record_hops(sums, first->to_max + 1 + last->from_max);
    }
    sums->routes.millionths += (hops * MILLION + count / 2) / count;
}

/* Adds the routes of a pair of groups through one third group, over all pairs of links to it and
 * from it. sums->turns[third] of g draws choose this third group. */
static void sum_via_one_third(struct route_sums *sums, uint32_t from, uint32_t third, uint32_t to) {
    const struct topology *topology = sums->topology;
    uint64_t pairs = working_in_group(sums, from) * working_in_group(sums, to);
    uint32_t into, out;
    const uint16_t *in_links = topology_links(topology, from, third, &into);
    const uint16_t *out_links = topology_links(topology, third, to, &out);
    __uint128_t hops = 0;
    for (uint32_t i = 0; i < into; i++) {
        const struct inner_hops *first = &sums->inside[owner_of_link(topology, from, in_links[i])];
        uint32_t enter = end_of_link(topology, from, in_links[i]) % topology->routers_per_group;
        for (uint32_t j = 0; j < out; j++) {
            const struct inner_hops *last =
                &sums->inside[end_of_link(topology, third, out_links[j])];
            uint32_t leave =
                owner_of_link(topology, third, out_links[j]) % topology->routers_per_group;
            uint32_t between = 2 + topology_local_hops(topology, third, enter, leave);
            hops += first->to_sum * working_in_group(sums, to) +
                    last->from_sum * working_in_group(sums, from) + between * pairs;
            record_hops(sums, first->to_max + between + last->from_max);
        }
    }
    uint64_t ways = (uint64_t)into * out * topology->groups;
    sums->routes.millionths += (hops * sums->turns[third] * MILLION + ways / 2) / ways;
}

static void sum_via_third(struct route_sums *sums, uint32_t from, uint32_t to) {
    const struct topology *topology = sums->topology;
    for (uint32_t third = 0; third < topology->groups; third++)
        sums->turns[third] = 0;
    for (uint32_t draw = 0; draw < topology->groups; draw++) {
        uint32_t third = draw;
        while (!topology_groups_are_joined(topology, from, third) ||
               !topology_groups_are_joined(topology, third, to))
            third = third + 1 < topology->groups ? third + 1 : 0; /* failures.h ensures one */
        sums->turns[third]++;
    }
    for (uint32_t third = 0; third < topology->groups; third++)
        if (sums->turns[third] > 0) sum_via_one_third(sums, from, third, to);
}

status_code minimal_routes_find(struct minimal_routes *routes, const struct topology *topology,
                                struct status *status) {
    struct route_sums sums = {
        .topology = topology,
        .inside =
            memory_new((size_t)topology->groups * topology->routers_per_group, sizeof *sums.inside),
        .turns = memory_new(topology->groups, sizeof *sums.turns),
    };
    bool enough = sums.inside != NULL && sums.turns != NULL;
    for (uint32_t group = 0; enough && group < topology->groups; group++)
        sum_inside(&sums, group);
    for (uint32_t from = 0; enough && from < topology->groups; from++) {
        for (uint32_t to = 0; to < topology->groups; to++) {
            if (from == to || working_in_group(&sums, from) == 0 ||
                working_in_group(&sums, to) == 0)
                continue;
            if (topology_groups_are_joined(topology, from, to))
                sum_direct(&sums, from, to);
            else
                sum_via_third(&sums, from, to);
        }
    }
    *routes = sums.routes;
    free(sums.inside);
    free(sums.turns);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for %u groups",
                    topology->groups);
    return STATUS_OK;
}
