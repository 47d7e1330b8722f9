/* Making results of replays and of traffic. Knows the api room only. */
#ifndef ANAX_API_RESULT_H
#define ANAX_API_RESULT_H

#include "api/api.h"

/* Fills the common part of an empty result with a copy of the configuration. After an error
 * result_clear must follow nevertheless. */
status_code result_begin(struct api_run *run, const anax_config *config, struct status *status);

/* Ends a run that returned `code`. Returns whether its result is to be kept: the run completed,
 * or it failed in the simulation or was stopped, and then this keeps the error's text. */
bool result_end(struct api_run *run, status_code code, const struct status *status);

/* Frees what the common part of a result owns. */
void result_clear(struct api_run *run);

/* Checks that there are figures to write into an output called `path`. STATUS_STATE: the run did
 * not finish. */
status_code result_check_complete(const struct api_run *run, const char *path,
                                  struct status *status);

/* Creates an empty result of a replay, with a copy of the configuration. */
status_code result_new_replay(anax_replay_result **result, const anax_config *config,
                              struct status *status);

struct traces_times;

/* Sets *times to the simulated times of a replay, for an output called `path`, which messages name.
 * The caller frees *end_ps, which *times uses. STATUS_STATE: the result has no timeline. */
status_code result_find_times(struct traces_times *times, int64_t **end_ps,
                              const anax_replay_result *result, const char *path,
                              struct status *status);

#endif
