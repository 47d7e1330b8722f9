/*
 * One message: eager or rendezvous, matched with its receive.
 */
#ifndef ANAX_REPLAY_TRANSFER_H
#define ANAX_REPLAY_TRANSFER_H

#include "replay/engine/engine_state.h"

/* In transfer_send's flags, beside the program's: a message of a window, not counted. */
#define TRANSFER_OF_WINDOW 256u

/* CPU time of a send before it is handed over. */
int64_t transfer_send_cost_ps(const struct engine_domain *domain, uint32_t owner,
                              uint64_t size_bytes, unsigned flags);
/* Hands a message to the NIC at at_ps; key->source is the sender. True: complete
 * locally, the owner hears no more of it; else *handle is set. */
bool transfer_send(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                   uint64_t size_bytes, unsigned flags, int64_t at_ps, uint32_t *handle);
/* From now on it is the rank at its end that hears of a send. */
void transfer_tested(struct engine_domain *domain, uint32_t handle);
/* A send without a receive: sent as an eager message, and dropped on arrival. */
void transfer_send_unmatched(struct engine_domain *domain, uint32_t source, uint32_t destination,
                             uint64_t size_bytes, uint64_t operation, int64_t at_ps);
/* Posts a receive at at_ps. True: the message is already here, and costs *take_in_ps. */
bool transfer_receive(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                      int64_t at_ps, int64_t *take_in_ps);
void transfer_delivered(struct engine_domain *domain, int64_t now_ps,
                        const struct network_delivery *delivery);
/* The sender and receiver of a message with data; false for control messages. */
bool transfer_ranks(const struct network_message *message, uint32_t *sender, uint32_t *receiver);
void transfer_sent(struct engine_domain *domain, int64_t now_ps,
                   const struct network_cookie *cookie);
/* What progress puts off: answers a request whose receive is posted; sends the data of an answered
 * send; tells a sender that its data, which were here at arrived_ps, have been fetched. */
void transfer_answer(struct engine_domain *domain, const struct inflight_key *key, int64_t at_ps);
void transfer_data(struct engine_domain *domain, uint32_t handle, int64_t at_ps);
void transfer_finish(struct engine_domain *domain, const struct inflight_key *key, uint32_t handle,
                     int64_t arrived_ps, int64_t at_ps);
/* Completes all sends of at most size_bytes that wait for their receiver, as if they had been
 * eager. */
void transfer_release(struct engine_domain *domain, uint64_t size_bytes);
/* Tells the owner, a slot of that rank or an activation. */
void transfer_complete(struct engine_domain *domain, uint32_t rank, uint32_t owner,
                       const struct transfer_end *end);

#endif
