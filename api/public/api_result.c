/* Results: making, reading and writing them. */
#include "api/report/report.h"
#include "api/result.h"
#include "api/run/path_timeline.h"
#include "api/table/tables.h"
#include "api/traffic/traffic_sweep.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

status_code result_new(anax_result **result, api_result_kind kind, const anax_config *config,
                       struct status *status) {
    *result = memory_new(1, sizeof **result);
    RETURN_ERROR_IF(*result == NULL, status, STATUS_MEMORY, "out of memory for a result");
    (*result)->kind = kind;
    (*result)->advised_ps = -1;
    (*result)->processes = 1;
    status_code code = api_config_copy(&(*result)->config, config, status);
    if (code != STATUS_OK) {
        anax_result_free(*result);
        *result = NULL;
    }
    return code;
}

void result_finish(anax_result **result, status_code code, const struct status *status) {
    if (code == STATUS_RUN) {
        /* even if the first replay completed and a later one of the run was stopped */
        (*result)->completed = false;
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
    efficiencies_clear(&result->efficiencies);
    network_free(result->network);
    anax_config_free(result->config);
    sweep_free(result->sweep);
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

anax_code anax_result_time_ps(const anax_result *result, int64_t *time_ps, anax_error *error) {
    struct status status = STATUS_INIT;
    *time_ps = 0;
    if (result->kind != API_RESULT_REPLAY)
        status_set(&status, STATUS_USAGE, "traffic has no end, and so no time");
    else if (!result->completed)
        status_set(&status, STATUS_USAGE, "the replay did not finish, so there is no time");
    else
        *time_ps = result->replay->time_ps;
    return api_return(&status, error);
}

char *anax_result_text(const anax_result *result, bool ascii) {
    return result->kind == API_RESULT_REPLAY ? report_replay_text(result)
                                             : report_traffic_text(result, ascii);
}

char *anax_result_json(const anax_result *result) {
    const struct table_source source = tables_of_result(result);
    return table_json(tables_schema_of(result), &source);
}

anax_code anax_result_table(anax_table **table, const anax_result *result, const char *name,
                            anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_of_result(result);
    table_collect(table, tables_schema_of(result), name, &source, &status);
    return api_return(&status, error);
}

anax_code anax_result_write_tables(const anax_result *result, const char *folder,
                                   anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_of_result(result);
    if (result->completed)
        table_write_files(tables_schema_of(result), &source, folder, &status);
    else
        status_set(&status, STATUS_USAGE,
                   "%s: not written: the run did not finish, so there are no figures", folder);
    return api_return(&status, error);
}

status_code result_times(struct traces_times *times, int64_t **end_ps, const anax_result *result,
                         const char *path, struct status *status) {
    const struct replay_result *replay = result->replay;
    *end_ps = NULL;
    RETURN_ERROR_IF(result->kind != API_RESULT_REPLAY, status, STATUS_USAGE,
                    "%s: traffic has no timeline", path);
    RETURN_ERROR_IF(!result->completed, status, STATUS_USAGE,
                    "%s: not written: the replay did not finish, so there is no timeline", path);
    RETURN_ERROR_IF(replay->timeline == NULL, status, STATUS_USAGE,
                    "%s: the replay kept no timeline; set anax_options.timeline", path);
    *end_ps = memory_new(replay->rank_count, sizeof **end_ps);
    RETURN_ERROR_IF(*end_ps == NULL, status, STATUS_MEMORY, "out of memory for a timeline");
    for (uint32_t i = 0; i < replay->rank_count; i++)
        (*end_ps)[i] = replay->ranks[i].time_ps;
    for (size_t j = 0; j < result->job_count; j++) /* a rank's time counts from its job's start */
        for (uint32_t i = 0; i < result->jobs[j].program->rank_count; i++)
            (*end_ps)[result->jobs[j].first_rank + i] += result->jobs[j].start_ps;
    const struct node_shape node = network_config_node(&result->config->network);
    *times = (struct traces_times){
        .first = replay->timeline->first,
        .times_ps = replay->timeline->times_ps,
        .end_ps = *end_ps,
        .node_of_rank = result->placement->node_of_rank,
        .nodes_per_router = node.routers == 1 ? node.nodes_per_set : 0,
        .nodes_per_group = node.nodes_per_group,
    };
    return STATUS_OK;
}

anax_code anax_result_write_timeline(const anax_result *result, const char *folder,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    struct traces_times times;
    int64_t *end_ps;
    struct path_timeline path = {0};
    status_code code = result_times(&times, &end_ps, result, folder, &status);
    if (code == STATUS_OK && result->replay->path_count > 0) {
        code = path_timeline_of(&path, result->replay, &status);
        times.path = &path.path;
    }
    if (code == STATUS_OK) traces_write_otf2(result->trace->program, &times, folder, &status);
    path_timeline_clear(&path);
    free(end_ps);
    return api_return(&status, error);
}
