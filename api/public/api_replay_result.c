/* Results of replays: reading and writing them. */
#include "api/report/report.h"
#include "api/result.h"
#include "api/run/divided_programs.h"
#include "api/run/path_timeline.h"
#include "api/table/tables.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>

bool anax_replay_result_completed(const anax_replay_result *result) {
    return result->run.completed;
}

anax_code anax_replay_result_digest(uint64_t *digest, const anax_replay_result *result,
                                    anax_error *error) {
    struct status status = STATUS_INIT;
    *digest = 0;
    if (!result->run.completed)
        status_set(&status, STATUS_STATE, "the replay did not finish, so there is no digest");
    else
        *digest = result->run.digest;
    return api_return(&status, error);
}

anax_code anax_replay_result_time_ps(int64_t *time_ps, const anax_replay_result *result,
                                     anax_error *error) {
    struct status status = STATUS_INIT;
    *time_ps = 0;
    if (!result->run.completed)
        status_set(&status, STATUS_STATE, "the replay did not finish, so there is no time");
    else
        *time_ps = result->replay->time_ps;
    return api_return(&status, error);
}

char *anax_replay_result_text(const anax_replay_result *result) {
    return report_replay_text(result);
}

char *anax_replay_result_json(const anax_replay_result *result) {
    const struct table_source source = tables_replay_source(result);
    return table_json(&tables_replay, &source);
}

anax_code anax_replay_result_table(anax_table **table, const anax_replay_result *result,
                                   const char *name, anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_replay_source(result);
    table_collect(table, &tables_replay, name, &source, &status);
    return api_return(&status, error);
}

anax_code anax_replay_result_write_tables(const anax_replay_result *result, const char *folder,
                                          anax_error *error) {
    struct status status = STATUS_INIT;
    const struct table_source source = tables_replay_source(result);
    if (result_check_complete(&result->run, folder, &status) == STATUS_OK)
        table_write_files(&tables_replay, &source, folder, &status);
    return api_return(&status, error);
}

status_code result_find_times(struct traces_times *times, int64_t **end_ps,
                              const anax_replay_result *result, const char *path,
                              struct status *status) {
    const struct replay_result *replay = result->replay;
    *end_ps = NULL;
    RETURN_ERROR_IF(!result->run.completed, status, STATUS_STATE,
                    "%s: not written: the replay did not finish, so there is no timeline", path);
    RETURN_ERROR_IF(replay->timeline == NULL, status, STATUS_STATE,
                    "%s: the replay kept no timeline; set anax_options.timeline", path);
    *end_ps = memory_new(replay->rank_count, sizeof **end_ps);
    RETURN_ERROR_IF(*end_ps == NULL, status, STATUS_MEMORY, "out of memory for a timeline");
    for (uint32_t i = 0; i < replay->rank_count; i++)
        (*end_ps)[i] = replay->ranks[i].time_ps;
    for (size_t j = 0; j < result->job_count; j++) /* a rank's time counts from its job's start */
        for (uint32_t i = 0; i < result->jobs[j].program->rank_count; i++)
            (*end_ps)[result->jobs[j].first_rank + i] += result->jobs[j].start_ps;
    const struct node_shape node = network_config_node(&result->run.config->network);
    *times = (struct traces_times){
        .first = replay->timeline->first,
        .times_ps = replay->timeline->times_ps,
        .end_ps = *end_ps,
        .node_of_rank = result->placement->node_of_rank,
        .nodes_per_router = node.routers_per_node == 1 ? node.nodes_per_set : 0,
        .nodes_per_group = node.nodes_per_group,
    };
    return STATUS_OK;
}

/* Returns whether ranks of the program synchronise windows in groups, of which the archive has one
 * list for all ranks. */
static bool has_window_groups(const struct program *program) {
    for (uint32_t i = 0; i < program->envelope_count; i++)
        if (program->envelopes[i].tag == PROGRAM_TAG_POST ||
            program->envelopes[i].tag == PROGRAM_TAG_COMPLETE)
            return true;
    return false;
}

/* Marks the ranks that this process writes: those that it has simulated, whose times it has.
 * Process 0 writes all ranks if there are groups of windows. */
static status_code mark_written(bool *own, const anax_replay_result *result,
                                struct status *status) {
    const struct program *program = result->trace->program;
    struct processes *processes = result->run.processes;
    if (!has_window_groups(program))
        return replay_own_ranks(own, result->placement, &result->run.config->network, processes,
                                status);
    FORWARD_IF_ERROR(divided_gather_times(result, processes, status));
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        own[rank] = processes_number(processes) == 0;
    return STATUS_OK;
}

/* The other processes wait for this one to begin the archive with them, so an error reaches them
 * there. */
static status_code write_together(const anax_replay_result *result, struct traces_times *times,
                                  status_code code, const char *folder, struct status *status) {
    const struct program *program = result->trace->program;
    bool *own = memory_new(program->rank_count, sizeof *own);
    if (code == STATUS_OK && own == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u ranks", program->rank_count);
    if (code == STATUS_OK) code = mark_written(own, result, status);
    if (code == STATUS_OK) code = program_division_load_ranks(program->division, own, status);
    code = processes_agree(result->run.processes, code, status);
    times->processes = result->run.processes;
    times->own = own;
    if (code == STATUS_OK) code = traces_write_otf2(program, times, folder, status);
    free(own);
    return code;
}

anax_code anax_replay_result_write_timeline(const anax_replay_result *result, const char *folder,
                                            anax_error *error) {
    struct status status = STATUS_INIT;
    struct traces_times times = {0};
    int64_t *end_ps;
    struct path_timeline path = {0};
    status_code code = result_find_times(&times, &end_ps, result, folder, &status);
    if (code == STATUS_OK && result->replay->path_count > 0) {
        code = path_timeline_build(&path, result->replay, &status);
        times.path = &path.path;
    }
    if (result->run.processes != NULL)
        code = write_together(result, &times, code, folder, &status);
    else if (code == STATUS_OK)
        code = traces_write_otf2(result->trace->program, &times, folder, &status);
    path_timeline_clear(&path);
    free(end_ps);
    return api_return(&status, error);
}
