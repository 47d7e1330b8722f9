/*
 * Pools: items of one type in an array that grows, taken and given back by index. An index stays
 * that of its item when the array moves. Items that were given back are taken again, the latest
 * first; then come items that were never taken, in ascending order. So the sequence of indices
 * follows from the sequence of calls alone.
 *
 * Invariant: every item below `used` is either taken or in the list of free ones. A zeroed pool is
 * an empty one. Knows nothing of its items but their member `next`, which is the user's while the
 * item is taken.
 */
#ifndef ANAX_CORE_POOL_H
#define ANAX_CORE_POOL_H

#include "core/hints.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define POOL_NONE UINT32_MAX

/* The index of an item that was never taken, growing *items if need be; POOL_NONE when out of
 * memory. The array begins at a multiple of the cache line of 64 bytes. */
uint32_t pool_fresh(void **items, size_t *capacity, uint32_t *used, size_t item_bytes);

/* Defines struct NAME_pool, of items of a type that has a member `uint32_t next`, and
 *
 *   NAME_pool_take(pool)          the index of an item that is not initialised, or POOL_NONE
 *   NAME_pool_give(pool, index)   gives it back
 *   NAME_pool_clear(pool)         frees the pool's memory; it is empty then
 *
 * `first_free` and, in the list, `next` are indices plus one; 0 ends the list. */
#define POOL_DEFINE(NAME, type)                                                                    \
    struct NAME##_pool {                                                                           \
        type *items;                                                                               \
        size_t capacity;                                                                           \
        uint32_t used; /* items that were ever taken */                                            \
        uint32_t first_free;                                                                       \
    };                                                                                             \
    HINT_RARE                                                                                      \
    __attribute__((unused)) static uint32_t NAME##_pool_fresh(struct NAME##_pool *pool) {          \
        void *items = pool->items;                                                                 \
        uint32_t fresh = pool_fresh(&items, &pool->capacity, &pool->used, sizeof(type));           \
        pool->items = items;                                                                       \
        return fresh;                                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline uint32_t NAME##_pool_take(struct NAME##_pool *pool) {    \
        if (pool->first_free == 0) return NAME##_pool_fresh(pool);                                 \
        uint32_t index = pool->first_free - 1;                                                     \
        pool->first_free = pool->items[index].next;                                                \
        return index;                                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_pool_give(struct NAME##_pool *pool,          \
                                                                uint32_t index) {                  \
        pool->items[index].next = pool->first_free;                                                \
        pool->first_free = index + 1;                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_pool_clear(struct NAME##_pool *pool) {       \
        free(pool->items);                                                                         \
        *pool = (struct NAME##_pool){0};                                                           \
    }

#endif
