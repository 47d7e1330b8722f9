/* Looks up what the label of a flow means: the ranks and their job, the MPI call and the user
 * region, and the nodes at both ends. */
#include "api/table/flow_ends.h"

#include "api/table/table.h"

struct flow_ends flow_ends_find(const anax_replay_result *result,
                                const struct network_link_flow *flow) {
    struct flow_ends ends = {TABLE_NONE, TABLE_NONE, TABLE_NONE, TABLE_NONE,
                             TABLE_NONE, TABLE_NONE, NULL,       NULL};
    struct replay_origin origin;
    if (!flow->is_known) return ends;
    ends.source_node = flow->source_node;
    ends.destination_node = flow->destination_node;
    ends.minimal = flow->is_minimal;
    if (result == NULL || !replay_origin_of(&origin, &flow->label)) return ends;
    const struct program *program = result->trace->program;
    ends.source_rank = origin.source_rank;
    ends.destination_rank = origin.destination_rank;
    const bool is_rank = origin.source_rank < program->rank_count; /* else an I/O node */
    ends.job = (int64_t)api_job_of(result, is_rank ? origin.source_rank : origin.destination_rank);
    if (origin.function > 0) ends.call = result->replay->origin_functions[origin.function - 1];
    if (origin.region > 0)
        ends.region = program_text(program, program->regions[origin.region - 1].name);
    return ends;
}
