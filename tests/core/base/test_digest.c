/* Digests: fixed values (results of different builds are compared by them), spreading, and that
 * order matters where it should. */
#include "core/base/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* SplitMix64 seeded with 0 yields these numbers first (Steele, Lea, Flood, OOPSLA 2014); its step
 * is ours: spread(state += golden ratio). */
static void digests_are_the_published_numbers(void **state) {
    (void)state;
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    assert_int_equal(digest_spread(golden), 0xE220A8397B1DCDAFu);
    assert_int_equal(digest_spread(2 * golden), 0x6E789E6AA1B965F4u);
    assert_int_equal(digest_spread(3 * golden), 0x06C45D188009454Fu);
    assert_int_equal(digest_mix(0, 0), 0xE220A8397B1DCDAFu);
}

static void order_of_mixing_matters(void **state) {
    (void)state;
    assert_int_not_equal(digest_mix(digest_mix(0, 1), 2), digest_mix(digest_mix(0, 2), 1));
    assert_int_not_equal(digest_mix(0, 1), digest_mix(1, 0) + 1);
}

/* Each input bit turns over about half of the output bits: on average within 31 … 33 of 64. */
static void every_bit_spreads(void **state) {
    (void)state;
    enum { WORDS = 2000 };
    for (unsigned bit = 0; bit < 64; bit++) {
        long turned = 0;
        for (uint64_t word = 0; word < WORDS; word++)
            turned += __builtin_popcountll(digest_spread(word * 0x123456789u) ^
                                           digest_spread(word * 0x123456789u ^ 1ull << bit));
        assert_true(turned > 31L * WORDS && turned < 33L * WORDS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_the_published_numbers),
        cmocka_unit_test(order_of_mixing_matters),
        cmocka_unit_test(every_bit_spreads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
