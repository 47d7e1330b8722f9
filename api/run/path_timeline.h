/* The critical path of a replay as a path in a timeline. */
#ifndef ANAX_API_PATH_TIMELINE_H
#define ANAX_API_PATH_TIMELINE_H

#include "replay/replay.h"
#include "traces/traces.h"

struct path_timeline {
    struct traces_path path;
    struct traces_path_step *steps;
    char **names;
};

/* Fills *timeline with the steps that the first path of a replay has kept. The caller ends with
 * path_timeline_clear, also after an error. STATUS_MEMORY. */
status_code path_timeline_build(struct path_timeline *timeline, const struct replay_result *replay,
                                struct status *status);

/* Frees what path_timeline_build has made. */
void path_timeline_clear(struct path_timeline *timeline);

#endif
