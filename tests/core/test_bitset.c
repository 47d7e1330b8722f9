/* Two-level bit sets against an array of flags, over sizes around the edges of words and blocks. */
#include "core/bitset.h"

#include "core/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint32_t sizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 9000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void test_empty(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        bitset set;
        assert_true(bitset_new(&set, sizes[i]));
        assert_int_equal(bitset_pop(&set), UINT32_MAX);
        assert_int_equal(bitset_next(&set, 0), UINT32_MAX);
        assert_int_equal(bitset_next(&set, sizes[i]), UINT32_MAX);
        bitset_free(&set);
    }
}

static uint32_t next_flag(const bool *flags, uint32_t size, uint32_t from) {
    while (from < size && !flags[from])
        from++;
    return from < size ? from : UINT32_MAX;
}

static void test_like_flags(void **state) {
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        uint32_t size = sizes[s];
        bitset set;
        assert_true(bitset_new(&set, size));
        bool *flags = calloc(size, sizeof *flags);
        for (uint32_t step = 0; step < 3000; step++) {
            random_block draw = random_draw(size, RANDOM_NOISE, 0, step);
            uint32_t bit = random_below(draw.word[0], size);
            switch (random_below(draw.word[1], 4)) {
            case 0:
            case 1:
                bitset_add(&set, bit);
                flags[bit] = true;
                break;
            case 2:
                bitset_remove(&set, bit);
                flags[bit] = false;
                break;
            default: {
                uint32_t first = next_flag(flags, size, 0);
                assert_int_equal(bitset_pop(&set), first);
                if (first != UINT32_MAX) flags[first] = false;
            }
            }
            uint32_t from = random_below(draw.word[2], size);
            assert_int_equal(bitset_next(&set, from), next_flag(flags, size, from));
            assert_int_equal(bitset_has(&set, from), flags[from]);
        }
        free(flags);
        bitset_free(&set);
    }
}

/* Every bit alone: set, found from every distance worth trying, popped. */
static void test_single_bits(void **state) {
    (void)state;
    bitset set;
    assert_true(bitset_new(&set, 9000));
    for (uint32_t bit = 0; bit < 9000; bit++) {
        bitset_add(&set, bit);
        bitset_add(&set, bit);
        assert_int_equal(bitset_next(&set, 0), bit);
        assert_int_equal(bitset_next(&set, bit), bit);
        assert_int_equal(bitset_next(&set, bit + 1), UINT32_MAX);
        assert_int_equal(bitset_pop(&set), bit);
        assert_int_equal(bitset_pop(&set), UINT32_MAX);
    }
    bitset_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_like_flags),
        cmocka_unit_test(test_single_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
