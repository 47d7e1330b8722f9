/*
 * Results as texts for people. The functions of this header read results and change nothing; they
 * know every room's results, and no command line.
 */
#ifndef ANAX_API_REPORT_H
#define ANAX_API_REPORT_H

#include "api/api.h"

/* NULL when out of memory. */
char *report_replay_text(const anax_result *result);
char *report_traffic_text(const anax_result *result);

/* The misrouting policy that a routing policy uses, "none" for those that have no use for one. */
const char *report_misrouting(const anax_result *result, int32_t routing);

/* The routing policy, or the misrouting policy that goes with it; of several ones a list, separated
 * by commas. To be freed; NULL when out of memory. */
char *report_policies(const anax_result *result, bool misrouting);

#endif
