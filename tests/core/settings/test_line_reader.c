/* Text files of one thing per line: what is read, and how each fault is told. */
#include "core/settings/line_reader.h"

#include "tests/support/core/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char path[SCRATCH_FOLDER_BYTES + 8];

static int set_up(void **state) {
    static char folder[SCRATCH_FOLDER_BYTES];
    *state = folder;
    if (!scratch_folder_make(folder)) return -1;
    snprintf(path, sizeof path, "%s/f", folder);
    return 0;
}

static int tear_down(void **state) {
    return scratch_folder_remove(*state);
}

static void write_bytes(const char *text, size_t size) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static void open_text(struct line_reader *reader, const char *text) {
    write_bytes(text, strlen(text));
    assert_int_equal(line_reader_open(reader, path, NULL), STATUS_OK);
}

static void expect_closed(struct line_reader *reader) {
    assert_int_equal(line_reader_close(reader, NULL), STATUS_OK);
}

/* The report begins with the file's name and then says this, in this order. */
static void expect_faults(struct line_reader *reader, const char *first, const char *second) {
    struct status status = STATUS_INIT;
    assert_int_equal(line_reader_close(reader, &status), STATUS_INPUT);
    assert_memory_equal(status.text, path, strlen(path));
    const char *found = strstr(status.text, first);
    if (found == NULL || (second != NULL && strstr(found, second) == NULL))
        fail_msg("%s", status.text);
    status_clear(&status);
}

static void numbers_of_lines_are_read(void **state) {
    (void)state;
    struct line_reader reader;
    uint32_t number = 99, first = 99, last = 99;
    open_text(&reader, "\xef\xbb\xbf# comment\n\n \t\r\n0 7 # seven\n3-5\r\n4294967294\n8 - 9");
    assert_true(line_reader_next(&reader));
    assert_int_equal(reader.line, 4);
    assert_true(line_reader_read_number(&reader, "rank", 1, &number));
    assert_int_equal(number, 0);
    assert_false(line_reader_at_end(&reader));
    assert_true(line_reader_read_range(&reader, "rank", 8, &first, &last));
    assert_int_equal(first, 7);
    assert_int_equal(last, 7);
    assert_true(line_reader_at_end(&reader));
    assert_true(line_reader_expect_end(&reader, "two ranks"));
    assert_true(line_reader_next(&reader));
    assert_true(line_reader_read_range(&reader, "node", 6, &first, &last));
    assert_int_equal(first, 3);
    assert_int_equal(last, 5);
    assert_true(line_reader_expect_end(&reader, "a range"));
    assert_true(line_reader_next(&reader));
    assert_true(line_reader_read_number(&reader, "node", UINT32_MAX, &number));
    assert_int_equal(number, UINT32_MAX - 1);
    assert_true(line_reader_next(&reader));
    assert_true(line_reader_read_range(&reader, "node", 10, &first, &last));
    assert_int_equal(first, 8);
    assert_int_equal(last, 9);
    assert_false(line_reader_next(&reader));
    assert_false(line_reader_next(&reader));
    expect_closed(&reader);
}

static void words_end_at_blanks_and_commas(void **state) {
    (void)state;
    struct line_reader reader;
    char word[6];
    open_text(&reader, "10us, 2ms\t3,4#5\n");
    assert_true(line_reader_next(&reader));
    const char *const words[] = {"10us", "2ms", "3", "4"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(line_reader_read_word(&reader, "a time", word, sizeof word));
        assert_string_equal(word, words[i]);
    }
    assert_true(line_reader_expect_end(&reader, "times"));
    expect_closed(&reader);
    open_text(&reader, "1234567\n , 1\n");
    assert_true(line_reader_next(&reader));
    assert_false(line_reader_read_word(&reader, "a time", word, sizeof word));
    assert_true(line_reader_next(&reader));
    assert_false(line_reader_read_word(&reader, "a share", word, sizeof word));
    expect_faults(&reader, ":1:1: error: a time is expected here",
                  ":2:2: error: a share is expected here");
}

/* Reads the range at the beginning of a line. */
static void expect_range(const char *line, uint32_t from, uint32_t to) {
    struct line_reader reader;
    uint32_t first, last;
    open_text(&reader, line);
    assert_true(line_reader_next(&reader));
    assert_true(line_reader_read_range(&reader, "node", 8, &first, &last));
    assert_int_equal(first, from);
    assert_int_equal(last, to);
    expect_closed(&reader);
}

/* Reads one line as a range below 8. */
static void expect_no_range(const char *line, const char *fault) {
    struct line_reader reader;
    uint32_t first, last;
    open_text(&reader, line);
    assert_true(line_reader_next(&reader));
    assert_false(line_reader_read_range(&reader, "node", 8, &first, &last));
    expect_faults(&reader, fault, NULL);
}

static void faults_have_their_places(void **state) {
    (void)state;
    expect_no_range("x", ":1:1: error: a node number is expected here");
    expect_no_range("  -3", ":1:3: error: a node number is expected here");
    expect_no_range("8", ":1:1: error: there is no such node: they are numbered from 0 to 7");
    expect_no_range("4294967296", "there is no such node");
    expect_no_range("18446744073709551617", "there is no such node"); /* 2^64 + 1 */
    expect_no_range("2-9", ":1:3: error: there is no such node");
    expect_range("5 -4", 5, 5); /* a number, and a negative one */
    expect_no_range("5-4", ":1:1: error: the range ends before it starts");
    struct line_reader reader;
    uint32_t number;
    open_text(&reader, "1 2\n");
    assert_true(line_reader_next(&reader));
    assert_true(line_reader_read_number(&reader, "rank", 8, &number));
    assert_false(line_reader_expect_end(&reader, "one rank"));
    expect_faults(&reader, ":1:3: error: nothing more is expected in this line; write one rank",
                  NULL);
}

/* A hostile file does not make a report of its own size. */
static void reading_ends_after_many_faults(void **state) {
    (void)state;
    struct line_reader reader;
    uint32_t number;
    char text[2 * 4 * SOURCE_FAULTS_MAX + 1] = "";
    for (size_t i = 0; i < 4 * SOURCE_FAULTS_MAX; i++)
        strcat(text, "x\n");
    open_text(&reader, text);
    unsigned lines = 0;
    for (; line_reader_next(&reader); lines++)
        line_reader_read_number(&reader, "rank", 8, &number);
    assert_int_equal(lines, SOURCE_FAULTS_MAX);
    expect_faults(&reader, ":50:1: error", NULL);
}

static void what_is_no_text_is_refused(void **state) {
    (void)state;
    struct line_reader reader;
    struct status status = STATUS_INIT;
    write_bytes("1\n\xff\n", 4);
    assert_int_equal(line_reader_open(&reader, path, NULL), STATUS_OK);
    assert_false(line_reader_next(&reader));
    expect_faults(&reader, ":2:1: error", NULL);
    write_bytes("1\n\0 2\n", 6);
    assert_int_equal(line_reader_open(&reader, path, NULL), STATUS_OK);
    assert_false(line_reader_next(&reader));
    expect_faults(&reader, ":2:1: error", NULL);
    assert_int_equal(line_reader_open(&reader, "/nowhere/f", &status), STATUS_INPUT);
    assert_memory_equal(status.text, "/nowhere/f: ", strlen("/nowhere/f: "));
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_lines_are_read),
        cmocka_unit_test(words_end_at_blanks_and_commas),
        cmocka_unit_test(faults_have_their_places),
        cmocka_unit_test(reading_ends_after_many_faults),
        cmocka_unit_test(what_is_no_text_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
