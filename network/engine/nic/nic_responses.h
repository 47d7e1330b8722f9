/*
 * The queue of a NIC's responses: acknowledgements that are packets (network.acknowledgement
 * packet) and wait to be sent. A response is kept as a message record, which travels with the
 * packet: `window_bytes` is what the acknowledged packet counts in windows, and `wire_bytes` is the
 * size of the response.
 *
 * Knows message records; must not know windows, and sends nothing. Invariant: responses are in the
 * order of the instants in which they were added, and those of one instant in the order of
 * destination, number of the acknowledged message and size. So the order does not depend on that of
 * the events of an instant. Endpoints are numbered within the group.
 */
#ifndef ANAX_NETWORK_NIC_RESPONSES_H
#define ANAX_NETWORK_NIC_RESPONSES_H

#include "network/engine/state/state.h"

struct nic_responses {
    uint32_t first; /* message record, or NETWORK_NONE */
    uint32_t last;
};

/* Makes an array with an element for each endpoint of a rail group, which the caller frees; NULL:
 * out of memory. */
struct nic_responses *nic_responses_new(const struct network *network);

/* Adds a response at now_ps, given by a notice of the kind NETWORK_NOTICE_RESPOND, and makes its
 * NIC due. */
void nic_responses_add(struct rail_group *rail_group, const struct network_packet *notice);

/* Takes the first response, which the caller has looked up in `first`, out of the queue. */
void nic_responses_take(struct rail_group *rail_group, uint32_t endpoint);

#endif
