/*
 * Which global links of a group are saturated, and what the routers of the group know of that. News
 * takes the local latency for each local hop, and no bandwidth, as if the packets that routers send
 * each other carried it.
 *
 * This module must not know how routing uses the information. Invariant: at every instant, a link's
 * queue is what asked for its port (without network.ugal.waiting: what was sent) less what was
 * credited back, whatever network.ugal.queue says; with network.ugal.measure vc it counts the VC of
 * minimal paths only. Flags are computed
 * once per instant, after all its events, so they do not depend on the order of events.
 */
#ifndef ANAX_NETWORK_SATURATION_H
#define ANAX_NETWORK_SATURATION_H

#include "core/checkpoint/saved_state.h"
#include "network/engine/state.h"

struct saturation;

/* Returns NULL if memory is short. The caller frees the result with saturation_free. */
struct saturation *saturation_new(const struct network *network);
void saturation_free(struct saturation *saturation); /* NULL is allowed */
/* Saves or restores the state of a domain, which has one. */
void saturation_saved(struct saved_state *state, struct network_domain *domain);

/* Adds bytes (negative: removes) to the queue of a global link of the group. */
void saturation_count(struct network_domain *domain, uint32_t link, int64_t bytes);
/* saturation_count_waiting notes bytes that begin to wait for an output's port VC or, if negative,
 * that no longer wait for it because their packet was decided on again. saturation_count_sent notes
 * bytes that have waited and are now sent. With network.ugal.waiting, bytes count from when they
 * begin to wait; without it, from when they are sent. */
void saturation_count_waiting(struct network_domain *domain, uint32_t port_vc, int64_t bytes);
void saturation_count_sent(struct network_domain *domain, uint32_t port_vc, int64_t bytes);
/* Announces a credit that will come at time_ps for a global output's port VC. Its queue shrinks at
 * that time. */
void saturation_expect_credit(struct network_domain *domain, uint32_t port_vc, uint32_t bytes,
                              int64_t time_ps);
void saturation_credit(struct network_domain *domain, uint32_t port_vc, uint32_t bytes);
/* Ends an instant: computes the flags of routers whose queues have changed, and sends news. */
void saturation_settle(struct network_domain *domain);
/* Notes that news of a link has reached the routers that are some hops away from its router. `news`
 * is hops·2, plus 1 if the link is saturated. */
void saturation_receive_report(struct network_domain *domain, uint32_t link, uint32_t news);

/* Returns whether a router knows that a link of the group is saturated. It knows of its own links
 * at once. */
bool saturation_known(const struct network_domain *domain, uint32_t router, uint32_t link);

#endif
