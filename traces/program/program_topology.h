/* Process topologies of communicators, as MPI_Cart_create and the functions for graphs make them.
 * Must not know where they come from. */
#ifndef ANAX_TRACES_PROGRAM_TOPOLOGY_H
#define ANAX_TRACES_PROGRAM_TOPOLOGY_H

#include "traces/program/program.h"

/* Returns whether the numbers of a topology fit its communicator: the product of the dimensions is
 * the number of members, or the graph has lists of existing members for each member. */
bool program_topology_fits(const struct program_communicator *communicator, uint32_t kind,
                           const uint32_t *numbers, uint64_t count);
/* Tests the topologies of a program whose communicators are right. */
status_code program_topology_check(const struct program *program, struct status *status);
/* Returns how many edges a graph has, counted at their beginnings; 0 for a Cartesian topology. */
uint64_t program_topology_edges(const struct program *program,
                                const struct program_topology *topology);

/* Returns whether two topologies have the same dimensions and periods, or are graphs of as many
 * members and entries in their lists. */
bool program_topology_is_like(const struct program *program, const struct program_topology *one,
                              const struct program_topology *other);

enum { PROGRAM_TOPOLOGY_TEXT = 256 };

/* Writes the sizes of the dimensions of a Cartesian topology ("4x2"); "" for a graph. A long list
 * ends with "...". */
void program_topology_write_sizes(const struct program *program,
                                  const struct program_topology *topology,
                                  char text[PROGRAM_TOPOLOGY_TEXT]);
/* Writes the numbers of its periodic dimensions, from 0 ("0,2"). */
void program_topology_write_periods(const struct program *program,
                                    const struct program_topology *topology,
                                    char text[PROGRAM_TOPOLOGY_TEXT]);
/* Returns the name of a kind: "cartesian" or "graph". */
const char *program_topology_name(uint32_t kind);

#endif
