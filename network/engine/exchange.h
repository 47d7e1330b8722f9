/*
 * What crosses from one group to another: packets and credits.
 */
#ifndef ANAX_NETWORK_EXCHANGE_H
#define ANAX_NETWORK_EXCHANGE_H

#include "network/engine/state.h"

/* Mailboxes are open while a run has several threads. */
status_code exchange_open(struct network *network, struct status *status);
void exchange_close(struct network *network);
/* Hands a packet, or a credit, to a group of the same rail: to its input VC, or its output VC, at
 * time_ps. The group may be the domain's own. */
void exchange_packet(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t packet,
                     int64_t time_ps);
void exchange_credit(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t bytes,
                     int64_t time_ps);
/* A thread takes in what others have sent to its domains in a window. */
void exchange_receive(struct network *network, unsigned thread, uint64_t window);
/* The earliest event that a thread has sent to others in a window; EVENT_NEVER: none. */
int64_t exchange_earliest_ps(const struct network *network, unsigned thread, uint64_t window);

#endif
