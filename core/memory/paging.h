/*
 * Large arrays with a bound on the memory that they take together. An array that fits lies in
 * memory. Any other lies in a file without a name, which is mapped: the system reads and writes it
 * page by page, and a thread lets pages go when more than the bound are in memory.
 *
 * Must not know what the arrays hold. Invariant: the bytes of an array do not depend on where it
 * lies. Several threads may call these functions, but only one at a time for one array.
 */
#ifndef ANAX_CORE_PAGING_H
#define ANAX_CORE_PAGING_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct paging;

/* folder: where files are made; NULL or "": the folder that TMPDIR names, or /var/tmp.
 * may_use_memory: if no file can be made there, arrays lie in memory; otherwise that is an error.
 * Returns NULL if memory is short. */
struct paging *paging_new(const char *folder, uint64_t max_bytes, bool may_use_memory);
/* Returns another with the same folder and the same bound; NULL: out of memory. */
struct paging *paging_new_like(const struct paging *paging);
/* Frees all arrays, too. NULL is allowed. */
void paging_free(struct paging *paging);

/* Makes a file without a name in the folder, or in memory if arrays may lie there. The caller
 * closes it. STATUS_SYSTEM: it cannot be made. */
status_code paging_new_file(const struct paging *paging, FILE **file, struct status *status);

/* The functions that follow take NULL for arrays without a bound. */

/* Gives *array, which may be NULL or come from malloc, the size `bytes`, and keeps its first `used`
 * bytes. The others are not initialised. *array may move. STATUS_MEMORY, STATUS_SYSTEM: there is no
 * room, and *array is what it was. */
status_code paging_resize(struct paging *paging, void **array, size_t used, size_t bytes,
                          struct status *status);
/* Frees an array. NULL is allowed. */
void paging_free_array(struct paging *paging, void *array);

/* Grows *array to hold at least `wanted` elements; *capacity counts elements. New elements are not
 * initialised. */
status_code paging_enlarge(struct paging *paging, void **array, size_t *capacity, size_t wanted,
                           size_t element_bytes, struct status *status);

/* Does what paging_enlarge does, in less time when there is enough room already. */
static inline status_code paging_grow(struct paging *paging, void **array, size_t *capacity,
                                      size_t wanted, size_t element_bytes, struct status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    return paging_enlarge(paging, array, capacity, wanted, element_bytes, status);
}

/* Takes pages of files out of memory if more than the bound are in memory. A thread does this, too,
 * but may be late on a busy computer, so work that runs through arrays calls this now and then. */
void paging_evict(struct paging *paging);

/* Begins or ends a time in which arrays are read at many places in turn. While any caller is in
 * such a time, the system reads from files only what is touched or fetched: what lies around each
 * place may be gone again before it is used. */
void paging_advise_random(struct paging *paging, bool begins);
/* Begins to read a part of an array in a file, and does not wait for it. */
void paging_prefetch(void *from, size_t bytes);

/* Counts bytes that lie in memory beside the arrays; negative: no longer. */
void paging_count_memory(struct paging *paging, int64_t bytes);
/* Returns how many more bytes of arrays fit into memory. */
uint64_t paging_room_bytes(struct paging *paging);
/* Returns the bytes of arrays that lie in files. */
uint64_t paging_file_bytes(struct paging *paging);

#endif
