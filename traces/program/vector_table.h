/*
 * Vectors of numbers, one after another in one array, in which equal vectors stand once. Private to
 * the traces room. Must not know programs. A zeroed table is empty.
 */
#ifndef ANAX_TRACES_VECTOR_TABLE_H
#define ANAX_TRACES_VECTOR_TABLE_H

#include "traces/key_table.h"

struct vector_table {
    uint64_t *values;
    size_t count, capacity; /* numbers of all vectors */
    struct key_table index; /* hash of a vector -> its first number's place in values */
};

/* Finds a vector or appends it, and sets *first to the place of its first number. STATUS_INPUT: the
 * table is full. */
status_code vector_table_find(struct vector_table *table, const uint64_t *vector, size_t count,
                              uint32_t *first, struct status *status);
/* Removes all vectors and keeps the memory. */
void vector_table_remove_all(struct vector_table *table);

/* Frees the vectors and the memory of the table. */
void vector_table_free(struct vector_table *table);

#endif
