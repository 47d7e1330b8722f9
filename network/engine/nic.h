/*
 * Network interfaces: messages become packets at their source, and messages again at their
 * destination.
 */
#ifndef ANAX_NETWORK_NIC_H
#define ANAX_NETWORK_NIC_H

#include "network/engine/state.h"

/* A message of the home's pool is ready to be sent by its node, by any rail. */
void nic_hand_in(struct network_domain *home, uint32_t message);
/* A message joins the queue of its node's NIC in the domain's rail. */
void nic_enqueue(struct network_domain *domain, uint32_t message);
/* The short way for a message that is one packet and that nothing keeps from leaving now: false if
 * it is not, and nothing has happened. */
bool nic_send_at_once(struct network_domain *domain, int64_t ready_ps,
                      const struct network_message *sent);
/* Sends what a node's NIC can send now. Nodes are counted within the group. */
void nic_inject(struct network_domain *domain, uint32_t node);
/* The same as nic_host.h lets it. */
void nic_inject_by_host(struct network_domain *domain, uint32_t node);
/* The last byte of a packet arrives at its destination at time_ps. True: with it, all of its
 * message is there. */
bool nic_receive(struct network_domain *domain, uint32_t packet, int64_t time_ps);

#endif
