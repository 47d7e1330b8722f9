/*
 * The wiring of a dragonfly: which ports are connected, and which links lead to which group. It is
 * read-only once built, and all groups share it.
 *
 * An endpoint is a terminal port of a router, where a NIC is. `node_shape` (node_shape.h)
 * translates to and from the nodes of all other parts of anax, which may have several NICs; with
 * one NIC per node, both have the same numbers.
 *
 * Knows numbers only. Ports of a router: p terminal ports, then the local ports of group_shape.h
 * (in a completely connected group a-1, to the other routers in order), then h global ports, then
 * the ports of a physical escape ring.
 */
#ifndef ANAX_NETWORK_TOPOLOGY_H
#define ANAX_NETWORK_TOPOLOGY_H

#include "core/base/divisor.h"
#include "core/base/status.h"
#include "network/arrangement/arrangement.h"
#include "network/network_config.h"

#include <stdint.h>

#define TOPOLOGY_UNCONNECTED ARRANGEMENT_UNCONNECTED

/* most hops of a path round failed links in a group; other paths are shorter */
enum { TOPOLOGY_LOCAL_HOPS_MAX = 7 };

struct failures;

struct topology {
    uint32_t endpoints_per_router; /* p */
    uint32_t routers_per_group;    /* a */
    uint32_t globals_per_router;   /* h */
    uint32_t groups;               /* g */
    uint32_t ring_ports; /* ports of a physical escape ring, which are the last ones: 2 or 0 */
    uint32_t radix;      /* ports of a router: p + local ports + h + ring_ports */
    uint32_t first_global_port;     /* p + local ports */
    uint32_t endpoints_per_group;   /* p·a */
    struct node_shape node_shape;   /* which of these are NICs of one node */
    uint32_t links_per_group;       /* global links: a·h */
    struct group_shape group_shape; /* local connections of a group */
    /* Local paths. [from·a + to]; with failures each group has rows of its own, [(group·a + from)·a
     * + to]. */
    uint16_t *next_hop_ports;     /* first port of the path; NULL: computed */
    uint8_t *local_distances;     /* hops of the path */
    uint32_t path_rows_per_group; /* a with failures, else 0 */
    uint32_t local_diameter;      /* most hops between two routers of a group */
    struct failures *failures;    /* NULL: nothing has failed */
    bool lacks_links;      /* some groups are joined only through third ones, or have failed */
    bool has_single_links; /* every two groups are joined by exactly one link */
    struct divisor endpoints_per_router_divisor; /* p */
    struct divisor routers_per_group_divisor;    /* a */
    uint32_t *link_peers; /* [group·a·h + x]: the other end as group·a·h + x, or
                       TOPOLOGY_UNCONNECTED */
    /* The links to each group: those of links_by_destination from one first_by_destination to the
     * next. */
    uint32_t *first_by_destination; /* [group·(groups+1) + destination]: position of the first */
    /* [group·a·h + position]: x, ascending for each destination. One entry more than links, so that
     * a group's path to itself has a place too */
    uint16_t *links_by_destination;
};

/* Builds the wiring of the first rail. The caller frees it with topology_free, also after an error.
 * STATUS_USAGE names two groups that are not connected, or nodes that failures cut off. Other
 * errors are those of arrangement_wire and failures_new. */
status_code topology_new(struct topology *topology, const struct network_config *config,
                         struct status *status);
/* Builds the wiring of one of several rails, as topology_new does for the first. Rails differ only
 * in what has failed. */
status_code topology_new_of_rail(struct topology *topology, const struct network_config *config,
                                 uint32_t rail, struct status *status);

/* Frees the wiring of any rail. */
void topology_free(struct topology *topology);

/* Returns the link x of a group to another one where one link joins every two groups; to the group
 * itself, some other link. */
static inline const uint16_t *topology_single_link(const struct topology *topology, uint32_t group,
                                                   uint32_t destination) {
    return &topology->links_by_destination[(size_t)group * topology->links_per_group + destination -
                                           (destination > group)];
}

/* Returns the links x of a group to another one and sets *count to their number, which is at least
 * 1 for different groups unless failures have cut them. */
static inline const uint16_t *topology_links(const struct topology *topology, uint32_t group,
                                             uint32_t destination, uint32_t *count) {
    if (topology->has_single_links) { /* first_by_destination is not worth a miss of the cache */
        *count = destination != group;
        return topology_single_link(topology, group, destination);
    }
    const uint32_t *first =
        &topology->first_by_destination[(size_t)group * (topology->groups + 1) + destination];
    *count = first[1] - first[0];
    return &topology->links_by_destination[(size_t)group * topology->links_per_group + first[0]];
}

/* Returns whether a global link joins two groups. */
static inline bool topology_groups_are_joined(const struct topology *topology, uint32_t one,
                                              uint32_t two) {
    uint32_t count;
    topology_links(topology, one, two, &count);
    return count > 0;
}

/* Returns the index of a pair of a group's routers in the tables of paths. */
static inline size_t topology_pair(const struct topology *topology, uint32_t group, uint32_t from,
                                   uint32_t to) {
    return (size_t)(group * topology->path_rows_per_group + from) * topology->routers_per_group +
           to;
}

/* Returns the port of router `from` that leads on to another router `to` of the same group. Of
 * several parallel ports, it is the first. */
static inline uint32_t topology_local_port(const struct topology *topology, uint32_t group,
                                           uint32_t from, uint32_t to) {
    if (topology->next_hop_ports != NULL)
        return topology->next_hop_ports[topology_pair(topology, group, from, to)];
    return topology->endpoints_per_router + (to < from ? to : to - 1);
}

/* Returns how many parallel ports, from such a first one on, lead to the same router. */
static inline uint32_t topology_parallel_ports(const struct topology *topology, uint32_t port) {
    return group_shape_links(&topology->group_shape, port - topology->endpoints_per_router);
}

/* Returns the hops between two routers of a group. */
static inline uint32_t topology_local_hops(const struct topology *topology, uint32_t group,
                                           uint32_t from, uint32_t to) {
    if (topology->local_distances != NULL)
        return topology->local_distances[topology_pair(topology, group, from, to)];
    return from != to;
}

/* Returns the router of the same group at the other end of a local port, and its port there. */
static inline struct group_end topology_local_end(const struct topology *topology, uint32_t router,
                                                  uint32_t port) {
    struct group_end end =
        group_shape_end(&topology->group_shape, router, port - topology->endpoints_per_router);
    end.port += topology->endpoints_per_router;
    return end;
}

/* Returns the kind of the channel at a port of a router. The ports of a physical escape ring, which
 * are the last ones, count as global here; network_output_wiring has the kind of their channels. */
static inline network_channel_kind topology_channel_kind(const struct topology *topology,
                                                         uint32_t port) {
    if (port < topology->endpoints_per_router) return NETWORK_TERMINAL;
    return port < topology->first_global_port ? NETWORK_LOCAL : NETWORK_GLOBAL;
}

/* Returns the type of the channel of a port, below NETWORK_CHANNEL_TYPES. The router is numbered
 * within its group. */
static inline uint32_t topology_channel_type(const struct topology *topology, uint32_t router,
                                             uint32_t port) {
    network_channel_kind kind = topology_channel_kind(topology, port);
    if (kind != NETWORK_LOCAL) return kind;
    return network_local_channel_type(group_shape_local_type(
        &topology->group_shape, router, port - topology->endpoints_per_router));
}

#endif
