/* The names of the routing and misrouting policies of a run. */
#ifndef ANAX_API_RUN_POLICIES_H
#define ANAX_API_RUN_POLICIES_H

#include "api/api.h"

/* Returns the names of the run's routing policies, or of their misrouting policies ("none": the
 * routing policy uses none), separated by commas. The caller frees the text; NULL: out of memory.
 */
char *run_policies(const struct api_run *run, bool misrouting);

#endif
