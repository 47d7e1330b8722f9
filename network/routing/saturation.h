/*
 * Which global links of a group are saturated, and what its routers know of that: each tells the
 * others with the packets it sends them, so that news takes the local latency of each hop and no
 * bandwidth.
 *
 * Must not know what routing makes of it. Invariant: a link's queue is what was routed to its port
 * less what was credited back, at every instant; flags are found once an instant, when all that
 * happens in it is known, so they do not depend on the order of events.
 */
#ifndef ANAX_NETWORK_SATURATION_H
#define ANAX_NETWORK_SATURATION_H

#include "network/engine/state.h"

struct saturation;

/* NULL if memory is short. */
struct saturation *saturation_new(const struct network *network);
void saturation_free(struct saturation *saturation); /* NULL allowed */

/* Bytes more (or, negative, less) in the queue of a global link of the group. */
void saturation_count(struct network_domain *domain, uint32_t link, int64_t bytes);
/* Bytes that begin to wait for an output's port VC, or, negative, no longer wait for it, having
 * been decided on anew; bytes that have waited and are sent. In a queue without those that wait
 * they count from then on, in one with them they stay counted. */
void saturation_count_waiting(struct network_domain *domain, uint32_t port_vc, int64_t bytes);
void saturation_count_sent(struct network_domain *domain, uint32_t port_vc, int64_t bytes);
/* A credit for a global output's port VC that will come: its queue shrinks then. */
void saturation_expect_credit(struct network_domain *domain, uint32_t port_vc, uint32_t bytes,
                              int64_t time_ps);
void saturation_credit(struct network_domain *domain, uint32_t port_vc, uint32_t bytes);
/* At the end of an instant: finds the flags of routers whose queues have changed, and sends news.
 */
void saturation_settle(struct network_domain *domain);
/* News has reached the routers that are so many hops away: hops·2 + whether it is saturated. */
void saturation_hear(struct network_domain *domain, uint32_t link, uint32_t news);

/* Whether a router knows a link of the group as saturated; of its own it knows at once. */
bool saturation_known(const struct network_domain *domain, uint32_t router, uint32_t link);

#endif
