/*
 * Reads from the result of a replay what the rules of the verdict use: sums over ranks, the busiest
 * node, the most uneven job, a bound from I/O nodes, and the threshold that would make messages
 * eager.
 */
#include "api/results/verdict_numbers.h"

#include "replay/hosts/storage_nodes.h"

/* The largest eager threshold that is recommended. */
enum { LARGEST_EAGER = 1 << 20 };

/* Finds the job whose computation is the most uneven. Jobs differ from each other in any case. */
static void find_imbalance(struct verdict_numbers *numbers) {
    const struct replay_result *replay = numbers->replay;
    for (uint32_t first = 0, end; first < replay->rank_count; first = end) {
        const size_t job = api_job_of(numbers->result, first);
        uint32_t max = first;
        wide sum = 0;
        for (end = first; end < replay->rank_count && api_job_of(numbers->result, end) == job;
             end++) {
            sum += (uint64_t)replay->ranks[end].compute_ps;
            if (replay->ranks[end].compute_ps > replay->ranks[max].compute_ps) max = end;
        }
        const wide max_ps = (wide)(uint64_t)replay->ranks[max].compute_ps * (end - first);
        const wide imbalance = sum > 0 ? max_ps * 1000000 / sum : 0;
        if (imbalance <= numbers->imbalance) continue;
        numbers->imbalance = imbalance;
        numbers->max_compute_rank = max;
    }
}

/* Returns the power of two that the largest message of the program fits into; 0 if the threshold of
 * the replay holds it already, or if it is above LARGEST_EAGER. */
static int64_t next_threshold(const struct verdict_numbers *numbers) {
    struct program_totals totals;
    program_totals_compute(numbers->result->trace->program, &totals);
    unsigned largest = 64;
    while (largest > 0 && totals.size_histogram[largest - 1] == 0)
        largest--;
    if (largest == 0 || largest > 21) return 0;
    const int64_t bytes = INT64_C(1) << (largest - 1);
    return bytes > numbers->replay->eager_threshold_bytes && bytes <= LARGEST_EAGER ? bytes : 0;
}

static bool has_ranks(const struct placement *placement, uint32_t node) {
    return placement->first_rank[node + 1] > placement->first_rank[node];
}

/* Keeps the channel in numbers->endpoint if its node has ranks and it is busy for longer than the
 * one there. */
static void record_endpoint(void *context, const struct network_link *link) {
    struct verdict_numbers *numbers = context;
    if (link->channel_kind != NETWORK_TERMINAL || link->busy_ps <= numbers->endpoint.busy_ps ||
        !has_ranks(numbers->result->placement,
                   link->is_injection ? link->source : link->destination))
        return;
    numbers->endpoint = *link;
}

/* Finds numbers->endpoint. There is none with background traffic, which loads channels for nothing
 * that the run waits for. Time after the end of the run does not count. */
static void find_endpoint(struct verdict_numbers *numbers) {
    const anax_replay_result *result = numbers->result;
    const struct network_config *network = &result->run.config->network;
    if (network->rails != 1 || network_config_nics(network) != 1 || result->background.nodes > 0)
        return;
    network_visit_links(result->run.network, record_endpoint, numbers);
    if (numbers->endpoint.busy_ps > numbers->replay->time_ps)
        numbers->endpoint.busy_ps = numbers->replay->time_ps;
}

/* Returns a lower bound of the replay's time from its I/O nodes, which holds for any network: the
 * time for which the busiest one works. With io.rule=nearest the placement decides which node
 * serves a rank, so the bound is the mean over the I/O nodes. Nodes that work beyond the end of the
 * run do not count: it may be that no rank waits for them. */
static int64_t storage_bound_ps(const anax_replay_result *result) {
    const struct replay_result *replay = result->replay;
    wide sum_ps = 0;
    int64_t max_ps = 0;
    for (uint32_t i = 0; i < replay->storage_count; i++) {
        const struct replay_storage_node *node = &replay->storage[i];
        if (node->free_ps > replay->time_ps) continue;
        sum_ps += (uint64_t)node->busy_ps;
        if (node->busy_ps > max_ps) max_ps = node->busy_ps;
    }
    if (replay->storage_count == 0 ||
        result->run.config->replay.storage.rule != STORAGE_RULE_NEAREST)
        return max_ps;
    return (int64_t)(sum_ps / replay->storage_count);
}

void verdict_numbers_read(struct verdict_numbers *numbers, const anax_replay_result *result) {
    const struct replay_result *replay = result->replay;
    *numbers = (struct verdict_numbers){.result = result, .replay = replay};
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_rank_result *rank = &replay->ranks[i];
        const int64_t host_ps =
            rank->send_overhead_ps + rank->receive_overhead_ps + rank->reduction_ps;
        const int64_t start_ps =
            result->job_count > 0 ? result->jobs[api_job_of(result, i)].start_ps : 0;
        const int64_t end_ps = start_ps + rank->compute_ps + host_ps;
        numbers->time_sum_ps += (uint64_t)rank->time_ps;
        numbers->compute_sum_ps += (uint64_t)rank->compute_ps;
        numbers->host_sum_ps += (uint64_t)(host_ps + rank->collective.other_ps);
        numbers->late_sender_sum_ps += (uint64_t)rank->wait_late_sender_ps;
        numbers->late_receiver_sum_ps +=
            (uint64_t)(rank->wait_late_receiver_ps - rank->wait_storage_ps);
        numbers->storage_sum_ps += (uint64_t)rank->wait_storage_ps;
        numbers->transit_sum_ps += (uint64_t)(rank->wait_transit_ps + rank->collective.transit_ps);
        numbers->queueing_sum_ps +=
            (uint64_t)(rank->wait_queueing_ps + rank->collective.queueing_ps);
        numbers->late_collective_sum_ps += (uint64_t)rank->collective.late_ps;
        if (end_ps > numbers->earliest_end_ps) {
            numbers->earliest_end_ps = end_ps;
            numbers->earliest_end_rank = i;
            numbers->earliest_end_start_ps = start_ps;
        }
    }
    find_imbalance(numbers);
    link_numbers_busiest(result->run.network, &numbers->busiest);
    find_endpoint(numbers);
    numbers->storage_ps = storage_bound_ps(result);
    if (replay->rendezvous_messages > 0) numbers->next_threshold_bytes = next_threshold(numbers);
}
