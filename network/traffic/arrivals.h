/*
 * The times at which a node generates messages of synthetic traffic: a Bernoulli process with one
 * trial per slot, the phit time of the node's channels (docs/model.md, 7). This file uses numbers
 * only and holds no state of nodes.
 */
#ifndef ANAX_NETWORK_ARRIVALS_H
#define ANAX_NETWORK_ARRIVALS_H

#include "core/simulation/random.h"
#include "network/traffic/traffic.h"

/* A gap between arrivals is 1 + low + 64·high slots, where high is drawn as binary digits. */
#define ARRIVALS_LOW    64
#define ARRIVALS_DIGITS 34

struct arrivals {
    uint64_t message_bytes; /* payload of a message */
    uint64_t wire_bytes;    /* bytes of a message with the headers of its packets */
    int64_t burst;          /* messages per arrival */
    int64_t slot_ps;
    int64_t longest_gap;              /* longest gap in slots whose picoseconds fit into int64_t */
    uint64_t low_below[ARRIVALS_LOW]; /* probability of low > j, in units of 2^-64 */
    uint32_t digit_below[ARRIVALS_DIGITS]; /* probability that digit k is 1, in units of 2^-32 */
    unsigned digits;                       /* number of digits that can be 1 */
};

/* Computes the distribution of gaps for a load in millionths of the injection bandwidth.
 * STATUS_USAGE: not even one arrival in every slot reaches the load. */
status_code arrivals_prepare(struct arrivals *arrivals, const struct network_config *config,
                             const struct traffic_config *traffic, int64_t load_millionths,
                             struct status *status);

/* Returns the time to the next arrival, from the random bits of words 0 and 1 of the block.
 * INT64_MAX: the time is longer than left_ps. */
int64_t arrivals_gap_ps(const struct arrivals *arrivals, struct random_block block,
                        int64_t left_ps);

#endif
