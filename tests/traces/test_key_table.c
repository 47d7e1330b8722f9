/* The hash table of keys, against a plain array: inserting, finding, removing, growing. */
#include "traces/key_table.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 512 };

static uint32_t value_of(uint64_t key) {
    return (uint32_t)(key * 7 + 1);
}

static void an_empty_table_has_nothing(void **state) {
    (void)state;
    struct key_table table = {0};
    assert_int_equal(key_table_find(&table, 0), KEY_TABLE_NONE);
    assert_int_equal(key_table_remove(&table, 0), KEY_TABLE_NONE);
    key_table_remove_all(&table);
    assert_int_equal(key_table_insert(&table, UINT64_MAX, 0, NULL), STATUS_OK);
    assert_int_equal(key_table_find(&table, UINT64_MAX), 0);
    assert_int_equal(key_table_find(&table, 0), KEY_TABLE_NONE);
    assert_int_equal(key_table_remove(&table, 0), KEY_TABLE_NONE);
    assert_int_equal(table.map.count, 1);
    key_table_free(&table);
    assert_int_equal(table.map.capacity, 0);
}

/* What is in the table is what the array says, and nothing else. */
static void holds(const struct key_table *table, const bool *present, uint64_t stride) {
    size_t count = 0;
    for (uint64_t i = 0; i < KEYS; i++) {
        count += present[i];
        assert_int_equal(key_table_find(table, i * stride),
                         present[i] ? value_of(i) : KEY_TABLE_NONE);
    }
    assert_int_equal(table->map.count, count);
    assert_true(table->map.count <= table->map.capacity / 4 * 3);
    assert_int_equal(table->map.capacity & (table->map.capacity - 1), 0);
}

/* Keys that count up, that share their low bits, and that share their home place: the multiples of
 * the inverse of the golden ratio's multiple have products 0, 1, 2, …, whose leading bits are 0. */
static void it_holds_what_was_put_in(void **state) {
    (void)state;
    uint64_t inverse = 1; /* Newton's iteration modulo 2^64 */
    for (int i = 0; i < 6; i++)
        inverse *= 2 - UINT64_C(0x9E3779B97F4A7C15) * inverse;
    const uint64_t strides[] = {1, UINT64_C(1) << 40, inverse};
    for (size_t s = 0; s < 3; s++) {
        struct key_table table = {0};
        bool present[KEYS] = {false};
        for (uint64_t step = 0; step < 40 * KEYS; step++) {
            const struct random_block draw = random_draw(3, RANDOM_NOISE, s, step);
            const uint64_t i = draw.word[0] % KEYS;
            /* fills up, and then empties */
            if (draw.word[1] % 4 < (step < 20 * KEYS ? 3u : 1u)) {
                if (!present[i])
                    assert_int_equal(key_table_insert(&table, i * strides[s], value_of(i), NULL),
                                     STATUS_OK);
                present[i] = true;
            } else {
                assert_int_equal(key_table_remove(&table, i * strides[s]),
                                 present[i] ? value_of(i) : KEY_TABLE_NONE);
                present[i] = false;
            }
            if (step % 97 == 0) holds(&table, present, strides[s]);
        }
        holds(&table, present, strides[s]);
        key_table_free(&table);
    }
}

static void clearing_gives_back_what_is_far_too_large(void **state) {
    (void)state;
    struct key_table table = {0};
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(key_table_insert(&table, i, 1, NULL), STATUS_OK);
    const size_t capacity = table.map.capacity;
    key_table_remove_all(&table); /* it was full: kept */
    assert_int_equal(table.map.count, 0);
    assert_int_equal(table.map.capacity, capacity);
    for (uint64_t i = 0; i < 3000; i++)
        assert_int_equal(key_table_find(&table, i), KEY_TABLE_NONE);
    assert_int_equal(key_table_insert(&table, 5, 6, NULL), STATUS_OK);
    key_table_remove_all(&table); /* one key in thousands of places */
    assert_int_equal(table.map.capacity, 0);
    assert_int_equal(key_table_find(&table, 5), KEY_TABLE_NONE);
    key_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_has_nothing),
        cmocka_unit_test(it_holds_what_was_put_in),
        cmocka_unit_test(clearing_gives_back_what_is_far_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
