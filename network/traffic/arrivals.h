/*
 * When messages of synthetic traffic come up at a node: a Bernoulli process with one trial per phit
 * time of the node's channels (docs/model.md, 7). Knows numbers only; holds no state.
 */
#ifndef ANAX_NETWORK_ARRIVALS_H
#define ANAX_NETWORK_ARRIVALS_H

#include "core/random.h"
#include "network/traffic/traffic.h"

/* A gap between arrivals is 1 + low + 64·high slots; high in binary digits. */
#define ARRIVALS_LOW    64
#define ARRIVALS_DIGITS 34

struct arrivals {
    uint64_t message_bytes; /* payload */
    uint64_t wire_bytes;    /* with headers */
    int64_t burst;          /* messages that come up at once */
    int64_t slot_ps;
    int64_t longest_gap;                   /* whose time can be told */
    uint64_t low_below[ARRIVALS_LOW];      /* chance of low > j, in 2^-64 */
    uint32_t digit_below[ARRIVALS_DIGITS]; /* chance of digit k being 1, in 2^-32 */
    unsigned digits;                       /* beyond them all are 0 */
};

/* An error if not even a message in every slot is as much as the load. */
status_code arrivals_prepare(struct arrivals *arrivals, const struct network_config *config,
                             const struct traffic_config *traffic, int64_t load_millionths,
                             struct status *status);

/* The time to the next arrival, from the random bits of words 0 and 1; INT64_MAX when it is longer
 * than left_ps. */
int64_t arrivals_gap_ps(const struct arrivals *arrivals, struct random_block block,
                        int64_t left_ps);

#endif
