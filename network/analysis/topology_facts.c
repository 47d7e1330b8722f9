/*
 * Computes distances, links per pair of groups and numbers of paths.
 *
 * If groups are completely connected and nothing has failed, no two routers are more than three
 * hops apart, so it is enough to count the routers at one and at two hops of each router. Otherwise
 * a breadth-first search from each router counts all others.
 */
#include "network/analysis/topology_facts.h"

#include "core/memory/memory.h"
#include "network/analysis/minimal_routes.h"
#include "network/topology/failures.h"

#include <stdlib.h>

enum { NONMINIMAL_GROUPS_MAX = 1024 };           /* g^3 steps for more groups take seconds */
#define DISTANCE_STEPS_MAX UINT64_C(10000000000) /* a count with more steps takes too long */

/* ---------------------------------------------------------------------------- distances */

/* Marks the routers that were reached from a router. A stamp other than `now` means not reached, so
 * stamps need no clearing. */
struct search {
    const struct topology *topology;
    uint32_t *stamp; /* [router of the machine] */
    uint32_t now;
};

static bool meets(struct search *search, uint32_t router) {
    if (search->stamp[router] == search->now) return false;
    search->stamp[router] = search->now;
    return true;
}

/* Returns the router at the other end of a router's k-th global link, or UINT32_MAX. */
static uint32_t far_end(const struct topology *topology, uint32_t router, uint32_t k) {
    uint32_t end = topology->link_peers[router * topology->globals_per_router + k];
    return end == TOPOLOGY_UNCONNECTED ? UINT32_MAX : end / topology->globals_per_router;
}

/* Counts the routers first reached at one hop: those of the group, and those at the ends of global
 * links. */
static uint64_t meet_neighbours(struct search *search, uint32_t router) {
    const struct topology *topology = search->topology;
    uint32_t first = router / topology->routers_per_group * topology->routers_per_group;
    for (uint32_t j = 0; j < topology->routers_per_group; j++)
        meets(search, first + j);
    uint64_t met = topology->routers_per_group - 1;
    for (uint32_t k = 0; k < topology->globals_per_router; k++) {
        uint32_t end = far_end(topology, router, k);
        if (end != UINT32_MAX) met += meets(search, end);
    }
    return met;
}

/* Counts the routers first reached at two hops: local-global, global-local, global-global. */
static uint64_t meet_second(struct search *search, uint32_t router) {
    const struct topology *topology = search->topology;
    uint32_t a = topology->routers_per_group, h = topology->globals_per_router,
             first = router / a * a;
    uint64_t met = 0;
    for (uint32_t x = 0; x < a * h; x++) {
        uint32_t end = far_end(topology, first + x / h, x % h);
        if (end != UINT32_MAX) met += meets(search, end);
    }
    for (uint32_t k = 0; k < h; k++) {
        uint32_t end = far_end(topology, router, k);
        if (end == UINT32_MAX) continue;
        for (uint32_t j = 0; j < a; j++)
            met += meets(search, end / a * a + j);
        for (uint32_t l = 0; l < h; l++) {
            uint32_t second = far_end(topology, end, l);
            if (second != UINT32_MAX) met += meets(search, second);
        }
    }
    return met;
}

/* Returns whether any of the parallel links from a port on works. */
static bool any_works(const struct topology *topology, uint32_t router, uint32_t port) {
    for (uint32_t i = 0; i < topology_parallel_ports(topology, port); i++)
        if (failures_port_works(topology, router, port + i)) return true;
    return false;
}

/* Counts the routers at each distance from a router by a breadth-first search, for groups that are
 * not completely connected or have failures. */
static void count_from(struct topology_facts *facts, struct search *search, uint32_t *queue,
                       uint32_t router) {
    const struct topology *topology = search->topology;
    uint32_t taken = 0, met = 1, ends = 1, hops = 0; /* entries below `ends`: <= `hops` away */
    queue[0] = router;
    meets(search, router);
    while (taken < met) {
        uint32_t here = queue[taken++], inside = here % topology->routers_per_group;
        for (uint32_t k = 0; k < topology->globals_per_router; k++) {
            uint32_t end = far_end(topology, here, k);
            if (end != UINT32_MAX && meets(search, end)) queue[met++] = end;
        }
        for (uint32_t port = topology->endpoints_per_router; port < topology->first_global_port;
             port += topology_parallel_ports(topology, port)) {
            uint32_t end = here - inside + topology_local_end(topology, inside, port).router;
            if (!any_works(topology, here, port)) continue;
            if (meets(search, end)) queue[met++] = end;
        }
        if (taken < ends || met == ends) continue;
        facts->pairs_at[++hops] += met - ends;
        ends = met;
    }
}

static status_code count_distances(struct topology_facts *facts, const struct topology *topology,
                                   struct status *status) {
    uint64_t a = topology->routers_per_group, h = topology->globals_per_router;
    bool complete = topology->group_shape.diameter <= 1 && topology->failures == NULL;
    uint64_t steps =
        complete ? h * (2 * a + h) : facts->routers * (topology->group_shape.ports_per_router + h);
    facts->distances_known = facts->routers * steps <= DISTANCE_STEPS_MAX;
    if (!facts->distances_known) return STATUS_OK;
    struct search search = {topology, memory_new(facts->routers, sizeof *search.stamp), 0};
    uint32_t *queue = memory_new(facts->routers, sizeof *queue);
    bool enough = search.stamp != NULL && queue != NULL;
    facts->pairs_at[0] = facts->routers - facts->failed_routers;
    for (uint32_t router = 0; enough && router < facts->routers; router++) {
        search.now++;
        if (!failures_router_works(topology, router)) continue;
        if (!complete) {
            count_from(facts, &search, queue, router);
            continue;
        }
        uint64_t one = meet_neighbours(&search, router);
        uint64_t two = meet_second(&search, router);
        facts->pairs_at[1] += one;
        facts->pairs_at[2] += two;
        facts->pairs_at[3] += facts->routers - 1 - one - two;
    }
    free(search.stamp);
    free(queue);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for %llu routers",
                    (unsigned long long)facts->routers);
    uint64_t p = topology->endpoints_per_router;
    for (uint32_t hops = 0; hops <= TOPOLOGY_HOPS_MAX; hops++) {
        if (facts->pairs_at[hops] > 0) facts->diameter = hops;
        facts->shortest_sum += (__uint128_t)hops * facts->pairs_at[hops] * p * p;
    }
    return STATUS_OK;
}

/* Sums the hops of minimal routes. Each router has the same sum D of hops to the others of its
 * group. A link between two groups has one of a routers at each end, so its routes between all a·a
 * pairs of routers have a·a + 2a·D hops, whatever the arrangement. With failures the hops must be
 * counted. */
static status_code sum_minimal_hops(struct topology_facts *facts, const struct topology *topology,
                                    struct status *status) {
    uint64_t a = topology->routers_per_group, g = topology->groups,
             p = topology->endpoints_per_router;
    uint64_t hops = group_shape_hop_sum(&topology->group_shape);
    uint32_t inside = topology->group_shape.diameter;
    struct minimal_routes routes = {
        .millionths =
            ((__uint128_t)g * a * hops + (__uint128_t)g * (g - 1) * a * (a + 2 * hops)) * 1000000,
        .max = g > 1 ? 2 * inside + 1 : inside,
    };
    if (topology->failures != NULL)
        FORWARD_IF_ERROR(minimal_routes_find(&routes, topology, status));
    facts->minimal_millionths = routes.millionths * p * p;
    facts->minimal_diameter = routes.max;
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- links */

static uint32_t links_between(const struct topology *topology, uint32_t one, uint32_t two) {
    uint32_t count;
    topology_links(topology, one, two, &count);
    return count;
}

static status_code count_links(struct topology_facts *facts, const struct topology *topology,
                               struct status *status) {
    uint64_t *pairs = memory_new((size_t)topology->links_per_group + 1, sizeof *pairs);
    RETURN_ERROR_IF(pairs == NULL, status, STATUS_MEMORY, "out of memory for %u links",
                    topology->links_per_group);
    for (uint32_t i = 0; i < topology->groups; i++) {
        for (uint32_t j = i + 1; j < topology->groups; j++) {
            uint32_t links = links_between(topology, i, j);
            facts->global_links += links;
            facts->spread_count += pairs[links]++ == 0;
        }
    }
    facts->free_globals = facts->routers * topology->globals_per_router -
                          2 * (facts->global_links + facts->failed_globals);
    facts->spread = memory_new(facts->spread_count, sizeof *facts->spread);
    uint32_t found = 0;
    for (uint32_t links = 0; facts->spread != NULL && links <= topology->links_per_group; links++)
        if (pairs[links] > 0)
            facts->spread[found++] = (struct topology_link_spread){links, pairs[links]};
    free(pairs);
    RETURN_ERROR_IF(facts->spread == NULL, status, STATUS_MEMORY, "out of memory for %u numbers",
                    facts->spread_count);
    return STATUS_OK;
}

/* Sums the paths through third groups over ordered pairs i != j: the sum over k of L(i,k)·L(k,j) is
 * the sum over k of (links of k)^2, less the paths that return to their first group. */
static void sum_nonminimal_paths(struct topology_facts *facts, const struct topology *topology) {
    for (uint32_t k = 0; k < topology->groups; k++) {
        uint64_t links = 0, squares = 0;
        for (uint32_t i = 0; i < topology->groups; i++) {
            uint64_t count = links_between(topology, i, k);
            links += count;
            squares += count * count;
        }
        facts->nonminimal_paths_sum += links * links - squares;
    }
}

static void range_nonminimal_paths(struct topology_facts *facts, const struct topology *topology) {
    uint32_t groups = topology->groups;
    if (groups < 2) {
        facts->nonminimal_range_known = true;
    } else if (facts->spread_count == 1) {
        uint64_t links = facts->spread[0].links;
        facts->nonminimal_paths_min = facts->nonminimal_paths_max = (groups - 2) * links * links;
        facts->nonminimal_range_known = true;
    } else if (groups <= NONMINIMAL_GROUPS_MAX) {
        facts->nonminimal_paths_min = UINT64_MAX;
        for (uint32_t i = 0; i < groups; i++) {
            for (uint32_t j = i + 1; j < groups; j++) {
                uint64_t paths = 0;
                for (uint32_t k = 0; k < groups; k++)
                    paths +=
                        (uint64_t)links_between(topology, i, k) * links_between(topology, j, k);
                if (paths < facts->nonminimal_paths_min) facts->nonminimal_paths_min = paths;
                if (paths > facts->nonminimal_paths_max) facts->nonminimal_paths_max = paths;
            }
        }
        facts->nonminimal_range_known = true;
    }
}

status_code topology_facts_find(struct topology_facts *facts, const struct topology *topology,
                                struct status *status) {
    *facts = (struct topology_facts){0};
    uint64_t a = topology->routers_per_group, g = topology->groups;
    struct arrangement_shape shape = {topology->routers_per_group, topology->globals_per_router,
                                      topology->groups};
    facts->routers = a * g;
    facts->endpoints = facts->routers * topology->endpoints_per_router;
    if (topology->failures != NULL) {
        facts->failed_routers = topology->failures->failed_routers;
        facts->failed_locals = topology->failures->failed_locals;
        facts->failed_globals = topology->failures->failed_globals;
    }
    uint64_t working = facts->endpoints - facts->failed_routers * topology->endpoints_per_router;
    facts->endpoint_pairs = working * (working - 1);
    facts->local_links = g * a * topology->group_shape.ports_per_router / 2 - facts->failed_locals;
    facts->virtual_radix = topology->routers_per_group *
                           (topology->endpoints_per_router + topology->globals_per_router);
    status_code code = sum_minimal_hops(facts, topology, status);
    if (code == STATUS_OK) code = count_distances(facts, topology, status);
    if (code == STATUS_OK) code = count_links(facts, topology, status);
    if (code == STATUS_OK)
        code = global_components_find(&facts->components, &shape, topology->link_peers, status);
    if (code == STATUS_OK) {
        sum_nonminimal_paths(facts, topology);
        range_nonminimal_paths(facts, topology);
    } else {
        topology_facts_free(facts);
    }
    return code;
}

/* Adds the counts of one rail. */
static void add_counts(struct topology_counts *counts, const struct topology *topology) {
    const struct failures *failures = topology->failures;
    uint64_t routers = (uint64_t)topology->groups * topology->routers_per_group, linked = 0;
    uint32_t failed_locals = failures != NULL ? failures->failed_locals : 0;
    uint32_t failed_globals = failures != NULL ? failures->failed_globals : 0;
    for (uint64_t x = 0; x < routers * topology->globals_per_router; x++)
        linked += topology->link_peers[x] != TOPOLOGY_UNCONNECTED;
    counts->local_links += routers * topology->group_shape.ports_per_router / 2 - failed_locals;
    counts->global_links += linked / 2;
    counts->free_globals +=
        routers * topology->globals_per_router - linked - 2 * (uint64_t)failed_globals;
    counts->failed_routers += failures != NULL ? failures->failed_routers : 0;
    counts->failed_locals += failed_locals;
    counts->failed_globals += failed_globals;
}

status_code topology_counts_find(struct topology_counts *counts,
                                 const struct network_config *config, struct status *status) {
    *counts = (struct topology_counts){0};
    status_code code = STATUS_OK;
    for (uint32_t rail = 0; code == STATUS_OK && rail < config->rails; rail++) {
        struct topology topology;
        code = topology_new_of_rail(&topology, config, rail, status);
        if (code == STATUS_OK) add_counts(counts, &topology);
        topology_free(&topology);
    }
    return code;
}

void topology_facts_free(struct topology_facts *facts) {
    free(facts->spread);
    global_components_free(&facts->components);
    *facts = (struct topology_facts){0};
}
