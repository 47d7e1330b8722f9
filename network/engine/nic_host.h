/*
 * Between a NIC and its host: the gap between messages, the host interface that both directions
 * share, and the receiving side with its buffer.
 *
 * Knows a NIC's queues and packets, and no more of routers than the output that leads to the node.
 * Exists only where the configuration has one of these (network.host_model). Invariant: packets
 * are taken in the order in which they arrive, and each gives its bytes of the receive buffer back
 * once.
 */
#ifndef ANAX_NETWORK_NIC_HOST_H
#define ANAX_NETWORK_NIC_HOST_H

#include "network/engine/state.h"

struct nic_host {
    /* Sending. */
    uint32_t held_first; /* messages whose turn came before the gap was over, in that order */
    uint32_t held_last;
    uint32_t released;     /* of these the one that is first in the queue again, or NONE */
    int64_t next_begin_ps; /* no message begins before */
    /* Receiving. */
    uint32_t first_packet; /* that have arrived or are on the last channel */
    uint32_t last_packet;
    int64_t receive_free_ps; /* when the receiving side can take the next one */
    uint64_t bytes;          /* of these packets */
    /* Both. */
    int64_t host_free_ps; /* when the host interface is free */
    bool sent_last;       /* the host interface served the sending side last */
};

struct nic_host *nic_host_new(const struct network *network); /* of a domain; NULL: no memory */

/* Whether the message that is first in a node's queue may begin now. If not, it is held. */
bool nic_host_may_begin(struct network_domain *domain, uint32_t node);
/* A message begins now. */
void nic_host_begin(struct network_domain *domain, uint32_t node);
/* Puts the message held longest first in its queue if it may begin there now. */
void nic_host_release(struct network_domain *domain, uint32_t node);
/* Nothing else is to be sent: looks again when a held message may begin. */
void nic_host_await_gap(struct network_domain *domain, uint32_t node);
/* Puts all held messages back into their queue. */
void nic_host_release_all(struct network_domain *domain, uint32_t node);

/* Whether the host interface can carry a packet to the network now; if not, it is looked at again
 * when it can. */
bool nic_host_is_free(struct network_domain *domain, uint32_t node);
/* It carries one. */
void nic_host_send(struct network_domain *domain, uint32_t node, uint32_t size_bytes);

/* A packet's head comes to a NIC (its output) at head_ps, its tail at tail_ps. */
void nic_host_accept(struct network_domain *domain, uint32_t output, uint32_t packet,
                     int64_t head_ps, int64_t tail_ps);

/* Sends and receives what a NIC can now, in fair turns. */
void nic_host_run(struct network_domain *domain, uint32_t node);

#endif
