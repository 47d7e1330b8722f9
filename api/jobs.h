/*
 * Jobs before they run: traces with their own start, seed and placement. Knows configurations and
 * traces; must not know results.
 *
 * Invariant: a job that was added has a trace, a name, and placement settings of its own.
 */
#ifndef ANAX_API_JOBS_H
#define ANAX_API_JOBS_H

#include "api/api.h"

/* More traces at once are refused, as a slip. */
#define JOBS_MOST 1000

struct job {
    anax_trace *trace;
    bool borrowed; /* the trace is somebody else's */
    char *path;    /* of the trace; NULL: it is somebody else's */
    char *name;
    int64_t start_ps;
    int64_t seed;
    struct placement_config placement;
    struct setting_section sections[3]; /* what a file may set of it */
    struct settings settings;
    size_t line; /* in that file */
};

struct anax_jobs {
    struct job **jobs;
    size_t count;
    size_t capacity;
};

/* A job with the configuration's settings and no trace; belongs to jobs. NULL: out of memory. */
struct job *jobs_append(anax_jobs *jobs, const anax_config *config);

/* What a job with that trace is called unless it has a name; NULL: out of memory. */
char *jobs_name(const char *path);

/* Runs them all into an empty result. */
status_code jobs_run(anax_result *result, const anax_jobs *jobs, const anax_options *options,
                     struct status *status);

#endif
