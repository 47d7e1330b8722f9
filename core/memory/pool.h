/*
 * A pool: items of one type in an array that grows. Items are taken and given back by their index,
 * which does not change when the array moves. An item that was given back is taken again before
 * items that were never taken; the last one given back comes first. Items that were never taken
 * follow in ascending order. So the sequence of calls alone decides the sequence of indices.
 *
 * Invariant: every item below `used` is either taken or one of the free items. A zeroed pool is
 * empty. Free items are listed apart: neither taking nor giving an item reads it, because free
 * items have mostly left the cache.
 */
#ifndef ANAX_CORE_POOL_H
#define ANAX_CORE_POOL_H

#include "core/base/compiler_hints.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define POOL_NONE UINT32_MAX

/* Returns the index of an item that was never taken, and makes room in *items and *free_items if
 * they are full; POOL_NONE: there is not enough memory. Items begin at a multiple of the cache line
 * of 64 bytes. */
uint32_t pool_fresh(void **items, uint32_t **free_items, size_t *capacity, uint32_t *used,
                    size_t item_bytes);

/* Defines struct NAME_pool, of items of a type, and
 *
 *   NAME_pool_take(pool)          returns the index of an item, not initialised, or POOL_NONE
 *   NAME_pool_give(pool, index)   gives an item back
 *   NAME_pool_next(pool, ahead)   returns the item that will be taken after `ahead` others if none
 *                                 is given back, for a prefetch; NULL: it was never taken
 *   NAME_pool_list_end(pool)      returns where the index of that item (ahead = 0) is read, or NULL
 *   NAME_pool_clear(pool)         frees the pool's memory and makes the pool empty
 */
#define POOL_DEFINE(NAME, type)                                                                    \
    struct NAME##_pool {                                                                           \
        type *items;                                                                               \
        uint32_t *free_items; /* their indices; the last one given back stands last */             \
        size_t capacity;      /* of items and of free_items */                                     \
        uint32_t used;        /* items that were ever taken */                                     \
        uint32_t free_count;                                                                       \
    };                                                                                             \
    HINT_RARE                                                                                      \
    __attribute__((unused)) static uint32_t NAME##_pool_fresh(struct NAME##_pool *pool) {          \
        void *items = pool->items;                                                                 \
        uint32_t fresh =                                                                           \
            pool_fresh(&items, &pool->free_items, &pool->capacity, &pool->used, sizeof(type));     \
        pool->items = items;                                                                       \
        return fresh;                                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline uint32_t NAME##_pool_take(struct NAME##_pool *pool) {    \
        if (pool->free_count == 0) return NAME##_pool_fresh(pool);                                 \
        return pool->free_items[--pool->free_count];                                               \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_pool_give(struct NAME##_pool *pool,          \
                                                                uint32_t index) {                  \
        pool->free_items[pool->free_count++] = index;                                              \
    }                                                                                              \
    __attribute__((unused)) static inline void *NAME##_pool_next(const struct NAME##_pool *pool,   \
                                                                 uint32_t ahead) {                 \
        return ahead < pool->free_count                                                            \
                   ? &pool->items[pool->free_items[pool->free_count - 1 - ahead]]                  \
                   : NULL;                                                                         \
    }                                                                                              \
    __attribute__((unused)) static inline const uint32_t *NAME##_pool_list_end(                    \
        const struct NAME##_pool *pool) {                                                          \
        return pool->free_count > 0 ? &pool->free_items[pool->free_count - 1] : NULL;              \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_pool_clear(struct NAME##_pool *pool) {       \
        free(pool->items);                                                                         \
        free(pool->free_items);                                                                    \
        *pool = (struct NAME##_pool){0};                                                           \
    }

#endif
