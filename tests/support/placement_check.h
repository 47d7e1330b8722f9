/*
 * The invariant of placements: every rank has a node in range, no node holds more than
 * ranks_per_node ranks, and each node's list is that of its ranks, ascending.
 */
#ifndef ANAX_TESTS_PLACEMENT_CHECK_H
#define ANAX_TESTS_PLACEMENT_CHECK_H

#include "mapping/placement.h"

/* STATUS_RUN names the rank or node that breaks it. */
status_code placement_check(const placement *placement, const placement_config *config,
                            const placement_machine *machine, status *status);

#endif
