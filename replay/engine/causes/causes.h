/*
 * Causes: which chain (chain.h) determined each time of a replay that explains its time. Every
 * rank, every activation (a collective in progress on one rank) and every message in flight has the
 * chain that led to its present time. Where a rank or an activation waited, the chain of what it
 * waited for replaces its own chain.
 *
 * The engine calls these functions only if causes_are_kept; otherwise the replay has no chains. A
 * function that runs out of memory fails its domain. Must not know: files, reports. Invariant: the
 * times of a rank's chain add up to its clock.
 */
#ifndef ANAX_REPLAY_CAUSES_H
#define ANAX_REPLAY_CAUSES_H

#include "core/base/compiler_hints.h"
#include "replay/engine/causes/chain.h"
#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"

#define CAUSES_NAMED_REGIONS   24u /* user regions with sums of their own */
#define CAUSES_NAMED_FUNCTIONS 24u /* MPI functions with sums of their own */

/* Returns whether the replay explains its time. */
static inline bool causes_are_kept(const struct engine_domain *domain) {
    return HINT_UNLIKELY(domain->engine->causes != NULL);
}

/* Prepares an engine for explaining its time. Must be called before engine_start. base_steps: see
 * chain_rules. has_one_thread: the replay runs on one thread. STATUS_MEMORY. */
status_code causes_new(struct replay_engine *engine, uint32_t base_steps, bool has_one_thread,
                       struct status *status);
/* Frees what causes_new has made; does nothing if there is nothing. */
HINT_NOINLINE void causes_free(struct replay_engine *engine);
/* Begins the chain of every rank at the rank's start. STATUS_MEMORY. */
status_code causes_start(struct replay_engine *engine, struct status *status);
/* Returns the rank that ends last among rank_count ranks from first_rank on. If several end at the
 * same time, returns the lowest one. */
uint32_t causes_last_rank(const struct replay_engine *engine, uint32_t first_rank,
                          uint32_t rank_count);
/* Returns the chain that led to a rank's end, which the engine keeps; NULL: out of memory. */
const struct chain *causes_chain_of_rank(const struct replay_engine *engine, uint32_t rank);
/* The named sums of chains: region_count sums of user regions, then mpi_function_count sums of MPI
 * functions. Region 0 is the time outside all user regions, and function 0 the time outside MPI
 * calls. If there are more regions (functions) than sums, the last one adds up all others. */
struct causes_names {
    const struct chain_rules *rules;
    uint32_t region_count;
    uint32_t mpi_function_count;
    const char *const *regions;
    const char *const *mpi_functions;
};
struct causes_names causes_names_of(const struct replay_engine *engine);
/* Sets *rivals to what is known of the rivals (chain.h) of the chain that leads to the end of the
 * last rank: all other chains that lead to the ends of rank_count ranks from first_rank on. Returns
 * false if nothing is known of them. */
bool causes_find_rivals(const struct replay_engine *engine, uint32_t first_rank,
                        uint32_t rank_count, struct chain_rivals *rivals);

/* ---- reports of the transport ---- */

/* Begins the report of a timer. Each domain handles one report of the transport at a time: the
 * current report, which causes_end_report ends. */
HINT_NOINLINE void causes_timer_expired(struct engine_domain *domain, int64_t now_ps,
                                        uint32_t rank);

/* Begins the report of a delivery, and restores the message's handle in its cookie, where a ticket
 * number stood. */
HINT_NOINLINE void causes_delivered(struct engine_domain *domain, int64_t now_ps,
                                    struct network_delivery *delivery);

/* Begins the report that a message has left its NIC, and restores the message's handle in its
 * cookie. */
HINT_NOINLINE void causes_sent(struct engine_domain *domain, int64_t now_ps,
                               struct network_cookie *cookie);

/* Ends the current report. */
HINT_NOINLINE void causes_end_report(struct engine_domain *domain);

/* Attaches the sending chain (below) to a message that is sent at ready_ps, and replaces the
 * handle in the message's cookie by a ticket number. */
HINT_NOINLINE void causes_send(struct engine_domain *domain, int64_t ready_ps,
                               struct network_message *message);

/* ---- the sending chain: the chain that the next messages and posted receives get. At the
 * beginning of a report, it is the chain that led to the report. ---- */

/* Makes the chain of a rank the sending chain. */
HINT_NOINLINE void causes_send_as_rank(struct engine_domain *domain, uint32_t rank);

/* Makes the chain of an activation the sending chain. */
HINT_NOINLINE void causes_send_as_activation(struct engine_domain *domain, uint32_t activation);

/* ---- CPU time ---- */

/* Records the path and the size of a message that is sent. The parts of its send overhead follow
 * from them. A domain keeps one message that is sent and one that is received: those of the latest
 * calls of this function and of the next one. They are called the recorded messages below. */
HINT_NOINLINE void causes_record_send(struct engine_domain *domain, replay_message_path path,
                                      uint64_t size_bytes);

/* Records the path and the size of a message that is received. */
HINT_NOINLINE void causes_record_receive(struct engine_domain *domain, replay_message_path path,
                                         uint64_t size_bytes);

/* Adds the send overhead of the recorded message that is sent, cost_ps in total, to the chain of a
 * rank. */
HINT_NOINLINE void causes_charge_rank_send(struct engine_domain *domain, uint32_t rank,
                                           int64_t cost_ps);

/* Adds the receive overhead of the recorded message that is received, cost_ps in total, to the
 * chain of a rank. */
HINT_NOINLINE void causes_charge_rank_receive(struct engine_domain *domain, uint32_t rank,
                                              int64_t cost_ps);

/* Adds the same send overhead to the chain of an activation. */
HINT_NOINLINE void causes_charge_activation_send(struct engine_domain *domain, uint32_t activation,
                                                 int64_t cost_ps);

/* Adds the same receive overhead to the chain of an activation. */
HINT_NOINLINE void causes_charge_activation_receive(struct engine_domain *domain,
                                                    uint32_t activation, int64_t cost_ps);

/* Keeps the parts of the receive overhead of the recorded message that is received, for
 * causes_charge_deferred. */
HINT_NOINLINE void causes_defer_receive_cost(struct engine_domain *domain, uint32_t activation);

/* Adds all overhead that causes_defer_receive_cost has kept for an activation, cost_ps in total, to
 * the activation's chain, and keeps none of it. */
HINT_NOINLINE void causes_charge_deferred(struct engine_domain *domain, uint32_t activation,
                                          int64_t cost_ps);

/* Adds time of a part that is neither overhead nor computation to the chain of a rank. */
HINT_NOINLINE void causes_charge_rank(struct engine_domain *domain, uint32_t rank, chain_part part,
                                      int64_t cost_ps);

/* Adds such time to the chain of an activation. */
HINT_NOINLINE void causes_charge_activation(struct engine_domain *domain, uint32_t activation,
                                            chain_part part, int64_t cost_ps);
/* Adds a computation of time_ps, of which needed_ps remain without noise, to a rank's chain. */
HINT_NOINLINE void causes_charge_computation(struct engine_domain *domain, uint32_t rank,
                                             int64_t needed_ps, int64_t time_ps);
/* The rank enters a user region. */
HINT_NOINLINE void causes_enter(struct engine_domain *domain, uint32_t rank, uint32_t region);

/* The rank leaves a user region. */
HINT_NOINLINE void causes_leave(struct engine_domain *domain, uint32_t rank);

/* ---- waiting ---- */

/* The rank was blocked until the current report: the report's chain becomes its chain. */
HINT_NOINLINE void causes_rank_waited(struct engine_domain *domain, uint32_t rank);

/* The activation was blocked until the current report: the report's chain becomes its chain. */
HINT_NOINLINE void causes_activation_waited(struct engine_domain *domain, uint32_t activation);

/* The current report completes something that the rank needs, but the rank's clock is later than
 * the report. The rank keeps its chain. Records by how much the report's chain is shorter. */
HINT_NOINLINE void causes_rank_passed(struct engine_domain *domain, uint32_t rank);

/* Does the same for an activation. */
HINT_NOINLINE void causes_activation_passed(struct engine_domain *domain, uint32_t activation);
/* The activation was blocked until its rank entered an MPI call: the rank's chain becomes its
 * chain. */
HINT_NOINLINE void causes_activation_resumed(struct engine_domain *domain, uint32_t activation);
/* Records that the owner of the sending chain posts a receive at at_ps, which may be later than the
 * current report. */
HINT_NOINLINE void causes_record_posted(struct engine_domain *domain,
                                        const struct inflight_key *key, int64_t at_ps);

/* The receive of the current report's request was posted later than the request arrived. The chain
 * that causes_record_posted kept for the receive becomes the sending chain. */
HINT_NOINLINE void causes_send_as_poster(struct engine_domain *domain,
                                         const struct inflight_key *key);
/* Records that the current report's message or request has arrived before its receive was posted.
 */
HINT_NOINLINE void causes_record_unexpected(struct engine_domain *domain,
                                            const struct inflight_key *key);
/* Records that the receive of an eager message is posted at at_ps, after the message arrived. */
HINT_NOINLINE void causes_match_unexpected(struct engine_domain *domain,
                                           const struct inflight_key *key, int64_t at_ps);
/* A request and its receive match, and the clear to send is sent next. The later of request and
 * receive determines when the clear to send is sent, and its chain is the sending chain. The other
 * one was margin_ps earlier. rank: the receiver. */
HINT_NOINLINE void causes_record_match_margin(struct engine_domain *domain, uint32_t rank,
                                              int64_t margin_ps);
/* Records that the longest chain depends on an order: in which a lock or an I/O node serves
 * requests, or in which a test and the end of its operation come. Nothing is known of other chains
 * then. */
HINT_NOINLINE void causes_mark_order_dependent(struct engine_domain *domain);

/* ---- slots: operations that a rank has not waited for yet ---- */

/* The message of the rank's slot `number` has arrived: with the current report, or before its
 * receive was posted. Keeps the time of its arrival and, for its receive overhead, the recorded
 * message that is received. */
HINT_NOINLINE void causes_record_slot_received(struct engine_domain *domain, uint32_t rank,
                                               uint32_t number);
/* Makes the message that a slot has received the recorded message that is received. */
HINT_NOINLINE void causes_record_receive_of_slot(struct engine_domain *domain, uint64_t slot);
/* Keeps the chain of the collective that was completed last, in the rank's slot `number`. */
HINT_NOINLINE void causes_record_slot_collective(struct engine_domain *domain, uint32_t rank,
                                                 uint32_t number);
/* The rank needs a slot that is complete already, and the rank's clock is later than the slot's
 * completion. The rank keeps its chain. Records how much earlier the slot was complete. */
HINT_NOINLINE void causes_slot_passed(struct engine_domain *domain, uint32_t rank, uint64_t slot);
/* The rank was blocked until the collective of a slot was complete: the collective's chain becomes
 * the rank's. */
HINT_NOINLINE void causes_slot_waited(struct engine_domain *domain, uint32_t rank, uint64_t slot);

/* Forgets the chain of a slot. */
HINT_NOINLINE void causes_empty_slot(struct engine_domain *domain, uint64_t slot);

/* ---- collectives. Each domain has the chain of the collective that was completed last. ---- */

/* A rank begins a collective. The rank's chain is also kept as that of the collective that was
 * completed last, in case the collective is complete at once and has no activation. */
HINT_NOINLINE void causes_begin_collective(struct engine_domain *domain, uint32_t rank);
/* Gives a new activation of a rank the rank's chain. */
HINT_NOINLINE void causes_begin_activation(struct engine_domain *domain, uint32_t activation,
                                           uint32_t rank);
/* An activation is complete. The domain keeps its chain as that of the collective that was
 * completed last. */
HINT_NOINLINE void causes_end_activation(struct engine_domain *domain, uint32_t activation);
/* The rank was in the collective that was completed last. The collective's chain becomes the
 * rank's. */
HINT_NOINLINE void causes_adopt_collective(struct engine_domain *domain, uint32_t rank);
/* The rank needs the non-blocking collective that was completed last. has_waited: the rank was
 * blocked until the collective was complete, and the collective's chain becomes the rank's.
 * Otherwise the rank's clock is later, and the rank keeps its chain. */
HINT_NOINLINE void causes_need_collective(struct engine_domain *domain, uint32_t rank,
                                          bool has_waited);
/* The rank did not wait for the collective that was completed last, since a test in the trace found
 * it complete. Keeps the chain of this collective in place of the one that was kept before. */
HINT_NOINLINE void causes_keep_detached(struct engine_domain *domain, uint32_t rank);

/* Does the same for the collective of a slot. */
HINT_NOINLINE void causes_keep_detached_slot(struct engine_domain *domain, uint32_t rank,
                                             uint64_t slot);
/* The rank was blocked at its end until the collective of causes_keep_detached was complete. The
 * chain that is kept of this collective becomes the rank's. */
HINT_NOINLINE void causes_adopt_detached(struct engine_domain *domain, uint32_t rank);

#endif
