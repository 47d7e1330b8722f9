/*
 * A pool: items of one type in an array that grows. Items are taken and given back by their index,
 * which does not change when the array moves. An item that was given back is taken again before
 * items that were never taken; the last one given back comes first. Items that were never taken
 * follow in ascending order. So the sequence of calls alone decides the sequence of indices.
 *
 * Invariant: every item below `used` is either taken or in the list of free items. A zeroed pool is
 * empty. The pool knows only the member `next` of its items, which the user may use while the item
 * is taken.
 */
#ifndef ANAX_CORE_POOL_H
#define ANAX_CORE_POOL_H

#include "core/base/compiler_hints.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define POOL_NONE UINT32_MAX

/* Returns the index of an item that was never taken, and grows *items if it is full; POOL_NONE:
 * there is not enough memory. The array begins at a multiple of the cache line of 64 bytes. */
uint32_t pool_fresh(void **items, size_t *capacity, uint32_t *used, size_t item_bytes);

/* Defines struct NAME_pool, of items of a type that has a member `uint32_t next`, and
 *
 *   NAME_pool_take(pool)          returns the index of an item, not initialised, or POOL_NONE
 *   NAME_pool_give(pool, index)   gives an item back
 *   NAME_pool_clear(pool)         frees the pool's memory and makes the pool empty
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
