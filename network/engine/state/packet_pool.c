/* The pools of packets and messages of a rail group. */
#include "network/engine/state/packet_pool.h"

#include "network/engine/measurement/labels.h"

/* A free item is prefetched when so many others will be taken before it. */
enum { ITEMS_AHEAD = 3 };

uint32_t network_packet_new_cold(struct rail_group *rail_group) {
    uint32_t index = network_packet_pool_take(&rail_group->packets);
    if (index == POOL_NONE) rail_group->failure.out_of_memory = true;
    return index;
}

uint32_t network_packet_new(struct rail_group *rail_group) {
    uint32_t index = network_packet_new_cold(rail_group);
    __builtin_prefetch(network_packet_pool_next(&rail_group->packets, ITEMS_AHEAD), 1);
    return index;
}

void network_packet_free(struct rail_group *rail_group, uint32_t index) {
    network_packet_pool_give(&rail_group->packets, index);
}

uint32_t network_message_new(struct rail_group *rail_group) {
    uint32_t index = network_message_record_pool_take(&rail_group->messages);
    if (index == POOL_NONE) rail_group->failure.out_of_memory = true;
    __builtin_prefetch(network_message_record_pool_next(&rail_group->messages, ITEMS_AHEAD), 1);
    return index;
}

void network_message_free(struct rail_group *rail_group, uint32_t index) {
    network_message_record_pool_give(&rail_group->messages, index);
}

uint32_t network_message_move(struct rail_group *from, struct rail_group *to, uint32_t index) {
    uint32_t moved = network_message_new(to);
    if (moved != NETWORK_NONE) to->messages.items[moved] = from->messages.items[index];
    if (HINT_UNLIKELY(from->observers.labels != NULL && moved != NETWORK_NONE))
        labels_move_message(from, index, to, moved);
    network_message_free(from, index);
    return moved;
}
