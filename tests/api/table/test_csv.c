/* api/text/csv: whatever a text holds, a reader of CSV gets it back, and the table stays UTF-8.
 */
#include "api/text/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(void (*write)(FILE *, const char *), const char *text, const char *expected) {
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);
    write(file, text);
    fclose(file);
    assert_string_equal(written, expected);
    free(written);
}

static void quoted_texts_come_back_as_utf8(void **state) {
    (void)state;
    check(csv_write_quoted, "", "\"\"");
    check(csv_write_quoted, "solve", "\"solve\"");
    check(csv_write_quoted, "f(int, char*) \"x\"\n", "\"f(int, char*) \"\"x\"\"\n\"");
    check(csv_write_quoted, "\xC3\xA9\xE2\x98\x83", "\"\xC3\xA9\xE2\x98\x83\"");
    check(csv_write_quoted, "a\xFF\xC3", "\"a??\"");
}

static void names_are_quoted_only_where_they_must_be(void **state) {
    (void)state;
    check(csv_write_name, "MPI_Send", "MPI_Send");
    check(csv_write_name, "MPI_Send(int, int)", "\"MPI_Send(int, int)\"");
    check(csv_write_name, "a\"b", "\"a\"\"b\"");
    check(csv_write_name, "a\nb", "\"a\nb\"");
    check(csv_write_name, "\xFF", "\"?\"");
    check(csv_write_name, "", "");
    check(csv_write_name, "!~", "!~"); /* the first and the last printable character but blank */
    check(csv_write_name, "a b", "\"a b\"");
    check(csv_write_name, "a\x7F", "\"a\x7F\""); /* DEL prints nothing */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quoted_texts_come_back_as_utf8),
                                       cmocka_unit_test(names_are_quoted_only_where_they_must_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
