/*
 * What the messages of a chain waited for: a table of the channels with the longest waits.
 *
 * A table has room for CHAIN_CHANNELS channels. When it is full and another channel comes, the
 * smallest time is subtracted from all entries, and entries without time become free (the summary
 * of Misra and Gries). So the times are exact if the messages of a chain waited for at most
 * CHAIN_CHANNELS channels. Otherwise each is too small by less than 1 / (CHAIN_CHANNELS + 1) of all
 * their waiting. The table depends only on the order of waits.
 *
 * Must not know: links of chains. Invariant: the sum of the times is at most the time waited.
 */
#ifndef ANAX_REPLAY_CHAIN_CHANNELS_H
#define ANAX_REPLAY_CHAIN_CHANNELS_H

#include "replay/engine/causes/chain.h"

#define CHAIN_CHANNELS       32u
#define CHAIN_CHANNEL_VALUES (2 * CHAIN_CHANNELS) /* values of a table: keys, then times */

typedef enum chain_channel_kind {
    CHAIN_NIC_WAITS, /* in a NIC; source and destination are its node */
    CHAIN_EJECTION,  /* from a router to a node */
    CHAIN_LOCAL,     /* from router to router */
    CHAIN_GLOBAL
} chain_channel_kind;

struct chain_channel {
    uint64_t key;
    int64_t time_ps;
};

/* Returns the sort of channel that a key names. */
static inline chain_channel_kind chain_channel_kind_of(uint64_t key) {
    return (chain_channel_kind)(key >> 62);
}
/* Returns where the channel of a key begins. */
static inline uint32_t chain_channel_source(uint64_t key) {
    return (uint32_t)(key >> 31) & INT32_MAX;
}
/* Returns where the channel of a key ends. */
static inline uint32_t chain_channel_destination(uint64_t key) {
    return (uint32_t)key & INT32_MAX;
}

/* Adds the waits of a message to a table of CHAIN_CHANNEL_VALUES values. */
void chain_channels_add(int64_t *table, const struct chain_message *message);
/* Copies the channels of a table that have a time, in no particular order. Returns their number. */
uint32_t chain_channels_list(const int64_t *table, struct chain_channel channels[CHAIN_CHANNELS]);

#endif
