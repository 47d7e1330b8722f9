/*
 * The pools of packets and messages of a rail group.
 */
#ifndef ANAX_NETWORK_PACKET_POOL_H
#define ANAX_NETWORK_PACKET_POOL_H

#include "network/engine/state/state.h"

/* Returns the index of a new packet in the rail group's pool. NETWORK_NONE: out of memory, and
 * rail_group->failure.out_of_memory is set. */
uint32_t network_packet_new(struct rail_group *rail_group);
/* Returns a new packet as network_packet_new does, without prefetching a free one: for callers that
 * will not soon take another packet of that rail group. */
uint32_t network_packet_new_cold(struct rail_group *rail_group);

/* Gives a packet back to the rail group's pool. */
void network_packet_free(struct rail_group *rail_group, uint32_t index);
/* Returns the index of a new message in the rail group's pool, like network_packet_new. */
uint32_t network_message_new(struct rail_group *rail_group);

/* Gives a message back to the rail group's pool. */
void network_message_free(struct rail_group *rail_group, uint32_t index);
/* Moves a message from one pool to another. Returns its new index, or NETWORK_NONE: out of memory.
 */
uint32_t network_message_move(struct rail_group *from, struct rail_group *to, uint32_t index);

#endif
