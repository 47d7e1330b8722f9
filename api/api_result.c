/* Results: making, reading and writing them. */
#include "api/report/report.h"
#include "api/result.h"
#include "core/memory.h"
#include "core/plural.h"

#include <stdlib.h>
#include <string.h>

status_code result_new(anax_result **result, api_result_kind kind, const anax_config *config,
                       struct status *status) {
    *result = memory_new(1, sizeof **result);
    RETURN_ERROR_IF(*result == NULL, status, STATUS_MEMORY, "out of memory for a result");
    (*result)->kind = kind;
    status_code code = api_config_copy(&(*result)->config, config, status);
    if (code != STATUS_OK) {
        anax_result_free(*result);
        *result = NULL;
    }
    return code;
}

void result_finish(anax_result **result, status_code code, const struct status *status) {
    if (code == STATUS_RUN) {
        if (status->text != NULL) (*result)->failure = strdup(status->text);
    } else if (code != STATUS_OK) {
        anax_result_free(*result);
        *result = NULL;
    }
}

void anax_result_free(anax_result *result) {
    if (result == NULL) return;
    placement_free(result->placement);
    for (size_t i = 0; i < result->job_count; i++)
        free(result->jobs[i].name);
    free(result->jobs);
    program_free(result->joined.program);
    if (result->replay != NULL) replay_result_free(result->replay);
    free(result->regions);
    network_free(result->network);
    anax_config_free(result->config);
    free(result->points);
    free(result->routings);
    free(result->histogram);
    free(result->failure);
    free(result);
}

bool anax_result_completed(const anax_result *result) {
    return result->completed;
}

uint64_t anax_result_digest(const anax_result *result) {
    return result->digest;
}

int64_t anax_result_time_ps(const anax_result *result) {
    return result->replay != NULL ? result->replay->time_ps : 0;
}

uint32_t anax_result_rank_count(const anax_result *result) {
    return result->replay != NULL ? result->replay->rank_count : 0;
}

anax_code anax_result_rank(const anax_result *result, uint32_t rank, anax_rank *figures,
                           anax_error *error) {
    struct status status = STATUS_INIT;
    if (rank >= anax_result_rank_count(result)) {
        status_set(&status, STATUS_USAGE, "rank %u: the result has %u rank%s", rank,
                   anax_result_rank_count(result), plural(anax_result_rank_count(result)));
        return api_return(&status, error);
    }
    const struct replay_rank_result *from = &result->replay->ranks[rank];
    *figures = (anax_rank){
        .rank = from->rank,
        .node = from->node,
        .time_ps = from->time_ps,
        .compute_ps = from->compute_ps,
        .send_overhead_ps = from->send_overhead_ps,
        .receive_overhead_ps = from->receive_overhead_ps,
        .reduction_ps = from->reduction_ps,
        .wait_late_sender_ps = from->wait_late_sender_ps,
        .wait_late_receiver_ps = from->wait_late_receiver_ps,
        .wait_transit_ps = from->wait_transit_ps,
        .wait_queueing_ps = from->wait_queueing_ps,
        .collective_ps = from->collective_ps,
        .messages_sent = from->messages_sent,
        .bytes_sent = from->bytes_sent,
    };
    return ANAX_OK;
}

size_t anax_result_job_count(const anax_result *result) {
    return result->replay != NULL ? result->job_count : 0;
}

anax_code anax_result_job(const anax_result *result, size_t job, anax_job *figures,
                          anax_error *error) {
    struct status status = STATUS_INIT;
    if (job >= anax_result_job_count(result)) {
        status_set(&status, STATUS_USAGE, "job %zu: the result has %zu job%s", job,
                   anax_result_job_count(result), plural(anax_result_job_count(result)));
        return api_return(&status, error);
    }
    const struct api_job_result *from = &result->jobs[job];
    *figures = (anax_job){.name = from->name,
                          .first_rank = from->first_rank,
                          .ranks = from->program->rank_count,
                          .start_ps = from->start_ps,
                          .time_ps = from->time_ps,
                          .alone_ps = from->alone_ps};
    return ANAX_OK;
}

char *anax_result_text(const anax_result *result) {
    return result->kind == API_RESULT_REPLAY ? report_replay_text(result)
                                             : report_traffic_text(result);
}

char *anax_result_json(const anax_result *result) {
    return result->kind == API_RESULT_REPLAY ? report_replay_json(result)
                                             : report_traffic_json(result);
}

anax_code anax_result_write_tables(const anax_result *result, const char *folder,
                                   anax_error *error) {
    struct status status = STATUS_INIT;
    report_write_tables(result, folder, &status);
    return api_return(&status, error);
}

static status_code write_timeline(const anax_result *result, const char *folder,
                                  struct status *status) {
    const struct replay_result *replay = result->replay;
    RETURN_ERROR_IF(result->kind != API_RESULT_REPLAY, status, STATUS_USAGE,
                    "%s: traffic has no timeline", folder);
    RETURN_ERROR_IF(!result->completed, status, STATUS_USAGE,
                    "%s: not written: the replay did not finish, so there is no timeline", folder);
    RETURN_ERROR_IF(replay->timeline == NULL, status, STATUS_USAGE,
                    "%s: the replay kept no timeline; set anax_options.timeline", folder);
    int64_t *end_ps = memory_new(replay->rank_count, sizeof *end_ps);
    RETURN_ERROR_IF(end_ps == NULL, status, STATUS_MEMORY, "out of memory for a timeline");
    for (uint32_t i = 0; i < replay->rank_count; i++)
        end_ps[i] = replay->ranks[i].time_ps;
    const struct network_config *network = &result->config->network;
    struct traces_times times = {
        .first = replay->timeline->first,
        .times_ps = replay->timeline->times_ps,
        .end_ps = end_ps,
        .node_of_rank = result->placement->node_of_rank,
        .nodes_per_router = (uint32_t)network->nodes_per_router,
        .nodes_per_group = (uint32_t)(network->nodes_per_router * network->routers_per_group),
    };
    status_code code = traces_write_otf2(result->trace->program, &times, folder, status);
    free(end_ps);
    return code;
}

anax_code anax_result_write_timeline(const anax_result *result, const char *folder,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    write_timeline(result, folder, &status);
    return api_return(&status, error);
}
