/*
 * A map from 64-bit keys to 32-bit values, for requests in flight, and for tables in which equal
 * elements stand once. Must not know programs.
 *
 * For elements of more than 64 bits, use a hash of the element as the key. If the element that is
 * found differs, try key + 1, and so on. A zeroed table is empty.
 */
#ifndef ANAX_TRACES_KEY_TABLE_H
#define ANAX_TRACES_KEY_TABLE_H

#include "core/base/status.h"
#include "core/memory/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_TABLE_NONE UINT32_MAX

struct key_table_entry {
    uint64_t key;
    uint32_t value_plus_one; /* 0: the entry is free */
};

static inline bool key_table_is_used(const struct key_table_entry *entry) {
    return entry->value_plus_one != 0;
}
MAP_DEFINE(key_table, struct key_table_entry, uint64_t, map_hash_of_word, map_is_same_word,
           key_table_is_used)

struct key_table {
    struct key_table_map map;
};

/* Returns the value of a key; KEY_TABLE_NONE: the table does not have the key. */
static inline uint32_t key_table_find(const struct key_table *table, uint64_t key) {
    const struct key_table_entry *entry = key_table_map_find(&table->map, &key);
    return entry != NULL ? entry->value_plus_one - 1 : KEY_TABLE_NONE;
}

/* Adds a key that is not there yet; value must not be KEY_TABLE_NONE. */
status_code key_table_insert(struct key_table *table, uint64_t key, uint32_t value,
                             struct status *status);

/* Removes a key and returns its value; KEY_TABLE_NONE: the table did not have the key. */
uint32_t key_table_remove(struct key_table *table, uint64_t key);

/* Removes all keys in a time proportional to their number, and frees the memory of a table that is
 * much too large. */
void key_table_remove_all(struct key_table *table);

/* Frees what a table holds. */
void key_table_free(struct key_table *table);

#endif
