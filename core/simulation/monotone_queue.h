/*
 * A queue for simulated times that never go back: no item comes before the one taken last. Items of
 * one key leave in the order in which they came.
 *
 * It is a radix heap: an item stands in the list of the highest digit in which its key differs from
 * the key taken last, and of its value of that digit. When the first list is reached, its items
 * move to lists of lower digits. So an item moves at most once for each digit, and seldom more than
 * two or three times; keys are never compared in pairs.
 *
 * Invariant: every item is in exactly one list, and the lists keep the order of coming.
 */
#ifndef ANAX_CORE_MONOTONE_QUEUE_H
#define ANAX_CORE_MONOTONE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MONOTONE_NONE   UINT32_MAX
#define MONOTONE_BITS   6u /* of a digit */
#define MONOTONE_DIGITS ((64 + MONOTONE_BITS - 1) / MONOTONE_BITS)
#define MONOTONE_VALUES (1u << MONOTONE_BITS)

struct monotone_item {
    uint64_t key;
    uint32_t next;
};

struct monotone_list {
    uint32_t first; /* MONOTONE_NONE: empty */
    uint32_t last;
};

struct monotone_queue {
    uint64_t key;                     /* taken last */
    struct monotone_list due;         /* items of that key */
    uint32_t digits;                  /* a bit for each digit that has items */
    uint64_t values[MONOTONE_DIGITS]; /* per digit: a bit for each value that has items */
    struct monotone_list lists[MONOTONE_DIGITS][MONOTONE_VALUES];
    struct monotone_item *items; /* by number */
    size_t capacity;
};

/* Makes the queue empty. The caller ends with monotone_queue_free. */
void monotone_queue_new(struct monotone_queue *queue);

/* Frees what monotone_queue_new has made. */
void monotone_queue_free(struct monotone_queue *queue);

/* Inserts an item that is not in the queue. Numbers should be small, as those of a pool. key must
 * not be below the key taken last. Returns false: out of memory. */
bool monotone_queue_put(struct monotone_queue *queue, uint64_t key, uint32_t item);

/* Returns whether there are items of the key taken last. */
static inline bool monotone_queue_is_due(const struct monotone_queue *queue) {
    return queue->due.first != MONOTONE_NONE;
}

/* Takes the item with the lowest key; MONOTONE_NONE: there is none. Sets queue->key. */
uint32_t monotone_queue_take(struct monotone_queue *queue);

#endif
