/*
 * Transfers: one message, eager or rendezvous, matched with its receive.
 */
#ifndef ANAX_REPLAY_TRANSFER_H
#define ANAX_REPLAY_TRANSFER_H

#include "replay/engine/state/engine_state.h"
#include "replay/hosts/host_cost.h"

/* A flag of transfer_send besides the program's flags: a message that synchronises a window, which
 * counts as neither eager nor rendezvous. */
#define TRANSFER_OF_WINDOW 256u

/* The flags of transfer_send from this bit on: the NIC of both nodes that carries the message, as
 * in network_message; NETWORK_NIC_ANY: the NICs of the ranks. */
#define TRANSFER_NIC_SHIFT 9u

/* Returns how a message travels. A ready send above the threshold is not copied if the rank waits
 * for it, and is complete when its data have left the NIC. */
replay_message_path transfer_path(const struct replay_engine *engine, uint32_t owner,
                                  uint64_t size_bytes, unsigned flags);
/* Returns the CPU time in ps of a send before the NIC gets its message. path: message_cost_path. */
int64_t transfer_send_cost_ps(struct engine_domain *domain, replay_message_path path,
                              uint64_t size_bytes);
/* Hands a message to the NIC at at_ps; key->source is the sender. Returns true if the send is
 * complete locally and its owner hears no more of it; otherwise returns false and sets *handle
 * to the send, or to PROGRAM_NONE if memory is short. */
bool transfer_send(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                   uint64_t size_bytes, unsigned flags, int64_t at_ps, uint32_t *handle);
/* Changes the owner of a send to ENGINE_OWNER_DETACHED: the rank waits for it only at its end. */
void transfer_detach(struct engine_domain *domain, uint32_t handle);
/* Sends the message of a send without a receive, as an eager message that is dropped on arrival.
 * `operation`: its index in the program. */
void transfer_send_unmatched(struct engine_domain *domain, uint32_t source, uint32_t destination,
                             uint64_t size_bytes, uint64_t operation, unsigned flags,
                             int64_t at_ps);
/* Posts a receive at at_ps. Returns true if the message has already arrived, with *take_in_ps of
 * CPU time for taking it in; otherwise the owner is told of the end. */
bool transfer_receive(struct engine_domain *domain, uint32_t owner, const struct inflight_key *key,
                      int64_t at_ps, int64_t *take_in_ps);
/* Handles the arrival of a message in the domain of its destination node, at now_ps. */
void transfer_delivered(struct engine_domain *domain, int64_t now_ps,
                        const struct network_delivery *delivery);
/* Finds the ranks that send and receive a message between ranks (not one to or from an I/O node).
 * Returns false for the control messages of a rendezvous, which carry no data. */
bool transfer_ranks(const struct network_message *message, uint32_t *sender, uint32_t *receiver);
/* Handles the report that the last byte of a message with notify_sent has left its NIC. */
void transfer_sent(struct engine_domain *domain, int64_t now_ps,
                   const struct network_cookie *cookie);
/* Carries out a postponed task: sends the clear to send of a request whose receive is posted. */
void transfer_send_cts(struct engine_domain *domain, const struct inflight_key *key, int64_t at_ps);

/* Carries out a postponed task: sends the data of a send that is cleared to send. */
void transfer_data(struct engine_domain *domain, uint32_t handle, int64_t at_ps);

/* Carries out a postponed task: tells a sender that its data, which arrived at arrived_ps, have
 * been fetched. */
void transfer_send_fin(struct engine_domain *domain, const struct inflight_key *key,
                       uint32_t handle, int64_t arrived_ps, int64_t at_ps);
/* Completes all sends of at most size_bytes that wait for their receiver, as if they were eager. */
void transfer_release(struct engine_domain *domain, uint64_t size_bytes);
/* Reports the end of a transfer to its owner. `rank` is the rank to which the owner belongs. */
void transfer_complete(struct engine_domain *domain, uint32_t rank, uint32_t owner,
                       const struct engine_transfer_end *end);

#endif
