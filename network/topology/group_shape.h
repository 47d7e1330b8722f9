/*
 * The network inside a group: a flattened butterfly (Kim, Dally and Abts, ISCA 2007) of one, two or
 * three dimensions. Routers that differ in one coordinate only are neighbours, which are joined by
 * one or several parallel links. With one dimension and single links, the group is completely
 * connected.
 *
 * Knows numbers only. The coordinate of the first dimension varies fastest in the numbers of a
 * group's routers. The local ports of a router are numbered from 0: by dimension, then by the
 * neighbour's coordinate, then by parallel link. The k-th link of a pair is the k-th at both ends.
 */
#ifndef ANAX_NETWORK_GROUP_SHAPE_H
#define ANAX_NETWORK_GROUP_SHAPE_H

#include "core/settings/units.h"

#include <stdbool.h>
#include <stdint.h>

struct group_dimension {
    uint32_t extent;              /* routers along it */
    uint32_t stride;              /* difference between the numbers of two adjacent routers */
    uint32_t links_per_neighbour; /* parallel links to each neighbour */
    uint32_t first_port;          /* first local port of the dimension */
};

struct group_shape {
    uint32_t routers;
    uint32_t ports_per_router;   /* local ports of a router */
    uint32_t diameter;           /* most hops between two routers */
    uint32_t dimension_count;    /* at least 1 */
    uint32_t routers_per_drawer; /* in the order of their numbers; 0: no drawers */
    struct group_dimension dimensions[UNITS_DIMENSIONS];
};

/* Returns the shape of a group with as many routers as `dimensions` says, or completely connected
 * with `routers` routers if it is 0. `links` has a number for each dimension, or one number for
 * all; 0 stands for 1. Both are packed as in core/settings/units.h. */
struct group_shape group_shape_of(uint32_t routers, int64_t dimensions, int64_t links);

/* Returns the first of the parallel local ports by which router `from` leads on to another router
 * `to`, on the path that takes dimensions in order, from the first one. */
uint32_t group_shape_port(const struct group_shape *shape, uint32_t from, uint32_t to);

/* Returns the number of hops of that path. */
uint32_t group_shape_hops(const struct group_shape *shape, uint32_t from, uint32_t to);

/* Returns the number of parallel links to which the link of a local port belongs. */
uint32_t group_shape_links(const struct group_shape *shape, uint32_t port);

/* Returns the type of the channel of a router's local port among the local ones, from 0 on: its
 * dimension, or with drawers whether it joins two of them. Channels of a type have the same
 * bandwidth and latency. */
uint32_t group_shape_local_type(const struct group_shape *shape, uint32_t router, uint32_t port);

/* Returns the number of types that a group's local channels have. */
static inline uint32_t group_shape_local_types(const struct group_shape *shape) {
    return shape->routers_per_drawer > 0 ? 2 : shape->dimension_count;
}

/* Returns whether any neighbours have several links. */
bool group_shape_is_parallel(const struct group_shape *shape);

/* The router and port at the other end of a router's local port. */
struct group_end {
    uint32_t router;
    uint32_t port;
};
/* Returns the other end of the local port `port` of a router. Both count from 0 in the group. */
struct group_end group_shape_end(const struct group_shape *shape, uint32_t router, uint32_t port);

/* Returns the sum of the hops from a router to all others of its group, which is equal for all
 * routers. */
uint64_t group_shape_hop_sum(const struct group_shape *shape);

#endif
