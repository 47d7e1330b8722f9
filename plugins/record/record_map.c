/* A table from handles to numbers, with open addressing. A key may have several values: a library
 * gives a handle to a new request before the old one is recorded as complete, and Open MPI gives
 * all sends that are complete at once the same handle. They are found in the order in which they
 * were inserted. */
#include "recorder.h"

#include <stdlib.h>

static size_t place_of(const struct record_map *map, uint64_t key) {
    return (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (map->capacity - 1);
}

uint32_t record_map_find(const struct record_map *map, uint64_t key) {
    if (map->count == 0) return 0;
    for (size_t at = place_of(map, key); map->values[at] != 0; at = (at + 1) & (map->capacity - 1))
        if (map->keys[at] == key) return map->values[at];
    return 0;
}

static void put(struct record_map *map, uint64_t key, uint32_t value) {
    size_t at = place_of(map, key);
    while (map->values[at] != 0)
        at = (at + 1) & (map->capacity - 1);
    map->keys[at] = key;
    map->values[at] = value;
    map->count++;
}

static bool grow(struct record_map *map) {
    struct record_map larger = {.capacity = map->capacity == 0 ? 64 : 2 * map->capacity};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    larger.values = calloc(larger.capacity, sizeof *larger.values);
    if (larger.keys == NULL || larger.values == NULL) {
        free(larger.keys);
        free(larger.values);
        return false;
    }
    /* From a free entry on, so that values of one key keep their order. At most half of the entries
     * are used. */
    size_t first = 0;
    while (first < map->capacity && map->values[first] != 0)
        first++;
    for (size_t i = 0; i < map->capacity; i++) {
        const size_t at = (first + i) & (map->capacity - 1);
        if (map->values[at] != 0) put(&larger, map->keys[at], map->values[at]);
    }
    free(map->keys);
    free(map->values);
    *map = larger;
    return true;
}

bool record_map_insert(struct record_map *map, uint64_t key, uint32_t value) {
    if (2 * (map->count + 1) > map->capacity && !grow(map)) return false;
    put(map, key, value);
    return true;
}

void record_map_remove(struct record_map *map, uint64_t key, uint32_t value) {
    if (map->count == 0) return;
    const size_t mask = map->capacity - 1;
    size_t at = place_of(map, key);
    while (map->values[at] != 0 && (map->keys[at] != key || map->values[at] != value))
        at = (at + 1) & mask;
    if (map->values[at] == 0) return;
    /* Moves back what was displaced by the entry. */
    for (size_t next = (at + 1) & mask; map->values[next] != 0; next = (next + 1) & mask) {
        const size_t home = place_of(map, map->keys[next]);
        if (((next - home) & mask) < ((next - at) & mask)) continue;
        map->keys[at] = map->keys[next];
        map->values[at] = map->values[next];
        at = next;
    }
    map->values[at] = 0;
    map->count--;
}
