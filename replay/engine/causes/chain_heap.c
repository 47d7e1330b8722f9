/* Takes the memory of links from lists of dropped links, then from the common store, and returns
 * long lists to the store. Large bases have memory blocks of their own. */
#include "replay/engine/causes/chain_heap.h"
#include "replay/engine/causes/chain.h"

#include "core/processes/spin_lock.h"

#include <stdlib.h>

#define FRESH_BYTES ((size_t)4096) /* bytes of fresh links that a heap takes memory for at once */
#define HEAP_MAX    2048u          /* most unused links of each kind that a heap keeps */
#define HEAP_LEFT   1024u /* number of them that it keeps when it gives the others to the store */
#define HEAP_TAKES  64u   /* links that a heap takes from the store at once */

/* The header of a link that has a memory block of its own. */
struct chain_large {
    struct chain_large *after, *before; /* in the store's list */
};

void chain_store_new(struct chain_store *store) {
    *store = (struct chain_store){.is_locked = ATOMIC_FLAG_INIT};
}

void chain_store_free(struct chain_store *store) {
    while (store->large != NULL) {
        struct chain_large *large = store->large;
        store->large = large->after;
        free(large);
    }
    arena_free(&store->arena);
    chain_store_new(store);
}

void *chain_store_take(struct chain_store *store, size_t bytes) {
    spin_lock(&store->is_locked);
    void *memory = arena_allocate(&store->arena, bytes);
    spin_unlock(&store->is_locked);
    return memory;
}

static void push_dropped(struct chain_dropped *list, struct chain *link) {
    link->before = list->first;
    list->first = link;
    list->count++;
}

static struct chain *pop_dropped(struct chain_dropped *list) {
    struct chain *link = list->first;
    list->first = link->before;
    list->count--;
    return link;
}

/* Gives links of a long list to the store. */
HINT_RARE static void give_many(struct chain_heap *heap, unsigned kind) {
    spin_lock(&heap->store->is_locked);
    while (heap->dropped[kind].count > HEAP_LEFT)
        push_dropped(&heap->store->dropped[kind], pop_dropped(&heap->dropped[kind]));
    spin_unlock(&heap->store->is_locked);
}

/* Takes a link that was dropped elsewhere, or a fresh one. */
HINT_NOINLINE static struct chain *take_more(struct chain_heap *heap, unsigned kind, size_t bytes) {
    struct chain_store *store = heap->store;
    struct chain_dropped *own = &heap->dropped[kind], *common = &store->dropped[kind];
    struct chain_fresh *fresh = &heap->fresh[kind];
    if (fresh->count == 0) {
        spin_lock(&store->is_locked);
        while (common->count > 0 && own->count < HEAP_TAKES)
            push_dropped(own, pop_dropped(common));
        if (own->count == 0) {
            const size_t count = bytes < FRESH_BYTES ? FRESH_BYTES / bytes : 1;
            fresh->next = arena_allocate(&store->arena, count * bytes);
            fresh->count = fresh->next != NULL ? (uint32_t)count : 0;
        }
        spin_unlock(&store->is_locked);
        if (own->count > 0) return pop_dropped(own);
        if (fresh->count == 0) return NULL;
    }
    struct chain *link = (void *)fresh->next;
    fresh->next += bytes;
    fresh->count--;
    return link;
}

struct chain *chain_heap_take(struct chain_heap *heap, unsigned kind, size_t bytes) {
    struct chain_dropped *own = &heap->dropped[kind];
    return own->count > 0 ? pop_dropped(own) : take_more(heap, kind, bytes);
}

void chain_heap_give(struct chain_heap *heap, unsigned kind, struct chain *link) {
    struct chain_dropped *own = &heap->dropped[kind];
    push_dropped(own, link);
    if (HINT_UNLIKELY(own->count > HEAP_MAX)) give_many(heap, kind);
}

struct chain *chain_heap_take_large(struct chain_heap *heap, size_t bytes) {
    struct chain_store *store = heap->store;
    struct chain_large *large = malloc(sizeof *large + bytes);
    if (large == NULL) return NULL;
    spin_lock(&store->is_locked);
    *large = (struct chain_large){store->large, NULL};
    if (store->large != NULL) store->large->before = large;
    store->large = large;
    spin_unlock(&store->is_locked);
    return (struct chain *)(void *)(large + 1);
}

void chain_heap_give_large(struct chain_heap *heap, struct chain *link) {
    struct chain_store *store = heap->store;
    struct chain_large *large = (struct chain_large *)(void *)link - 1;
    spin_lock(&store->is_locked);
    if (large->after != NULL) large->after->before = large->before;
    if (large->before != NULL)
        large->before->after = large->after;
    else
        store->large = large->after;
    spin_unlock(&store->is_locked);
    free(large);
}
