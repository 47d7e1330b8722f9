/*
 * Replays of one job, or of several jobs on one machine, and their results. anax.h has the rules
 * for the whole interface.
 */
#ifndef ANAX_REPLAY_H
#define ANAX_REPLAY_H

#include <anax/config.h>
#include <anax/options.h>
#include <anax/table.h>
#include <anax/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One job --------------------------------------------------------------------------------- */

/* The result of a replay, also of one that could not finish. */
typedef struct anax_replay_result anax_replay_result;

/* Replays a trace on the configured machine. The trace must live as long as the result. options:
 * see the table of anax_options; may be NULL. ANAX_ERROR_USAGE: settings that do not fit together,
 * or more ranks than fit the machine. ANAX_ERROR_INPUT: a file that a setting names is missing or
 * wrong (links, failures, placement, factors or interruptions of computation), the trace holds a
 * call that cannot be replayed, or options.resume_folder has no sound checkpoint. ANAX_ERROR_RUN:
 * the ranks or the network could not go on (the text says which ranks wait for what).
 * ANAX_ERROR_STOPPED: options.progress or options.checkpoint_wish stopped the run. Exception: after
 * ANAX_ERROR_RUN and ANAX_ERROR_STOPPED there still is a *result, which the caller frees, with
 * anax_replay_result_completed() false and without any time. */
ANAX_API anax_code anax_replay(anax_replay_result **result, const anax_config *config,
                               const anax_trace *trace, const anax_options *options,
                               anax_error *error);

/* ---- Several jobs ---------------------------------------------------------------------------- */

/* Jobs that run on one machine at once, each with its own start, seed and placement. An anax_jobs
 * owns the traces of its jobs. */
typedef struct anax_jobs anax_jobs;

/* Creates an empty list of jobs. */
ANAX_API anax_code anax_jobs_new(anax_jobs **jobs, anax_error *error);

/* Frees jobs and their traces; NULL is allowed. Free the results of the jobs first. */
ANAX_API void anax_jobs_free(anax_jobs *jobs);

/* Opens a trace and adds a job for it. The job is named after the trace, starts at 0 ps, and is
 * placed by the settings placement.* of config, which must not be NULL. Its seed is that of config
 * plus the number of jobs before it. options and errors as for anax_trace_open; ANAX_ERROR_USAGE
 * also if there are 1000 jobs already. A failure adds no job. */
ANAX_API anax_code anax_jobs_add(anax_jobs *jobs, const char *path, const anax_config *config,
                                 const anax_options *options, anax_error *error);

/* Adds the jobs of a YAML file (see anax-replay(1)) and opens their traces. The path of a trace is
 * relative to the folder of the file or, if nothing is there, to the current folder. Values that
 * the file does not give are those of anax_jobs_add. options as for anax_trace_open.
 * ANAX_ERROR_INPUT: faults of the file (the text lists all as FILE:LINE:COL), or more than 1000
 * jobs. ANAX_ERROR_USAGE: the path is empty. Errors of traces as for anax_trace_open. A failure
 * adds no job. */
ANAX_API anax_code anax_jobs_load(anax_jobs *jobs, const char *path, const anax_config *config,
                                  const anax_options *options, anax_error *error);

/* Returns the number of jobs, 0 … 1000. */
ANAX_API size_t anax_jobs_count(const anax_jobs *jobs);

/* Returns the path of the trace of job `job`, counted from 0, as it was opened; NULL if there is no
 * such job. Valid as long as jobs. */
ANAX_API const char *anax_jobs_path(const anax_jobs *jobs, size_t job);

/* Replays all jobs at once, each on nodes of its own, and each job alone too if the setting
 * jobs.alone is on and anything else runs on the machine. In the result the ranks of a job follow
 * those of the job before. The jobs must live as long as the result. options, errors and the
 * *result after an error as for anax_replay; ANAX_ERROR_USAGE also if there are no jobs. */
ANAX_API anax_code anax_jobs_replay(anax_replay_result **result, const anax_config *config,
                                    const anax_jobs *jobs, const anax_options *options,
                                    anax_error *error);

/* ---- Reading a result ------------------------------------------------------------------------ */

/* Frees a result; NULL is allowed. */
ANAX_API void anax_replay_result_free(anax_replay_result *result);

/* Returns false if the replay could not finish, or was stopped. */
ANAX_API bool anax_replay_result_completed(const anax_replay_result *result);

/* Sets *digest to the digest, which is equal for equal replays on any computer and with any number
 * of threads. ANAX_ERROR_STATE: the replay did not finish; *digest is then 0. */
ANAX_API anax_code anax_replay_result_digest(uint64_t *digest, const anax_replay_result *result,
                                             anax_error *error);

/* Sets *time_ps to the time when the last rank ends, in ps from the start of the replay.
 * ANAX_ERROR_STATE: the replay did not finish; *time_ps is then 0. */
ANAX_API anax_code anax_replay_result_time_ps(int64_t *time_ps, const anax_replay_result *result,
                                              anax_error *error);

/* Returns the whole result as text for people. The caller frees the text. */
ANAX_API char *anax_replay_result_text(const anax_replay_result *result);

/* Returns the whole result as JSON for programs (schema anax.replay/2, see anax-json(5)). The
 * caller frees the text. */
ANAX_API char *anax_replay_result_json(const anax_replay_result *result);

/* Returns what makes the result doubtful, one warning per line: those of anax_trace_warnings for
 * each trace of the replay, one if the setting trace.user_regions is on and the traces have no user
 * regions, and one if messages within a node exceed the bandwidth of its memory. If there are
 * several jobs, "job NAME: " stands before the warnings of a trace. "" if there are none. The
 * caller frees the text. */
ANAX_API char *anax_replay_result_warnings(const anax_replay_result *result);

/* Copies the table called replay.`name` in the list of tables. Examples of names are "ranks",
 * "jobs", "calls" and "links". ANAX_ERROR_USAGE: there is no table of that name; the text names the
 * tables. ANAX_ERROR_STATE: the replay did not finish, or has nothing of the kind. */
ANAX_API anax_code anax_replay_result_table(anax_table **table, const anax_replay_result *result,
                                            const char *name, anax_error *error);

/* Writes the tables that have a file (`anax list tables` names them) as CSV into the new folder
 * `folder`: one header line, units in the column names. ANAX_ERROR_EXISTS: there is something of
 * that name. ANAX_ERROR_STATE: the replay did not finish. */
ANAX_API anax_code anax_replay_result_write_tables(const anax_replay_result *result,
                                                   const char *folder, anax_error *error);

/* ---- Timelines ------------------------------------------------------------------------------- */

/* Writes the predicted run as an OTF2 archive into the new folder `folder`. After a replay on
 * several processes all of them call this function, before anax_processes_finish: each writes its
 * own ranks, and all must see the folder. ANAX_ERROR_EXISTS: there is something of that name.
 * ANAX_ERROR_STATE: the replay did not finish, or anax_options.timeline was not set for it. */
ANAX_API anax_code anax_replay_result_write_timeline(const anax_replay_result *result,
                                                     const char *folder, anax_error *error);

/* Writes the predicted run as a trace for the Perfetto viewer (ui.perfetto.dev): calls, user
 * regions, computation and messages of `count` ranks from rank `first` on. count 0: up to 256
 * ranks; viewers do not show thousands well. options: replace; may be NULL. After a replay on
 * several processes, all of them call this function before anax_processes_finish; process 0 writes.
 * ANAX_ERROR_USAGE: there are not so many ranks. ANAX_ERROR_STATE: as for
 * anax_replay_result_write_timeline. Other errors as for anax_text_write. */
ANAX_API anax_code anax_replay_result_write_perfetto(const anax_replay_result *result,
                                                     const char *path, uint32_t first,
                                                     uint32_t count, const anax_options *options,
                                                     anax_error *error);

#ifdef __cplusplus
}
#endif

#endif
