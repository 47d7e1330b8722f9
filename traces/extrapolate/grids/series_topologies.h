/*
 * Process topologies of a series: those of its communicators, and those of the new program. Private
 * to the extrapolation.
 */
#ifndef ANAX_TRACES_SERIES_TOPOLOGIES_H
#define ANAX_TRACES_SERIES_TOPOLOGIES_H

#include "traces/extrapolate/series.h"
#include "traces/program/program_topology.h"

/* Returns the numbers of a topology of a program of the series: of a Cartesian one, the size and
 * the period of each dimension in turn. */
static inline const uint32_t *series_topology_numbers(const struct series *series, uint32_t program,
                                                      const struct program_topology *topology) {
    return series->programs[program].program->topology_numbers + topology->first;
}
/* Returns whether a communicator has all ranks in their order. */
static inline bool series_is_world(const struct program *program,
                                   const struct program_communicator *communicator) {
    if (communicator->members == PROGRAM_NONE || communicator->remote_size > 0 ||
        communicator->size != program->rank_count)
        return false;
    for (uint32_t i = 0; i < communicator->size; i++)
        if (program->communicator_members[communicator->members + i] != i) return false;
    return true;
}
/* series_recorded_grids.c */
/* Returns the topology of a communicator of a program; NULL: it has none. */
const struct program_topology *series_topology_of(const struct program *program,
                                                  uint32_t communicator);
/* Returns whether the communicators of a family have Cartesian topologies in the largest program.
 */
bool series_family_is_cartesian(const struct series *series, uint32_t family);
/* series_topologies.c */
/* Defines the topologies of the new program. Its communicators must be defined. STATUS_MEMORY. */
status_code series_topologies_define(struct series *series, struct program_builder *builder,
                                     struct status *status);
/* Adds a finding for each family of communicators that has a topology in some program. made: the
 * new program. STATUS_MEMORY. */
status_code series_topologies_report(struct series *series, const struct program *made,
                                     struct status *status);

#endif
