/*
 * The search for a placement, which begins with that of a policy and exchanges ranks. It first uses
 * a static measure, for minimal paths of all messages: the load of the busiest link, and where that
 * is equal the bytes on all links. Then it uses replays of the whole trace.
 *
 * Invariant: the placement that is found is no slower than that of the policy, by full replays of
 * both, if any replay is allowed.
 */
#ifndef ANAX_API_PLACEMENT_SEARCH_H
#define ANAX_API_PLACEMENT_SEARCH_H

#include "api/results/placement_numbers.h"

/* Replaces the placement in `result`, whose traffic is known, by the best one that the search
 * finds, and fills in its member `search`. taken: [node], nodes that ranks may not use. folder:
 * keeps the replays of the search, or NULL. STATUS_RUN: a replay failed. STATUS_STOPPED. */
status_code placement_search_run(anax_placement *result, const bool *taken, const char *folder,
                                 const anax_options *options, struct status *status);

#endif
