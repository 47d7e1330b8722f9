/*
 * The queues of a NIC if traffic classes share its channel: one for each virtual network. The queue
 * of one of them, the current one, is the NIC's own queue (struct network_nic); the others wait
 * here.
 *
 * Knows queues of messages; must not know packets, credits or shares. Invariant: a message is in
 * the queue of its virtual network. Endpoints are numbered within the group.
 */
#ifndef ANAX_NETWORK_NIC_CLASSES_H
#define ANAX_NETWORK_NIC_CLASSES_H

#include "network/engine/state/state.h"

struct nic_classes {
    uint32_t current; /* virtual network */
    struct nic_queue {
        uint32_t first;
        uint32_t last;
    } queues[NETWORK_VIRTUAL_MAX]; /* [virtual network]; the current one's is not up to date */
};

/* Makes an array with an element for each endpoint of a rail group, which the caller frees; NULL:
 * out of memory. */
struct nic_classes *nic_classes_new(const struct network *network);

/* Appends a message to a NIC's queue: to that of its virtual network if traffic classes have
 * queues. The current queue stays the current one. */
void nic_classes_append(struct rail_group *rail_group, uint32_t endpoint, uint32_t message_index);

/* Makes the queue of a virtual network the NIC's own queue. */
void nic_classes_make_current(struct rail_group *rail_group, uint32_t endpoint,
                              uint32_t virtual_network);

/* Returns the first message of a virtual network's queue, or NETWORK_NONE. */
uint32_t nic_classes_first(const struct rail_group *rail_group, uint32_t endpoint,
                           uint32_t virtual_network);

/* Returns whether all queues of a NIC are empty. */
bool nic_classes_are_empty(const struct rail_group *rail_group, uint32_t endpoint);

#endif
