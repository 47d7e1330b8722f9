/* Hashes of contents: each bit of each word counts, and so do the order of words and of steps. */
#include "traces/program/content_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 64 };

static uint64_t add_both(uint64_t hash, const uint64_t words[3]) {
    hash = content_hash_add3(hash, words[0], words[1], words[2]);
    return content_hash_add(hash, 1);
}

/* A word of 64 bits chosen at random differs from another in 32 ± 4 of them. */
static void every_bit_counts(void **state) {
    (void)state;
    const uint64_t samples[][3] = {{0, 0, 0}, {6, 1, 2}, {UINT64_MAX, 0, UINT64_MAX}};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        uint64_t whole = add_both(s, samples[s]), differing = 0;
        for (unsigned bit = 0; bit < 3 * BITS; bit++) {
            uint64_t words[3] = {samples[s][0], samples[s][1], samples[s][2]};
            words[bit / BITS] ^= UINT64_C(1) << bit % BITS;
            uint64_t other = add_both(s, words);
            assert_int_not_equal(other, whole);
            differing += (uint64_t)__builtin_popcountll(other ^ whole);
        }
        assert_in_range(differing, 3 * BITS * 30, 3 * BITS * 34);
    }
}

/* The second step takes what differs after the first one apart, and never together again. */
static void what_differs_stays_different(void **state) {
    (void)state;
    uint64_t one = content_hash_add3(0, 1, 2, 3), two = content_hash_add3(0, 1, 2, 4);
    for (uint64_t step = 0; step < 1000; step++) {
        assert_int_not_equal(one, two);
        one = content_hash_add3(one, step, step, step);
        two = content_hash_add3(two, step, step, step);
    }
}

static void the_order_of_words_counts(void **state) {
    (void)state;
    uint64_t hash = content_hash_add3(0, 1, 2, 3);
    assert_int_not_equal(content_hash_add3(0, 2, 1, 3), hash);
    assert_int_not_equal(content_hash_add3(0, 1, 3, 2), hash);
    assert_int_not_equal(content_hash_add3(0, 3, 2, 1), hash);
    assert_int_not_equal(content_hash_add3(hash, 4, 5, 6),
                         content_hash_add3(content_hash_add3(0, 4, 5, 6), 1, 2, 3));
}

/* Program files hold hashes: if this fails, their version must change. */
static void hashes_stay_those_of_written_files(void **state) {
    (void)state;
    assert_int_equal(content_hash_add(1, 2), UINT64_C(0xD8D18F911F32D01E));
    assert_int_equal(content_hash_add3(1, 2, 3, 4), UINT64_C(0x8D8FDD31C58CE047));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(what_differs_stays_different),
        cmocka_unit_test(the_order_of_words_counts),
        cmocka_unit_test(hashes_stay_those_of_written_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
