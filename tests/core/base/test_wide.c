/* Numbers of more than 64 bits: their texts, shares and means. */
#include "core/base/wide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void texts_are_exact(void **state) {
    (void)state;
    char text[WIDE_TEXT_BYTES];
    assert_string_equal(wide_text(0, text), "0");
    assert_string_equal(wide_text(7, text), "7");
    assert_string_equal(wide_text(INT64_MAX, text), "9223372036854775807");
    assert_string_equal(wide_text((wide)INT64_MAX + 1, text), "9223372036854775808");
    assert_string_equal(wide_text((wide)UINT64_MAX + 1, text), "18446744073709551616");
    assert_string_equal(wide_text((wide)UINT64_MAX * 10, text), "184467440737095516150");
    assert_string_equal(wide_text(~(wide)0, text), "340282366920938463463374607431768211455");
}

static void shares_and_means_are_exact(void **state) {
    (void)state;
    const wide max = (wide)INT64_MAX << 40;
    assert_int_equal(wide_millionths(max, max), 1000000);
    assert_int_equal(wide_millionths(max - 1, max), 999999);
    assert_int_equal(wide_millionths(max / 4, max), 250000);
    assert_int_equal(wide_millionths(0, 0), 0);
    assert_true(wide_mean(max, UINT64_C(1) << 40) == INT64_MAX);
    assert_int_equal(wide_mean(max, 0), 0);
    assert_int_equal(wide_mean(11, 4), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_exact),
        cmocka_unit_test(shares_and_means_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
