/* The writers of the texts of a topology. */
#ifndef ANAX_API_REPORT_TOPOLOGY_H
#define ANAX_API_REPORT_TOPOLOGY_H

#include "api/results/topology_numbers.h"

/* Returns machines as text, which the caller frees; NULL: out of memory. */
char *report_topology_text(const anax_topology *const *machines, size_t count);

/* Returns a machine as a graph for Graphviz, which the caller frees; NULL: out of memory. */
char *report_topology_dot(const anax_topology *machine);

#endif
