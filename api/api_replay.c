/*
 * Replays through the public interface: from a configuration and traces to a result.
 *
 * Invariant: a result that did not complete has no time and no digest, only the text of the
 * failure.
 */
#include "api/caller_struct.h"
#include "api/jobs.h"
#include "api/result.h"
#include "core/memory.h"

anax_code anax_replay_jobs(anax_result **result, const anax_config *config, const anax_jobs *jobs,
                           const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    *result = NULL;
    if (caller_options(&own, options, &status) == STATUS_OK &&
        result_new(result, API_RESULT_REPLAY, config, &status) == STATUS_OK)
        result_finish(result, jobs_run(*result, jobs, &own, &status), &status);
    return api_return(&status, error);
}

/* Creates a list of one job that borrows its trace. */
static status_code one_job(anax_jobs **jobs, const anax_config *config, const anax_trace *trace,
                           struct status *status) {
    anax_jobs *list = memory_new(1, sizeof *list);
    struct job *job = list != NULL ? jobs_append(list, config) : NULL;
    if (job != NULL) job->name = jobs_name(program_text(trace->program, trace->program->source));
    if (job == NULL || job->name == NULL) {
        anax_jobs_free(list);
        return status_set(status, STATUS_MEMORY, "out of memory for a replay");
    }
    job->trace = (anax_trace *)trace;
    job->borrowed = true;
    *jobs = list;
    return STATUS_OK;
}

anax_code anax_replay(anax_result **result, const anax_config *config, const anax_trace *trace,
                      const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_jobs *jobs = NULL;
    *result = NULL;
    if (one_job(&jobs, config, trace, &status) != STATUS_OK) return api_return(&status, error);
    anax_code code = anax_replay_jobs(result, config, jobs, options, error);
    anax_jobs_free(jobs);
    return code;
}
