/*
 * A map: a hash table whose entries stand in one array, with open addressing and linear probing.
 * When an entry is removed, the entries after it move back, so there are no tombstones. A zeroed
 * map is empty.
 *
 * Invariant: no free place lies between an entry and its home, the place that its hash names.
 * Callers may not depend on the order of entries. The map knows of its entries only what MAP_DEFINE
 * is told.
 */
#ifndef ANAX_CORE_MAP_H
#define ANAX_CORE_MAP_H

#include "core/base/compiler_hints.h"
#include "core/base/digest.h"
#include "core/memory/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns a hash for keys of one word. The leading bits of a hash are its home, so consecutive
 * keys, such as ids of requests, have homes that are far apart (Knuth, The Art of Computer
 * Programming 3, 6.4). */
static inline uint64_t map_hash(uint64_t word) {
    return word * DIGEST_GOLDEN;
}

/* Returns the home of a hash in a map with room for `capacity` entries, a power of two from 2 on.
 */
static inline uint32_t map_home(uint64_t hash, uint32_t capacity) {
    return (uint32_t)(hash >> __builtin_clzll((uint64_t)capacity - 1));
}

/* For maps whose keys are one word. */
static inline uint64_t map_hash_of_word(const uint64_t *key) {
    return map_hash(*key);
}

/* Compares keys that are one word. */
static inline bool map_is_same_word(const uint64_t *one, const uint64_t *other) {
    return *one == *other;
}

/* Defines struct NAME_map, of entries of type `entry_type`, which have their keys as `key`, of type
 * `key_type`, and
 *
 *   NAME_map_find(map, key)      returns the entry of a key, or NULL. The pointer is valid until
 *                                the map changes
 *   NAME_map_add(map, key)       adds an entry for a key that the map does not have, with all other
 *                                members 0. NULL: there is not enough memory
 *   NAME_map_find_or_add(map, key, is_new)   returns the entry of a key, which it adds if there is
 *                                none, and sets *is_new. NULL: there is not enough memory
 *   NAME_map_remove(map, entry)  removes an entry
 *   NAME_map_empty(map)          removes all entries, in a time proportional to their number:
 *                                a map with many more places than entries frees its memory
 *   NAME_map_clear(map)          frees the map's memory and makes the map empty
 *
 * The functions use three functions or macros of the caller: hash(key) returns a word whose leading
 * bits differ between keys; is_equal(key, key) compares two keys; is_used(entry) returns false for
 * zeroed entries, and true for all others by the next call of the map. Keys are passed as
 * pointers. */
#define MAP_DEFINE(NAME, entry_type, key_type, hash, is_equal, is_used)                            \
    typedef entry_type NAME##_map_entry;                                                           \
    struct NAME##_map {                                                                            \
        NAME##_map_entry *entries;                                                                 \
        uint32_t capacity; /* 0 or a power of two; at most three quarters are used */              \
        uint32_t count;                                                                            \
    };                                                                                             \
    __attribute__((unused)) static inline uint32_t NAME##_map_home(const struct NAME##_map *map,   \
                                                                   const key_type *key) {          \
        return map_home(hash(key), map->capacity);                                                 \
    }                                                                                              \
    __attribute__((unused)) static inline uint32_t NAME##_map_free_place(                          \
        const struct NAME##_map *map, const key_type *key) {                                       \
        uint32_t at = NAME##_map_home(map, key);                                                   \
        while (is_used(&map->entries[at]))                                                         \
            at = (at + 1) & (map->capacity - 1);                                                   \
        return at;                                                                                 \
    }                                                                                              \
    __attribute__((unused)) static inline NAME##_map_entry *NAME##_map_find(                       \
        const struct NAME##_map *map, const key_type *key) {                                       \
        if (map->count == 0) return NULL;                                                          \
        uint32_t at = NAME##_map_home(map, key);                                                   \
        for (; is_used(&map->entries[at]); at = (at + 1) & (map->capacity - 1))                    \
            if (is_equal(&map->entries[at].key, key)) return &map->entries[at];                    \
        return NULL;                                                                               \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_map_clear(struct NAME##_map *map) {          \
        memory_free_to_system(map->entries, map->capacity * sizeof *map->entries);                 \
        *map = (struct NAME##_map){0};                                                             \
    }                                                                                              \
    HINT_RARE __attribute__((unused)) static bool NAME##_map_grow(struct NAME##_map *map) {        \
        if (map->capacity > UINT32_MAX / 2) return false;                                          \
        struct NAME##_map larger = {.capacity = map->capacity == 0 ? 16 : 2 * map->capacity,       \
                                    .count = map->count};                                          \
        larger.entries = memory_new_aligned(larger.capacity, sizeof *larger.entries);              \
        if (larger.entries == NULL) return false;                                                  \
        for (uint32_t i = 0; i < map->capacity; i++) {                                             \
            if (!is_used(&map->entries[i])) continue;                                              \
            larger.entries[NAME##_map_free_place(&larger, &map->entries[i].key)] =                 \
                map->entries[i];                                                                   \
        }                                                                                          \
        NAME##_map_clear(map);                                                                     \
        *map = larger;                                                                             \
        return true;                                                                               \
    }                                                                                              \
    __attribute__((unused)) static inline NAME##_map_entry *NAME##_map_add(struct NAME##_map *map, \
                                                                           const key_type *key) {  \
        if (map->count >= map->capacity / 4 * 3 && !NAME##_map_grow(map)) return NULL;             \
        NAME##_map_entry *entry = &map->entries[NAME##_map_free_place(map, key)];                  \
        *entry = (NAME##_map_entry){.key = *key};                                                  \
        map->count++;                                                                              \
        return entry;                                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline NAME##_map_entry *NAME##_map_find_or_add(                \
        struct NAME##_map *map, const key_type *key, bool *is_new) {                               \
        if (map->count >= map->capacity / 4 * 3 && !NAME##_map_grow(map)) return NULL;             \
        uint32_t at = NAME##_map_home(map, key);                                                   \
        *is_new = false;                                                                           \
        for (; is_used(&map->entries[at]); at = (at + 1) & (map->capacity - 1))                    \
            if (is_equal(&map->entries[at].key, key)) return &map->entries[at];                    \
        *is_new = true;                                                                            \
        map->entries[at] = (NAME##_map_entry){.key = *key};                                        \
        map->count++;                                                                              \
        return &map->entries[at];                                                                  \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_map_remove(struct NAME##_map *map,           \
                                                                 NAME##_map_entry *entry) {        \
        uint32_t mask = map->capacity - 1;                                                         \
        uint32_t hole = (uint32_t)(entry - map->entries);                                          \
        for (uint32_t at = (hole + 1) & mask; is_used(&map->entries[at]); at = (at + 1) & mask) {  \
            /* It may fill the hole if its home is not between the hole and it. */                 \
            uint32_t home = NAME##_map_home(map, &map->entries[at].key);                           \
            if (((at - home) & mask) < ((at - hole) & mask)) continue;                             \
            map->entries[hole] = map->entries[at];                                                 \
            hole = at;                                                                             \
        }                                                                                          \
        map->entries[hole] = (NAME##_map_entry){0};                                                \
        map->count--;                                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_map_empty(struct NAME##_map *map) {          \
        if (map->capacity > 16 * (map->count + 16)) {                                              \
            NAME##_map_clear(map);                                                                 \
            return;                                                                                \
        }                                                                                          \
        for (uint32_t i = 0; map->count > 0 && i < map->capacity; i++)                             \
            map->entries[i] = (NAME##_map_entry){0};                                               \
        map->count = 0;                                                                            \
    }

#endif
