/*
 * Causes: which chain (chain.h) determined each time of a replay that explains its time. Every
 * rank, every collective in progress and every message in flight has the chain that led to its
 * present time. Where a rank or collective waited, the chain of what it waited for takes the place
 * of its own.
 *
 * The parts of the engine call these functions only if causes_are_kept; otherwise the replay has no
 * chains. Must not know: files, reports. Invariant: the chain of a rank adds up to its clock.
 */
#ifndef ANAX_REPLAY_CAUSES_H
#define ANAX_REPLAY_CAUSES_H

#include "core/base/hints.h"
#include "replay/engine/chain.h"
#include "replay/engine/engine_state.h"
#include "replay/host_cost.h"

#define CAUSES_NAMED_REGIONS 24u /* user regions with sums of their own */
#define CAUSES_NAMED_CALLS   24u /* MPI functions with sums of their own */

/* Returns whether the replay explains its time. */
static inline bool causes_are_kept(const struct engine_domain *domain) {
    return HINT_UNLIKELY(domain->engine->causes != NULL);
}

/* Prepares an engine, before engine_start, for explaining its time. kept_steps: see chain_rules;
 * is_alone: it runs on one thread. STATUS_MEMORY. */
status_code causes_new(struct engine *engine, uint32_t kept_steps, bool is_alone,
                       struct status *status);
HINT_APART void causes_free(struct engine *engine);
/* Begins the chain of every rank at its start. STATUS_MEMORY. */
status_code causes_start(struct engine *engine, struct status *status);
/* Returns the rank that ends last among rank_count ones, of several the first. */
uint32_t causes_last_rank(const struct engine *engine, uint32_t first_rank, uint32_t rank_count);
/* Returns the chain that led to a rank's end; NULL: out of memory. */
const struct chain *causes_of_rank(const struct engine *engine, uint32_t rank);
/* The named sums of chains: region_count of user regions, then call_count of MPI functions. Region
 * 0 is the time outside all regions, and call 0 and the last region stand for those without a sum
 * of their own. */
struct causes_names {
    const struct chain_rules *rules;
    uint32_t region_count;
    uint32_t call_count;
    const char *const *regions;
    const char *const *calls;
};
struct causes_names causes_names_of(const struct engine *engine);
/* Says what other chains to the ends of some ranks have, compared with that of the last one.
 * Returns false if that is not known. */
bool causes_rivals(const struct engine *engine, uint32_t first_rank, uint32_t rank_count,
                   struct chain_rivals *rivals);

/* ---- reports of the transport ---- */

/* causes_delivered and causes_sent note the report that a domain handles now, and put the handle
 * back into the message's cookie. causes_over notes that it has been handled. */
HINT_APART void causes_timer(struct engine_domain *domain, int64_t now_ps, uint32_t rank);
HINT_APART void causes_delivered(struct engine_domain *domain, int64_t now_ps,
                                 struct network_delivery *delivery);
HINT_APART void causes_sent(struct engine_domain *domain, int64_t now_ps,
                            struct network_cookie *cookie);
HINT_APART void causes_over(struct engine_domain *domain);
/* Gives a message that is sent at ready_ps the chain that led to this time. */
HINT_APART void causes_send(struct engine_domain *domain, int64_t ready_ps,
                            struct network_message *message);

/* ---- who sends messages, or posts receives, from now on; otherwise it is the current report ----
 */

HINT_APART void causes_speak_rank(struct engine_domain *domain, uint32_t rank);
HINT_APART void causes_speak_activation(struct engine_domain *domain, uint32_t activation);

/* ---- CPU time. The costs of messages are noted where their sizes are known. ---- */

HINT_APART void causes_note_send(struct engine_domain *domain, replay_message_path path,
                                 uint64_t size_bytes);
HINT_APART void causes_note_receive(struct engine_domain *domain, replay_message_path path,
                                    uint64_t size_bytes);
/* Spend the cost that was noted last. */
HINT_APART void causes_rank_sends(struct engine_domain *domain, uint32_t rank, int64_t cost_ps);
HINT_APART void causes_rank_receives(struct engine_domain *domain, uint32_t rank, int64_t cost_ps);
HINT_APART void causes_activation_sends(struct engine_domain *domain, uint32_t activation,
                                        int64_t cost_ps);
HINT_APART void causes_activation_receives(struct engine_domain *domain, uint32_t activation,
                                           int64_t cost_ps);
/* causes_owe keeps the cost of a receive for later, and causes_pay spends what is kept. */
HINT_APART void causes_owe(struct engine_domain *domain, uint32_t activation);
HINT_APART void causes_pay(struct engine_domain *domain, uint32_t activation, int64_t cost_ps);
/* Spend time of another part. */
HINT_APART void causes_rank_spends(struct engine_domain *domain, uint32_t rank, chain_part part,
                                   int64_t cost_ps);
HINT_APART void causes_activation_spends(struct engine_domain *domain, uint32_t activation,
                                         chain_part part, int64_t cost_ps);
/* A computation of time_ps, which takes needed_ps without noise. */
HINT_APART void causes_compute(struct engine_domain *domain, uint32_t rank, int64_t needed_ps,
                               int64_t time_ps);
HINT_APART void causes_enter(struct engine_domain *domain, uint32_t rank, uint32_t region);
HINT_APART void causes_leave(struct engine_domain *domain, uint32_t rank);

/* ---- waiting ---- */

/* The rank or the activation has waited for the current report. */
HINT_APART void causes_rank_waited(struct engine_domain *domain, uint32_t rank);
HINT_APART void causes_activation_waited(struct engine_domain *domain, uint32_t activation);
/* The rank or the activation, which waits, need not wait for the current report any longer: its
 * clock is later. */
HINT_APART void causes_rank_passed(struct engine_domain *domain, uint32_t rank);
HINT_APART void causes_activation_passed(struct engine_domain *domain, uint32_t activation);
/* The activation has waited for its rank. */
HINT_APART void causes_activation_resumed(struct engine_domain *domain, uint32_t activation);
/* A receive was posted at at_ps, which may be after the current time. causes_posted makes the
 * chain of that time the one that messages are sent from. */
HINT_APART void causes_post(struct engine_domain *domain, const struct inflight_key *key,
                            int64_t at_ps);
HINT_APART void causes_posted(struct engine_domain *domain, const struct inflight_key *key);
/* The current report, of a message with this key, came before the receive was posted. */
HINT_APART void causes_unexpected(struct engine_domain *domain, const struct inflight_key *key);
/* The receive of such an eager message is posted at at_ps. */
HINT_APART void causes_expected(struct engine_domain *domain, const struct inflight_key *key,
                                int64_t at_ps);
/* The message that is sent next is sent at that time, and not margin_ps earlier, because of whoever
 * sends messages now. The rank has the other cause. */
HINT_APART void causes_met(struct engine_domain *domain, uint32_t rank, int64_t margin_ps);
/* Which chain is the longest depends on the order of things that take turns. */
HINT_APART void causes_take_turns(struct engine_domain *domain);

/* ---- slots: what a rank has not waited for yet ---- */

/* A message of the rank's slot has arrived: the current report, or an unexpected message. */
HINT_APART void causes_slot_received(struct engine_domain *domain, uint32_t rank, uint32_t number);
HINT_APART void causes_slot_take_in(struct engine_domain *domain, uint64_t slot);
HINT_APART void causes_slot_collective(struct engine_domain *domain, uint32_t rank,
                                       uint32_t number);
/* The rank needs a slot that is complete, and does not wait. */
HINT_APART void causes_slot_passed(struct engine_domain *domain, uint32_t rank, uint64_t slot);
HINT_APART void causes_slot_empty(struct engine_domain *domain, uint64_t slot);
/* The rank has waited for the collective of a slot. */
HINT_APART void causes_slot_waited(struct engine_domain *domain, uint32_t rank, uint64_t slot);

/* ---- collectives ---- */

/* A rank begins a collective, which may turn out to be complete at once. */
HINT_APART void causes_begin(struct engine_domain *domain, uint32_t rank);
HINT_APART void causes_activation_new(struct engine_domain *domain, uint32_t activation,
                                      uint32_t rank);
/* Makes the chain of an activation that of the collective that was complete last. */
HINT_APART void causes_activation_done(struct engine_domain *domain, uint32_t activation);
/* The rank has waited for the collective that was complete last. */
HINT_APART void causes_rank_completed(struct engine_domain *domain, uint32_t rank);
/* The rank needs the collective that was complete last, for which it has waited or not. */
HINT_APART void causes_rank_meets(struct engine_domain *domain, uint32_t rank, bool waited);
/* The collective that was complete last, or that of a slot, is the latest of those that the rank
 * went on without; causes_rank_ended: the rank has waited for it. */
HINT_APART void causes_detached(struct engine_domain *domain, uint32_t rank);
HINT_APART void causes_detached_slot(struct engine_domain *domain, uint32_t rank, uint64_t slot);
HINT_APART void causes_rank_ended(struct engine_domain *domain, uint32_t rank);

#endif
