/*
 * Shares: how traffic classes divide the time of a channel. Class c has a minimum share m_c, a
 * maximum share M_c and a priority. A channel that is given a packet of class c, which occupies it
 * for ser, at time t keeps for the class
 *
 *   owed:   O_c = max(O_c, t - n·ser(full)/m_c) + ser/m_c     (m_c > 0)
 *   open:   L_c = t + ser/M_c                                 (M_c < 1)
 *   unowed: R = max(R, R_c), then R_c = R + ser               (if the channel was not owed)
 *
 * where ser(full) is the time of a full packet, n is the number of virtual networks, and R belongs
 * to the channel. Class c is owed the channel at t if O_c <= t. It gets no packet before L_c. Of
 * the classes that have a packet that can go, classes that are owed the channel go first. Of these,
 * and of the others, the highest priority goes first; of equal priorities the smallest O_c, and of
 * those that are not owed the channel the smallest max(R_c, R).
 *
 * This file knows channels and virtual networks, and no packets or queues. Virtual networks that
 * are not those of classes go before all classes. Source: docs/model.md, 2.6.
 */
#ifndef ANAX_NETWORK_CLASS_SHARES_H
#define ANAX_NETWORK_CLASS_SHARES_H

#include "network/engine/state/state.h"

/* What a channel keeps for a class. */
struct class_share {
    int64_t owed_ps;   /* O_c */
    int64_t open_ps;   /* L_c */
    int64_t unowed_ps; /* R_c */
};

struct class_shares {
    struct class_share *classes; /* [output·virtual networks + virtual network] */
    int64_t *unowed_ps;          /* [output]: R */
};

/* Returns the state of a rail group's outputs, which class_shares_free frees. NULL: out of memory.
 */
struct class_shares *class_shares_new(const struct network *network);

/* Frees what class_shares_new has made; NULL is allowed. */
void class_shares_free(struct class_shares *shares);

/* Returns how far apart the packets of a class of that maximum share begin, if each occupies the
 * channel for time_ps. */
int64_t class_shares_spacing_ps(int64_t time_ps, int64_t maximum_millionths);

/* Returns when an output may be given the next packet of a virtual network, or an earlier time. */
int64_t class_shares_open_ps(const struct rail_group *rail_group, uint32_t output,
                             uint32_t virtual_network);

/* Compares two virtual networks at now_ps that have packets for two outputs, or for one. Returns
 * less than 0 if the first goes before the second, more than 0 if the second does, and 0 if neither
 * does, which is so only for different outputs and for one virtual network. */
int class_shares_compare(const struct rail_group *rail_group, uint32_t output,
                         uint32_t virtual_network, uint32_t other_output,
                         uint32_t other_virtual_network);

/* Records that an output is given a packet of a virtual network at now_ps. */
void class_shares_record(struct rail_group *rail_group, uint32_t output, uint32_t virtual_network,
                         uint32_t size_bytes);

#endif
