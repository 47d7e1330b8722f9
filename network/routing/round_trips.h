/*
 * Credit round trips: how long the credits of an output take to come back, beyond the time that
 * they take on an idle network, and how much later than it could a router therefore sends credits
 * upstream, so that queues further on are felt before buffers are full.
 *
 * Must not know what routing makes of it. Invariants: a port VC's list has one entry for each
 * packet sent and not yet credited, in the order of both; what an output's register holds hangs
 * only on the times of its credits and of its last transfer, not on when credits were looked at.
 */
#ifndef ANAX_NETWORK_ROUND_TRIPS_H
#define ANAX_NETWORK_ROUND_TRIPS_H

#include "network/engine/state.h"

struct round_trips;

/* NULL if memory is short. */
struct round_trips *round_trips_new(const struct network_domain *domain);
void round_trips_free(struct round_trips *trips); /* NULL allowed */

/* A packet is granted an output VC now. */
void round_trips_sent(struct network_domain *domain, uint32_t port_vc);
/* The credit of the port VC's oldest packet came at time_ps. */
void round_trips_credited(struct network_domain *domain, uint32_t port_vc, uint32_t bytes,
                          int64_t time_ps);
/* By how much to delay the credit of a packet that is granted an output's VC now. */
int64_t round_trips_delay_ps(struct network_domain *domain, uint32_t output, uint32_t vc);

#endif
