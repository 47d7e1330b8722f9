/*
 * Network interfaces: they cut messages into packets at the source, and reassemble messages at the
 * destination.
 */
#ifndef ANAX_NETWORK_NIC_H
#define ANAX_NETWORK_NIC_H

#include "network/engine/nic/nic_choice.h"
#include "network/engine/state/state.h"

/* Queues a message of the home's pool, which its endpoint is ready to send, at the NIC of one rail
 * or of several, or of several endpoints. */
void nic_hand_in(struct rail_group *home, uint32_t message_index);
/* Queues a message that is not sent in stripes, or a stripe, which counts for its message, at the
 * NIC of one rail or of several. */
void nic_hand_in_whole(struct rail_group *home, uint32_t message_index);
/* Adds a message of the rail group's pool to the queue of its endpoint's NIC in this rail. */
void nic_enqueue(struct rail_group *rail_group, uint32_t message_index);
/* Sends a message between two endpoints at once if it is one packet and nothing delays it: its NIC
 * is idle and has no message, and the next VC has credits. Otherwise returns false and changes
 * nothing; so it does for messages without bytes, within a node, with a cookie or notify_sent, and
 * on machines whose NICs do more (network->nics.sends_at_once). */
bool nic_send_at_once(struct rail_group *rail_group, int64_t ready_ps,
                      const struct network_message *sent, struct nic_endpoints pair);
/* Sends the packets that an endpoint's NIC can send at now_ps. Endpoints are numbered within the
 * group. */
void nic_inject(struct rail_group *rail_group, uint32_t endpoint);
/* Sends the packets that an endpoint's NIC can send at now_ps, responses before data: data within
 * the limits of nic_host.h and nic_windows.h, and with several traffic classes in the order of
 * class_shares.h. */
void nic_inject_within_limits(struct rail_group *rail_group, uint32_t endpoint);
/* Ends the stall of a NIC whose first message has left the queue, or that sends something else. */
void nic_end_stall(struct rail_group *rail_group, uint32_t output);
/* Delivers a packet whose last byte arrives at its destination at time_ps. Frees the packet, or
 * makes it the notice that a response brings. Returns whether it completes its message; a response
 * completes none. */
bool nic_receive(struct rail_group *rail_group, const struct network_hop_features *features,
                 uint32_t packet_index, int64_t time_ps);

#endif
