/*
 * Finds the escape ring in the wiring.
 *
 * A circle through all routers is a circle through all groups that enters each group at another
 * router than the one it leaves by (if it has several): within the group the others come in between
 * (group_tour.h). The circle through the groups is found by depth-first search. Invariant:
 * following ring_ports from any router visits every router once and comes back.
 */
#include "network/routing/ring.h"

#include "core/memory.h"
#include "network/routing/routing.h"
#include "network/topology/group_tour.h"

#include <stdlib.h>

const char *const *network_ring_names(void) {
    static const char *const names[] = {"embedded", "physical", NULL};
    return names;
}

bool ring_needed(const network_config *config) {
    const routing_transit *transit = routing_policies()[config->routing].transit;
    return transit != NULL && transit->ring && config->routers_per_group * config->groups > 1;
}

bool ring_physical(const network_config *config) {
    return ring_needed(config) && config->ofar_ring == RING_PHYSICAL;
}

/* A group on the search's path. */
typedef struct stop {
    uint32_t group;
    uint32_t entry; /* link by which it was entered; of the first: not known yet */
    uint32_t exit;  /* link by which it is left */
    uint32_t tried; /* links, from the router after the entry's */
} stop;

typedef struct ring_search {
    const topology *topology;
    stop *stops; /* [groups] */
    bool *visited;
    uint32_t depth; /* stops so far */
} ring_search;

/* Whether two links of a group can be the ring's ways in and out. */
static bool fit(const topology *topology, uint32_t entry, uint32_t exit) {
    return topology->routers == 1 || entry / topology->globals != exit / topology->globals;
}

/* Goes on from the last stop by its next link that is possible: to a new group, or at the end back
 * to the first one. False if there is none left. */
static bool advance(ring_search *search) {
    const topology *topology = search->topology;
    stop *here = &search->stops[search->depth - 1];
    bool last = search->depth == topology->groups;
    uint32_t start =
        search->depth > 1 ? (here->entry / topology->globals + 1) * topology->globals : 0;
    while (here->tried < topology->links) {
        uint32_t exit = (start + here->tried++) % topology->links;
        uint32_t peer = topology->peer[(size_t)here->group * topology->links + exit];
        if (peer == TOPOLOGY_UNCONNECTED) continue;
        if (search->depth > 1 && !fit(topology, here->entry, exit)) continue;
        uint32_t group = peer / topology->links;
        uint32_t entry = peer % topology->links;
        if (last ? group != search->stops[0].group ||
                       (topology->groups > 1 && !fit(topology, entry, search->stops[0].exit))
                 : search->visited[group])
            continue;
        here->exit = exit;
        if (last) {
            search->stops[0].entry = entry;
        } else {
            search->visited[group] = true;
            search->stops[search->depth] = (stop){.group = group, .entry = entry};
        }
        search->depth++;
        return true;
    }
    return false;
}

/* Depth first, from group 0. The search is cut off where it could only go on for ever. */
static bool find_circle(ring_search *search) {
    uint32_t groups = search->topology->groups;
    uint64_t steps = UINT64_C(1000000) + UINT64_C(8) * groups;
    search->stops[0] = (stop){.group = 0};
    search->visited[0] = true;
    search->depth = 1;
    while (search->depth <= groups) {
        if (steps-- == 0) return false;
        if (advance(search)) continue;
        search->visited[search->stops[search->depth - 1].group] = false;
        if (--search->depth == 0) return false;
    }
    return true;
}

/* The ports of a group along a tour of its routers, but for the last one. */
static void follow(network *network, uint32_t group, const uint32_t *tour) {
    const topology *topology = &network->topology;
    uint16_t *ports = &network->ring_ports[(size_t)group * topology->routers];
    for (uint32_t i = 0; i + 1 < topology->routers; i++)
        ports[tour[i]] = (uint16_t)topology_local_port(topology, 0, tour[i], tour[i + 1]);
}

/* Within a group: from the entry's router over all others to the exit's, and out. False if there is
 * no such way. */
static bool lead_through(network *network, const stop *stop, uint32_t *tour) {
    const topology *topology = &network->topology;
    uint32_t last = stop->exit / topology->globals;
    if (!group_tour(&topology->group, stop->entry / topology->globals, last, tour)) return false;
    follow(network, stop->group, tour);
    network->ring_ports[(size_t)stop->group * topology->routers + last] =
        (uint16_t)(topology->first_global + stop->exit % topology->globals);
    return true;
}

/* The router of the machine at the other end of a local or global port; NONE if there is none. */
static uint32_t router_behind(const topology *topology, uint32_t here, uint32_t port) {
    uint32_t group = here / topology->routers;
    uint32_t router = here % topology->routers;
    if (topology_level(topology, port) == NETWORK_LOCAL)
        return group * topology->routers + topology_local_end(topology, router, port).router;
    uint32_t peer = topology->peer[here * topology->globals + port - topology->first_global];
    return peer == TOPOLOGY_UNCONNECTED ? NONE : peer / topology->globals;
}

/* The same without the groups' help, for machines so small that some group has to be entered twice:
 * depth first over routers, ports as choices. */
static bool find_any(network *network, uint32_t *path, bool *visited) {
    const topology *topology = &network->topology;
    uint32_t routers = topology->groups * topology->routers;
    uint16_t *ports = network->ring_ports; /* by router: also how far its choices have been tried */
    uint64_t steps = UINT64_C(1000000);
    uint32_t depth = 1;
    path[0] = 0;
    visited[0] = true;
    ports[0] = (uint16_t)topology->nodes_per_router;
    while (depth > 0 && steps-- > 0) {
        uint32_t here = path[depth - 1];
        uint32_t next = NONE;
        uint32_t port = ports[here];
        for (; port < topology->first_global + topology->globals; port++) {
            next = router_behind(topology, here, port);
            if (next != NONE && (depth == routers ? next == 0 : !visited[next])) break;
            next = NONE;
        }
        ports[here] = (uint16_t)port;
        if (next != NONE && depth == routers) return true;
        if (next != NONE) {
            visited[next] = true;
            ports[next] = (uint16_t)topology->nodes_per_router;
            path[depth++] = next;
        } else {
            visited[here] = false;
            if (--depth > 0) ports[path[depth - 1]]++;
        }
    }
    return false;
}

/* The only group's routers in a circle: the tour ends at a neighbour of where it begins. */
static bool close_group(network *network, uint32_t *tour) {
    const topology *topology = &network->topology;
    uint32_t last =
        topology_local_end(topology, 0, topology->nodes_per_router + topology->group.ports - 1)
            .router;
    if (!group_tour(&topology->group, 0, last, tour)) return false;
    follow(network, 0, tour);
    network->ring_ports[last] = (uint16_t)topology_local_port(topology, 0, last, 0);
    return true;
}

static status_code embed(network *network, status *status) {
    const topology *topology = &network->topology;
    ring_search search = {
        .topology = topology,
        .stops = memory_new(topology->groups, sizeof *search.stops),
        .visited = memory_new(topology->groups, sizeof *search.visited),
    };
    uint32_t *tour = memory_new(topology->routers, sizeof *tour);
    bool enough = search.stops != NULL && search.visited != NULL && tour != NULL;
    bool found = false;
    if (enough) found = topology->groups == 1 ? close_group(network, tour) : find_circle(&search);
    for (uint32_t i = 0; found && topology->groups > 1 && i < topology->groups; i++)
        found = lead_through(network, &search.stops[i], tour);
    free(tour);
    free(search.stops);
    free(search.visited);
    if (enough && !found) {
        size_t routers = (size_t)topology->groups * topology->routers;
        uint32_t *path = memory_new(routers, sizeof *path);
        bool *visited = memory_new(routers, sizeof *visited);
        enough = path != NULL && visited != NULL;
        found = enough && find_any(network, path, visited);
        free(path);
        free(visited);
    }
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for the escape ring");
    RETURN_ERROR_IF(!found, status, STATUS_USAGE,
                    "network: found no escape ring through all routers in this wiring, which "
                    "routing ofar needs; set network.ofar.ring to physical, or choose another "
                    "routing");
    return STATUS_OK;
}

status_code ring_new(network *network, status *status) {
    const topology *topology = &network->topology;
    if (!ring_needed(&network->config)) return STATUS_OK;
    size_t routers = (size_t)topology->groups * topology->routers;
    network->ring_ports = memory_new(routers, sizeof *network->ring_ports);
    RETURN_ERROR_IF(network->ring_ports == NULL, status, STATUS_MEMORY,
                    "out of memory for the escape ring");
    if (topology->ring_ports == 0) return embed(network, status);
    for (size_t i = 0; i < routers; i++)
        network->ring_ports[i] = (uint16_t)(topology->radix - RING_PORTS);
    return STATUS_OK;
}
