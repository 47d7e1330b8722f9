/*
 * What is in flight towards the ranks of one domain: posted receives that have no message yet, and
 * messages that have no receive yet. Entries have the whole key, so two that differ are never
 * confused.
 *
 * Must not know: programs, networks. Memory follows what is in flight.
 */
#ifndef ANAX_REPLAY_INFLIGHT_H
#define ANAX_REPLAY_INFLIGHT_H

#include "core/digest.h"
#include "core/map.h"
#include "core/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <assert.h>

/* Which message. Point to point: communicator is INFLIGHT_POINT_TO_POINT, number the receive's
 * number at its rank. Collectives: the communicator, the instance on it, and the step's tag. */
struct inflight_key {
    uint32_t rank;   /* receiver, in the world */
    uint32_t source; /* sender, in the world */
    uint32_t communicator;
    uint32_t number;
    uint32_t tag;
};

#define INFLIGHT_POINT_TO_POINT UINT32_MAX

typedef enum inflight_state {
    INFLIGHT_FREE,
    INFLIGHT_POSTED,    /* the receive waits for a message or a request */
    INFLIGHT_ARRIVED,   /* an eager message waits for its receive */
    INFLIGHT_REQUESTED, /* a rendezvous request is here, and waits for its receive or an answer */
    INFLIGHT_CLEARED    /* both are here; the data are to come */
} inflight_state;

struct inflight {
    struct inflight_key key;
    uint32_t owner;      /* of the receive (engine.h); ARRIVED: the message's way (host_cost.h) */
    uint64_t state : 3;  /* inflight_state */
    uint64_t value : 61; /* POSTED: when, in ps. ARRIVED: bytes. REQUESTED, CLEARED: its request */
};
static_assert(sizeof(struct inflight) == 32, "two entries are a cache line");

/* Of all five numbers: keys may differ in one of them alone. */
static inline uint64_t inflight_hash(const struct inflight_key *key) {
    uint64_t hash = digest_spread((uint64_t)key->rank << 32 | key->number);
    hash ^= (uint64_t)key->source << 32 | key->tag;
    return map_hash(hash + key->communicator);
}

static inline bool inflight_is_same(const struct inflight_key *one,
                                    const struct inflight_key *other) {
    return memcmp(one, other, sizeof *one) == 0;
}

static inline bool inflight_is_used(const struct inflight *entry) {
    return entry->state != INFLIGHT_FREE;
}
MAP_DEFINE(inflight, struct inflight, struct inflight_key, inflight_hash, inflight_is_same,
           inflight_is_used)

/* A rendezvous, as far as the receiver's side knows it. */
struct inflight_request {
    uint32_t sender;      /* handle at the sender */
    uint32_t next;        /* in its pool */
    int64_t requested_ps; /* when the request was handed to the sender's NIC */
    int64_t arrived_ps;   /* when it arrived */
    union {
        int64_t posted_ps;  /* REQUESTED: when the receive was posted, if it was */
        int64_t cleared_ps; /* CLEARED: when the answer was sent */
    };
};
POOL_DEFINE(inflight_request, struct inflight_request)

struct inflight_table {
    struct inflight_map map;
    struct inflight_request_pool requests;
};

void inflight_clear(struct inflight_table *table);

/* The entry with that key, or NULL. Valid until the next add or remove. */
struct inflight *inflight_find(const struct inflight_table *table, const struct inflight_key *key);

/* Adds an entry whose key is not there yet, zeroed but for its key; NULL when out of memory. Its
 * state is to be set before anything else is called. */
struct inflight *inflight_add(struct inflight_table *table, const struct inflight_key *key);

/* Its request goes with it. */
void inflight_remove(struct inflight_table *table, struct inflight *entry);

/* Turns an entry into a REQUESTED one, with a request that is not filled in; NULL when out of
 * memory. Valid until the next. */
struct inflight_request *inflight_request_new(struct inflight_table *table, struct inflight *entry);

/* Of a REQUESTED or CLEARED entry. */
static inline struct inflight_request *inflight_request_of(const struct inflight_table *table,
                                                           const struct inflight *entry) {
    return &table->requests.items[entry->value];
}

#endif
