/*
 * The search for a placement: from that of a policy, ranks are exchanged first by a static measure,
 * the load of the busiest link and then the bytes on all links, if every message takes a minimal
 * path; then by replays of the whole trace.
 *
 * Invariant: the placement that is found is no slower than that of the policy, by full replays of
 * both, if any replay is allowed.
 */
#ifndef ANAX_API_PLACEMENT_SEARCH_H
#define ANAX_API_PLACEMENT_SEARCH_H

#include "api/report/placement_report.h"

/* Replaces the placement, whose nodes and traffic are known, by the one that is found, and fills in
 * result->search. STATUS_RUN: a replay failed, or was stopped. */
status_code placement_search(anax_placement *result, const bool *taken, const anax_options *options,
                             struct status *status);

#endif
