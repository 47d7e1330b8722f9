/* Tables of keys: a map of the core. */
#include "traces/key_table.h"

status_code key_table_insert(struct key_table *table, uint64_t key, uint32_t value,
                             struct status *status) {
    struct key_table_entry *entry = key_table_map_add(&table->map, &key);
    RETURN_ERROR_IF(entry == NULL, status, STATUS_MEMORY, "out of memory for a table of %u keys",
                    table->map.count);
    entry->value_plus_one = value + 1;
    return STATUS_OK;
}

uint32_t key_table_remove(struct key_table *table, uint64_t key) {
    struct key_table_entry *entry = key_table_map_find(&table->map, &key);
    if (entry == NULL) return KEY_TABLE_NONE;
    uint32_t value = entry->value_plus_one - 1;
    key_table_map_remove(&table->map, entry);
    return value;
}

void key_table_remove_all(struct key_table *table) {
    key_table_map_empty(&table->map);
}

void key_table_free(struct key_table *table) {
    key_table_map_clear(&table->map);
}
