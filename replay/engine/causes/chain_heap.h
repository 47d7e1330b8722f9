/*
 * The memory of links of chains.
 *
 * Each domain has a heap, which reuses the memory of links that were dropped in the domain. All
 * heaps of a replay get memory from one store. Since chains move from domain to domain, a heap
 * returns long lists of dropped links to the store, where other heaps find them.
 *
 * Must not know: what links contain. Invariant: memory is proportional to the largest number of
 * links that existed at one time.
 */
#ifndef ANAX_REPLAY_CHAIN_HEAP_H
#define ANAX_REPLAY_CHAIN_HEAP_H

#include "core/memory/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct chain;
struct chain_large;

#define CHAIN_KINDS 5 /* chain_kind */

/* A list of dropped links of one kind, by `before`. */
struct chain_dropped {
    struct chain *first;
    uint32_t count;
};

struct chain_store {
    struct arena arena;
    struct chain_dropped dropped[CHAIN_KINDS];
    struct chain_large *large; /* list of the blocks of large links */
    atomic_flag is_locked;     /* protects the store; held rarely and briefly */
};

#define CHAIN_LATE 8u
struct chain_heap {
    struct chain_store *store;
    bool has_one_thread; /* one thread holds all chains */
    struct chain_dropped dropped[CHAIN_KINDS];
    /* Memory that no link has used yet, by kind. */
    struct chain_fresh {
        char *next;
        uint32_t count;
    } fresh[CHAIN_KINDS];
    /* Links to be dropped once they have come into the cache (chain_drop_late), in a ring. */
    struct chain *late[CHAIN_LATE];
    uint32_t next_late;
};

/* Makes the store empty. */
void chain_store_new(struct chain_store *store);
/* Frees the memory of all links, even of those that still have references. */
void chain_store_free(struct chain_store *store);
/* Returns uninitialised memory that chain_store_free frees; NULL: out of memory. */
void *chain_store_take(struct chain_store *store, size_t bytes);

/* Returns memory for a link of a kind; NULL: out of memory. `bytes` must be the same for all links
 * of that kind. */
struct chain *chain_heap_take(struct chain_heap *heap, unsigned kind, size_t bytes);
/* Returns a link to the heap. */
void chain_heap_give(struct chain_heap *heap, unsigned kind, struct chain *link);
/* Allocates a link that is larger than others of its kind. */
struct chain *chain_heap_take_large(struct chain_heap *heap, size_t bytes);

/* Frees a link that chain_heap_take_large has made. */
void chain_heap_give_large(struct chain_heap *heap, struct chain *link);

#endif
