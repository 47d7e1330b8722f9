/*
 * Acknowledgements: when the last byte of a packet has been received, the NIC there tells the NIC
 * that sent it.
 *
 * An acknowledgement lies in the pool of packets of the domain to which it is on its way. Of its
 * members, `source` is the node that acknowledges, `destination` the node that sent the packet, and
 * `sequence` the number of bytes that the packet counts in windows. `routers` is not 0, so that
 * statistics.c does not take it for a packet in an injection buffer.
 */
#ifndef ANAX_NETWORK_ACKNOWLEDGEMENTS_H
#define ANAX_NETWORK_ACKNOWLEDGEMENTS_H

#include "network/engine/state.h"

/* Acknowledges a packet that its node has received by the domain's rail at time_ps. */
void acknowledge(struct network_domain *domain, const struct packet *packet, int64_t time_ps);

#endif
