/* Passes the progress calls of other rooms on to the caller's progress function. Knows no room. */
#ifndef ANAX_API_API_PROGRESS_H
#define ANAX_API_API_PROGRESS_H

#include "anax/anax.h"

struct api_progress {
    const anax_options *options;
    const char *phase;
};

/* Reports the progress of a simulation. context is an api_progress. Returns false to stop the
 * run. */
static inline bool api_progress_run(void *context, int64_t now_ps, uint64_t events) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase, .time_ps = now_ps, .events = events};
    return progress->options->progress(progress->options->progress_context, &report);
}

/* Reports the progress of reading a trace, which cannot be stopped. context is an api_progress. */
static inline void api_progress_read(void *context, uint64_t done, uint64_t total) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase, .done = done, .total = total};
    progress->options->progress(progress->options->progress_context, &report);
}

#endif
