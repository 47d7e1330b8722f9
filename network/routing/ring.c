/*
 * Finds the escape ring in the wiring.
 *
 * A circle through all routers consists of a circle through all groups and of paths inside the
 * groups. It enters each group of several routers at another router than the one by which it leaves
 * the group, and passes the group's other routers in between (hamiltonian_path.h). A depth-first
 * search finds the circle through the groups. If there is none, or if routers or local links have
 * failed, the ring goes round a spanning tree of all routers and uses each link of the tree in both
 * directions. Invariant: following ring_output_of_input from any channel of the ring passes every
 * router that works, uses no channel twice, and comes back.
 */
#include "network/routing/ring.h"

#include "core/memory/memory.h"
#include "network/routing/routing.h"
#include "network/topology/failures.h"
#include "network/topology/hamiltonian_path.h"

#include <stdlib.h>

const char *const *network_ring_names(void) {
    static const char *const names[] = {"embedded", "physical", NULL};
    return names;
}

bool ring_is_needed(const struct network_config *config) {
    const struct routing_transit *transit = routing_policies()[config->routing].transit;
    return transit != NULL && transit->needs_ring && config->routers_per_group * config->groups > 1;
}

bool ring_is_physical(const struct network_config *config) {
    return ring_is_needed(config) && config->ofar_ring == RING_PHYSICAL;
}

/* A group on the path of the search. */
struct stop {
    uint32_t group;
    uint32_t entry; /* link of entry; for the first group known at the end */
    uint32_t exit;  /* link by which the ring leaves the group */
    uint32_t tried; /* number of links tried, beginning at the router after the entry's */
};

struct ring_search {
    const struct topology *topology;
    struct stop *stops; /* [groups] */
    bool *visited;
    uint32_t depth; /* number of stops so far */
};

/* Returns whether the ring can enter a group by one link and leave it by the other. */
static bool links_fit(const struct topology *topology, uint32_t entry, uint32_t exit) {
    return topology->routers_per_group == 1 ||
           entry / topology->globals_per_router != exit / topology->globals_per_router;
}

/* Extends the path by the last stop's next possible link: to a group not yet visited, or from the
 * last group back to the first. Returns false if the stop has no such link left. */
static bool extend_path(struct ring_search *search) {
    const struct topology *topology = search->topology;
    struct stop *here = &search->stops[search->depth - 1];
    bool last = search->depth == topology->groups;
    uint32_t start = search->depth > 1 ? (here->entry / topology->globals_per_router + 1) *
                                             topology->globals_per_router
                                       : 0;
    while (here->tried < topology->links_per_group) {
        uint32_t exit = (start + here->tried++) % topology->links_per_group;
        uint32_t peer =
            topology->link_peers[(size_t)here->group * topology->links_per_group + exit];
        if (peer == TOPOLOGY_UNCONNECTED) continue;
        if (search->depth > 1 && !links_fit(topology, here->entry, exit)) continue;
        uint32_t group = peer / topology->links_per_group;
        uint32_t entry = peer % topology->links_per_group;
        if (last ? group != search->stops[0].group ||
                       (topology->groups > 1 && !links_fit(topology, entry, search->stops[0].exit))
                 : search->visited[group])
            continue;
        here->exit = exit;
        if (last) {
            search->stops[0].entry = entry;
        } else {
            search->visited[group] = true;
            search->stops[search->depth] = (struct stop){.group = group, .entry = entry};
        }
        search->depth++;
        return true;
    }
    return false;
}

/* Searches depth first, from group 0. Returns false if there is no circle, or after a limited
 * number of steps. */
static bool search_circle(struct ring_search *search) {
    uint32_t groups = search->topology->groups;
    uint64_t steps = UINT64_C(1000000) + UINT64_C(8) * groups;
    search->stops[0] = (struct stop){.group = 0};
    search->visited[0] = true;
    search->depth = 1;
    while (search->depth <= groups) {
        if (steps-- == 0) return false;
        if (extend_path(search)) continue;
        search->visited[search->stops[search->depth - 1].group] = false;
        if (--search->depth == 0) return false;
    }
    return true;
}

/* Makes the ring leave a router by one port, whatever its input port. */
static void lead_all(struct rail_group *rail_group, uint32_t router, uint32_t port) {
    uint32_t radix = rail_group->network->topology.radix;
    for (uint32_t input = 0; input < radix; input++)
        rail_group->wiring.ring_output_of_input[router * radix + input] = (uint16_t)port;
}

/* ---------------------------------------------------------------- a circle */

/* Leads the ring along a path of a group's routers, up to the last router. */
static void follow(struct rail_group *rail_group, const uint32_t *path) {
    const struct topology *topology = rail_group->topology;
    for (uint32_t i = 0; i + 1 < topology->routers_per_group; i++)
        lead_all(rail_group, path[i],
                 topology_local_port(topology, rail_group->group, path[i], path[i + 1]));
}

/* Leads the ring through a group: from the entry's router over all others to the exit's router, and
 * out. Returns false if there is no such path. */
static bool lead_through(struct rail_group *rail_group, const struct stop *stop, uint32_t *path) {
    const struct topology *topology = rail_group->topology;
    uint32_t last = stop->exit / topology->globals_per_router;
    if (!hamiltonian_path_find(&topology->group_shape, stop->entry / topology->globals_per_router,
                               last, path))
        return false;
    follow(rail_group, path);
    lead_all(rail_group, last,
             topology->first_global_port + stop->exit % topology->globals_per_router);
    return true;
}

/* Leads the ring in a circle through the only group: the path ends at a neighbour of its first
 * router. Returns false if there is no such path. */
static bool close_group(struct rail_group *rail_group, uint32_t *path) {
    const struct topology *topology = rail_group->topology;
    uint32_t last = topology_local_end(topology, 0,
                                       topology->endpoints_per_router +
                                           topology->group_shape.ports_per_router - 1)
                        .router;
    if (!hamiltonian_path_find(&topology->group_shape, 0, last, path)) return false;
    follow(rail_group, path);
    lead_all(rail_group, last, topology_local_port(topology, 0, last, 0));
    return true;
}

static status_code find_circle(struct rail_group *rail, bool *found, struct status *status) {
    const struct topology *topology = rail->topology;
    struct ring_search search = {
        .topology = topology,
        .stops = memory_new(topology->groups, sizeof *search.stops),
        .visited = memory_new(topology->groups, sizeof *search.visited),
    };
    uint32_t *path = memory_new(topology->routers_per_group, sizeof *path);
    bool enough = search.stops != NULL && search.visited != NULL && path != NULL;
    if (enough) *found = topology->groups == 1 ? close_group(rail, path) : search_circle(&search);
    for (uint32_t i = 0; *found && topology->groups > 1 && i < topology->groups; i++)
        *found = lead_through(&rail[search.stops[i].group], &search.stops[i], path);
    free(path);
    free(search.stops);
    free(search.visited);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for the escape ring");
    return STATUS_OK;
}

/* ---------------------------------------------------------------- round a tree */

/* The router and port at the end of a channel. */
struct channel_end {
    uint32_t router; /* number in the rail */
    uint32_t port;
};

/* Finds the end of the channel at a port. Returns false if the port is not connected, or if the
 * channel or the router at its end has failed. */
static bool find_end(const struct rail_group *rail, uint32_t router, uint32_t port,
                     struct channel_end *end) {
    const struct network *network = rail->network;
    const struct topology *topology = rail->topology;
    uint32_t group = router / topology->routers_per_group;
    uint32_t output = router % topology->routers_per_group * topology->radix + port;
    const struct network_output_wiring *wiring = &network->tables.wiring[output];
    uint32_t peer = network->tables.local_peer[output];
    if (wiring->channel_kind == NETWORK_GLOBAL) {
        const struct rail_group *rail_group = &rail[group];
        group = rail_group->wiring.peer_group[wiring->global_link];
        peer = rail_group->wiring.peer_port[wiring->global_link];
        if (group == NETWORK_NO_GROUP) return false;
    } else if (port < topology->first_global_port && !failures_port_works(topology, router, port)) {
        return false;
    }
    *end = (struct channel_end){group * topology->routers_per_group + peer / topology->radix,
                                peer % topology->radix};
    return failures_router_works(topology, end->router);
}

struct tree_walk {
    struct rail_group *rail;
    bool *visited;  /* [router]: reached */
    uint16_t *left; /* [router]: ports from this one on have been tried */
    uint16_t *back; /* [router]: port towards the router from which it was first reached */
};

/* Returns the next port of a router that leads to a router not yet visited, or NETWORK_NONE. Ports
 * are tried from the last one down, so those of a physical ring come first. */
static uint32_t branch(struct tree_walk *walk, uint32_t router, struct channel_end *end) {
    while (walk->left[router] > walk->rail->topology->endpoints_per_router) {
        uint32_t port = --walk->left[router];
        if (find_end(walk->rail, router, port, end) && !walk->visited[end->router]) return port;
    }
    return NETWORK_NONE;
}

/* Walks depth first from the first router that works: from each router on to a neighbour not yet
 * visited, or else back. */
static void walk_tree(struct tree_walk *walk) {
    const struct topology *topology = walk->rail->topology;
    uint32_t root = 0, routers = topology->groups * topology->routers_per_group;
    for (uint32_t i = 0; i < routers; i++)
        walk->left[i] = (uint16_t)topology->radix;
    while (!failures_router_works(topology, root))
        root++;
    walk->visited[root] = true;
    uint32_t here = root, input = NETWORK_NONE;
    for (bool first = true;;) {
        struct channel_end end;
        uint32_t port = branch(walk, here, &end);
        if (port == NETWORK_NONE && here == root) return; /* lead_all has closed the ring */
        bool deeper = port != NETWORK_NONE;
        if (!deeper) {
            port = walk->back[here];
            find_end(walk->rail, here, port, &end);
        }
        uint32_t inside = here % topology->routers_per_group;
        struct rail_group *rail_group = &walk->rail[here / topology->routers_per_group];
        if (first) lead_all(rail_group, inside, port);
        if (input != NETWORK_NONE)
            rail_group->wiring.ring_output_of_input[inside * topology->radix + input] =
                (uint16_t)port;
        here = end.router;
        input = end.port;
        first = deeper;
        if (!deeper) continue;
        walk->visited[here] = true;
        walk->back[here] = (uint16_t)input;
    }
}

static status_code go_round_tree(struct rail_group *rail, struct status *status) {
    size_t routers = (size_t)rail->topology->groups * rail->topology->routers_per_group;
    struct tree_walk walk = {
        .rail = rail,
        .visited = memory_new(routers, sizeof *walk.visited),
        .left = memory_new(routers, sizeof *walk.left),
        .back = memory_new(routers, sizeof *walk.back),
    };
    bool enough = walk.visited != NULL && walk.left != NULL && walk.back != NULL;
    if (enough) walk_tree(&walk);
    free(walk.visited);
    free(walk.left);
    free(walk.back);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for the escape ring");
    return STATUS_OK;
}

/* ---------------------------------------------------------------- all rails */

static status_code ring_of_rail(struct rail_group *rail, struct status *status) {
    const struct network *network = rail->network;
    const struct topology *topology = rail->topology;
    const struct failures *failures = topology->failures;
    for (uint32_t group = 0; group < topology->groups; group++) {
        rail[group].wiring.ring_output_of_input =
            memory_new(network->tables.ports, sizeof *rail[group].wiring.ring_output_of_input);
        RETURN_ERROR_IF(rail[group].wiring.ring_output_of_input == NULL, status, STATUS_MEMORY,
                        "out of memory for the escape ring");
    }
    bool intact = failures == NULL || failures->failed_routers == 0;
    bool found = topology->ring_ports > 0 && intact;
    for (uint32_t i = 0; found && i < topology->groups * topology->routers_per_group; i++)
        lead_all(&rail[i / topology->routers_per_group], i % topology->routers_per_group,
                 topology->radix - RING_PORTS);
    bool embedded =
        topology->ring_ports == 0 && intact && (failures == NULL || failures->failed_locals == 0);
    if (embedded) FORWARD_IF_ERROR(find_circle(rail, &found, status));
    return found ? STATUS_OK : go_round_tree(rail, status);
}

status_code ring_new(struct network *network, struct status *status) {
    if (!ring_is_needed(&network->config)) return STATUS_OK;
    for (uint32_t i = 0; i < network->rail_group_count; i += network->topology.groups)
        FORWARD_IF_ERROR(ring_of_rail(&network->rail_groups[i], status));
    return STATUS_OK;
}
