/*
 * The invariant of placements: every rank has a node in range, no node holds more than
 * ranks_per_node ranks, and each node's list is that of its ranks, ascending.
 */
#ifndef ANAX_TESTS_PLACEMENT_CHECK_H
#define ANAX_TESTS_PLACEMENT_CHECK_H

#include "mapping/placement.h"

/* STATUS_RUN names the rank or node that breaks it. */
status_code placement_check(const struct placement *placement,
                            const struct placement_config *config,
                            const struct placement_machine *machine, struct status *status);

#endif
