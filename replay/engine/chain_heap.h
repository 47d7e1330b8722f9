/*
 * The memory of links of chains.
 *
 * Each domain has a heap with the links that were dropped there, for new ones. All heaps of a
 * replay take memory from one store, and give long lists of dropped links back to it for others:
 * chains go from domain to domain.
 *
 * Must not know: what links contain. Invariant: memory follows the links that there were at most at
 * one time.
 */
#ifndef ANAX_REPLAY_CHAIN_HEAP_H
#define ANAX_REPLAY_CHAIN_HEAP_H

#include "core/memory/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct chain;
struct chain_apart;

#define CHAIN_SORTS 5 /* chain_kind */

/* A list of dropped links of one kind, by `before`. */
struct chain_dropped {
    struct chain *first;
    uint32_t count;
};

struct chain_store {
    struct arena arena;
    struct chain_dropped dropped[CHAIN_SORTS];
    struct chain_apart *apart; /* list of memory that single links have */
    atomic_flag is_locked;     /* rarely and shortly */
};

#define CHAIN_LATE 8u
struct chain_heap {
    struct chain_store *store;
    bool is_alone; /* one thread holds all chains */
    struct chain_dropped dropped[CHAIN_SORTS];
    /* Memory for links that there never were, by kind. */
    struct chain_fresh {
        char *next;
        uint32_t count;
    } fresh[CHAIN_SORTS];
    /* Links that wait to be dropped until they have come into the cache, in a ring. */
    struct chain *late[CHAIN_LATE];
    uint32_t next_late;
};

/* Makes the store empty. */
void chain_store_new(struct chain_store *store);
/* Frees the memory of all links, also of those that somebody holds. */
void chain_store_free(struct chain_store *store);
/* Returns memory of the store that is not initialised; NULL: out of memory. */
void *chain_store_take(struct chain_store *store, size_t bytes);

/* Takes memory for a link, of which all of its kind have so many bytes; NULL: out of memory. */
struct chain *chain_heap_take(struct chain_heap *heap, unsigned kind, size_t bytes);
/* Gives a link back. */
void chain_heap_give(struct chain_heap *heap, unsigned kind, struct chain *link);
/* The same for a link that has memory of its own, since it is larger than others of its kind. */
struct chain *chain_heap_take_apart(struct chain_heap *heap, size_t bytes);
void chain_heap_give_apart(struct chain_heap *heap, struct chain *link);

#endif
