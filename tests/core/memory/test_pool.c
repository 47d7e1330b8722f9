/* The order in which a pool hands out its items, that they keep their contents, and its limits. */
#include "core/memory/pool.h"

#include "tests/support/core/dice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct thing {
    uint32_t next; /* the user's own */
    uint32_t content;
};
POOL_DEFINE(thing, struct thing)

static void the_latest_given_back_comes_first(void **state) {
    (void)state;
    struct thing_pool pool = {0};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(thing_pool_take(&pool), i);
    thing_pool_give(&pool, 1);
    thing_pool_give(&pool, 4);
    thing_pool_give(&pool, 0);
    assert_int_equal(thing_pool_take(&pool), 0);
    assert_int_equal(thing_pool_take(&pool), 4);
    assert_int_equal(thing_pool_take(&pool), 1);
    assert_int_equal(thing_pool_take(&pool), 5);
    assert_int_equal(pool.used, 6);
    thing_pool_clear(&pool);
    assert_null(pool.items);
    assert_int_equal(thing_pool_take(&pool), 0);
    thing_pool_clear(&pool);
}

/* Against a list of what is taken: no item twice, and each keeps what was written into it. */
static void items_keep_their_contents(void **state) {
    (void)state;
    enum { STEPS = 20000, ITEMS_MAX = 3000 };
    static uint32_t taken[ITEMS_MAX], content[ITEMS_MAX];
    uint32_t count = 0;
    struct dice dice = {.seed = 7};
    struct thing_pool pool = {0};
    for (uint32_t step = 0; step < STEPS; step++) {
        if (count < ITEMS_MAX && (count == 0 || dice_below(&dice, 100) < 55)) {
            taken[count] = thing_pool_take(&pool);
            assert_true(taken[count] < pool.used && pool.used <= pool.capacity);
            pool.items[taken[count]] = (struct thing){.next = step, .content = step};
            content[count++] = step;
        } else {
            uint32_t i = dice_below(&dice, count);
            assert_int_equal(pool.items[taken[i]].content, content[i]);
            assert_int_equal(pool.items[taken[i]].next, content[i]);
            thing_pool_give(&pool, taken[i]);
            taken[i] = taken[--count];
            content[i] = content[count];
        }
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(pool.items[taken[i]].content, content[i]);
    assert_true(pool.used < ITEMS_MAX);
    thing_pool_clear(&pool);
}

static void items_begin_at_cache_lines(void **state) {
    (void)state;
    struct thing_pool pool = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        (void)thing_pool_take(&pool);
        assert_int_equal((uintptr_t)pool.items % 64, 0);
    }
    thing_pool_clear(&pool);
}

/* No index is POOL_NONE, and what cannot be had leaves the pool as it is. */
static void a_full_pool_gives_none(void **state) {
    (void)state;
    uint32_t used = POOL_NONE;
    size_t capacity = (size_t)POOL_NONE + 9;
    void *items = NULL;
    uint32_t *free_items = NULL;
    assert_int_equal(pool_fresh(&items, &free_items, &capacity, &used, 8), POOL_NONE);
    assert_int_equal(used, POOL_NONE);
    used = 1;
    capacity = 1;
    assert_int_equal(pool_fresh(&items, &free_items, &capacity, &used, SIZE_MAX / 2), POOL_NONE);
    assert_int_equal(used, 1);
    assert_int_equal(capacity, 1);
    assert_null(items);
    assert_null(free_items);
}

/* The item that is told ahead is the one that is taken then. */
static void the_next_items_are_known_ahead(void **state) {
    (void)state;
    struct thing_pool pool = {0};
    assert_null(thing_pool_next(&pool, 0));
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(thing_pool_take(&pool), i);
    assert_null(thing_pool_next(&pool, 0));
    for (uint32_t i = 0; i < 40; i += 3)
        thing_pool_give(&pool, i);
    struct thing *next[14];
    for (uint32_t i = 0; i < 14; i++)
        next[i] = thing_pool_next(&pool, i);
    assert_null(thing_pool_next(&pool, 14));
    for (uint32_t i = 0; i < 14; i++)
        assert_ptr_equal(&pool.items[thing_pool_take(&pool)], next[i]);
    thing_pool_clear(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latest_given_back_comes_first),
        cmocka_unit_test(items_keep_their_contents),
        cmocka_unit_test(items_begin_at_cache_lines),
        cmocka_unit_test(a_full_pool_gives_none),
        cmocka_unit_test(the_next_items_are_known_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
