/*
 * Posted receives that have no message yet, and messages that have no receive yet, of the ranks of
 * one domain. Entries hold the whole key, so two different keys are never confused.
 *
 * Must not know: programs, networks. Memory is proportional to the messages and receives in flight.
 */
#ifndef ANAX_REPLAY_INFLIGHT_H
#define ANAX_REPLAY_INFLIGHT_H

#include "core/base/digest.h"
#include "core/memory/map.h"
#include "core/memory/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <assert.h>

/* Identifies a message. Point-to-point: communicator is INFLIGHT_POINT_TO_POINT, sequence is the
 * number of the receive at its rank, and tag is 0. Collectives: the communicator, sequence is the
 * instance on it, and tag that of the step. */
struct inflight_key {
    uint32_t rank;   /* world rank of the receiver */
    uint32_t source; /* world rank of the sender */
    uint32_t communicator;
    uint32_t sequence;
    uint32_t tag;
};

#define INFLIGHT_POINT_TO_POINT UINT32_MAX

typedef enum inflight_state {
    INFLIGHT_FREE,
    INFLIGHT_POSTED,    /* the receive waits for a message or a request */
    INFLIGHT_ARRIVED,   /* an eager message has arrived and waits for its receive */
    INFLIGHT_REQUESTED, /* a request has arrived, and waits for its receive or a clear to send */
    INFLIGHT_CLEARED    /* request and receive have met; the data are still to come */
} inflight_state;

struct inflight {
    struct inflight_key key;
    union {
        uint32_t owner; /* of the receive (engine_state.h) */
        uint32_t path;  /* ARRIVED: the message's replay_message_path (host_cost.h) */
    };
    uint64_t state : 3; /* inflight_state */
    uint64_t word : 61; /* what it is in each state, the functions below say */
};
static_assert(sizeof(struct inflight) == 32, "two entries are a cache line");

/* Sets the state of an entry, and its word, whose upper three bits are lost. */
static inline void inflight_set(struct inflight *entry, inflight_state state, uint64_t word) {
    entry->state = state & 7;
    entry->word = word & (UINT64_MAX >> 3);
}

/* Makes a new entry a receive that is posted at posted_ps. */
static inline void inflight_post(struct inflight *entry, uint32_t owner, int64_t posted_ps) {
    inflight_set(entry, INFLIGHT_POSTED, (uint64_t)posted_ps);
    entry->owner = owner;
}
/* Returns when the receive of a POSTED entry was posted. */
static inline int64_t inflight_posted_ps(const struct inflight *entry) {
    assert(entry->state == INFLIGHT_POSTED);
    return (int64_t)entry->word;
}

/* Makes a new entry an eager message of so many bytes. */
static inline void inflight_arrive(struct inflight *entry, uint32_t path, uint64_t bytes) {
    inflight_set(entry, INFLIGHT_ARRIVED, bytes);
    entry->path = path;
}
/* Returns the bytes of the message of an ARRIVED entry. */
static inline uint64_t inflight_arrived_bytes(const struct inflight *entry) {
    assert(entry->state == INFLIGHT_ARRIVED);
    return entry->word;
}

/* Returns the index of the inflight_request of a REQUESTED or CLEARED entry. */
static inline uint32_t inflight_request_index(const struct inflight *entry) {
    assert(entry->state == INFLIGHT_REQUESTED || entry->state == INFLIGHT_CLEARED);
    return (uint32_t)entry->word;
}

/* Hashes all five members, since keys may differ in any single member. */
static inline uint64_t inflight_hash(const struct inflight_key *key) {
    uint64_t hash = digest_spread((uint64_t)key->rank << 32 | key->sequence);
    hash ^= (uint64_t)key->source << 32 | key->tag;
    return map_hash(hash + key->communicator);
}

/* Returns whether two keys are equal. */
static inline bool inflight_is_same(const struct inflight_key *one,
                                    const struct inflight_key *other) {
    return memcmp(one, other, sizeof *one) == 0;
}

/* Returns whether an entry is used. */
static inline bool inflight_is_used(const struct inflight *entry) {
    return entry->state != INFLIGHT_FREE;
}
MAP_DEFINE(inflight, struct inflight, struct inflight_key, inflight_hash, inflight_is_same,
           inflight_is_used)

/* A rendezvous as the receiver's side knows it. */
struct inflight_request {
    uint32_t sender;      /* index of the engine_send at the sender */
    int64_t requested_ps; /* when the request was handed to the sender's NIC */
    int64_t arrived_ps;   /* when the request arrived */
    union {
        int64_t posted_ps;  /* REQUESTED: when the receive was posted, if it was; otherwise 0 */
        int64_t cleared_ps; /* CLEARED: when the clear to send was sent */
    };
};
POOL_DEFINE(inflight_request, struct inflight_request)

struct inflight_table {
    struct inflight_map map;
    struct inflight_request_pool requests;
};

/* Frees what a table holds. */
void inflight_clear(struct inflight_table *table);

/* Returns the entry with that key, or NULL. The pointer is valid until the next add or remove. */
static inline struct inflight *inflight_find(const struct inflight_table *table,
                                             const struct inflight_key *key) {
    return inflight_map_find(&table->map, key);
}

/* Returns the entry with that key. If there is none, sets *is_new and adds one, zeroed but for the
 * key; returns NULL when out of memory. The caller must set the state of a new one before it calls
 * another function of the table. */
static inline struct inflight *inflight_find_or_add(struct inflight_table *table,
                                                    const struct inflight_key *key, bool *is_new) {
    return inflight_map_find_or_add(&table->map, key, is_new);
}

/* Removes an entry, and its request if it has one. */
static inline void inflight_remove(struct inflight_table *table, struct inflight *entry) {
    if (entry->state == INFLIGHT_REQUESTED || entry->state == INFLIGHT_CLEARED)
        inflight_request_pool_give(&table->requests, inflight_request_index(entry));
    inflight_map_remove(&table->map, entry);
}

/* Turns an entry into a REQUESTED one and returns its request, which the caller fills in; NULL when
 * out of memory. The pointer is valid until the next call of this function. */
struct inflight_request *inflight_request_new(struct inflight_table *table, struct inflight *entry);

/* Returns the request of a REQUESTED or CLEARED entry. */
static inline struct inflight_request *inflight_request_of(const struct inflight_table *table,
                                                           const struct inflight *entry) {
    return &table->requests.items[inflight_request_index(entry)];
}

#endif
