/* api/report/text_buffer: names from traces do not control terminals. */
#include "api/report/text_buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void becomes(const char *name, size_t width, const char *expected) {
    text_buffer buffer = TEXT_BUFFER_INIT;
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
    becomes("", 0, "||");
    becomes("solve", 0, "|solve|");
    becomes("solve", 8, "|solve   |");
    becomes("solve", 3, "|solve|");
    becomes("l\xC3\xB6se 100%s", 0, "|l\xC3\xB6se 100%s|");
    becomes("a\nb\tc\x7F", 0, "|a\\x0Ab\\x09c\\x7F|");
    becomes("\x1B[31m", 8, "|\\x1B[31m|");
    becomes("\x1B", 6, "|\\x1B  |");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_printable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
