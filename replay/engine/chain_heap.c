/* The memory of links. See chain_heap.h. */
#include "replay/engine/chain_heap.h"
#include "replay/engine/chain.h"

#include "core/spin_lock.h"

#define FRESH_BYTES ((size_t)4096) /* a heap takes memory for so much of fresh links at once */
#define HEAP_MOST   2048u          /* links of each kind that a heap keeps at most, */
#define HEAP_LEFT   1024u          /* and how many it keeps when these are too many */
#define HEAP_TAKES  64u            /* links that a heap takes from the store at once */

void chain_store_new(struct chain_store *store) {
    *store = (struct chain_store){.is_locked = ATOMIC_FLAG_INIT};
}

void chain_store_free(struct chain_store *store) {
    arena_free(&store->arena);
    chain_store_new(store);
}

void *chain_store_take(struct chain_store *store, size_t bytes) {
    spin_lock(&store->is_locked);
    void *memory = arena_take(&store->arena, bytes);
    spin_unlock(&store->is_locked);
    return memory;
}

static void put(struct chain_dropped *list, struct chain *link) {
    link->before = list->first;
    list->first = link;
    list->count++;
}

static struct chain *take(struct chain_dropped *list) {
    struct chain *link = list->first;
    list->first = link->before;
    list->count--;
    return link;
}

/* Moves links from one list to another one until `left` are left. */
static void move(struct chain_store *store, struct chain_dropped *from, struct chain_dropped *to,
                 uint32_t left) {
    spin_lock(&store->is_locked);
    while (from->count > left)
        put(to, take(from));
    spin_unlock(&store->is_locked);
}

/* Takes a link that was dropped elsewhere, or a fresh one. */
HINT_APART static struct chain *take_more(struct chain_heap *heap, unsigned kind, size_t bytes) {
    struct chain_store *store = heap->store;
    struct chain_dropped *own = &heap->dropped[kind], *common = &store->dropped[kind];
    struct chain_fresh *fresh = &heap->fresh[kind];
    if (fresh->count == 0) {
        spin_lock(&store->is_locked);
        while (common->count > 0 && own->count < HEAP_TAKES)
            put(own, take(common));
        if (own->count == 0) {
            const size_t count = bytes < FRESH_BYTES ? FRESH_BYTES / bytes : 1;
            fresh->next = arena_take(&store->arena, count * bytes);
            fresh->count = fresh->next != NULL ? (uint32_t)count : 0;
        }
        spin_unlock(&store->is_locked);
        if (own->count > 0) return take(own);
        if (fresh->count == 0) return NULL;
    }
    struct chain *link = (void *)fresh->next;
    fresh->next += bytes;
    fresh->count--;
    return link;
}

struct chain *chain_heap_take(struct chain_heap *heap, unsigned kind, size_t bytes) {
    struct chain_dropped *own = &heap->dropped[kind];
    return own->count > 0 ? take(own) : take_more(heap, kind, bytes);
}

void chain_heap_give(struct chain_heap *heap, unsigned kind, struct chain *link) {
    struct chain_dropped *own = &heap->dropped[kind];
    put(own, link);
    if (HINT_UNLIKELY(own->count > HEAP_MOST))
        move(heap->store, own, &heap->store->dropped[kind], HEAP_LEFT);
}

void chain_heap_empty(struct chain_heap *heap) {
    for (unsigned kind = 0; kind < CHAIN_SORTS; kind++)
        if (heap->dropped[kind].count > 0)
            move(heap->store, &heap->dropped[kind], &heap->store->dropped[kind], 0);
}
