/* Two-level bit sets against an array of flags, over sizes around the edges of words and blocks. */
#include "core/memory/bitset.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint32_t sizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 9000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void an_empty_set_has_nothing_to_pop(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        struct bitset set;
        assert_true(bitset_new(&set, sizes[i]));
        uint32_t word;
        assert_true(bitset_is_empty(&set));
        assert_int_equal(bitset_pop(&set), UINT32_MAX);
        assert_int_equal(bitset_pop_word(&set, &word), 0);
        bitset_free(&set);
    }
}

static uint32_t next_flag(const bool *flags, uint32_t size, uint32_t from) {
    while (from < size && !flags[from])
        from++;
    return from < size ? from : UINT32_MAX;
}

/* The 64 flags of a word, taken out. */
static uint64_t take_word(bool *flags, uint32_t size, uint32_t word) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 64 && word * 64 + i < size; i++) {
        bits |= (uint64_t)flags[word * 64 + i] << i;
        flags[word * 64 + i] = false;
    }
    return bits;
}

static void sets_behave_as_arrays_of_flags(void **state) {
    (void)state;
    for (size_t s = 0; s < SIZES; s++) {
        uint32_t size = sizes[s];
        struct bitset set;
        assert_true(bitset_new(&set, size));
        bool *flags = calloc(size, sizeof *flags);
        for (uint32_t step = 0; step < 3000; step++) {
            struct random_block draw = random_draw(size, RANDOM_NOISE, 0, step);
            uint32_t bit = random_below(draw.word[0], size);
            switch (random_below(draw.word[1], 4)) {
            case 0:
            case 1:
                bitset_add(&set, bit);
                flags[bit] = true;
                break;
            case 2: {
                uint32_t first = next_flag(flags, size, 0), word = UINT32_MAX;
                uint64_t bits = bitset_pop_word(&set, &word);
                assert_int_equal(bits,
                                 first == UINT32_MAX ? 0 : take_word(flags, size, first / 64));
                if (bits != 0) assert_int_equal(word, first / 64);
                break;
            }
            default: {
                uint32_t first = next_flag(flags, size, 0);
                assert_int_equal(bitset_pop(&set), first);
                if (first != UINT32_MAX) flags[first] = false;
            }
            }
            assert_int_equal(bitset_is_empty(&set), next_flag(flags, size, 0) == UINT32_MAX);
        }
        free(flags);
        bitset_free(&set);
    }
}

/* Every bit alone: set twice, popped. */
static void every_bit_alone_is_set_once_and_popped(void **state) {
    (void)state;
    struct bitset set;
    assert_true(bitset_new(&set, 9000));
    for (uint32_t bit = 0; bit < 9000; bit++) {
        bitset_add(&set, bit);
        bitset_add(&set, bit);
        assert_false(bitset_is_empty(&set));
        assert_int_equal(bitset_pop(&set), bit);
        assert_true(bitset_is_empty(&set));
        assert_int_equal(bitset_pop(&set), UINT32_MAX);
    }
    bitset_free(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_set_has_nothing_to_pop),
        cmocka_unit_test(sets_behave_as_arrays_of_flags),
        cmocka_unit_test(every_bit_alone_is_set_once_and_popped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
