/* Appends a vector to the array unless a hash finds an equal one, whose place is then used. */
#include "traces/program/vector_table.h"

#include "core/memory/memory.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

status_code vector_table_find(struct vector_table *table, const uint64_t *vector, size_t count,
                              uint32_t *first, struct status *status) {
    uint64_t hash = content_hash_words64(0, vector, count);
    for (;; hash++) {
        *first = key_table_find(&table->index, hash);
        if (*first == KEY_TABLE_NONE) break;
        if (table->count - *first >= count &&
            memcmp(table->values + *first, vector, count * sizeof *vector) == 0)
            return STATUS_OK;
    }
    RETURN_ERROR_IF(table->count + count >= KEY_TABLE_NONE, status, STATUS_INPUT,
                    "more than %u sizes of v- and w-collectives", KEY_TABLE_NONE);
    FORWARD_IF_ERROR(memory_grow((void **)&table->values, &table->capacity, table->count + count,
                                 sizeof *vector, status));
    *first = (uint32_t)table->count;
    memcpy(table->values + *first, vector, count * sizeof *vector);
    table->count += count;
    return key_table_insert(&table->index, hash, *first, status);
}

void vector_table_remove_all(struct vector_table *table) {
    table->count = 0;
    key_table_remove_all(&table->index);
}

void vector_table_free(struct vector_table *table) {
    free(table->values);
    key_table_free(&table->index);
    *table = (struct vector_table){0};
}
