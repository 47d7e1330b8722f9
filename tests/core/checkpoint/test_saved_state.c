/* Pools as bytes and back: they hand out the same items as before, and wrong bytes are refused. */
#include "core/checkpoint/saved_state.h"
#include "core/memory/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct thing {
    uint64_t content;
};
POOL_DEFINE(thing, struct thing)

enum { THINGS = 20, GIVEN = 7 };

/* A pool of THINGS items, of which every third was given back. */
static struct thing_pool some_pool(void) {
    struct thing_pool pool = {0};
    for (uint32_t i = 0; i < THINGS; i++)
        if (thing_pool_take(&pool) == i) pool.items[i].content = 100 + i;
    for (uint32_t i = 0; i < THINGS; i += 3)
        thing_pool_give(&pool, i);
    return pool;
}

static void pools_hand_out_the_same_items_again(void **state) {
    (void)state;
    struct thing_pool pool = some_pool(), restored = {0};
    struct saved_state saved = {0};
    saved_reset(&saved, false);
    SAVED_POOL(&saved, &pool);
    saved_reset(&saved, true);
    SAVED_POOL(&saved, &restored);
    assert_true(saved_is_read(&saved));
    assert_int_equal(restored.used, THINGS);
    assert_int_equal(restored.free_count, GIVEN);
    for (uint32_t i = 0; i < THINGS; i++)
        assert_int_equal(restored.items[i].content, 100 + i);
    /* The free items, then three that were never taken; the given-back ones have room again. */
    uint32_t taken[GIVEN + 3];
    for (uint32_t i = 0; i < GIVEN + 3; i++) {
        taken[i] = thing_pool_take(&pool);
        assert_int_equal(thing_pool_take(&restored), taken[i]);
    }
    for (uint32_t i = 0; i < THINGS + 3; i++)
        thing_pool_give(&restored, i);
    assert_int_equal(restored.free_count, THINGS + 3);
    saved_free(&saved);
    thing_pool_clear(&pool);
    thing_pool_clear(&restored);
}

static void empty_pools_stay_empty(void **state) {
    (void)state;
    struct thing_pool pool = {0}, restored = some_pool();
    struct saved_state saved = {0};
    saved_reset(&saved, false);
    SAVED_POOL(&saved, &pool);
    saved_reset(&saved, true);
    SAVED_POOL(&saved, &restored);
    assert_true(saved_is_read(&saved));
    assert_int_equal(restored.used, 0);
    assert_int_equal(restored.free_count, 0);
    assert_int_equal(thing_pool_take(&restored), 0);
    saved_free(&saved);
    thing_pool_clear(&restored);
}

/* More free items than items, or a free item that does not exist. */
static void wrong_free_items_are_refused(void **state) {
    (void)state;
    const size_t count_at = sizeof(uint64_t) + THINGS * sizeof(struct thing);
    const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{count_at, THINGS + 1}, {count_at + sizeof(uint32_t), THINGS}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct thing_pool pool = some_pool(), restored = {0};
        struct saved_state saved = {0};
        saved_reset(&saved, false);
        SAVED_POOL(&saved, &pool);
        memcpy(saved.data + wrong[i].at, &wrong[i].value, sizeof wrong[i].value);
        saved_reset(&saved, true);
        SAVED_POOL(&saved, &restored);
        assert_true(saved.is_wrong);
        saved_free(&saved);
        thing_pool_clear(&pool);
        thing_pool_clear(&restored);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_hand_out_the_same_items_again),
        cmocka_unit_test(empty_pools_stay_empty),
        cmocka_unit_test(wrong_free_items_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
