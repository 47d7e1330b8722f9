/*
 * A way from one router of a group to another that passes all others once, over local links only
 * (a Hamiltonian path).
 *
 * Knows shapes only.
 */
#ifndef ANAX_NETWORK_GROUP_TOUR_H
#define ANAX_NETWORK_GROUP_TOUR_H

#include "network/topology/group_shape.h"

/* Writes all routers in their order; false: found none, which happens only if no dimension has more
 * than two routers, or if a group of several is to be left where it is entered. */
bool group_tour(const struct group_shape *shape, uint32_t from, uint32_t to, uint32_t *tour);

#endif
