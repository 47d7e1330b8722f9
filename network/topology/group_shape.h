/*
 * The network inside a group: a flattened butterfly (Kim, Dally and Abts, ISCA 2007) of one, two or
 * three dimensions. Routers that differ in one coordinate only are neighbours, joined by one or
 * several parallel links. With one dimension and single links this is the completely connected
 * group.
 *
 * Knows numbers only. Routers of a group are numbered with the first dimension's coordinate running
 * fastest. Local ports of a router, from 0: dimension by dimension, in each the neighbours by their
 * coordinates, to each its parallel links; the k-th link of a pair is the k-th at both ends.
 */
#ifndef ANAX_NETWORK_GROUP_SHAPE_H
#define ANAX_NETWORK_GROUP_SHAPE_H

#include "core/units.h"

#include <stdbool.h>
#include <stdint.h>

struct group_dimension {
    uint32_t extent; /* routers along it */
    uint32_t stride; /* between the numbers of two of them */
    uint32_t links;  /* parallel ones, to each neighbour */
    uint32_t first;  /* local port */
};

struct group_shape {
    uint32_t routers;
    uint32_t ports;      /* local ones, of a router */
    uint32_t diameter;   /* most hops between two routers */
    uint32_t dimensions; /* at least 1 */
    struct group_dimension dimension[UNITS_DIMENSIONS];
};

/* Of as many routers as dimensions make, or of dimensions 0 completely connected; links for each
 * dimension, or one number for all; 0 as 1. */
struct group_shape group_shape_of(uint32_t routers, int64_t dimensions, int64_t links);

/* The first of the parallel local ports by which a router leads on to another one on the path in
 * order of dimensions, the lowest first; how many hops that path has. */
uint32_t group_shape_port(const struct group_shape *shape, uint32_t from, uint32_t to);
uint32_t group_shape_hops(const struct group_shape *shape, uint32_t from, uint32_t to);

/* How many parallel links a local port is one of. */
uint32_t group_shape_links(const struct group_shape *shape, uint32_t port);

/* Whether any neighbours have several. */
bool group_shape_is_parallel(const struct group_shape *shape);

/* The other end of a router's local port. */
struct group_end {
    uint32_t router;
    uint32_t port;
};
struct group_end group_shape_end(const struct group_shape *shape, uint32_t router, uint32_t port);

/* Hops from a router to all others of the group, the same for each. */
uint64_t group_shape_hop_sum(const struct group_shape *shape);

#endif
