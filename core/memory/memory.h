/*
 * Memory: checked sizes, and arrays that grow by doubling. Knows only core/base/status.h.
 */
#ifndef ANAX_CORE_MEMORY_H
#define ANAX_CORE_MEMORY_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From this size on arrays ask for huge pages. */
#define MEMORY_HUGE_PAGE_BYTES ((size_t)2 << 20)

/* Returns zeroed memory for count elements; NULL if there is not enough memory, or if the size
 * overflows. If count is 0, the pointer can be freed like any other. */
void *memory_new(size_t count, size_t element_bytes);

/* Returns zeroed memory that begins at a multiple of the cache line of 64 bytes. Large arrays use
 * huge pages, as those of memory_new_uninitialised do. */
void *memory_new_aligned(size_t count, size_t element_bytes);

/* Returns zeroed memory that begins at a multiple of the cache line of 64 bytes. Pages of a large
 * array that are never written take no memory. Sets *owned to what the caller frees. */
void *memory_new_sparse(void **owned, size_t count, size_t element_bytes);

/* Returns memory that is not initialised, for a large array that is filled once and then used for a
 * long time. It uses huge pages where the system has them: there are a hundred times fewer page
 * faults, and addresses are translated faster. NULL if there is not enough memory, or if the size
 * overflows. */
void *memory_new_uninitialised(size_t count, size_t element_bytes);

/* Grows *array (elements of element_bytes) to hold at least wanted elements; *capacity counts
 * elements. New elements are not initialised. STATUS_MEMORY: there is not enough memory. */
status_code memory_enlarge(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                           struct status *status);

/* Does the same, faster when there is enough room already. */
static inline status_code memory_grow(void **array, size_t *capacity, size_t wanted,
                                      size_t element_bytes, struct status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    return memory_enlarge(array, capacity, wanted, element_bytes, status);
}

/* Grows an array as memory_grow does. The array begins at a multiple of the cache line of 64 bytes,
 * so that elements of 32 or 64 bytes never lie in two lines. */
status_code memory_grow_aligned(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                                struct status *status);

/* Frees an array of so many bytes, which may be NULL. The pages of a large array go back to the
 * system at once, even where free would keep them for later. */
void memory_free_to_system(void *memory, size_t bytes);

/* Less free memory than this is not given back by memory_trim: the program soon needs it again, and
 * a new page costs as much time as filling it. */
#define MEMORY_TRIMMED_BYTES ((size_t)8 << 20)

/* Gives unused pages back to the system if there are many. Call it after work that allocated many
 * small pieces, and before other work that needs much memory. */
void memory_trim(void);

/* Returns whether so many bytes can be allocated at this moment. Call it before a library that
 * crashes when memory runs out. */
bool memory_is_available(size_t bytes);

/* Sets *copy to a copy of the text, which the caller frees. */
status_code memory_copy_text(char **copy, const char *text, struct status *status);

/* Frees *to and sets it to a copy of the text. Both texts may be NULL. */
status_code memory_replace_text(char **to, const char *text, struct status *status);

#endif
