/* Tells causes.c, rank_states.c and origins.c what a rank has spent its time on, each if it is in
 * use. */
#include "replay/engine/measurement/observers.h"
#include "replay/engine/causes/causes.h"
#include "replay/engine/measurement/origins.h"
#include "replay/engine/measurement/rank_states.h"

void observe_send(struct engine_domain *domain, const struct engine_rank *rank, int64_t cost_ps) {
    rank_states_record(domain, rank->result.rank, REPLAY_STATE_SEND, rank->clock_ps, cost_ps);
    if (causes_are_kept(domain)) causes_charge_rank_send(domain, rank->result.rank, cost_ps);
}

void observe_receive(struct engine_domain *domain, const struct engine_rank *rank,
                     int64_t cost_ps) {
    rank_states_record(domain, rank->result.rank, REPLAY_STATE_RECEIVE, rank->clock_ps, cost_ps);
    if (causes_are_kept(domain)) causes_charge_rank_receive(domain, rank->result.rank, cost_ps);
}

void observe_completion(struct engine_domain *domain, const struct engine_rank *rank,
                        struct host_completion cost) {
    int64_t cost_ps = cost.each_ps + cost.size_dependent_ps;
    rank_states_record(domain, rank->result.rank, REPLAY_STATE_SEND, rank->clock_ps, cost_ps);
    if (!causes_are_kept(domain)) return;
    causes_charge_rank(domain, rank->result.rank, CHAIN_SEND_COMPLETION, cost.each_ps);
    causes_charge_rank(domain, rank->result.rank, CHAIN_SEND_COMPLETION_BYTES,
                       cost.size_dependent_ps);
}

void observe_compute(struct engine_domain *domain, const struct engine_rank *rank,
                     int64_t needed_ps, int64_t time_ps) {
    rank_states_record(domain, rank->result.rank, REPLAY_STATE_COMPUTE, rank->clock_ps, time_ps);
    if (causes_are_kept(domain))
        causes_charge_computation(domain, rank->result.rank, needed_ps, time_ps);
}

void observe_wait(struct engine_domain *domain, const struct engine_rank *rank, int64_t from_ps,
                  const struct engine_transfer_end *end) {
    rank_states_wait(domain, rank->result.rank, from_ps, end);
    if (causes_are_kept(domain)) causes_rank_waited(domain, rank->result.rank);
}

void observe_enter(struct engine_domain *domain, uint32_t rank, uint32_t region) {
    if (causes_are_kept(domain)) causes_enter(domain, rank, region);
    if (origins_are_kept(domain)) origins_enter(domain, rank, region);
}

void observe_leave(struct engine_domain *domain, uint32_t rank) {
    if (causes_are_kept(domain)) causes_leave(domain, rank);
    if (origins_are_kept(domain)) origins_leave(domain, rank);
}
