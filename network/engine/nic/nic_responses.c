/* Inserts responses into the queue of a NIC by the instant in which they were added and, within it,
 * by destination, number and size. */
#include "network/engine/nic/nic_responses.h"

#include "core/memory/memory.h"
#include "network/engine/nic/nic_windows.h"
#include "network/engine/state/packet_pool.h"

struct nic_responses *nic_responses_new(const struct network *network) {
    uint32_t endpoints = network->topology.endpoints_per_group;
    struct nic_responses *made = memory_new(endpoints, sizeof *made);
    for (uint32_t endpoint = 0; made != NULL && endpoint < endpoints; endpoint++)
        made[endpoint] = (struct nic_responses){NETWORK_NONE, NETWORK_NONE};
    return made;
}

/* Returns whether a response goes before another one. */
static bool goes_before(const struct network_message_record *a,
                        const struct network_message_record *b) {
    if (a->ready_ps != b->ready_ps) return a->ready_ps < b->ready_ps;
    if (a->destination != b->destination) return a->destination < b->destination;
    if (a->sequence != b->sequence) return a->sequence < b->sequence;
    return a->window_bytes > b->window_bytes;
}

/* Adds a message record to a queue. Only responses of one instant have to be compared. */
static void insert_response(struct rail_group *rail_group, struct nic_responses *queue,
                            uint32_t index) {
    struct network_message_record *messages = rail_group->messages.items;
    uint32_t *link = &queue->first;
    if (queue->last != NETWORK_NONE && !goes_before(&messages[index], &messages[queue->last]))
        link = &messages[queue->last].next;
    while (*link != NETWORK_NONE && !goes_before(&messages[index], &messages[*link]))
        link = &messages[*link].next;
    messages[index].next = *link;
    *link = index;
    if (messages[index].next == NETWORK_NONE) queue->last = index;
}

void nic_responses_add(struct rail_group *rail_group, const struct network_packet *notice) {
    const struct network *network = rail_group->network;
    uint32_t endpoint =
        notice->packet_destination - rail_group->group * network->topology.endpoints_per_group;
    uint32_t index = network_message_new(rail_group);
    if (index == NETWORK_NONE) return;
    rail_group->messages.items[index] = (struct network_message_record){
        .window_bytes = nic_windows_bytes(network, notice->size_bytes),
        .wire_bytes = (uint64_t)network_config_response_bytes(&network->config, notice->size_bytes),
        .ready_ps = rail_group->now_ps,
        .source = notice->packet_destination,
        .destination = notice->packet_source,
        .sequence = notice->sequence,
        .parent = NETWORK_NONE,
        .virtual_network = (uint8_t)network->config.classes,
    };
    rail_group->counts.accepted_responses++;
    insert_response(rail_group, &rail_group->limits.responses[endpoint], index);
    bitset_add(&rail_group->allocation.due_allocators, network->tables.ports + endpoint);
}

void nic_responses_take(struct rail_group *rail_group, uint32_t endpoint) {
    struct nic_responses *queue = &rail_group->limits.responses[endpoint];
    queue->first = rail_group->messages.items[queue->first].next;
    if (queue->first == NETWORK_NONE) queue->last = NETWORK_NONE;
}
