/*
 * A map from 64-bit keys to 32-bit values, for requests in flight and for storing equal
 * things once. Knows nothing of programs.
 *
 * To intern things larger than 64 bits use a hash of their content as the key; when the entry found
 * has other contents, try key + 1, and so on. A zeroed table is an empty one.
 */
#ifndef ANAX_TRACES_KEY_TABLE_H
#define ANAX_TRACES_KEY_TABLE_H

#include "core/map.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_TABLE_NONE UINT32_MAX

struct key_table_entry {
    uint64_t key;
    uint32_t number; /* the value + 1 */
};

static inline bool key_table_is_used(const struct key_table_entry *entry) {
    return entry->number != 0;
}
MAP_DEFINE(key_table, struct key_table_entry, uint64_t, map_hash_of_word, map_is_same_word,
           key_table_is_used)

struct key_table {
    struct key_table_map map;
};

/* The value of a key, KEY_TABLE_NONE when it is not there. */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key) {
    const struct key_table_entry *entry = key_table_map_find(&table->map, &key);
    return entry != NULL ? entry->number - 1 : KEY_TABLE_NONE;
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
