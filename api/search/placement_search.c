/* Searches a placement by exchange: see placement_search.h. */
#include "api/search/placement_search.h"

#include "api/jobs.h"
#include "api/place.h"
#include "api/result.h"
#include "api/search/rank_exchange.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

struct placement_work {
    anax_placement *result;
    const anax_options *options;
    struct expected_load *load;
};

static status_code placement_of(struct placement **made, const anax_placement *result,
                                const uint32_t *node_of_rank, struct status *status) {
    return placement_of_nodes(made, node_of_rank, result->placement->rank_count,
                              result->placement->node_count, status);
}

static status_code measure_links(void *context, const uint32_t *node_of_rank,
                                 struct exchange_value *value, struct status *status) {
    const struct placement_work *work = context;
    const anax_placement *result = work->result;
    struct placement *placement = NULL;
    struct expected_links links[EXPECTED_KINDS];
    FORWARD_IF_ERROR(placement_of(&placement, result, node_of_rank, status));
    expected_load_clear(work->load);
    placement_expect(work->load, &result->config->network, placement, &result->traffic);
    placement_free(placement);
    expected_load_sum(work->load, links);
    *value = (struct exchange_value){0, 0};
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) {
        const wide time_ps = placement_link_time_ps(&links[kind]);
        if (time_ps > value->first) value->first = time_ps;
        value->second += links[kind].total_bytes;
    }
    return STATUS_OK;
}

static status_code measure_replay(void *context, const uint32_t *node_of_rank,
                                  struct exchange_value *value, struct status *status) {
    const struct placement_work *work = context;
    const anax_config *config = work->result->config;
    anax_result *run = NULL;
    FORWARD_IF_ERROR(result_new(&run, API_RESULT_REPLAY, config, status));
    run->config->jobs.alone = false;
    struct job job = {.trace = (anax_trace *)work->result->trace,
                      .borrowed = true,
                      .name = "search",
                      .seed = config->run.seed,
                      .traffic_class = config->replay.traffic_class,
                      .placement = config->placement,
                      .node_of_rank = node_of_rank};
    struct job *only = &job;
    const anax_jobs jobs = {&only, 1, 1};
    status_code code = jobs_run(run, &jobs, work->options, status);
    if (code == STATUS_OK) *value = (struct exchange_value){(uint64_t)run->replay->time_ps, 0};
    anax_result_free(run);
    return code;
}

/* Lists the slots of all nodes that may have ranks. */
static status_code list_slots(uint32_t **slots, uint32_t *count, const anax_placement *result,
                              const bool *taken, struct status *status) {
    const uint64_t each = (uint64_t)result->config->placement.ranks_per_node;
    const uint32_t nodes = result->placement->node_count;
    uint64_t free_nodes = 0;
    for (uint32_t node = 0; node < nodes; node++)
        free_nodes += !taken[node];
    RETURN_ERROR_IF(free_nodes * each > UINT32_MAX, status, STATUS_USAGE,
                    "a search places ranks on at most 2^32 - 1 places; lower --ranks-per-node");
    *slots = memory_new((size_t)(free_nodes * each), sizeof **slots);
    RETURN_ERROR_IF(*slots == NULL, status, STATUS_MEMORY, "out of memory for a search");
    *count = 0;
    for (uint32_t node = 0; node < nodes; node++)
        for (uint64_t i = 0; i < each && !taken[node]; i++)
            (*slots)[(*count)++] = node;
    return STATUS_OK;
}

/* Searches by replays from the better one of two placements: that of the policy, and the one that
 * the static search found, which `nodes` has. */
static status_code search_replays(struct placement_work *work, struct exchange_task *task,
                                  uint32_t *nodes, struct status *status) {
    struct placement_search_figures *figures = &work->result->search;
    struct exchange_found found;
    struct exchange_value value;
    uint32_t *by_links = memory_new(task->rank_count, sizeof *by_links);
    RETURN_ERROR_IF(by_links == NULL, status, STATUS_MEMORY, "out of memory for a search");
    memcpy(by_links, nodes, task->rank_count * sizeof *nodes);
    memcpy(nodes, work->result->placement->node_of_rank, task->rank_count * sizeof *nodes);
    task->measure = measure_replay;
    task->budget = (uint64_t)work->result->config->exchange.replays;
    task->other_start = by_links;
    status_code code = exchange_search(nodes, &found, task, status);
    free(by_links);
    FORWARD_IF_ERROR(code);
    figures->replays = found.measures;
    figures->start_time_ps = (int64_t)found.start.first;
    figures->time_ps = (int64_t)found.best.first;
    FORWARD_IF_ERROR(measure_links(work, nodes, &value, status));
    figures->busiest_ps = value.first;
    figures->bytes = value.second;
    return STATUS_OK;
}

static status_code run(struct placement_work *work, uint32_t *nodes, const bool *taken,
                       struct status *status) {
    anax_placement *result = work->result;
    const struct api_exchange_config *config = &result->config->exchange;
    struct exchange_task task = {.rank_count = result->placement->rank_count,
                                 .seed = (uint64_t)result->config->run.seed,
                                 .context = work};
    struct exchange_found found;
    uint32_t *slots = NULL;
    FORWARD_IF_ERROR(list_slots(&slots, &task.slot_count, result, taken, status));
    task.node_of_slot = slots;
    task.measure = measure_links;
    task.budget = (uint64_t)config->placements;
    status_code code = exchange_search(nodes, &found, &task, status);
    if (code == STATUS_OK) {
        result->search = (struct placement_search_figures){.placements = found.measures,
                                                           .start_busiest_ps = found.start.first,
                                                           .busiest_ps = found.best.first,
                                                           .start_bytes = found.start.second,
                                                           .bytes = found.best.second,
                                                           .start_time_ps = -1,
                                                           .time_ps = -1};
        if (config->replays > 0) code = search_replays(work, &task, nodes, status);
    }
    free(slots);
    return code;
}

status_code placement_search(anax_placement *result, const bool *taken, const anax_options *options,
                             struct status *status) {
    struct placement_work work = {.result = result, .options = options};
    const uint32_t ranks = result->placement->rank_count;
    struct placement *best = NULL;
    uint32_t *nodes = memory_new(ranks, sizeof *nodes);
    RETURN_ERROR_IF(nodes == NULL, status, STATUS_MEMORY, "out of memory for a search");
    memcpy(nodes, result->placement->node_of_rank, ranks * sizeof *nodes);
    status_code code = expected_load_new(&work.load, &result->config->network, status);
    if (code == STATUS_OK) code = run(&work, nodes, taken, status);
    if (code == STATUS_OK) code = placement_of(&best, result, nodes, status);
    if (code == STATUS_OK) {
        placement_free(result->placement);
        result->placement = best;
    }
    expected_load_free(work.load);
    free(nodes);
    return code;
}
