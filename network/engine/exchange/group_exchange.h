/*
 * Packets, credits and notices that cross from one group to another.
 *
 * All times of arrival lie beyond the window in which they are sent. If several threads work in the
 * window, what a group sends is taken out in the next one, before the receiving group runs, by
 * whichever thread runs it then. If one thread works, packets and notices to groups of this process
 * are inserted in the window itself, and only credits wait for the next one (group_exchange.c).
 */
#ifndef ANAX_NETWORK_GROUP_EXCHANGE_H
#define ANAX_NETWORK_GROUP_EXCHANGE_H

#include "network/engine/state/state.h"

/* What one thread sends to one group in a window. Crossing events lie one after another, without
 * pointers, so they can go to another process as they are. */
struct network_mailbox {
    char *crossing_events; /* see group_exchange.c */
    size_t used;           /* bytes */
    size_t capacity;
    uint64_t window;     /* the window in which it was last filled, counted from 1 */
    int64_t earliest_ps; /* earliest time at which something sent in that window arrives */
};

/* A mailbox as its receiver sees it. The sender writes it once, at the end of a window, because a
 * thread takes a cache line from another one whenever it writes what that one has read. */
struct network_mail {
    const char *crossing_events;
    size_t used;     /* bytes */
    uint64_t window; /* the window in which it was sent, counted from 1; if that is not the last
                        one, there is none */
};

struct network_crossing;

/* A thread as a sender. Other threads read the first part while this one writes the second. */
struct network_sender {
    /* Constant. */
    _Alignas(64) struct network_mailbox *sets[2]; /* [group]: for even and odd windows */
    struct network_mail *mail[2];                 /* [group]: of these mailboxes */
    /* If no other thread works: a ring of packets on their way to other groups, see
     * group_exchange.c. */
    struct network_crossing *crossings;
    uint32_t *groups; /* to which something was sent in the window */

    /* The current window. */
    _Alignas(64) struct network_mailbox *boxes; /* [group] */
    uint64_t window;                            /* its number, counted from 1 */
    bool has_one_thread;                        /* no other thread works in it */
    uint32_t group_count;                       /* of `groups` */
    uint32_t crossing_count; /* packets put into the ring since it was last empty */
};

/* Makes the mailboxes of a run. STATUS_MEMORY. exchange_close frees them. */
status_code exchange_open(struct network *network, struct status *status);

/* Frees what exchange_open has made. */
void exchange_close(struct network *network);
/* Called before a thread runs a group in a window: what the group sends goes into the thread's
 * mailboxes. `home` is the group in the first rail. has_one_thread: no other thread works in this
 * window. */
void exchange_begin(struct rail_group *home, unsigned thread, uint64_t window, bool has_one_thread);
/* Called after the group has run: hands over all packets that it has sent. */
void exchange_end(struct rail_group *home);
/* Hands a packet to another group of the same rail. It arrives in the group's input VC `port_vc` at
 * time_ps. */
void exchange_packet(struct rail_group *from, const struct network_hop_features *features,
                     uint32_t group, uint32_t port_vc, uint32_t packet_index, int64_t time_ps);

/* Hands `bytes` of credit for a global link to another group of the same rail. They arrive in the
 * group's output VC `port_vc` at time_ps. */
void exchange_credit(struct rail_group *from, uint32_t group, uint32_t port_vc, uint32_t bytes,
                     int64_t time_ps);
/* Hands a notice, which is copied, to a group of the same rail, where it arrives at time_ps. It may
 * be the group itself. */
void exchange_notice(struct rail_group *from, uint32_t group, const struct network_packet *notice,
                     int64_t time_ps);
/* Takes what was sent to a group, in all rails, in the window before this one. */
void exchange_receive(struct network *network, uint32_t group, uint64_t window);
/* Prefetches what exchange_receive will read. ahead: groups that the thread receives before this
 * one and after the current one. 0: what was sent; 1: what says where it lies. */
void exchange_prefetch(const struct network *network, uint32_t group, uint64_t window,
                       unsigned ahead);
/* Takes the same between two windows, before the next window, `window`, begins. exchange_receive
 * finds nothing in that window. */
void exchange_receive_early(struct network *network, uint32_t group, uint64_t window);
/* Called when a thread has run its groups in a window: lets the receivers see what they have sent.
 */
void exchange_hand_over(struct network_sender *sender);
/* Returns the sender of what a thread sends in this window; its list of groups is empty if the
 * thread has sent nothing. */
struct network_sender *exchange_sender(struct network *network, unsigned thread, uint64_t window);

/* Several processes: calls `take` for each mailbox to a group of another process that a thread of
 * this one has filled in a window. */
void exchange_visit_departing(struct network *network, uint64_t window,
                              void (*take)(void *context, uint32_t group,
                                           const struct network_mailbox *box),
                              void *context);
/* Puts the content of such a mailbox, which another process has filled in a window, into one to a
 * group of this process. Running out of memory is recorded in the group. */
void exchange_arrive(struct network *network, uint32_t group, const void *crossing_events,
                     size_t bytes, uint64_t window);

#endif
