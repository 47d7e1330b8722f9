/*
 * What is in flight towards the ranks of one domain: posted receives that have no message yet, and
 * messages that have no receive yet. An open-addressing table whose entries have the whole key, so
 * two that differ are never confused.
 *
 * Must not know: programs, networks. Memory follows what is in flight.
 */
#ifndef ANAX_REPLAY_INFLIGHT_H
#define ANAX_REPLAY_INFLIGHT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#include <assert.h>

/* Which message. Point to point: communicator is INFLIGHT_POINT_TO_POINT, number the receive's
 * number at its rank. Collectives: the communicator, the instance on it, and the step's tag. */
typedef struct inflight_key {
    uint32_t rank;   /* receiver, in the world */
    uint32_t source; /* sender, in the world */
    uint32_t communicator;
    uint32_t number;
    uint32_t tag;
} inflight_key;

#define INFLIGHT_POINT_TO_POINT UINT32_MAX

typedef enum inflight_state {
    INFLIGHT_FREE,
    INFLIGHT_POSTED,    /* the receive waits for a message or a request */
    INFLIGHT_ARRIVED,   /* an eager message waits for its receive */
    INFLIGHT_REQUESTED, /* a rendezvous request waits for its receive */
    INFLIGHT_CLEARED    /* both are here; the data are to come */
} inflight_state;

typedef struct inflight {
    inflight_key key;
    uint32_t state;       /* inflight_state */
    uint32_t owner;       /* of the receive (engine.h) */
    uint32_t sender;      /* handle of the rendezvous at the sender */
    uint64_t size_bytes;  /* ARRIVED */
    int64_t requested_ps; /* when the request was handed to the sender's NIC */
    int64_t arrived_ps;   /* when the request arrived */
    int64_t cleared_ps;   /* POSTED: when it was posted; CLEARED: when the answer was sent */
} inflight;
static_assert(sizeof(inflight) == 64, "an entry is a cache line");

typedef struct inflight_table {
    inflight *entries;
    uint32_t capacity; /* power of two, or 0 */
    uint32_t count;
} inflight_table;

void inflight_clear(inflight_table *table);

/* The entry with that key, or NULL. Valid until the next add or remove. */
inflight *inflight_find(const inflight_table *table, const inflight_key *key);

/* Adds an entry whose key is not there yet, zeroed but for its key; NULL when out of memory. */
inflight *inflight_add(inflight_table *table, const inflight_key *key);

void inflight_remove(inflight_table *table, inflight *entry);

#endif
