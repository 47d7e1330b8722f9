/*
 * Jobs before they run: traces, each with its own start, seed and placement. Knows configurations
 * and traces; must not know results.
 *
 * Invariant: each added job has a trace, a name, and placement settings of its own.
 */
#ifndef ANAX_API_JOBS_H
#define ANAX_API_JOBS_H

#include "api/api.h"

/* The largest number of jobs; more are refused as a mistake. */
#define JOBS_MAX 1000

struct job {
    anax_trace *trace;
    bool is_borrowed; /* the caller owns the trace, not the job */
    char *path;       /* path of the trace; NULL if the trace is borrowed */
    char *name;
    int64_t start_ps;
    int64_t seed;
    int64_t traffic_class;
    struct placement_config placement;
    const uint32_t *node_of_rank; /* where its ranks are, borrowed; NULL: where `placement` says */
    struct setting_section sections[3]; /* settings of the job that a file of jobs may give */
    struct settings settings;
    size_t line; /* line of the job in the file of jobs */
};

struct anax_jobs {
    struct job **jobs;
    size_t count;
    size_t capacity;
};

/* Appends a job with the configuration's settings and no trace. jobs owns it. NULL: out of
 * memory. */
struct job *jobs_append(anax_jobs *jobs, const anax_config *config);

/* Frees the jobs from number `count` on. */
void jobs_truncate(anax_jobs *jobs, size_t count);

/* Returns the default name of a job with the trace at `path`, which the caller frees. NULL: out of
 * memory. */
char *jobs_name(const char *path);

/* Runs all jobs and fills an empty result. */
status_code jobs_run(anax_replay_result *result, const anax_jobs *jobs, const anax_options *options,
                     struct status *status);

#endif
