/*
 * Open addressing with linear probing; removal shifts back what follows, so there are no
 * tombstones. Invariant: every key is reachable from its home place without crossing a free one.
 */
#include "traces/key_table.h"

#include <stdlib.h>
#include <string.h>

static status_code grow(struct key_table *table, struct status *status) {
    struct key_table larger = {.capacity = table->capacity > 0 ? table->capacity * 2 : 16};
    larger.keys = malloc(larger.capacity * sizeof *larger.keys);
    larger.values = malloc(larger.capacity * sizeof *larger.values);
    if (larger.keys == NULL || larger.values == NULL) {
        key_table_free(&larger);
        return status_set(status, STATUS_MEMORY, "out of memory for a table of %zu keys",
                          larger.capacity);
    }
    memset(larger.values, 0xFF, larger.capacity * sizeof *larger.values);
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->values[i] == KEY_TABLE_NONE) continue;
        size_t place = key_table_place(&larger, table->keys[i]);
        larger.keys[place] = table->keys[i];
        larger.values[place] = table->values[i];
    }
    larger.count = table->count;
    key_table_free(table);
    *table = larger;
    return STATUS_OK;
}

status_code key_table_insert(struct key_table *table, uint64_t key, uint32_t value,
                             struct status *status) {
    if (table->count >= table->capacity / 4 * 3) FORWARD_IF_ERROR(grow(table, status));
    size_t place = key_table_place(table, key);
    table->keys[place] = key;
    table->values[place] = value;
    table->count++;
    return STATUS_OK;
}

uint32_t key_table_remove(struct key_table *table, uint64_t key) {
    if (table->capacity == 0) return KEY_TABLE_NONE;
    size_t mask = table->capacity - 1;
    size_t hole = key_table_place(table, key);
    uint32_t value = table->values[hole];
    if (value == KEY_TABLE_NONE) return value;
    for (size_t next = (hole + 1) & mask; table->values[next] != KEY_TABLE_NONE;
         next = (next + 1) & mask) {
        /* The key at next may fill the hole if its home is not between hole and next. */
        if (((next - key_table_home(table, table->keys[next])) & mask) < ((next - hole) & mask))
            continue;
        table->keys[hole] = table->keys[next];
        table->values[hole] = table->values[next];
        hole = next;
    }
    table->values[hole] = KEY_TABLE_NONE;
    table->count--;
    return value;
}

void key_table_clear(struct key_table *table) {
    if (table->capacity > 16 * (table->count + 16)) {
        key_table_free(table);
        return;
    }
    if (table->count > 0) memset(table->values, 0xFF, table->capacity * sizeof *table->values);
    table->count = 0;
}

void key_table_free(struct key_table *table) {
    free(table->keys);
    free(table->values);
    *table = (struct key_table){0};
}
