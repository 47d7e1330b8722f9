/*
 * Credit round trips. This module measures how much longer the credits of an output take to come
 * back than they take on an idle network. From that it computes by how much a router delays the
 * credits that it sends upstream, so that queues further on are noticed before buffers are full.
 *
 * It must not know how routing uses the delays. Invariants: the list of a port VC has one entry for
 * each packet that was sent and not yet credited, in the order of sending, which is also the order
 * of crediting. Each VC of an output has a register. Its value depends only on the times of the
 * credits and of the last traversal of this VC, not on when the register is read.
 */
#ifndef ANAX_NETWORK_ROUND_TRIPS_H
#define ANAX_NETWORK_ROUND_TRIPS_H

#include "core/checkpoint/saved_state.h"
#include "network/engine/state/state.h"

struct round_trips;

/* Returns NULL if memory is short. The caller frees the result with round_trips_free. */
struct round_trips *round_trips_new(const struct rail_group *rail_group);

/* Frees what round_trips_new has made; NULL is allowed. */
void round_trips_free(struct round_trips *trips);
/* Saves or restores the state of a rail group, which has one. */
void round_trips_save_or_restore(struct saved_state *state, struct rail_group *rail_group);

/* Records that a packet is granted an output VC now. */
void round_trips_record_sent(struct rail_group *rail_group, uint32_t port_vc);
/* Records that the credit of the port VC's oldest packet, of so many bytes, came at time_ps. */
void round_trips_record_credit(struct rail_group *rail_group, uint32_t port_vc, uint32_t bytes,
                               int64_t time_ps);
/* Returns by how many ps to delay the credit of a packet that is granted an output's VC now. */
int64_t round_trips_delay_ps(struct rail_group *rail_group, uint32_t output, uint32_t vc);

#endif
