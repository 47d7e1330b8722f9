/*
 * Open addressing with linear probing; removal moves followers back, so there are no tombstones.
 */
#include "replay/engine/inflight.h"

#include "core/digest.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t home(const struct inflight_table *table, const struct inflight_key *key) {
    uint64_t hash = digest_spread((uint64_t)key->rank << 32 | key->number);
    hash ^= (uint64_t)key->source << 32 | key->tag;
    hash = (hash + key->communicator) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32) & (table->capacity - 1);
}

void inflight_clear(struct inflight_table *table) {
    free(table->entries);
    inflight_request_pool_clear(&table->requests);
    *table = (struct inflight_table){0};
}

struct inflight *inflight_find(const struct inflight_table *table, const struct inflight_key *key) {
    if (table->count == 0) return NULL;
    uint32_t at = home(table, key);
    while (table->entries[at].state != INFLIGHT_FREE) {
        if (memcmp(&table->entries[at].key, key, sizeof *key) == 0) return &table->entries[at];
        at = (at + 1) & (table->capacity - 1);
    }
    return NULL;
}

static struct inflight *free_place(struct inflight_table *table, const struct inflight_key *key) {
    uint32_t at = home(table, key);
    while (table->entries[at].state != INFLIGHT_FREE)
        at = (at + 1) & (table->capacity - 1);
    table->count++;
    return &table->entries[at];
}

static bool grow(struct inflight_table *table) {
    if (table->capacity > UINT32_MAX / 4) return false;
    struct inflight_table larger = {.capacity = table->capacity == 0 ? 64 : 2 * table->capacity};
    larger.entries = memory_new_aligned(larger.capacity, sizeof *larger.entries);
    if (larger.entries == NULL) return false;
    for (uint32_t i = 0; i < table->capacity; i++) {
        if (table->entries[i].state == INFLIGHT_FREE) continue;
        *free_place(&larger, &table->entries[i].key) = table->entries[i];
    }
    memory_give_back(table->entries, table->capacity * sizeof *table->entries);
    table->entries = larger.entries;
    table->capacity = larger.capacity;
    return true;
}

struct inflight *inflight_add(struct inflight_table *table, const struct inflight_key *key) {
    if (table->count >= table->capacity / 4 * 3 && !grow(table)) return NULL;
    struct inflight *entry = free_place(table, key);
    *entry = (struct inflight){.key = *key};
    return entry;
}

struct inflight_request *inflight_request_new(struct inflight_table *table,
                                              struct inflight *entry) {
    uint32_t number = inflight_request_pool_take(&table->requests);
    if (number == POOL_NONE) return NULL;
    entry->state = INFLIGHT_REQUESTED;
    entry->value = number;
    return &table->requests.items[number];
}

void inflight_remove(struct inflight_table *table, struct inflight *entry) {
    if (entry->state == INFLIGHT_REQUESTED || entry->state == INFLIGHT_CLEARED)
        inflight_request_pool_give(&table->requests, (uint32_t)entry->value);
    uint32_t mask = table->capacity - 1;
    uint32_t hole = (uint32_t)(entry - table->entries);
    for (uint32_t at = (hole + 1) & mask; table->entries[at].state != INFLIGHT_FREE;
         at = (at + 1) & mask) {
        uint32_t wanted = home(table, &table->entries[at].key);
        if (((at - wanted) & mask) < ((at - hole) & mask)) continue; /* at home behind the hole */
        table->entries[hole] = table->entries[at];
        hole = at;
    }
    table->entries[hole].state = INFLIGHT_FREE;
    table->count--;
}
