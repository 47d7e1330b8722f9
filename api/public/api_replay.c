/*
 * Replays through the public interface: from a configuration and traces to a result.
 *
 * Invariant: a result that did not complete has no time and no digest, only the text of the
 * failure.
 */
#include "api/caller_struct.h"
#include "api/result.h"
#include "api/results/verdict.h"
#include "api/run/jobs.h"
#include "api/run/watched_links.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The changes to try, in the form in which process 0 sends them to the other processes. */
struct shared_advices {
    uint32_t count;
    struct {
        char setting[128];
        char value[VERDICT_VALUE_BYTES];
    } list[VERDICT_ADVICES];
};

/* Finds the changes to try. Process 0 finds them and sends them to the others, since it alone has
 * the whole result. */
static status_code find_advices(struct shared_advices *shared, const anax_replay_result *result,
                                const anax_options *options, struct status *status) {
    struct processes *processes = api_processes(options);
    struct verdict_advice list[VERDICT_ADVICES];
    if (processes_number(processes) == 0)
        shared->count = (uint32_t)verdict_find_advice(list, result);
    for (uint32_t i = 0; i < shared->count; i++) {
        snprintf(shared->list[i].setting, sizeof shared->list[i].setting, "%s", list[i].setting);
        memcpy(shared->list[i].value, list[i].value, sizeof shared->list[i].value);
    }
    return processes_broadcast(processes, shared, sizeof *shared, status);
}

/* The caller's progress function, and whether it stopped the replay with a change. */
struct caller_answer {
    const anax_options *options;
    bool stop;
};

static bool ask_caller(void *context, const anax_progress *progress) {
    struct caller_answer *answer = context;
    if (!answer->options->progress(answer->options->progress_context, progress))
        answer->stop = true;
    return !answer->stop;
}

/* Replays with one setting changed. Sets *time_ps to the time of this replay. */
static status_code replay_change(int64_t *time_ps, const anax_replay_result *result,
                                 const anax_jobs *jobs, const char *setting, const char *value,
                                 const anax_options *options, struct status *status) {
    anax_replay_result *advised = NULL;
    FORWARD_IF_ERROR(result_new_replay(&advised, result->run.config, status));
    advised->run.config->jobs.replays_alone = false;
    advised->run.config->record.time_bins = -1;
    free(advised->run.config->record.links);
    advised->run.config->record.links = NULL;
    advised->run.config->jobs.matrix = REPLAY_MATRIX_OFF;
    status_code code = settings_set(&advised->run.config->settings, setting, value, status);
    struct job job = *jobs->jobs[0], *only = &job;
    job.placement = advised->run.config->placement;
    const anax_jobs changed = {&only, 1, 1};
    if (code == STATUS_OK)
        code = jobs_run(advised, jobs->count == 1 ? &changed : jobs, options, status);
    if (code == STATUS_OK) *time_ps = advised->replay->time_ps;
    anax_replay_result_free(advised);
    return code;
}

/* Tries a change. Sets *time_ps to the time of the run with it; -1 if that cannot finish, which is
 * no failure of the result. STATUS_STOPPED: the caller, of any process, stopped it. */
static status_code try_change(int64_t *time_ps, const anax_replay_result *result,
                              const anax_jobs *jobs, const char *setting, const char *value,
                              const anax_options *options, struct status *status) {
    struct caller_answer answer = {options, false};
    anax_options asking = *options;
    if (options->progress != NULL) {
        asking.progress = ask_caller;
        asking.progress_context = &answer;
    }
    *time_ps = -1;
    const status_code code = replay_change(time_ps, result, jobs, setting, value, &asking, status);
    if (code == STATUS_MEMORY || code == STATUS_SYSTEM) return code;
    status_clear(status);
    FORWARD_IF_ERROR(processes_any(api_processes(options), &answer.stop, status));
    RETURN_ERROR_IF(answer.stop, status, STATUS_STOPPED,
                    "stopped while anax_options.advise replayed with %s=%s", setting, value);
    return STATUS_OK;
}

/* Replays with each change that the verdict on a result recommends, and notes the change with the
 * shortest time in the result. */
static status_code advise(anax_replay_result *result, const anax_jobs *jobs,
                          const anax_options *options, struct status *status) {
    struct shared_advices shared = {0};
    FORWARD_IF_ERROR(find_advices(&shared, result, options, status));
    for (uint32_t i = 0; i < shared.count; i++) {
        int64_t time_ps;
        FORWARD_IF_ERROR(try_change(&time_ps, result, jobs, shared.list[i].setting,
                                    shared.list[i].value, options, status));
        if (time_ps < 0) result->not_advised |= UINT32_C(1) << i;
        if (time_ps < 0 || (result->advised_ps >= 0 && time_ps >= result->advised_ps)) continue;
        result->advised_ps = time_ps;
        result->advised = i;
    }
    return STATUS_OK;
}

/* Replaces a result by that of a second run, equal to the first, in which the links are watched
 * that the first one found: the busiest, or those at which a rank waits longest. If it has found
 * none, its result stays. */
static status_code watch_found(anax_replay_result **result, const anax_jobs *jobs,
                               const anax_options *options, struct status *status) {
    struct watched_links links;
    anax_replay_result *second = NULL;
    FORWARD_IF_ERROR(watched_links_read(&links, (*result)->run.config, ANAX_SCOPE_REPLAY, status));
    const uint32_t hottest = links.hottest;
    const bool has_victim = links.has_victim;
    watched_links_free(&links);
    if (hottest == 0 && !has_victim) return STATUS_OK;
    struct processes *processes = api_processes(options);
    char names[WATCHED_LINKS_BYTES] = "";
    if (processes_number(processes) == 0 && has_victim)
        watched_links_write_waits(names, (*result)->run.network);
    else if (processes_number(processes) == 0)
        watched_links_write_hottest(names, (*result)->run.network, hottest);
    FORWARD_IF_ERROR(processes_broadcast(processes, names, sizeof names, status));
    if (has_victim && names[0] == '\0') return STATUS_OK;
    FORWARD_IF_ERROR(result_new_replay(&second, (*result)->run.config, status));
    second->run.process_count = (*result)->run.process_count;
    second->run.processes = (*result)->run.processes;
    status_code code = memory_replace_text(&second->run.config->record.links, names, status);
    if (code == STATUS_OK) code = jobs_run(second, jobs, options, status);
    if (code != STATUS_OK) {
        anax_replay_result_free(second);
        return code;
    }
    anax_replay_result_free(*result);
    *result = second;
    return STATUS_OK;
}

anax_code anax_jobs_replay(anax_replay_result **result, const anax_config *config,
                           const anax_jobs *jobs, const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_options own;
    *result = NULL;
    if (caller_read_options(&own, options, __func__, &status) == STATUS_OK &&
        result_new_replay(result, config, &status) == STATUS_OK) {
        (*result)->run.processes = api_processes(&own);
        (*result)->run.process_count = processes_count((*result)->run.processes);
        status_code code = jobs_run(*result, jobs, &own, &status);
        if (code == STATUS_OK) code = watch_found(result, jobs, &own, &status);
        if (code == STATUS_OK && own.advise) code = advise(*result, jobs, &own, &status);
        if (!result_end(&(*result)->run, code, &status)) {
            anax_replay_result_free(*result);
            *result = NULL;
        }
    }
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
    job->is_borrowed = true;
    *jobs = list;
    return STATUS_OK;
}

anax_code anax_replay(anax_replay_result **result, const anax_config *config,
                      const anax_trace *trace, const anax_options *options, anax_error *error) {
    struct status status = STATUS_INIT;
    anax_jobs *jobs = NULL;
    *result = NULL;
    if (one_job(&jobs, config, trace, &status) != STATUS_OK) return api_return(&status, error);
    anax_code code = anax_jobs_replay(result, config, jobs, options, error);
    anax_jobs_free(jobs);
    return code;
}
