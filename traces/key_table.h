/*
 * A hash table from 64-bit keys to 32-bit values, for requests in flight and for storing equal
 * things once. Knows nothing of programs.
 *
 * To intern things larger than 64 bits use a hash of their content as the key; when the entry found
 * has other contents, try key + 1, and so on. A zeroed table is an empty one.
 */
#ifndef ANAX_TRACES_KEY_TABLE_H
#define ANAX_TRACES_KEY_TABLE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_TABLE_NONE UINT32_MAX

struct key_table {
    uint64_t *keys;
    uint32_t *values; /* KEY_TABLE_NONE: the place is free */
    size_t capacity;  /* 0 or a power of two; at most three quarters are used */
    size_t count;
};

/* Keys that count up, as requests do, lie apart: the places are the leading bits of multiples of
 * the golden ratio (Knuth, The Art of Computer Programming 3, 6.4). capacity > 1. */
static inline size_t key_table_home(const struct key_table *table, uint64_t key) {
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> __builtin_clzll(table->capacity - 1));
}

/* The place of a key, or the free place where it would go. capacity > 0. */
static inline size_t key_table_place(const struct key_table *table, uint64_t key) {
    size_t place = key_table_home(table, key);
    while (table->values[place] != KEY_TABLE_NONE && table->keys[place] != key)
        place = (place + 1) & (table->capacity - 1);
    return place;
}

/* The value of a key, KEY_TABLE_NONE when it is not there. */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key) {
    return table->capacity == 0 ? KEY_TABLE_NONE : table->values[key_table_place(table, key)];
}

/* Adds a key that is not there yet; value must not be KEY_TABLE_NONE. */
status_code key_table_insert(struct key_table *table, uint64_t key, uint32_t value,
                             struct status *status);

/* Removes a key; its value, KEY_TABLE_NONE when it was not there. */
uint32_t key_table_remove(struct key_table *table, uint64_t key);

/* Empties the table at a cost proportional to what it held (a table that is far too large is
 * given back). */
void key_table_clear(struct key_table *table);

void key_table_free(struct key_table *table);

#endif
