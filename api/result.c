/* What the results of replays and of traffic have in common. See result.h. */
#include "api/result.h"

#include <stdlib.h>
#include <string.h>

status_code result_begin(struct api_run *run, const anax_config *config, struct status *status) {
    run->process_count = 1;
    return api_config_copy(&run->config, config, status);
}

bool result_end(struct api_run *run, status_code code, const struct status *status) {
    if (code == STATUS_RUN) {
        /* even if the first replay completed and a later one of the run was stopped */
        run->completed = false;
        run->digest = 0;
        if (status->text != NULL) run->failure = strdup(status->text);
    }
    return code == STATUS_OK || code == STATUS_RUN;
}

void result_clear(struct api_run *run) {
    network_free(run->network);
    anax_config_free(run->config);
    free(run->routings);
    free(run->failure);
}

status_code result_check_complete(const struct api_run *run, const char *path,
                                  struct status *status) {
    RETURN_ERROR_IF(!run->completed, status, STATUS_USAGE,
                    "%s: not written: the run did not finish, so there are no figures", path);
    return STATUS_OK;
}
