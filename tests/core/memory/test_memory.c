/* What memory_trim gives back to the system, and what it leaves; what sparse arrays take of it. */
#include "core/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHER_MALLOC
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __GLIBC__
#define OTHER_MALLOC
#endif

enum { PIECE_BYTES = 2048 };

static size_t resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    size_t all, resident = 0;
    if (file != NULL && fscanf(file, "%zu %zu", &all, &resident) != 2) resident = 0;
    if (file != NULL) fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* Takes and frees that much in small pieces below one that stays; how much trimming gives back. */
static size_t given_back(size_t bytes) {
    size_t count = bytes / PIECE_BYTES;
    char **pieces = memory_new(count, sizeof *pieces);
    assert_non_null(pieces);
    for (size_t i = 0; i < count; i++) {
        pieces[i] = malloc(PIECE_BYTES);
        assert_non_null(pieces[i]);
        memset(pieces[i], 1, PIECE_BYTES);
    }
    void *stays = memory_new(1, PIECE_BYTES);
    assert_non_null(stays);
    for (size_t i = 0; i < count; i++)
        free(pieces[i]);
    size_t before = resident_bytes();
    memory_trim();
    size_t after = resident_bytes();
    free(stays);
    free(pieces);
    return before > after ? before - after : 0;
}

static void much_free_memory_is_given_back(void **state) {
    (void)state;
#ifdef OTHER_MALLOC
    skip();
#endif
    assert_true(given_back(8 * MEMORY_TRIMMED_BYTES) > 6 * MEMORY_TRIMMED_BYTES);
}

static void little_free_memory_is_kept(void **state) {
    (void)state;
#ifdef OTHER_MALLOC
    skip();
#endif
    memory_trim();
    assert_true(given_back(MEMORY_TRIMMED_BYTES / 4) < MEMORY_TRIMMED_BYTES / 16);
}

/* Returns how many pages of an array are in memory, of those that it has alone. */
static size_t count_pages(char *array, size_t bytes) {
    enum { PAGES_MAX = 1 << 13 };
    static unsigned char present[PAGES_MAX];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t skipped = (page - (uintptr_t)array % page) % page;
    const size_t pages = (bytes - skipped) / page;
    size_t count = 0;
    assert_true(pages <= PAGES_MAX);
    assert_int_equal(mincore(array + skipped, pages * page, present), 0);
    for (size_t i = 0; i < pages; i++)
        count += present[i] & 1;
    return count;
}

/* A sparse array begins at a cache line, is zero, and takes memory where it is written alone. */
static void sparse_arrays_take_what_is_written(void **state) {
    (void)state;
    enum { COUNT = 1 << 10, BYTES = 1 << 14, WRITTEN = 8 };
    void *owned = NULL;
    char *array = memory_new_sparse(&owned, COUNT, BYTES);
    assert_non_null(array);
    assert_int_equal((uintptr_t)array % 64, 0);
    for (size_t i = 0; i < COUNT; i += COUNT / WRITTEN) {
        assert_int_equal(array[i * BYTES], 0);
        array[i * BYTES] = 1;
    }
#ifndef OTHER_MALLOC
    assert_true(count_pages(array, COUNT * (size_t)BYTES) <= WRITTEN);
#endif
    free(owned);
    assert_null(memory_new_sparse(&owned, SIZE_MAX / 2, 4));
    assert_null(owned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_arrays_take_what_is_written),
        cmocka_unit_test(little_free_memory_is_kept),
        cmocka_unit_test(much_free_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
