/*
 * An arena: pieces of memory that are freed all together. They are cut from blocks that grow up to
 * a huge page each, so that many small pieces lie in few pages.
 *
 * Invariant: a piece begins at a multiple of the cache line of 64 bytes. A zeroed arena is empty.
 * An arena must not know what its pieces are for.
 */
#ifndef ANAX_CORE_ARENA_H
#define ANAX_CORE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the latest first */
    char *next;                 /* what is left of the latest block */
    size_t left;
    size_t block_bytes; /* of the latest block; 0: there is none */
};

/* Returns memory that is not initialised; NULL: there is not enough memory. */
void *arena_allocate(struct arena *arena, size_t bytes);
/* Frees all pieces and makes the arena empty. */
void arena_free(struct arena *arena);

#endif
