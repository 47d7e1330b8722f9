/*
 * Topologies: a machine's wiring, without simulation. anax.h has the rules for the whole interface.
 */
#ifndef ANAX_TOPOLOGY_H
#define ANAX_TOPOLOGY_H

#include <anax/config.h>
#include <anax/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A machine's wiring, and what anax computes about it without simulating it. */
typedef struct anax_topology anax_topology;

/* Builds the configured machine (settings network.*, floor.* and price.*). ANAX_ERROR_USAGE:
 * settings that do not fit together. ANAX_ERROR_INPUT: a file that a setting names (links,
 * failures) is missing or wrong; the text lists all faults. */
ANAX_API anax_code anax_topology_new(anax_topology **topology, const anax_config *config,
                                     anax_error *error);

/* Frees a topology; NULL is allowed. */
ANAX_API void anax_topology_free(anax_topology *topology);

/* Returns sizes, distances, paths, components, cables and cost of count topologies, at least one,
 * side by side for people. The caller frees the text. */
ANAX_API char *anax_topology_text(const anax_topology *const *topologies, size_t count);

/* Returns the same of count topologies, at least one, for programs (schema anax.topology/2, see
 * anax-json(5)). The caller frees the text. */
ANAX_API char *anax_topology_json(const anax_topology *const *topologies, size_t count);

/* Copies a table of count topologies, at least one: the table called topology.`name` in the list of
 * tables. Examples of names are "machines" and "cables". Rows say the number of the machine that
 * they are about, from 0, in the order of the list. ANAX_ERROR_USAGE: there is no table of that
 * name; the text names the tables. */
ANAX_API anax_code anax_topology_table(anax_table **table, const anax_topology *const *topologies,
                                       size_t count, const char *name, anax_error *error);

/* Returns the routers of all groups and the channels between them, in the first rail, as a graph
 * for Graphviz. The caller frees the text. */
ANAX_API char *anax_topology_dot(const anax_topology *topology);

#ifdef __cplusplus
}
#endif

#endif
