/* Loads the operations that a process needs of a divided program, and shares among processes what
 * process 0 alone has computed: placements, joined programs, and the times of replays. */
#include "api/run/divided_programs.h"

#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/program/edit/program_join.h"
#include "traces/program/file/program_division.h"

#include <stdlib.h>
#include <string.h>

static status_code new_marks(bool **marks, const struct program *program, struct status *status) {
    *marks = memory_new(program->rank_count, sizeof **marks);
    return *marks != NULL ? STATUS_OK
                          : status_set(status, STATUS_MEMORY, "out of memory for %u ranks",
                                       program->rank_count);
}

status_code divided_load_own(const struct program *program, const struct placement *placement,
                             const struct network_config *network, struct processes *processes,
                             struct status *status) {
    bool *own;
    if (program->division == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(new_marks(&own, program, status));
    status_code code = replay_own_ranks(own, placement, network, processes, status);
    if (code == STATUS_OK) code = program_division_load_ranks(program->division, own, status);
    free(own);
    return code;
}

status_code divided_load_none(const struct program *program, struct status *status) {
    bool *none;
    if (program->division == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(new_marks(&none, program, status));
    const status_code code = program_division_load_ranks(program->division, none, status);
    free(none);
    return code;
}

status_code divided_gather_times(const anax_replay_result *result, struct processes *processes,
                                 struct status *status) {
    bool *own;
    if (processes == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(new_marks(&own, result->trace->program, status));
    status_code code =
        replay_own_ranks(own, result->placement, &result->run.config->network, processes, status);
    if (code == STATUS_OK)
        code = replay_timeline_gather(result->replay->timeline, own, processes, status);
    free(own);
    return code;
}

/* ---------------------------------------------------------------- joining */

static status_code join(anax_replay_result *result, struct status *status) {
    const size_t count = result->job_count;
    const struct program **parts = memory_new(count, sizeof(struct program *));
    RETURN_ERROR_IF(parts == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    status_code code = STATUS_OK;
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        parts[i] = result->jobs[i].program;
        code = program_division_load_all(parts[i]->division, status);
    }
    if (code == STATUS_OK)
        code = program_join(&result->joined.program, parts, (uint32_t)count, status);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = divided_load_none(parts[i], status);
    free(parts);
    return code;
}

static bool has_divided_job(const anax_replay_result *result) {
    for (size_t i = 0; i < result->job_count; i++)
        if (result->jobs[i].program->division != NULL) return true;
    return false;
}

status_code divided_join(anax_replay_result *result, const anax_options *options,
                         struct status *status) {
    struct traces_config traces = result->run.config->traces;
    traces.processes = api_processes(options);
    if (!has_divided_job(result)) return join(result, status);
    status_code code = STATUS_OK;
    if (processes_number(traces.processes) == 0) code = join(result, status);
    FORWARD_IF_ERROR(processes_agree(traces.processes, code, status));
    return traces_distribute(&result->joined.program, &traces, options->threads, status);
}

/* ---------------------------------------------------------------- placing */

/* Gives the nodes that process 0 has found for a program's ranks to all processes. */
static status_code share_placement(struct placement **placement, const struct program *program,
                                   uint32_t node_count, struct processes *processes,
                                   struct status *status) {
    const size_t bytes = program->rank_count * sizeof(uint32_t);
    uint32_t *nodes = memory_new(program->rank_count, sizeof *nodes);
    RETURN_ERROR_IF(nodes == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    if (*placement != NULL) memcpy(nodes, (*placement)->node_of_rank, bytes);
    status_code code = processes_broadcast(processes, nodes, bytes, status);
    if (code == STATUS_OK && *placement == NULL)
        code = placement_from_nodes(placement, nodes, program->rank_count, node_count, status);
    free(nodes);
    return code;
}

status_code divided_place(struct placement **placement, const anax_config *config,
                          const struct job *job, const struct place_nodes *nodes,
                          struct processes *processes, struct status *status) {
    const struct program *program = job->trace->program;
    const bool is_divided =
        program->division != NULL && placement_policies()[job->placement.policy].reads_traffic;
    status_code code = STATUS_OK;
    if (!is_divided || processes_number(processes) == 0)
        code = place_on_free_nodes(placement, config, &job->placement, program, (uint64_t)job->seed,
                                   nodes, NULL, status);
    if (!is_divided) return code;
    if (code == STATUS_OK) code = divided_load_none(program, status);
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    return share_placement(placement, program, place_machine(&config->network).node_count,
                           processes, status);
}
