/* Turning the rooms' progress calls into the public one. Knows no room. */
#ifndef ANAX_API_API_PROGRESS_H
#define ANAX_API_API_PROGRESS_H

#include "anax/anax.h"

struct api_progress {
    const anax_options *options;
    const char *phase;
};

/* For simulations; context is an api_progress. */
static inline bool api_progress_run(void *context, int64_t now_ps, uint64_t events) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase, .time_ps = now_ps, .events = events};
    return progress->options->progress(progress->options->progress_context, &report);
}

/* For reading, which cannot be stopped. */
static inline void api_progress_read(void *context, uint64_t done, uint64_t total) {
    const struct api_progress *progress = context;
    anax_progress report = {.phase = progress->phase, .done = done, .total = total};
    progress->options->progress(progress->options->progress_context, &report);
}

#endif
