/*
 * Which global links of a group are saturated, and which routers of the group know it. When a link
 * becomes saturated, or no longer is, its router reports that to all others of the group. A report
 * takes the local latency for each local hop, and no bandwidth, as if the packets that routers send
 * each other carried it.
 *
 * This module must not know how routing uses the information.
 *
 * Invariant: at every instant, the queue of a link has the bytes of the packets that have requested
 * its port (without network.ugal.waiting: that were sent by it), less the bytes credited back. This
 * holds for either value of network.ugal.queue. With network.ugal.measure vc, only the VC of
 * minimal paths counts. Callers report the bytes that begin to wait for a global output, and,
 * without network.ugal.waiting, the bytes that any output sends; what is not of a global link has
 * no effect. Flags are computed once per instant, after all its events, so they do not depend on
 * the order of events.
 */
#ifndef ANAX_NETWORK_SATURATION_H
#define ANAX_NETWORK_SATURATION_H

#include "core/checkpoint/saved_state.h"
#include "network/engine/state/state.h"

struct saturation;

/* Returns NULL if memory is short. The caller frees the result with saturation_free. */
struct saturation *saturation_new(const struct network *network);

/* Frees what saturation_new has made; NULL is allowed. */
void saturation_free(struct saturation *saturation);
/* Saves or restores the state of a rail group, which has one. */
void saturation_save_or_restore(struct saved_state *state, struct rail_group *rail_group);

/* Adds bytes (negative: removes) to the queue of a global link of the group. */
void saturation_count(struct rail_group *rail_group, uint32_t link, int64_t bytes);
/* Records bytes that begin to wait for an output's port VC. Negative: bytes that no longer wait for
 * it, because the route of their packet is decided again. */
void saturation_count_waiting(struct rail_group *rail_group, uint32_t port_vc, int64_t bytes);
/* Records bytes that have waited for an output's port VC and are now sent. */
void saturation_count_sent(struct rail_group *rail_group, uint32_t port_vc, int64_t bytes);
/* Announces a credit that will arrive at time_ps for a global output's port VC. At that time the
 * network calls saturation_remove_credit. */
void saturation_expect_credit(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes,
                              int64_t time_ps);
/* Removes the bytes of a credit from the queue of a port VC's link. */
void saturation_remove_credit(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes);
/* Ends an instant: computes the flags of routers whose queues have changed, and sends reports. */
void saturation_settle(struct rail_group *rail_group);
/* Records that a report on a link has reached the routers that are some hops away from its router.
 * `report` is hops·2, plus 1 if the link is saturated. */
void saturation_receive_report(struct rail_group *rail_group, uint32_t link, uint32_t report);

/* Returns whether a router knows that a link of the group is saturated. It knows of its own links
 * at once. */
bool saturation_known(const struct rail_group *rail_group, uint32_t router, uint32_t link);

#endif
