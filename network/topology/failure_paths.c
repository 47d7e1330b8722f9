/*
 * Finds paths round failed links.
 *
 * In a group with failures, paths follow the up-down rule (Schroeder et al. 1991). The group's
 * routers are ranked breadth first from one of them. A path first goes up in rank, then down, and
 * never up again. Two consecutive local channels of a path are then up-up, up-down or down-down, so
 * channels of one virtual channel cannot wait for each other in a cycle, whatever has failed.
 * Neighbours whose link works use it, since one link is a path up or down. Groups without failures
 * keep their paths.
 *
 * Invariant: every hop of a path uses a link that works and ends at a router that works.
 */
#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "network/topology/failures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 10, FAR = UINT8_MAX };

struct group_paths {
    struct topology *topology;
    uint32_t group;
    uint32_t *order; /* routers by rank */
    uint32_t *rank;  /* [router] */
    uint8_t *linked; /* [from·a + to]: a link joins the routers and works */
    uint16_t *port;  /* [from·a + to]: first of the parallel local ports, from 0 */
    uint8_t *down;   /* [router]: hops down to the target, or FAR */
    uint8_t *hops;   /* [router]: hops to the target */
};

static bool router_works(const struct group_paths *paths, uint32_t router) {
    const struct topology *topology = paths->topology;
    return !topology->failures->router_failed[paths->group * topology->routers_per_group + router];
}

/* Finds the neighbours that are joined by a link that works. Returns whether anything in the group
 * has failed. */
static bool find_working_links(struct group_paths *paths) {
    const struct topology *topology = paths->topology;
    uint32_t a = topology->routers_per_group, ports = topology->group_shape.ports_per_router;
    bool failed = false;
    memset(paths->linked, 0, (size_t)a * a);
    for (uint32_t from = 0; from < a; from++) {
        const uint8_t *locals =
            &topology->failures->local_failed[((size_t)paths->group * a + from) * ports];
        for (uint32_t port = ports; port-- > 0;) {
            uint32_t to = group_shape_end(&topology->group_shape, from, port).router;
            paths->port[from * a + to] = (uint16_t)port;
            if (locals[port])
                failed = true;
            else
                paths->linked[from * a + to] = 1;
        }
        failed |= !router_works(paths, from);
    }
    return failed;
}

/* Ranks the routers that work breadth first, from the router with most neighbours. Returns how many
 * routers were reached. */
static uint32_t rank_group_routers(struct group_paths *paths) {
    uint32_t a = paths->topology->routers_per_group, root = 0, max = 0, reached = 0;
    for (uint32_t router = 0; router < a; router++) {
        uint32_t neighbours = router_works(paths, router); /* so that one alone is a root */
        for (uint32_t to = 0; to < a; to++)
            neighbours += paths->linked[router * a + to];
        if (neighbours > max) max = neighbours, root = router;
        paths->rank[router] = UINT32_MAX;
    }
    if (max == 0) return 0;
    paths->rank[root] = 0;
    paths->order[reached++] = root;
    for (uint32_t taken = 0; taken < reached; taken++) {
        for (uint32_t to = 0; to < a; to++) {
            if (!paths->linked[paths->order[taken] * a + to] || paths->rank[to] != UINT32_MAX)
                continue;
            paths->rank[to] = reached;
            paths->order[reached++] = to;
        }
    }
    return reached;
}

/* Finds the next hops of all routers towards `target`: down if there is a path that only goes down,
 * else up. */
static void find_paths_to(struct group_paths *paths, uint32_t target, uint32_t reached) {
    struct topology *topology = paths->topology;
    uint32_t a = topology->routers_per_group, row = paths->group * a;
    memset(paths->down, FAR, a);
    paths->down[target] = 0;
    for (uint32_t i = paths->rank[target]; i-- > 0;) { /* paths down come from lower ranks */
        uint32_t here = paths->order[i];
        for (uint32_t j = i + 1; j <= paths->rank[target]; j++) {
            uint32_t next = paths->order[j];
            if (!paths->linked[here * a + next] || paths->down[next] == FAR) continue;
            if (paths->down[next] + 1 >= paths->down[here]) continue;
            paths->down[here] = (uint8_t)(paths->down[next] + 1);
            topology->next_hop_ports[(size_t)(row + here) * a + target] =
                paths->port[here * a + next];
        }
    }
    for (uint32_t i = 0; i < reached; i++) {
        uint32_t here = paths->order[i];
        paths->hops[here] = paths->down[here];
        for (uint32_t j = 0; paths->down[here] == FAR && j < i; j++) {
            uint32_t next = paths->order[j];
            if (!paths->linked[here * a + next] || paths->hops[next] + 1 >= paths->hops[here])
                continue;
            paths->hops[here] = (uint8_t)(paths->hops[next] + 1);
            topology->next_hop_ports[(size_t)(row + here) * a + target] =
                paths->port[here * a + next];
        }
        topology->local_distances[(size_t)(row + here) * a + target] = paths->hops[here];
        if (here != target)
            topology->next_hop_ports[(size_t)(row + here) * a + target] +=
                (uint16_t)topology->endpoints_per_router;
    }
}

static void use_intact_paths(const struct group_paths *paths) {
    struct topology *topology = paths->topology;
    const struct group_shape *shape = &topology->group_shape;
    uint32_t a = topology->routers_per_group;
    for (uint32_t from = 0; from < a; from++) {
        for (uint32_t to = 0; to < a; to++) {
            size_t position = ((size_t)paths->group * a + from) * a + to;
            topology->local_distances[position] = (uint8_t)group_shape_hops(shape, from, to);
            if (from != to)
                topology->next_hop_ports[position] =
                    (uint16_t)(topology->endpoints_per_router + group_shape_port(shape, from, to));
        }
    }
}

/* Names the nodes of routers that work but are cut off from the others of the group. */
static status_code name_cut_off(const struct group_paths *paths, struct status *status) {
    const struct topology *topology = paths->topology;
    uint32_t named = 0;
    for (uint32_t router = 0; router < topology->routers_per_group; router++) {
        if (!router_works(paths, router) || paths->rank[router] != UINT32_MAX) continue;
        uint32_t first =
            (paths->group * topology->routers_per_group + router) * topology->endpoints_per_router;
        if (named++ == 0)
            status_set(status, STATUS_USAGE,
                       "network: failed links cut nodes off from others of their group; fail their "
                       "routers too, or fewer links:");
        if (named <= NAMED_MAX)
            status_append(
                status,
                "  nodes %" PRIu32 " to %" PRIu32 " (router %" PRIu32 " of group %" PRIu32 ")",
                node_shape_node(&topology->node_shape, first),
                node_shape_node(&topology->node_shape, first + topology->endpoints_per_router - 1),
                router, paths->group);
    }
    if (named > NAMED_MAX)
        status_append(status, "  and those of %" PRIu32 " more router%s of it", named - NAMED_MAX,
                      plural(named - NAMED_MAX));
    return named > 0 ? STATUS_USAGE : STATUS_OK;
}

static status_code find_paths_in_group(struct group_paths *paths, struct status *status) {
    struct topology *topology = paths->topology;
    uint32_t a = topology->routers_per_group;
    if (!find_working_links(paths)) {
        use_intact_paths(paths);
        return STATUS_OK;
    }
    uint32_t reached = rank_group_routers(paths);
    FORWARD_IF_ERROR(name_cut_off(paths, status));
    for (uint32_t i = 0; i < reached; i++) {
        find_paths_to(paths, paths->order[i], reached);
        for (uint32_t j = 0; j < reached; j++)
            RETURN_ERROR_IF(paths->hops[paths->order[j]] > TOPOLOGY_LOCAL_HOPS_MAX, status,
                            STATUS_USAGE,
                            "network: failed links leave routers %" PRIu32 " and %" PRIu32
                            " of group %" PRIu32 " %d hops apart; at most %d can be simulated",
                            paths->order[j], paths->order[i], paths->group,
                            paths->hops[paths->order[j]], TOPOLOGY_LOCAL_HOPS_MAX);
    }
    for (uint32_t i = 0; i < reached; i++)
        for (uint32_t j = 0; j < reached; j++) {
            uint32_t hops =
                topology->local_distances[(size_t)(paths->group * a + paths->order[i]) * a +
                                          paths->order[j]];
            if (hops > topology->local_diameter) topology->local_diameter = hops;
        }
    return STATUS_OK;
}

/* ---------------------------------------------------------------- between groups */

static bool joined_by_third(const struct topology *topology, uint32_t one, uint32_t two) {
    for (uint32_t third = 0; third < topology->groups; third++)
        if (topology_groups_are_joined(topology, one, third) &&
            topology_groups_are_joined(topology, third, two))
            return true;
    return false;
}

static status_code check_groups(struct topology *topology, struct status *status) {
    uint32_t named = 0;
    const uint32_t nodes = topology->node_shape.nodes_per_group;
    RETURN_ERROR_IF(
        topology->failures->failed_routers == topology->groups * topology->routers_per_group,
        status, STATUS_USAGE, "network: all routers of the machine have failed; fail fewer");
    for (uint32_t one = 0; one < topology->groups; one++) {
        if (topology->failures->working_routers[one] == 0) {
            topology->lacks_links = true;
            continue;
        }
        for (uint32_t two = one + 1; two < topology->groups; two++) {
            if (topology->failures->working_routers[two] == 0 ||
                topology_groups_are_joined(topology, one, two))
                continue;
            topology->lacks_links = true;
            if (joined_by_third(topology, one, two)) continue;
            if (named++ == 0)
                status_set(status, STATUS_USAGE,
                           "network: failures leave groups without a path, direct or by way of a "
                           "third group; fail fewer routers or global links:");
            if (named <= NAMED_MAX)
                status_append(status,
                              "  group %" PRIu32 " (nodes %" PRIu32 " to %" PRIu32
                              ") and group %" PRIu32 " (nodes %" PRIu32 " to %" PRIu32 ")",
                              one, one * nodes, (one + 1) * nodes - 1, two, two * nodes,
                              (two + 1) * nodes - 1);
        }
    }
    if (named > NAMED_MAX)
        status_append(status, "  and %" PRIu32 " more pair%s", named - NAMED_MAX,
                      plural(named - NAMED_MAX));
    return named > 0 ? STATUS_USAGE : STATUS_OK;
}

status_code failures_find_paths(struct topology *topology, struct status *status) {
    size_t a = topology->routers_per_group, all = a * a;
    topology->path_rows_per_group = topology->routers_per_group;
    topology->next_hop_ports = memory_new(topology->groups * all, sizeof *topology->next_hop_ports);
    topology->local_distances =
        memory_new(topology->groups * all, sizeof *topology->local_distances);
    struct group_paths paths = {
        .topology = topology,
        .order = memory_new(a, sizeof *paths.order),
        .rank = memory_new(a, sizeof *paths.rank),
        .linked = memory_new(all, sizeof *paths.linked),
        .port = memory_new(all, sizeof *paths.port),
        .down = memory_new(a, sizeof *paths.down),
        .hops = memory_new(a, sizeof *paths.hops),
    };
    status_code code = STATUS_OK;
    if (!topology->next_hop_ports || !topology->local_distances || !paths.order || !paths.rank ||
        !paths.linked || !paths.port || !paths.down || !paths.hops)
        code = status_set(status, STATUS_MEMORY, "out of memory for the paths of %u groups",
                          topology->groups);
    for (; paths.group < topology->groups && code == STATUS_OK; paths.group++)
        code = find_paths_in_group(&paths, status);
    free(paths.order);
    free(paths.rank);
    free(paths.linked);
    free(paths.port);
    free(paths.down);
    free(paths.hops);
    return code == STATUS_OK ? check_groups(topology, status) : code;
}
