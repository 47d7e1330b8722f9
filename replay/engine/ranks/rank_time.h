/*
 * The time of a rank: how it spends CPU time, computes and waits, and in which part of its result
 * each picosecond counts.
 *
 * Invariant: the times in the rank's result add up to its clock less the time of its start. The
 * functions are inline, since a rank calls some of them for every message.
 */
#ifndef ANAX_REPLAY_RANK_TIME_H
#define ANAX_REPLAY_RANK_TIME_H

#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/observers.h"
#include "replay/engine/measurement/rank_states.h"
#include "replay/engine/state/engine_domain.h"
#include "replay/hosts/host_cost.h"

/* Lets the rank wait until until_ps, as part *part_ps of its result. Returns whether it must wait.
 */
static inline bool rank_wait_until(struct engine_rank *rank, int64_t until_ps, int64_t *part_ps) {
    if (until_ps <= rank->clock_ps) return false;
    *part_ps += until_ps - rank->clock_ps;
    rank->waited_ps += until_ps - rank->clock_ps;
    rank->clock_ps = until_ps;
    return true;
}

/* Adds a part of a wait to the result of a rank, the context. */
static inline void rank_account_part(void *context, wait_part part, int64_t from_ps,
                                     int64_t until_ps) {
    struct replay_rank_result *result = context;
    switch (part) {
    case WAIT_PART_LATE_SENDER:
        result->wait_late_sender_ps += until_ps - from_ps;
        break;
    case WAIT_PART_STORAGE:
        result->wait_storage_ps += until_ps - from_ps;
        /* fallthrough */
    case WAIT_PART_LATE_RECEIVER:
        result->wait_late_receiver_ps += until_ps - from_ps;
        break;
    case WAIT_PART_TRANSIT:
        result->wait_transit_ps += until_ps - from_ps;
        break;
    case WAIT_PART_QUEUEING:
        result->wait_queueing_ps += until_ps - from_ps;
    }
}

/* Splits the wait from the rank's clock until the end of a transfer among its causes. */
static inline void rank_account_transfer(struct engine_domain *domain, struct engine_rank *rank,
                                         const struct engine_transfer_end *end) {
    int64_t from_ps = rank->clock_ps;
    int64_t until_ps = wait_divide(end, from_ps, rank_account_part, &rank->result);
    if (until_ps == from_ps && causes_are_kept(domain))
        causes_rank_passed(domain, rank->result.rank);
    if (until_ps == from_ps) return;
    rank->waited_ps += until_ps - from_ps;
    rank->clock_ps = until_ps;
    if (engine_is_observed(domain)) observe_wait(domain, rank, from_ps, end);
}

/* Lets the rank wait until until_ps for a collective. `wait` has the known causes. They may add up
 * to more than the wait, since the rank has waited for other things meanwhile. Then late partners
 * are shortened first, then transit, then queueing. Returns false if the rank's clock is not
 * earlier. */
static inline bool rank_account_collective(struct engine_domain *domain, struct engine_rank *rank,
                                           int64_t until_ps,
                                           const struct replay_collective_wait *wait) {
    int64_t left_ps = until_ps - rank->clock_ps;
    struct replay_collective_wait *sums = &rank->result.collective, parts = {0};
    if (!rank_wait_until(rank, until_ps, &rank->result.collective_ps)) return false;
    parts.queueing_ps = wait->queueing_ps < left_ps ? wait->queueing_ps : left_ps;
    left_ps -= parts.queueing_ps;
    parts.transit_ps = wait->transit_ps < left_ps ? wait->transit_ps : left_ps;
    left_ps -= parts.transit_ps;
    parts.late_ps = wait->late_ps < left_ps ? wait->late_ps : left_ps;
    parts.other_ps = left_ps - parts.late_ps;
    sums->late_ps += parts.late_ps;
    sums->transit_ps += parts.transit_ps;
    sums->queueing_ps += parts.queueing_ps;
    sums->other_ps += parts.other_ps;
    if (engine_is_observed(domain))
        rank_states_wait_for_collective(domain, rank->result.rank, until_ps, &parts);
    return true;
}

/* Spends the CPU time of a receive. */
static inline void rank_charge_receive(struct engine_domain *domain, struct engine_rank *rank,
                                       int64_t cost_ps) {
    engine_spend(domain, rank->result.rank, &rank->clock_ps, cost_ps,
                 &rank->result.receive_overhead_ps);
    if (engine_is_observed(domain)) observe_receive(domain, rank, cost_ps);
}

/* Spends the CPU time of a send. */
static inline void rank_charge_send(struct engine_domain *domain, struct engine_rank *rank,
                                    int64_t cost_ps) {
    engine_spend(domain, rank->result.rank, &rank->clock_ps, cost_ps,
                 &rank->result.send_overhead_ps);
    if (engine_is_observed(domain)) observe_send(domain, rank, cost_ps);
}

/* Spends the CPU time of the completion of a send. */
static inline void rank_charge_completion(struct engine_domain *domain, struct engine_rank *rank,
                                          replay_message_path path, uint64_t size_bytes) {
    struct host_completion cost =
        host_message_completion_cost(&domain->engine->config, path, size_bytes);
    engine_spend(domain, rank->result.rank, &rank->clock_ps, cost.each_ps + cost.size_dependent_ps,
                 &rank->result.send_overhead_ps);
    if (engine_is_observed(domain)) observe_completion(domain, rank, cost);
}

/* Returns the time in ps that a computation, operation `number` of the rank, takes on the rank's
 * host from start_ps on. */
static inline int64_t rank_duration_ps(const struct replay_engine *engine,
                                       const struct engine_rank *rank, uint64_t number,
                                       int64_t start_ps, int64_t duration_ps) {
    int64_t scaled_ps =
        host_scaled((uint64_t)duration_ps, engine->config.compute_scale_millionths, 1000000);
    if (engine->hosts == NULL) return scaled_ps;
    struct hosts_work work = {.seed = engine->seed,
                              .rank = engine->first_rank + rank->result.rank,
                              .node = rank->result.node,
                              .computation = number,
                              .start_ps = start_ps,
                              .needed_ps = scaled_ps};
    return hosts_duration_ps(engine->hosts, &work);
}

/* Returns the time in ps that a computation takes on the rank's host if nothing interrupts it. */
static inline int64_t rank_duration_without_noise_ps(const struct replay_engine *engine,
                                                     const struct engine_rank *rank,
                                                     int64_t duration_ps) {
    int64_t scaled_ps =
        host_scaled((uint64_t)duration_ps, engine->config.compute_scale_millionths, 1000000);
    if (engine->hosts == NULL || engine->hosts->factor_millionths == NULL) return scaled_ps;
    uint32_t host = engine->first_rank + rank->result.rank;
    return host_scaled((uint64_t)scaled_ps, engine->hosts->factor_millionths[host], 1000000);
}

#endif
