/* Making and freeing results of replays, and what they and those of traffic have in common. See
 * result.h. */
#include "api/result.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

status_code result_begin(struct api_run *run, const anax_config *config, struct status *status) {
    run->process_count = 1;
    return api_config_copy(&run->config, config, status);
}

bool result_end(struct api_run *run, status_code code, const struct status *status) {
    if (code == STATUS_RUN || code == STATUS_STOPPED) {
        /* even if the first replay completed and a later one of the run was stopped */
        run->completed = false;
        run->digest = 0;
        if (status->text != NULL) run->failure = strdup(status->text);
    }
    return code == STATUS_OK || code == STATUS_RUN || code == STATUS_STOPPED;
}

void result_clear(struct api_run *run) {
    network_free(run->network);
    anax_config_free(run->config);
    free(run->routings);
    free(run->failure);
}

status_code result_check_complete(const struct api_run *run, const char *path,
                                  struct status *status) {
    RETURN_ERROR_IF(!run->completed, status, STATUS_STATE,
                    "%s: not written: the run did not finish, so there are no figures", path);
    return STATUS_OK;
}

status_code result_new_replay(anax_replay_result **result, const anax_config *config,
                              struct status *status) {
    *result = memory_new(1, sizeof **result);
    RETURN_ERROR_IF(*result == NULL, status, STATUS_MEMORY, "out of memory for a result");
    (*result)->advised_ps = -1;
    const status_code code = result_begin(&(*result)->run, config, status);
    if (code != STATUS_OK) {
        anax_replay_result_free(*result);
        *result = NULL;
    }
    return code;
}

void anax_replay_result_free(anax_replay_result *result) {
    if (result == NULL) return;
    placement_free(result->placement);
    for (size_t i = 0; i < result->job_count; i++)
        free(result->jobs[i].name);
    free(result->jobs);
    program_free(result->joined.program);
    replay_result_free(result->replay);
    free(result->regions);
    efficiencies_clear(&result->efficiencies);
    result_clear(&result->run);
    free(result);
}
