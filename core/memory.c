/* Checked allocation. Invariant: no product of sizes is formed without an overflow check. */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

void *memory_new(size_t count, size_t element_bytes) {
    return calloc(count > 0 ? count : 1, element_bytes > 0 ? element_bytes : 1);
}

void *memory_new_aligned(size_t count, size_t element_bytes) {
    if (element_bytes > 0 && count > (SIZE_MAX - 64) / element_bytes) return NULL;
    size_t bytes = (count * element_bytes + 64) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory != NULL) memset(memory, 0, bytes);
    return memory;
}

status_code memory_grow(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                        status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    size_t grown = *capacity > 0 ? *capacity : 16;
    while (grown < wanted && grown <= SIZE_MAX / 2)
        grown *= 2;
    if (grown < wanted) grown = wanted;
    RETURN_ERROR_IF(grown > SIZE_MAX / element_bytes, status, STATUS_MEMORY,
                    "out of memory: %zu elements of %zu bytes", grown, element_bytes);
    void *moved = realloc(*array, grown * element_bytes);
    RETURN_ERROR_IF(moved == NULL, status, STATUS_MEMORY,
                    "out of memory: %zu elements of %zu bytes", grown, element_bytes);
    *array = moved;
    *capacity = grown;
    return STATUS_OK;
}

status_code memory_copy_text(char **copy, const char *text, status *status) {
    *copy = strdup(text);
    RETURN_ERROR_IF(*copy == NULL, status, STATUS_MEMORY, "out of memory for a text");
    return STATUS_OK;
}
