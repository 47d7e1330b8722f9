/*
 * Packets, credits and answers that cross from one group to another.
 */
#ifndef ANAX_NETWORK_EXCHANGE_H
#define ANAX_NETWORK_EXCHANGE_H

#include "network/engine/state.h"

/* Makes the mailboxes of a run if it has several threads. STATUS_MEMORY. exchange_close frees
 * them. */
status_code exchange_open(struct network *network, struct status *status);
void exchange_close(struct network *network);
/* Hands a packet, or `bytes` of credit, to a group of the same rail; it arrives in the group's
 * input VC, or output VC, at time_ps. Credits may be for the domain's own group. */
void exchange_packet(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t packet,
                     int64_t time_ps);
void exchange_credit(struct network_domain *from, uint32_t group, uint32_t port_vc, uint32_t bytes,
                     int64_t time_ps);
/* Hands an answer, which is copied, to a group of the same rail,
 * where it arrives at time_ps. The group may be the domain's own. */
void exchange_answer(struct network_domain *from, uint32_t group,
                     const struct network_packet *answer, int64_t time_ps);
/* Takes what other threads sent to the domains of `thread` in a window. */
void exchange_receive(struct network *network, unsigned thread, uint64_t window);
/* Returns the time of the earliest event that a thread has sent to others in a window;
 * EVENT_NEVER: none. */
int64_t exchange_earliest_ps(const struct network *network, unsigned thread, uint64_t window);

/* Several processes: return the mailbox of what a thread has sent to a process in a window; empty a
 * mailbox; put what arrived from another process into the mailbox of its thread. */
struct network_outbox *exchange_outbox(const struct network *network, unsigned thread,
                                       unsigned process, uint64_t window);
void exchange_empty(struct network_outbox *box);
void exchange_arrived(struct network *network, const struct network_remote_event *arrived,
                      uint64_t window);

#endif
