/* core/utf8: what is UTF-8 stays, what is not becomes question marks. */
#include "core/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void expect_becomes(const char *text, const char *expected) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    utf8_repair(copy);
    assert_string_equal(copy, expected);
}

static void valid_characters_stay(void **state) {
    (void)state;
    static const char *const good[] = {"",
                                       "plain \"text\"\n",
                                       "\xC3\xA4",
                                       "\xE2\x82\xAC",
                                       "\xEF\xBF\xBF",
                                       "\xF0\x9F\x98\x80",
                                       "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        expect_becomes(good[i], good[i]);
    assert_int_equal(utf8_character(""), 0);
    assert_int_equal(utf8_character("\xE2\x82\xAC!"), 3);
}

static void invalid_bytes_become_question_marks(void **state) {
    (void)state;
    expect_becomes("a\xFFz", "a?z");
    expect_becomes("\xC3(", "?(");                    /* no continuation */
    expect_becomes("\xE2\x82", "??");                 /* cut short */
    expect_becomes("\xC0\xAF\xE0\x80\xAF", "?????");  /* overlong */
    expect_becomes("\xED\xA0\x80", "???");            /* a surrogate */
    expect_becomes("\xF4\x90\x80\x80", "????");       /* beyond U+10FFFF */
    expect_becomes("\x80\xC3\xA4\xBF", "?\xC3\xA4?"); /* stray continuations */
}

static void texts_are_cut_between_characters(void **state) {
    (void)state;
    const char *text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z";
    static const int fits[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t max = 0; max < sizeof fits / sizeof *fits; max++)
        assert_int_equal(utf8_fit(text, max), fits[max]);
    assert_int_equal(utf8_fit("\xE2\x82\xE2", 2), 2); /* no characters */
    char whole[12], cut[11], shortest[4];
    utf8_copy(whole, sizeof whole, text);
    assert_string_equal(whole, text);
    utf8_copy(cut, sizeof cut, text);
    assert_string_equal(cut, "a\xC3\xA4\xE2\x82\xAC...");
    utf8_copy(shortest, sizeof shortest, text);
    assert_string_equal(shortest, "...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_characters_stay),
        cmocka_unit_test(invalid_bytes_become_question_marks),
        cmocka_unit_test(texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
