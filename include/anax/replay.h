/*
 * Replays of one job, or of several jobs on one machine. anax.h has the rules for the whole
 * interface.
 */
#ifndef ANAX_REPLAY_H
#define ANAX_REPLAY_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/result.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One job --------------------------------------------------------------------------------- */

/* Replays a trace on the configured machine. The trace must live as long as the result. options:
 * see anax_options; may be NULL. ANAX_USAGE: settings that do not fit together, or more ranks than
 * fit the machine. ANAX_RUN: the ranks or the network could not go on (the text says which ranks
 * wait for what), or options.progress or a checkpoint ended the run. Exception: after ANAX_RUN
 * there still is a *result, which the caller frees, with anax_result_completed() false and without
 * any time. */
ANAX_API anax_code anax_replay(anax_result **result, const anax_config *config,
                               const anax_trace *trace, const anax_options *options,
                               anax_error *error);

/* ---- Several jobs ---------------------------------------------------------------------------- */

/* Jobs that run on one machine at once, each with its own start, seed and placement. An anax_jobs
 * owns the traces of its jobs. */
typedef struct anax_jobs anax_jobs;

/* Creates an empty list of jobs. */
ANAX_API anax_code anax_jobs_new(anax_jobs **jobs, anax_error *error);

/* Frees jobs with their traces; NULL is allowed. Free their results before. */
ANAX_API void anax_jobs_free(anax_jobs *jobs);

/* Opens a trace and adds a job for it. The job is named after the trace, starts at 0, is placed by
 * the settings placement.* of config, and has config's seed plus the number of jobs before it.
 * options and errors as of anax_trace_open; ANAX_USAGE also if there are 1000 jobs already. A
 * failure adds no job. */
ANAX_API anax_code anax_jobs_add(anax_jobs *jobs, const char *path, const anax_config *config,
                                 const anax_options *options, anax_error *error);

/* Adds the jobs of a YAML file (see anax-replay(1)) and opens their traces. Values that the file
 * does not give are those of anax_jobs_add. options as of anax_trace_open. ANAX_INPUT: faults of
 * the file (the text lists all as FILE:LINE:COL), or more than 1000 jobs. ANAX_USAGE: the path is
 * empty. A failure adds no job. */
ANAX_API anax_code anax_jobs_load(anax_jobs *jobs, const char *path, const anax_config *config,
                                  const anax_options *options, anax_error *error);

/* Returns the number of jobs, 0 … 1000. */
ANAX_API size_t anax_jobs_count(const anax_jobs *jobs);

/* Returns the path of the trace of job `job`, counted from 0, valid as long as jobs; NULL if there
 * is no such job. */
ANAX_API const char *anax_jobs_path(const anax_jobs *jobs, size_t job);

/* Replays all jobs at once, each on nodes of its own, and each job alone too if the setting
 * jobs.alone is on and anything else runs on the machine. In the result the ranks of a job follow
 * those of the job before. The jobs must live as long as the result. options, errors and the
 * *result after ANAX_RUN as of anax_replay; ANAX_USAGE also if there are no jobs. */
ANAX_API anax_code anax_replay_jobs(anax_result **result, const anax_config *config,
                                    const anax_jobs *jobs, const anax_options *options,
                                    anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
