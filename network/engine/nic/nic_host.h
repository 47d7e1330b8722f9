/*
 * Between a NIC and its host: the gap between messages, the host interface that both directions
 * share, and the receiving side with its buffer.
 *
 * This file knows a NIC's queues and packets; of routers it knows only the output that leads to
 * the node. Its state exists only if the configuration has one of these limits
 * (network->nics.has_host_limits). Invariant: packets are taken in the order in which they arrive,
 * and each gives its bytes of the receive buffer back once. Endpoints are numbered within the
 * group.
 */
#ifndef ANAX_NETWORK_NIC_HOST_H
#define ANAX_NETWORK_NIC_HOST_H

#include "network/engine/state/state.h"

struct nic_host {
    /* Sending: */
    uint32_t held_first; /* messages that came first in the queue before the gap was over, in that
                            order */
    uint32_t held_last;
    uint32_t released;     /* the held message that is first in the queue again, or NETWORK_NONE */
    int64_t next_begin_ps; /* when the next message may begin, at the earliest */
    /* Receiving: */
    uint32_t first_packet; /* packets that have arrived or are on the last channel */
    uint32_t last_packet;
    int64_t receive_free_ps; /* when the receiving side can take the next packet */
    uint64_t bytes;          /* bytes of these packets, headers included */
    /* Both directions: */
    int64_t host_free_ps;     /* when the host interface is free */
    bool served_sending_last; /* the host interface served the sending side last */
};

/* Returns the state of the endpoints of a rail group: an array [endpoint], which the caller frees.
 * NULL: out of memory. */
struct nic_host *nic_host_new(const struct network *network);

/* Holds the first message of an endpoint's queue if it may not begin yet at now_ps. Returns whether
 * it did. */
bool nic_host_hold_early(struct rail_group *rail_group, uint32_t endpoint);
/* Records that a message begins at now_ps. */
void nic_host_begin(struct rail_group *rail_group, uint32_t endpoint);
/* Moves the message that has been held longest to the head of the queue if it may begin at
 * now_ps. */
void nic_host_release(struct rail_group *rail_group, uint32_t endpoint);
/* Records that the message at the head of the queue has left it without beginning. */
void nic_host_forget(struct rail_group *rail_group, uint32_t endpoint);
/* Wakes the NIC when a held message may begin. Called when the NIC has nothing else to send. */
void nic_host_await_gap(struct rail_group *rail_group, uint32_t endpoint);
/* Moves all held messages to the end of their queue. */
void nic_host_release_all(struct rail_group *rail_group, uint32_t endpoint);

/* Returns whether the host interface is free for a packet to the network at now_ps. If it is not,
 * sets a wake-up of the NIC for when it becomes free. */
bool nic_host_await_free(struct rail_group *rail_group, uint32_t endpoint);
/* Occupies the host interface with a packet to the network. */
void nic_host_send(struct rail_group *rail_group, uint32_t endpoint, uint32_t size_bytes);

/* Queues a packet at a NIC (given by its output), where its head arrives at head_ps and its tail
 * at tail_ps. */
void nic_host_accept(struct rail_group *rail_group, uint32_t output, uint32_t packet_index,
                     int64_t head_ps, int64_t tail_ps);

/* Sends and receives the packets that a NIC can at now_ps; the two directions take turns at the
 * host interface. */
void nic_host_run(struct rail_group *rail_group, uint32_t endpoint);

#endif
