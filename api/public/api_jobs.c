/* Lists of jobs through the public interface: adding jobs one by one, or from a file. */
#include "api/api_progress.h"
#include "api/command_support.h"
#include "api/run/jobs.h"
#include "core/memory/memory.h"
#include "core/settings/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

anax_code anax_jobs_new(anax_jobs **jobs, anax_error *error) {
    struct status status = STATUS_INIT;
    *jobs = memory_new(1, sizeof **jobs);
    if (*jobs == NULL) status_set(&status, STATUS_MEMORY, "out of memory for jobs");
    return api_return(&status, error);
}

size_t anax_jobs_count(const anax_jobs *jobs) {
    return jobs->count;
}

uint32_t api_jobs_count_ranks(const anax_jobs *jobs) {
    uint64_t ranks = 0;
    for (size_t i = 0; i < jobs->count; i++)
        ranks += jobs->jobs[i]->trace->program->rank_count;
    return ranks < UINT32_MAX ? (uint32_t)ranks : UINT32_MAX;
}

const char *anax_jobs_path(const anax_jobs *jobs, size_t job) {
    return job < jobs->count ? jobs->jobs[job]->path : NULL;
}

/* Opens the job's trace, and names the job after the trace if it has no name. */
static status_code open_trace(struct job *job, const anax_config *config,
                              const anax_options *options, struct status *status) {
    anax_error error = ANAX_ERROR_INIT;
    if (job->name == NULL) job->name = jobs_name(job->path);
    RETURN_ERROR_IF(job->name == NULL, status, STATUS_MEMORY, "out of memory for a job");
    if (anax_trace_open(&job->trace, job->path, config, options, &error) == ANAX_OK)
        return STATUS_OK;
    return status_take(status, (status_code)error.code, error.text);
}

static status_code add_job(anax_jobs *jobs, const char *path, const anax_config *config,
                           const anax_options *options, struct status *status) {
    RETURN_ERROR_IF(jobs->count >= JOBS_MAX, status, STATUS_USAGE, "more than %d jobs at once",
                    JOBS_MAX);
    struct job *job = jobs_append(jobs, config);
    RETURN_ERROR_IF(job == NULL, status, STATUS_MEMORY, "out of memory for a job");
    status_code code = memory_copy_text(&job->path, path, status);
    if (code == STATUS_OK) code = open_trace(job, config, options, status);
    if (code != STATUS_OK) jobs_truncate(jobs, jobs->count - 1);
    return code;
}

anax_code anax_jobs_add(anax_jobs *jobs, const char *path, const anax_config *config,
                        const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    add_job(jobs, path, config, options, &status);
    return api_return(&status, error);
}

struct job_reader {
    anax_jobs *jobs;
    const anax_config *config;
};

static struct settings *next_job(void *context, size_t line) {
    const struct job_reader *reader = context;
    if (reader->jobs->count > JOBS_MAX) return NULL;
    struct job *job = jobs_append(reader->jobs, reader->config);
    if (job == NULL) return NULL;
    job->line = line;
    return &job->settings;
}

/* Returns the path of a trace in a list. A relative path starts at the folder of the list. The
 * caller frees the text. */
static char *path_beside(const char *list, const char *path) {
    const char *slash = strrchr(list, '/');
    size_t size = strlen(list) + strlen(path) + 2;
    if (path[0] == '/' || slash == NULL) return strdup(path);
    char *beside = malloc(size);
    if (beside == NULL) return NULL;
    snprintf(beside, size, "%.*s/%s", (int)(slash - list), list, path);
    if (access(beside, F_OK) == 0) return beside;
    free(beside);
    return strdup(path);
}

static status_code open_listed(struct job *job, const char *list, const anax_config *config,
                               const anax_options *options, struct status *status) {
    RETURN_ERROR_IF(job->path == NULL, status, STATUS_INPUT,
                    "%s:%zu: error: this job has no `trace`; write e.g. `trace: traces.otf2`", list,
                    job->line);
    char *path = path_beside(list, job->path);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    free(job->path);
    job->path = path;
    status_code code = open_trace(job, config, options, status);
    if (code != STATUS_OK) status_prefix(status, "%s:%zu", list, job->line);
    return code;
}

static status_code load(anax_jobs *jobs, const char *path, const anax_config *config,
                        const anax_options *options, struct status *status) {
    size_t before = jobs->count;
    struct job_reader reader = {jobs, config};
    const struct config_list list = {"jobs", "job", &reader, next_job};
    status_code code = config_list_read(&list, path, status);
    if (code == STATUS_OK && jobs->count == before)
        code = status_set(status, STATUS_INPUT,
                          "%s:1:1: error: this file lists no jobs; write `jobs:` and below it "
                          "`- trace: traces.otf2` for each",
                          path);
    if (jobs->count > JOBS_MAX)
        code = status_set(status, STATUS_INPUT, "%s: more than %d jobs at once", path, JOBS_MAX);
    for (size_t i = before; i < jobs->count && code == STATUS_OK; i++)
        code = open_listed(jobs->jobs[i], path, config, options, status);
    if (code != STATUS_OK) jobs_truncate(jobs, before);
    return code;
}

anax_code anax_jobs_load(anax_jobs *jobs, const char *path, const anax_config *config,
                         const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    if (*path == '\0')
        status_set(&status, STATUS_USAGE, "the list of jobs has no name");
    else
        load(jobs, path, config, options, &status);
    return api_return(&status, error);
}
