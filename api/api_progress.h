/* Turning the rooms' progress calls into the public one. Knows no room. */
#ifndef ANAX_API_API_PROGRESS_H
#define ANAX_API_API_PROGRESS_H

#include "anax/anax.h"

struct api_progress {
    const anax_options *options; /* NULL allowed */
    const char *phase;
};

static inline unsigned api_threads(const anax_options *options) {
    return options != NULL ? options->threads : 0;
}

static inline bool api_replaces(const anax_options *options) {
    return options != NULL && options->replace;
}

static inline bool api_wants_progress(const anax_options *options) {
    return options != NULL && options->progress != NULL;
}

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
