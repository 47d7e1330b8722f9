/*
 * Results as texts for people. The functions of this header read results and change nothing. They
 * know the results of every room; they must not know the command line.
 */
#ifndef ANAX_API_REPORT_H
#define ANAX_API_REPORT_H

#include "api/api.h"

/* Returns the result of a replay as text, which the caller frees; NULL: out of memory. */
char *report_replay_text(const anax_replay_result *result);

/* Returns the result of traffic as text, which the caller frees; NULL: out of memory. ascii_only:
 * see anax_traffic_result_text. */
char *report_traffic_text(const anax_traffic_result *result);

#endif
