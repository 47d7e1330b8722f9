/*
 * Memory: checked sizes, and arrays that grow by doubling. Knows only core/status.h.
 */
#ifndef ANAX_CORE_MEMORY_H
#define ANAX_CORE_MEMORY_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From this size on arrays ask for huge pages. */
#define MEMORY_HUGE_PAGE_BYTES ((size_t)2 << 20)

/* Returns zeroed memory for count elements, NULL when out of memory or on overflow. count may be 0
 * (then a pointer that can be freed). */
void *memory_new(size_t count, size_t element_bytes);

/* The same, beginning at a multiple of the cache line of 64 bytes; large arrays lie as
 * those of memory_new_large. */
void *memory_new_aligned(size_t count, size_t element_bytes);

/* Memory that is not initialised, for a large array that is filled once and then used for long: in
 * huge pages where the system has them, which takes a hundredth of the page faults and finds
 * addresses faster. NULL when out of memory or on overflow. */
void *memory_new_large(size_t count, size_t element_bytes);

/* Grows *array (elements of element_bytes) to hold at least wanted elements; *capacity counts
 * elements. New elements are not initialised. STATUS_MEMORY when out of memory. Mostly there is
 * room: that is found out without a call. */
status_code memory_enlarge(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                           struct status *status);

static inline status_code memory_grow(void **array, size_t *capacity, size_t wanted,
                                      size_t element_bytes, struct status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    return memory_enlarge(array, capacity, wanted, element_bytes, status);
}

/* The same for an array that begins at a multiple of the cache line of 64 bytes, so that elements
 * of 32 or 64 bytes never lie across two lines. */
status_code memory_grow_aligned(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                                struct status *status);

/* Frees an array that stands among others: the pages of a large one go back to the system at once,
 * even where free would keep them for later. bytes: its size. NULL is allowed. */
void memory_give_back(void *memory, size_t bytes);

/* Less than this is not worth giving back: whoever goes on soon needs it again, and each page that
 * comes anew costs as much as filling it. */
#define MEMORY_TRIMMED_BYTES ((size_t)8 << 20)

/* Gives pages that hold nothing any more back to the system if there are many: after work that took
 * much in small pieces, and before other work that needs much. Changes nothing else. */
void memory_trim(void);

/* Whether so much could be had at this moment: before a library is called that does not survive its
 * lack. */
bool memory_could_be_had(size_t bytes);

/* strdup with a status. */
status_code memory_copy_text(char **copy, const char *text, struct status *status);

/* Puts a copy of a text in the place of another one, which is freed. Both may be NULL. */
status_code memory_replace_text(char **to, const char *text, struct status *status);

#endif
