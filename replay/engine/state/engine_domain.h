/*
 * Functions of a domain that all parts of the engine use: send, set timers, spend time, fail.
 */
#ifndef ANAX_REPLAY_ENGINE_DOMAIN_H
#define ANAX_REPLAY_ENGINE_DOMAIN_H

#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"

/* Records a failure of a domain. Later failures of the domain are ignored. */
void engine_fail(struct engine_domain *domain, status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Fails the domain because a rank's clock has passed HOST_TIME_LIMIT_PS, and sets *clock_ps to this
 * limit. */
void engine_fail_at_limit(struct engine_domain *domain, uint32_t rank, int64_t *clock_ps);
/* Spends CPU time: adds a cost to a clock of a rank, and to *part_ps, a member of its result (NULL:
 * to none). Beyond HOST_TIME_LIMIT_PS it fails the domain, and *part_ps stays. */
static inline void engine_spend(struct engine_domain *domain, uint32_t rank, int64_t *clock_ps,
                                int64_t cost_ps, int64_t *part_ps) {
    *clock_ps += cost_ps;
    if (*clock_ps > HOST_TIME_LIMIT_PS)
        engine_fail_at_limit(domain, rank, clock_ps);
    else if (part_ps != NULL)
        *part_ps += cost_ps;
}
/* Returns the domain of the rank's node. */
struct engine_domain *engine_domain_of_rank(struct replay_engine *engine, uint32_t rank);
/* Returns the world rank of a member, numbered as in collective_call. self: the rank that asks, for
 * communicators whose member list depends on it. */
uint32_t engine_rank_of_member(const struct replay_engine *engine, uint32_t communicator,
                               uint32_t member, uint32_t self);
/* Hands a message to the transport, and counts the events that it causes (quiescence.c). */
void engine_send_message(struct engine_domain *domain, int64_t ready_ps,
                         const struct network_message *message);
/* Sets a timer of a rank at at_ps, and counts it as an event to come. */
void engine_set_timer(struct engine_domain *domain, int64_t at_ps, uint32_t rank);

#endif
