/*
 * A path from one router of a group to another that passes every other router once and uses local
 * links only (a Hamiltonian path).
 *
 * Knows shapes only.
 */
#ifndef ANAX_NETWORK_HAMILTONIAN_PATH_H
#define ANAX_NETWORK_HAMILTONIAN_PATH_H

#include "network/topology/group_shape.h"

/* Writes all routers of the group to `path`, in their order on a path from `from` to `to`. Returns
 * false if it finds none: this happens only if no dimension has more than two routers, or if from
 * equals to in a group of several routers. */
bool hamiltonian_path_find(const struct group_shape *shape, uint32_t from, uint32_t to,
                           uint32_t *path);

#endif
