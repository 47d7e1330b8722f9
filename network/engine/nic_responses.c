/* The queue of a NIC's responses. See nic_responses.h. */
#include "network/engine/nic_responses.h"

#include "core/memory/memory.h"
#include "network/engine/nic_windows.h"
#include "network/engine/packets.h"

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
    return a->size_bytes > b->size_bytes;
}

/* Adds a message record to a queue. Only responses of one instant have to be compared. */
static void insert_response(struct network_domain *domain, struct nic_responses *queue,
                            uint32_t index) {
    struct network_message_record *messages = domain->messages.items;
    uint32_t *link = &queue->first;
    if (queue->last != NETWORK_NONE && !goes_before(&messages[index], &messages[queue->last]))
        link = &messages[queue->last].next;
    while (*link != NETWORK_NONE && !goes_before(&messages[index], &messages[*link]))
        link = &messages[*link].next;
    messages[index].next = *link;
    *link = index;
    if (messages[index].next == NETWORK_NONE) queue->last = index;
}

void nic_responses_add(struct network_domain *domain, const struct network_packet *notice) {
    const struct network *network = domain->network;
    uint32_t endpoint = notice->source - domain->group * network->topology.endpoints_per_group;
    uint32_t index = message_new(domain);
    if (index == NETWORK_NONE) return;
    domain->messages.items[index] = (struct network_message_record){
        .size_bytes = nic_windows_bytes(network, notice->size_bytes),
        .wire_bytes = (uint64_t)network_config_response_bytes(&network->config, notice->size_bytes),
        .ready_ps = domain->now_ps,
        .source = notice->source,
        .destination = notice->destination,
        .sequence = notice->sequence,
        .parent = NETWORK_NONE,
        .virtual_network = (uint8_t)network->config.classes,
    };
    domain->counts.accepted_responses++;
    insert_response(domain, &domain->limits.responses[endpoint], index);
    bitset_add(&domain->allocation.due, network->tables.ports + endpoint);
}

void nic_responses_take(struct network_domain *domain, uint32_t endpoint) {
    struct nic_responses *queue = &domain->limits.responses[endpoint];
    queue->first = domain->messages.items[queue->first].next;
    if (queue->first == NETWORK_NONE) queue->last = NETWORK_NONE;
}
