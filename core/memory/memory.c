/* Checked allocation. Invariant: no product of sizes is formed without an overflow check. */
#include "core/memory/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void *memory_new(size_t count, size_t element_bytes) {
    return calloc(count > 0 ? count : 1, element_bytes > 0 ? element_bytes : 1);
}

/* Less is not worth a system call. */
#define GIVEN_BACK_BYTES ((size_t)64 << 10)

void *memory_new_uninitialised(size_t count, size_t element_bytes) {
    if (element_bytes > 0 && count > (SIZE_MAX - MEMORY_HUGE_PAGE_BYTES) / element_bytes)
        return NULL;
    size_t bytes = count * element_bytes;
    if (bytes < MEMORY_HUGE_PAGE_BYTES) return malloc(bytes > 0 ? bytes : 1);
    bytes = (bytes + MEMORY_HUGE_PAGE_BYTES - 1) / MEMORY_HUGE_PAGE_BYTES * MEMORY_HUGE_PAGE_BYTES;
    void *memory = aligned_alloc(MEMORY_HUGE_PAGE_BYTES, bytes);
#ifdef MADV_HUGEPAGE
    if (memory != NULL) (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a wish */
#endif
    return memory;
}

void *memory_new_aligned(size_t count, size_t element_bytes) {
    if (element_bytes > 0 && count > (SIZE_MAX - 64) / element_bytes) return NULL;
    size_t bytes = (count * element_bytes + 63) / 64 * 64;
    if (bytes == 0) bytes = 64;
    void *memory = bytes >= MEMORY_HUGE_PAGE_BYTES ? memory_new_uninitialised(bytes, 1)
                                                   : aligned_alloc(64, bytes);
    if (memory != NULL) memset(memory, 0, bytes);
    return memory;
}

void *memory_new_sparse(void **owned, size_t count, size_t element_bytes) {
    *owned = NULL;
    if (element_bytes > 0 && count > (SIZE_MAX - 64) / element_bytes) return NULL;
    const size_t bytes = count * element_bytes + 64;
    *owned = calloc(1, bytes);
    if (*owned == NULL) return NULL;
#ifdef MADV_NOHUGEPAGE
    /* A huge page would take memory where one byte is written. */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t skipped = (page - (uintptr_t)*owned % page) % page;
    if (bytes >= MEMORY_HUGE_PAGE_BYTES)
        (void)madvise((char *)*owned + skipped, (bytes - skipped) / page * page, MADV_NOHUGEPAGE);
#endif
    return (char *)*owned + (64 - (uintptr_t)*owned % 64) % 64;
}

/* The capacity to grow to, or 0 when that is too much. */
static size_t grown_capacity(size_t capacity, size_t wanted, size_t element_bytes) {
    size_t grown = capacity > 0 ? capacity : 16;
    while (grown < wanted && grown <= SIZE_MAX / 2)
        grown *= 2;
    if (grown < wanted) grown = wanted;
    return grown <= SIZE_MAX / element_bytes ? grown : 0;
}

status_code memory_enlarge(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                           struct status *status) {
    size_t grown = grown_capacity(*capacity, wanted, element_bytes);
    void *moved = grown > 0 ? realloc(*array, grown * element_bytes) : NULL;
    RETURN_ERROR_IF(moved == NULL, status, STATUS_MEMORY,
                    "out of memory: %zu elements of %zu bytes", wanted, element_bytes);
    *array = moved;
    *capacity = grown;
    return STATUS_OK;
}

status_code memory_grow_aligned(void **array, size_t *capacity, size_t wanted, size_t element_bytes,
                                struct status *status) {
    if (wanted <= *capacity) return STATUS_OK;
    size_t grown = grown_capacity(*capacity, wanted, element_bytes);
    size_t bytes = grown * element_bytes;
    void *moved =
        bytes > 0 && bytes <= SIZE_MAX - 64 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
    RETURN_ERROR_IF(moved == NULL, status, STATUS_MEMORY,
                    "out of memory: %zu elements of %zu bytes", wanted, element_bytes);
    if (*capacity > 0) memcpy(moved, *array, *capacity * element_bytes);
    memory_free_to_system(*array, *capacity * element_bytes);
    *array = moved;
    *capacity = grown;
    return STATUS_OK;
}

void memory_free_to_system(void *memory, size_t bytes) {
    if (bytes < GIVEN_BACK_BYTES) {
        free(memory);
        return;
    }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory;
    uintptr_t first = (start + page - 1) / page * page, last = (start + bytes) / page * page;
    /* What lies wholly inside holds nothing of anyone else. Failing does no harm. */
    if (memory != NULL && last > first)
        (void)madvise((char *)memory + (first - start), last - first, MADV_DONTNEED);
    free(memory);
}

#ifdef __GLIBC__
/* What is free, as far as the C library tells. */
static bool has_much_free(void) {
#if __GLIBC_PREREQ(2, 33)
    return mallinfo2().fordblks >= MEMORY_TRIMMED_BYTES;
#else
    return true;
#endif
}
#endif

void memory_trim(void) {
#ifdef __GLIBC__
    if (has_much_free()) (void)malloc_trim(0);
#endif
}

bool memory_is_available(size_t bytes) {
    void *volatile probe = malloc(bytes); /* or compilers leave out what is freed unused */
    free(probe);
    return probe != NULL;
}

status_code memory_copy_text(char **copy, const char *text, struct status *status) {
    *copy = strdup(text);
    RETURN_ERROR_IF(*copy == NULL, status, STATUS_MEMORY, "out of memory for a text");
    return STATUS_OK;
}

status_code memory_replace_text(char **to, const char *text, struct status *status) {
    char *copy = NULL;
    if (text != NULL) FORWARD_IF_ERROR(memory_copy_text(&copy, text, status));
    free(*to);
    *to = copy;
    return STATUS_OK;
}
