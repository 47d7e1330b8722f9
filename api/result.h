/* Creating results, for replay and traffic. Knows the api room only. */
#ifndef ANAX_API_RESULT_H
#define ANAX_API_RESULT_H

#include "api/api.h"

/* Creates an empty result with a copy of the configuration. */
status_code result_new(anax_result **result, api_result_kind kind, const anax_config *config,
                       struct status *status);

/* Ends a run that returned `code`: keeps a result that completed or that failed in the run (with
 * the error's text), and frees it and sets *result to NULL after any other error. */
void result_finish(anax_result **result, status_code code, const struct status *status);

struct traces_times;

/* Sets *times to the simulated times of a replay, for an output called `path`, which messages name.
 * The caller frees *end_ps, which *times uses. STATUS_USAGE: the result has no timeline. */
status_code result_times(struct traces_times *times, int64_t **end_ps, const anax_result *result,
                         const char *path, struct status *status);

#endif
