/*
 * Results as texts for people. The functions of this header read results and change nothing. They
 * know the results of every room; they must not know the command line.
 */
#ifndef ANAX_API_REPORT_H
#define ANAX_API_REPORT_H

#include "api/api.h"

/* Returns the result of a replay as text, which the caller frees; NULL: out of memory. */
char *report_replay_text(const anax_result *result);

/* Returns the result of traffic as text, which the caller frees; NULL: out of memory. ascii: see
 * anax_result_text. */
char *report_traffic_text(const anax_result *result, bool ascii);

/* Returns the name of the misrouting policy that a routing policy uses; "none" if it uses none. */
const char *report_misrouting(const anax_result *result, int32_t routing);

/* Returns the names of the result's routing policies, or of their misrouting policies, separated by
 * commas. The caller frees the text; NULL: out of memory. */
char *report_policies(const anax_result *result, bool misrouting);

#endif
