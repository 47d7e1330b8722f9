/* Exchanges the NIC's own queue with that of another virtual network, and appends messages to the
 * queues that are not current. */
#include "network/engine/nic/nic_classes.h"

#include "core/memory/memory.h"

struct nic_classes *nic_classes_new(const struct network *network) {
    uint32_t endpoints = network->topology.endpoints_per_group;
    struct nic_classes *made = memory_new(endpoints, sizeof *made);
    for (uint32_t endpoint = 0; made != NULL && endpoint < endpoints; endpoint++)
        for (uint32_t i = 0; i < NETWORK_VIRTUAL_MAX; i++)
            made[endpoint].queues[i] = (struct nic_queue){NETWORK_NONE, NETWORK_NONE};
    return made;
}

/* Appends a message to the queue that is the NIC's own. */
static inline void append_to_nic(struct rail_group *rail_group, struct network_nic *nic,
                                 uint32_t index) {
    struct network_message_record *messages = rail_group->messages.items;
    messages[index].next = NETWORK_NONE;
    if (nic->first_message == NETWORK_NONE)
        nic->first_message = index;
    else
        messages[nic->last_message].next = index;
    nic->last_message = index;
}

void nic_classes_append(struct rail_group *rail_group, uint32_t endpoint, uint32_t message_index) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    if (rail_group->limits.shares == NULL) {
        append_to_nic(rail_group, nic, message_index);
        return;
    }
    uint32_t current = rail_group->limits.nic_classes[endpoint].current;
    nic_classes_make_current(rail_group, endpoint,
                             rail_group->messages.items[message_index].virtual_network);
    append_to_nic(rail_group, nic, message_index);
    nic_classes_make_current(rail_group, endpoint, current);
}

void nic_classes_make_current(struct rail_group *rail_group, uint32_t endpoint,
                              uint32_t virtual_network) {
    struct network_nic *nic = &rail_group->nics[endpoint];
    struct nic_classes *classes = &rail_group->limits.nic_classes[endpoint];
    classes->queues[classes->current] = (struct nic_queue){nic->first_message, nic->last_message};
    classes->current = virtual_network;
    nic->first_message = classes->queues[virtual_network].first;
    nic->last_message = classes->queues[virtual_network].last;
}

uint32_t nic_classes_first(const struct rail_group *rail_group, uint32_t endpoint,
                           uint32_t virtual_network) {
    const struct nic_classes *classes = &rail_group->limits.nic_classes[endpoint];
    return classes->current == virtual_network ? rail_group->nics[endpoint].first_message
                                               : classes->queues[virtual_network].first;
}

bool nic_classes_are_empty(const struct rail_group *rail_group, uint32_t endpoint) {
    for (uint32_t i = 0; i < rail_group->network->vcs.virtual_networks; i++)
        if (nic_classes_first(rail_group, endpoint, i) != NETWORK_NONE) return false;
    return true;
}
