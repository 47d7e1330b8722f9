/*
 * Acknowledgements: when the last byte of a packet has been received, the NIC there tells the NIC
 * that sent it.
 *
 * This file knows packets and the time of the way back. What an acknowledgement does at its NIC is
 * in nic_windows.h.
 */
#ifndef ANAX_NETWORK_ACKNOWLEDGEMENTS_H
#define ANAX_NETWORK_ACKNOWLEDGEMENTS_H

#include "network/engine/state.h"

/* Acknowledges a packet that its node has received by the domain's rail at time_ps. */
void acknowledge(struct network_domain *domain, const struct network_packet *packet,
                 int64_t time_ps);

#endif
