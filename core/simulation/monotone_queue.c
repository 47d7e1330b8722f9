/* A radix heap: the highest digit in which an item's key differs from the last key taken, and the
 * value of this digit, give the list of the item. Lists keep the order of insertion. */
#include "core/simulation/monotone_queue.h"

#include "core/memory/memory.h"

#include <assert.h>
#include <stdlib.h>

static const struct monotone_list empty = {MONOTONE_NONE, MONOTONE_NONE};

void monotone_queue_new(struct monotone_queue *queue) {
    *queue = (struct monotone_queue){.due = empty};
    for (unsigned digit = 0; digit < MONOTONE_DIGITS; digit++)
        for (unsigned value = 0; value < MONOTONE_VALUES; value++)
            queue->lists[digit][value] = empty;
}

void monotone_queue_free(struct monotone_queue *queue) {
    free(queue->items);
    monotone_queue_new(queue);
}

static inline void append_item(struct monotone_queue *queue, struct monotone_list *list,
                               uint32_t item) {
    queue->items[item].next = MONOTONE_NONE;
    if (list->first == MONOTONE_NONE)
        list->first = item;
    else
        queue->items[list->last].next = item;
    list->last = item;
}

/* Appends an item to the list that its key belongs to. */
static inline void append_to_list(struct monotone_queue *queue, uint32_t item) {
    const uint64_t key = queue->items[item].key, differs = key ^ queue->key;
    if (differs == 0) {
        append_item(queue, &queue->due, item);
        return;
    }
    const unsigned digit = (63 - (unsigned)__builtin_clzll(differs)) / MONOTONE_BITS;
    const unsigned value = key >> (digit * MONOTONE_BITS) & (MONOTONE_VALUES - 1);
    queue->digits |= 1u << digit;
    queue->values[digit] |= UINT64_C(1) << value;
    append_item(queue, &queue->lists[digit][value], item);
}

bool monotone_queue_put(struct monotone_queue *queue, uint64_t key, uint32_t item) {
    assert(key >= queue->key);
    if (item >= queue->capacity) {
        void *items = queue->items;
        if (memory_grow(&items, &queue->capacity, (size_t)item + 1, sizeof *queue->items, NULL) !=
            STATUS_OK)
            return false;
        queue->items = items;
    }
    queue->items[item].key = key;
    append_to_list(queue, item);
    return true;
}

/* Removes the list of the lowest keys, which has items of several keys unless its digit is the
 * lowest one, and returns its first item. There must be one. */
static uint32_t take_list(struct monotone_queue *queue) {
    const unsigned digit = (unsigned)__builtin_ctz(queue->digits);
    const unsigned value = (unsigned)__builtin_ctzll(queue->values[digit]);
    struct monotone_list *list = &queue->lists[digit][value];
    const uint32_t first = list->first;
    *list = empty;
    queue->values[digit] &= ~(UINT64_C(1) << value);
    if (queue->values[digit] == 0) queue->digits &= ~(1u << digit);
    return first;
}

uint32_t monotone_queue_take(struct monotone_queue *queue) {
    if (!monotone_queue_is_due(queue)) {
        if (queue->digits == 0) return MONOTONE_NONE;
        const uint32_t first = take_list(queue);
        uint64_t lowest = queue->items[first].key;
        for (uint32_t item = queue->items[first].next; item != MONOTONE_NONE;
             item = queue->items[item].next)
            if (queue->items[item].key < lowest) lowest = queue->items[item].key;
        queue->key = lowest;
        for (uint32_t item = first, next; item != MONOTONE_NONE; item = next) {
            next = queue->items[item].next;
            append_to_list(queue, item);
        }
    }
    const uint32_t taken = queue->due.first;
    queue->due.first = queue->items[taken].next;
    return taken;
}
