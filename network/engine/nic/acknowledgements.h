/*
 * Acknowledgements: when the last byte of a packet has been received, the receiving NIC
 * acknowledges the packet to the sending NIC: after a delay that follows from the path back alone,
 * or by a packet called a response.
 *
 * This file knows packets and the delay of the path back. What an acknowledgement does at its NIC
 * is in nic_windows.h, and how a NIC sends responses in nic_responses.h and nic.c.
 */
#ifndef ANAX_NETWORK_ACKNOWLEDGEMENTS_H
#define ANAX_NETWORK_ACKNOWLEDGEMENTS_H

#include "network/engine/state/state.h"

/* Handles that a packet's last byte arrives at its NIC, in this rail, at time_ps. Acknowledges the
 * packet and returns false. If the packet is itself a response, makes it a notice that arrives at
 * time_ps, and returns true: the packet is no longer the caller's. */
bool acknowledgement_send(struct rail_group *rail_group, uint32_t packet_index, int64_t time_ps);

/* Takes a notice that arrives at now_ps, given by its index in the rail group's pool of packets,
 * and frees it. */
void acknowledgement_take_notice(struct rail_group *rail_group, uint32_t notice_index);

#endif
