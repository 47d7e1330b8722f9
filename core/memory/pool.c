/* The slow way of pools: items that were never taken. */
#include "core/memory/pool.h"

#include "core/memory/memory.h"

uint32_t pool_fresh(void **items, uint32_t **free_items, size_t *capacity, uint32_t *used,
                    size_t item_bytes) {
    if (*used < *capacity && *used < POOL_NONE) return (*used)++;
    size_t grown = *capacity, listed = *capacity;
    if (*used == POOL_NONE ||
        memory_grow_aligned(items, &grown, (size_t)*used + 1, item_bytes, NULL) != STATUS_OK)
        return POOL_NONE;
    /* If there is no memory for the list, *capacity stays: the items have more room than it says.
     */
    void *list = *free_items;
    if (memory_grow(&list, &listed, grown, sizeof **free_items, NULL) != STATUS_OK)
        return POOL_NONE;
    *free_items = list;
    *capacity = grown;
    return (*used)++;
}
