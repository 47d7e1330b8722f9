/* api/text/text_buffer: names from traces do not control terminals. */
#include "api/text/text_buffer.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_becomes(const char *name, size_t width, const char *expected) {
    struct text_buffer buffer = TEXT_BUFFER_INIT;
    text_add(&buffer, "|");
    text_add_name(&buffer, name, width);
    text_add(&buffer, "|");
    char *text = text_take(&buffer);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void names_are_printable(void **state) {
    (void)state;
    expect_becomes("", 0, "||");
    expect_becomes("solve", 0, "|solve|");
    expect_becomes("solve", 8, "|solve   |");
    expect_becomes("solve", 3, "|solve|");
    expect_becomes("l\xC3\xB6se 100%s", 0, "|l\xC3\xB6se 100%s|");
    expect_becomes("a\nb\tc\x7F", 0, "|a\\x0Ab\\x09c\\x7F|");
    expect_becomes("\x1B[31m", 8, "|\\x1B[31m|");
    expect_becomes("\x1B", 6, "|\\x1B  |");
    expect_becomes("\xC2\x9B[31m", 0, "|\\x9B[31m|"); /* the same in one character */
    expect_becomes("\x9B", 0, "|\\x9B|");
    expect_becomes("l\xC3\xB6se \xE2\x82", 15, "|l\xC3\xB6se \\xE2\\x82  |"); /* cut before */
}

static void expect_cut(const char *name, size_t width, const char *expected) {
    struct text_buffer buffer = TEXT_BUFFER_INIT;
    text_add_cut_name(&buffer, name, width);
    text_pad(&buffer, width + 1);
    text_add(&buffer, "|");
    char *text = text_take(&buffer);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void long_names_keep_both_ends(void **state) {
    (void)state;
    expect_cut("solve", 8, "solve    |");
    expect_cut("12345678", 8, "12345678 |");
    expect_cut("123456789", 8, "1234...9 |");
    expect_cut("void std::sort<int*>(int*, int*)", 18, "void std::...int*) |");
    expect_cut("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xB6\xC3\xBC", 8,
               "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4...\xC3\xBC |");
    expect_cut("abc\x1B"
               "defghij",
               8, "abc...j  |"); /* no part of an escape */
}

static void lines_are_printable(void **state) {
    (void)state;
    struct text_buffer buffer = TEXT_BUFFER_INIT;
    text_add_lines(&buffer, "one\n\ttw\xC3\xB6 \x1B[31m\n");
    char *text = text_take(&buffer);
    assert_string_equal(text, "one\n\ttw\xC3\xB6 \\x1B[31m\n");
    free(text);
}

/* Texts that just fit, and texts that do not, whatever was added before. */
static void added_pieces_follow_each_other_whole_or_cut(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 9, 10, 4294967296, UINT64_MAX};
    char expected[1000] = "", piece[64];
    struct text_buffer buffer = TEXT_BUFFER_INIT;
    for (size_t i = 0; i < 20; i++) {
        snprintf(piece, sizeof piece, "%.*s%*s%" PRIu64 "<%zu>", (int)(i % 4), "abc", (int)i, "",
                 counts[i % 5], i);
        strcat(expected, piece);
        text_add_bytes(&buffer, "abc", i % 4);
        text_add_blanks(&buffer, i);
        text_add_count(&buffer, counts[i % 5]);
        text_add(&buffer, "<%zu>", i);
        assert_string_equal(buffer.text, expected);
        assert_int_equal(buffer.length, strlen(expected));
    }
    free(text_take(&buffer));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_printable), cmocka_unit_test(long_names_keep_both_ends),
        cmocka_unit_test(lines_are_printable),
        cmocka_unit_test(added_pieces_follow_each_other_whole_or_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
