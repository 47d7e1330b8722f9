/* Searches in two steps: an exchange of ranks that lowers the expected load of links, and from the
 * better of two placements an exchange that lowers the time of replays. */
#include "api/search/placement_search.h"

#include "api/json/json_build.h"
#include "api/points/kept_folder.h"
#include "api/result.h"
#include "api/run/jobs.h"
#include "api/run/place.h"
#include "api/search/rank_exchange.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#define POINT_SCHEMA "anax.placement-point/1"

struct placement_work {
    anax_placement *result;
    const anax_options *options;
    const char *folder; /* keeps the replays; NULL: none does */
    struct expected_load *load;
};

static status_code placement_of(struct placement **made, const anax_placement *result,
                                const uint32_t *node_of_rank, struct status *status) {
    return placement_from_nodes(made, node_of_rank, result->placement->rank_count,
                                result->placement->node_count, status);
}

static status_code measure_links(void *context, const uint32_t *node_of_rank,
                                 struct rank_exchange_value *value, struct status *status) {
    const struct placement_work *work = context;
    const anax_placement *result = work->result;
    struct placement *placement = NULL;
    struct expected_links links[EXPECTED_KINDS];
    FORWARD_IF_ERROR(placement_of(&placement, result, node_of_rank, status));
    expected_load_clear(work->load);
    placement_add_load(work->load, &result->config->network, placement, &result->traffic);
    placement_free(placement);
    expected_load_sum(work->load, links);
    *value = (struct rank_exchange_value){0, 0};
    for (unsigned kind = 0; kind < EXPECTED_KINDS; kind++) {
        const wide time_ps = placement_link_time_ps(&links[kind]);
        if (time_ps > value->first) value->first = time_ps;
        value->second += links[kind].total_bytes;
    }
    return STATUS_OK;
}

/* Sets the key of the replay of a placement. */
static status_code key_of_placement(struct kept_key *key, const anax_placement *result,
                                    const uint32_t *node_of_rank, struct status *status) {
    const uint32_t ranks = result->placement->rank_count;
    FORWARD_IF_ERROR(kept_key_begin(key, result->config, ANAX_SCOPE_REPLAY, status));
    kept_key_add(key, result->trace->program->content_hash);
    kept_key_add(key, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        kept_key_add(key, node_of_rank[rank]);
    return STATUS_OK;
}

static kept_state find_time(int64_t *time_ps, const char *folder, const struct kept_key *key) {
    struct json_object *object;
    kept_state state = kept_read(&object, folder, key);
    if (state == KEPT_FOUND) {
        const char *schema = kept_read_text(object, "schema");
        if (schema == NULL || strcmp(schema, POINT_SCHEMA) != 0 ||
            !kept_read_count(object, "time_ps", time_ps))
            state = KEPT_DAMAGED;
    }
    json_object_put(object);
    return state;
}

static status_code keep_time(int64_t time_ps, double seconds, const char *folder,
                             const struct kept_key *key, struct status *status) {
    struct json_object *object = kept_begin(POINT_SCHEMA, "search for a placement", seconds);
    if (object != NULL) json_put_int(object, "time_ps", time_ps);
    return kept_write(object, folder, key, status);
}

static status_code run_replay(const struct placement_work *work, const uint32_t *node_of_rank,
                              int64_t *time_ps, struct status *status) {
    const anax_config *config = work->result->config;
    anax_replay_result *tried = NULL;
    FORWARD_IF_ERROR(result_new_replay(&tried, config, status));
    tried->run.config->jobs.replays_alone = false;
    struct job job = {.trace = (anax_trace *)work->result->trace,
                      .is_borrowed = true,
                      .name = "search",
                      .seed = config->run.seed,
                      .traffic_class = config->replay.traffic_class,
                      .placement = config->placement,
                      .node_of_rank = node_of_rank};
    struct job *only = &job;
    const anax_jobs jobs = {&only, 1, 1};
    status_code code = jobs_run(tried, &jobs, work->options, status);
    if (code == STATUS_OK) *time_ps = tried->replay->time_ps;
    anax_replay_result_free(tried);
    return code;
}

static status_code measure_replay(void *context, const uint32_t *node_of_rank,
                                  struct rank_exchange_value *value, struct status *status) {
    const struct placement_work *work = context;
    const char *folder = work->folder;
    struct placement_search_numbers *figures = &work->result->search;
    struct kept_key key;
    int64_t time_ps = 0;
    kept_state state = KEPT_ABSENT;
    if (folder != NULL) {
        FORWARD_IF_ERROR(key_of_placement(&key, work->result, node_of_rank, status));
        state = find_time(&time_ps, folder, &key);
    }
    figures->found += state == KEPT_FOUND;
    figures->damaged += state == KEPT_DAMAGED;
    if (state != KEPT_FOUND) {
        const double begin_s = api_clock_s();
        FORWARD_IF_ERROR(run_replay(work, node_of_rank, &time_ps, status));
        if (folder != NULL)
            FORWARD_IF_ERROR(keep_time(time_ps, api_clock_s() - begin_s, folder, &key, status));
    }
    *value = (struct rank_exchange_value){(uint64_t)time_ps, 0};
    return STATUS_OK;
}

/* Lists the slots of all nodes that may have ranks. */
static status_code list_slots(uint32_t **slots, uint32_t *count, const anax_placement *result,
                              const bool *taken, struct status *status) {
    const uint64_t each = (uint64_t)result->config->placement.ranks_per_node;
    const uint32_t nodes = result->placement->node_count;
    uint64_t free_nodes = 0;
    for (uint32_t node = 0; node < nodes; node++)
        free_nodes += !taken[node];
    RETURN_ERROR_IF(
        free_nodes * each > UINT32_MAX, status, STATUS_USAGE,
        "a search places ranks on at most 2^32 - 1 places; lower placement.ranks_per_node");
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
static status_code search_replays(struct placement_work *work, struct rank_exchange_task *task,
                                  uint32_t *nodes, struct status *status) {
    struct placement_search_numbers *figures = &work->result->search;
    struct rank_exchange_found found;
    struct rank_exchange_value value;
    if (work->folder != NULL) FORWARD_IF_ERROR(kept_create_folder(work->folder, status));
    uint32_t *by_links = memory_new(task->rank_count, sizeof *by_links);
    RETURN_ERROR_IF(by_links == NULL, status, STATUS_MEMORY, "out of memory for a search");
    memcpy(by_links, nodes, task->rank_count * sizeof *nodes);
    memcpy(nodes, work->result->placement->node_of_rank, task->rank_count * sizeof *nodes);
    task->measure = measure_replay;
    task->budget = (uint64_t)work->result->config->exchange.replays;
    task->other_start = by_links;
    status_code code = rank_exchange_search(nodes, &found, task, status);
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

static status_code search_by_exchange(struct placement_work *work, uint32_t *nodes,
                                      const bool *taken, struct status *status) {
    anax_placement *result = work->result;
    const struct api_exchange_config *config = &result->config->exchange;
    struct rank_exchange_task task = {.rank_count = result->placement->rank_count,
                                      .seed = (uint64_t)result->config->run.seed,
                                      .context = work};
    struct rank_exchange_found found;
    uint32_t *slots = NULL;
    FORWARD_IF_ERROR(list_slots(&slots, &task.slot_count, result, taken, status));
    task.node_of_slot = slots;
    task.measure = measure_links;
    task.budget = (uint64_t)config->placements;
    status_code code = rank_exchange_search(nodes, &found, &task, status);
    if (code == STATUS_OK) {
        result->search = (struct placement_search_numbers){.placements = found.measures,
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

status_code placement_search_run(anax_placement *result, const bool *taken, const char *folder,
                                 const anax_options *options, struct status *status) {
    struct placement_work work = {.result = result, .options = options, .folder = folder};
    const uint32_t ranks = result->placement->rank_count;
    struct placement *best = NULL;
    uint32_t *nodes = memory_new(ranks, sizeof *nodes);
    RETURN_ERROR_IF(nodes == NULL, status, STATUS_MEMORY, "out of memory for a search");
    memcpy(nodes, result->placement->node_of_rank, ranks * sizeof *nodes);
    status_code code = expected_load_new(&work.load, &result->config->network, status);
    if (code == STATUS_OK) code = search_by_exchange(&work, nodes, taken, status);
    if (code == STATUS_OK) code = placement_of(&best, result, nodes, status);
    if (code == STATUS_OK) {
        placement_free(result->placement);
        result->placement = best;
    }
    expected_load_free(work.load);
    free(nodes);
    return code;
}
