/* Passes the progress calls of other rooms on to the caller's progress function. */
#ifndef ANAX_API_API_PROGRESS_H
#define ANAX_API_API_PROGRESS_H

#include "anax/anax.h"
#include "replay/replay.h"

struct api_progress {
    const anax_options *options;
    const char *phase;
};

/* Reports the progress of a replay. context is an api_progress. Returns false to stop the run. */
static inline bool api_progress_run(void *context, const struct replay_progress *replay) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase,
                            .done = replay->done,
                            .total = replay->total,
                            .time_ps = replay->now_ps,
                            .events = replay->events};
    return progress->options->progress(progress->options->progress_context, &report);
}

/* Reports the progress of reading a trace, which cannot be stopped. context is an api_progress. */
static inline void api_progress_read(void *context, uint64_t done, uint64_t total) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase, .done = done, .total = total};
    progress->options->progress(progress->options->progress_context, &report);
}

#endif
