/* Finds the ends and the origin of a watched link's flow. See flow_ends.h. */
#include "api/report/flow_ends.h"

#include "api/table/table.h"

static int64_t job_of_rank(const anax_result *result, uint32_t rank) {
    size_t job = 0;
    while (job + 1 < result->job_count && rank >= result->jobs[job + 1].first_rank)
        job++;
    return (int64_t)job;
}

struct flow_ends flow_ends_of(const anax_result *result, const struct network_link_flow *flow) {
    struct flow_ends ends = {TABLE_NONE, TABLE_NONE, TABLE_NONE, TABLE_NONE,
                             TABLE_NONE, TABLE_NONE, NULL,       NULL};
    struct replay_origin origin;
    if (!flow->is_known) return ends;
    ends.source_node = flow->source_node;
    ends.destination_node = flow->destination_node;
    ends.minimal = flow->minimal;
    if (result->replay == NULL || !replay_origin_of(&origin, &flow->label)) return ends;
    const struct program *program = result->trace->program;
    ends.source_rank = origin.source_rank;
    ends.destination_rank = origin.destination_rank;
    const bool is_rank = origin.source_rank < program->rank_count; /* else an I/O node */
    ends.job = job_of_rank(result, is_rank ? origin.source_rank : origin.destination_rank);
    if (origin.call > 0) ends.call = result->replay->origin_calls[origin.call - 1];
    if (origin.region > 0)
        ends.region = program_text(program, program->regions[origin.region - 1].name);
    return ends;
}
