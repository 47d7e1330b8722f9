/* Arenas: pieces begin at cache lines and do not overlap, whatever their sizes. */
#include "core/memory/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES = 3000, SIZES = 5 };

static void pieces_do_not_overlap(void **state) {
    (void)state;
    static const size_t sizes[SIZES] = {1, 64, 100, 5000, (size_t)3 << 20};
    static unsigned char *pieces[PIECES];
    struct arena arena = {0};
    for (unsigned i = 0; i < PIECES; i++) {
        const size_t bytes = i % 1000 == 999 ? sizes[SIZES - 1] : sizes[i % (SIZES - 1)];
        pieces[i] = arena_allocate(&arena, bytes);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 64, 0);
        memset(pieces[i], (int)(i % 251), bytes);
    }
    for (unsigned i = 0; i < PIECES; i++) {
        const size_t bytes = i % 1000 == 999 ? sizes[SIZES - 1] : sizes[i % (SIZES - 1)];
        assert_int_equal(pieces[i][0], i % 251);
        assert_int_equal(pieces[i][bytes - 1], i % 251);
    }
    arena_free(&arena);
    assert_null(arena.blocks);
    assert_non_null(arena_allocate(&arena, 1));
    arena_free(&arena);
}

static void too_much_is_refused(void **state) {
    (void)state;
    struct arena arena = {0};
    assert_null(arena_allocate(&arena, SIZE_MAX));
    assert_null(arena_allocate(&arena, SIZE_MAX - 128));
    assert_non_null(arena_allocate(&arena, 64));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_do_not_overlap),
                                       cmocka_unit_test(too_much_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
