/* The slow way of pools: items that were never taken. */
#include "core/memory/pool.h"

#include "core/memory/memory.h"

uint32_t pool_fresh(void **items, size_t *capacity, uint32_t *used, size_t item_bytes) {
    if (*used < *capacity && *used < POOL_NONE) return (*used)++;
    if (*used == POOL_NONE ||
        memory_grow_aligned(items, capacity, (size_t)*used + 1, item_bytes, NULL) != STATUS_OK)
        return POOL_NONE;
    return (*used)++;
}
