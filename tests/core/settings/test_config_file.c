/* Configuration files: right ones set everything, wrong ones set nothing and tell every fault. */
#include "core/settings/config_file.h"
#include "tests/support/core/example_settings.h"
#include "tests/support/core/scratch_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct example values;
static struct setting_section section = {rows, sizeof rows / sizeof *rows, &values};
static struct settings all = {&section, 1};

static int set_up(void **state) {
    (void)state;
    return settings_set_defaults(&all, NULL) == STATUS_OK ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    settings_clear(&all);
    return 0;
}

static void expect_read(const char *text) {
    struct status status = STATUS_INIT;
    if (config_text_read(&all, "f.yaml", text, strlen(text), &status) != STATUS_OK)
        fail_msg("%s", status.text);
}

/* The whole report, word by word. */
static void expect_report(const char *text, const char *expected) {
    struct status status = STATUS_INIT;
    struct example before = values;
    assert_int_equal(config_text_read(&all, "f.yaml", text, strlen(text), &status), STATUS_INPUT);
    assert_string_equal(status.text, expected);
    assert_memory_equal(&before, &values, sizeof before);
    status_clear(&status);
}

/* One of the lines of the report. */
static void expect_mention_bytes(const char *text, size_t size, const char *expected) {
    struct status status = STATUS_INIT;
    struct example before = values;
    assert_int_equal(config_text_read(&all, "f.yaml", text, size, &status), STATUS_INPUT);
    if (strstr(status.text, expected) == NULL) fail_msg("%s\nnot in\n%s", expected, status.text);
    assert_memory_equal(&before, &values, sizeof before);
    status_clear(&status);
}

static void expect_mention(const char *text, const char *expected) {
    expect_mention_bytes(text, strlen(text), expected);
}

static void all_kinds_of_settings_are_read(void **state) {
    (void)state;
    expect_read("description: a shop, for people\n"
                "source: [anything, {may: stand}, here]\n"
                "shop:\n"
                "  door: {latency: 1us, bandwidth: 100Gbit/s}\n"
                "  size: \"4KiB\" # a comment\n"
                "  count: 4\n"
                "  share: 50%\n"
                "  on: no\n"
                "  colour: 'blue'\n"
                "shop.width: 80cm\n"
                "shop.list: links.txt\n"
                "shop.file: /a/b c.txt\n");
    assert_int_equal(values.width_mm, 800);
    assert_string_equal(values.list, "links.txt");
    assert_int_equal(values.latency_ps, 1000000);
    assert_int_equal(values.bandwidth, 12500000000);
    assert_int_equal(values.size_bytes, 4096);
    assert_int_equal(values.count, 4);
    assert_int_equal(values.share, 500000);
    assert_false(values.on);
    assert_int_equal(values.colour, 2);
    assert_string_equal(values.file, "/a/b c.txt");
}

static void settings_left_out_keep_their_values(void **state) {
    (void)state;
    expect_read("");
    expect_read("# nothing but a comment\n");
    expect_read("---\n...\n");
    expect_read("shop:\n");
    expect_read("shop:\n  door:\n  count: 7\n");
    expect_read("\xef\xbb\xbfshop: {on: off}\r\n");
    assert_int_equal(values.count, 7);
    assert_false(values.on);
    assert_int_equal(values.latency_ps, 300000);
}

static void all_faults_come_in_one_report(void **state) {
    (void)state;
    expect_report(
        "shop:\n"
        "  count: 11\n"
        "  door:\n"
        "    latnecy: 300ns\n"
        "    latency: 300\n"
        "  size:\n"
        "shpo: {count: 3}\n",
        "f.yaml:2:10: error: shop.count: `11` is out of range; it takes a number from 1 to 10\n"
        "    count: 11\n"
        "           ^\n"
        "f.yaml:4:5: error: there is no setting `shop.door.latnecy`\n"
        "      latnecy: 300ns\n"
        "      ^ (did you mean `shop.door.latency`?)\n"
        "f.yaml:5:14: error: shop.door.latency: `300` has no unit; a time needs one of ps ns us "
        "ms s min h, e.g. 300ns\n"
        "      latency: 300\n"
        "               ^\n"
        "f.yaml:6:3: error: shop.size has no value; it takes a size of at least 0\n"
        "    size:\n"
        "    ^\n"
        "f.yaml:7:1: error: there is no setting `shpo`\n"
        "  shpo: {count: 3}\n"
        "  ^ (did you mean `shop`?)");
}

static void faults_before_a_syntax_error_are_told(void **state) {
    (void)state;
    expect_report(
        "shop:\n  count: 0\n  on: [1\n",
        "f.yaml:2:10: error: shop.count: `0` is out of range; it takes a number from 1 to 10\n"
        "    count: 0\n"
        "           ^\n"
        "f.yaml:3:7: error: shop.on takes on or off, not a list\n"
        "    on: [1\n"
        "        ^\n"
        "f.yaml:4:1: error: YAML: flow sequence without a closing bracket\n"
        "  \n"
        "  ^");
    expect_mention("shop:\n\tcount: 3\n", "f.yaml:2:1: error: YAML: tab");
    expect_mention("shop: \"abc\n", "error: YAML: double-quoted scalar without closing quote");
    expect_mention("{", "error: YAML: ");
}

static void wrong_types_are_refused(void **state) {
    (void)state;
    expect_mention("shop: 5\n",
                   "`shop` is a group of settings; write them below it by name, such as");
    expect_mention("shop: [count]\n", "`shop` is a group of settings");
    expect_mention("shop: {count: {a: b}}\n", "shop.count takes a number from 1 to 10, not a map");
    expect_mention("shop: {? [a] : b, count: 0}\n", "f.yaml:1:10: error: a name is expected here");
    expect_mention("kim-1k\n", "f.yaml:1:1: error: settings are expected here");
    expect_mention("shop: {count: \"0\"}\n", "f.yaml:1:15: error: shop.count");
    expect_mention("[shop]\n", "f.yaml:1:1: error: settings are expected here");
    expect_mention("shop: {count: 3}\n---\nshop: {count: 4}\n",
                   "f.yaml:2:1: error: a second document");
    expect_mention("source: x\nshop: {source: y}\n", "there is no setting `shop.source`");
}

static void duplicates_are_refused(void **state) {
    (void)state;
    expect_mention("shop:\n  count: 3\n  count: 3\n",
                   "f.yaml:3:3: error: `shop.count` is given twice, first in line 2");
    expect_mention("shop: {count: 3}\nshop: {on: off}\n",
                   "f.yaml:2:1: error: `shop` is given twice, first in line 1");
    expect_mention("shop.count: 3\nshop: {count: 3}\n",
                   "`shop.count` is given twice, first in line 1");
    expect_mention("source: a\nsource: b\n", "`source` is given twice");
}

static void anchors_aliases_and_tags_are_refused(void **state) {
    (void)state;
    expect_mention("shop: {count: &a 3, size: *a}\n", "an anchor (&name) means nothing here");
    expect_mention("source: &a x\nshop: {size: *a}\n", "f.yaml:2:14: error: an alias (*name)");
    expect_mention("shop: {size: *nowhere}\n", "an alias (*name)");
    expect_mention("shop: {*a : 3}\n", "an alias (*name)");
    expect_mention("shop: !!map {count: 3}\n", "a tag (!name) means nothing here");
    expect_mention("&a shop: {count: 3}\n", "an anchor (&name)");
    expect_mention("&a {shop: {count: 3}}\n", "an anchor (&name)");
}

static void unusual_characters_are_read_or_refused(void **state) {
    (void)state;
    expect_mention("# \xc3\xa9\nshop: \xff\n",
                   "f.yaml:2:7: error: byte 0xff is not UTF-8 text\n  shop: ?");
    expect_mention("\xed\xa0\x80", "byte 0xed is not UTF-8");
    expect_mention("\xc0\x80", "byte 0xc0 is not UTF-8");
    expect_mention("\xf4\x90\x80\x80", "byte 0xf4 is not UTF-8");
    expect_mention("shop: \xe2\x82", "byte 0xe2 is not UTF-8");
    expect_mention("shop: \x1b[31m\n", "f.yaml:1:7: error: control character 0x1b in a text file");
    expect_mention("shop: \xc2\x9b\n", "control character 0x9b");
    expect_mention_bytes("shop:\0", 6, "control character 0x00");
    expect_mention("shop: {count: \"3\\0\"}\n", "a text with a zero character");
    expect_mention("\xc3\xa9\xc3\xa9: 3 \xe2\x82\xac\n", "  \xc3\xa9\xc3\xa9: 3 \xe2\x82\xac\n  ^");
}

/* Nothing hostile costs more than its bytes; a limited report says that it is limited. */
static void hostile_files_are_refused(void **state) {
    (void)state;
    size_t size = (1 << 20) + 1;
    char *text = malloc(size);
    memset(text, '[', size);
    expect_mention_bytes(text, size, "a configuration has at most 1048576");
    expect_mention_bytes(text, size - 1, "f.yaml:1:1: error: settings are expected here");
    memcpy(text, "shop: ", 6);
    expect_mention_bytes(text, size - 1, "error");
    memset(text, 'x', size);
    text[size - 2] = ':';
    expect_mention_bytes(text, size - 1, "f.yaml:1:");
    for (size_t i = 0; i + 8 < size; i += 8)
        memcpy(text + i, "zzzz: 1\n", 8);
    expect_mention_bytes(text, size - 9, "(too many faults: the rest of the file was not read)");
    free(text);
    /* a long line is shown around its caret only */
    char line[4000];
    int length = snprintf(line, sizeof line, "shop: {file: \"%0*d\", count: 11}\n", 3000, 0);
    expect_mention_bytes(line, (size_t)length, "0000\", count: 11}\n");
    expect_mention_bytes(line, (size_t)length,
                         "\n                                                       "
                         "       ^");
}

static void quoted_texts_are_texts(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *text;
    } texts[] = {
        {"'a''b'", "a'b"},
        {"'it''s Bob''s'", "it's Bob's"},
        {"\"a\\nb\\n\\n\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\t\\x41\\u20ac\"",
         "a\nb\n\n\t\t\t\t\t\t\t\t\t\t\t\tA\xe2\x82\xac"},
        {"'two\n\n    lines'", "two\nlines"},
        {"a b\n\n    c # d", "a b\nc"},
        {"\"''\"", "''"},
        {"''", NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char file[200];
        snprintf(file, sizeof file, "shop:\n  file: %s\n", texts[i].yaml);
        expect_read(file);
        if (texts[i].text == NULL)
            assert_null(values.file);
        else
            assert_string_equal(values.file, texts[i].text);
    }
    expect_mention("shop: {file: 'x''''y'}\n", "f.yaml:1:14: error: several quotes in a row");
    expect_mention("shop: {count: 3, '''''''''''''''''''''''''''' b: 1}\n",
                   "several quotes in a row");
}

static void files_that_are_none_are_refused(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    assert_int_equal(config_file_read(&all, "no/such.yaml", &status), STATUS_INPUT);
    assert_string_equal(status.text, "no/such.yaml: cannot be opened: No such file or directory");
    assert_int_equal(config_file_read(&all, ".", &status), STATUS_INPUT);
    assert_string_equal(status.text, ".: is a folder, not a file; anax reads plain files only");
    status_clear(&status);
    char path[SCRATCH_FOLDER_BYTES];
    assert_true(scratch_file_of_text(path, "shop: {count: 9}\n"));
    assert_int_equal(config_file_read(&all, path, &status), STATUS_OK);
    assert_int_equal(values.count, 9);
    remove(path);
}

/* What is printed reads back to the same values, also texts that YAML would take for more. */
static void printed_settings_read_back(void **state) {
    (void)state;
    static const char *const files[] = {"",      "x",        "a: b # c", "\"'\\", "two\nlines\t",
                                        "\x01x", "\xc3\xa9", "*alias",   "~",     "  blanks  "};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(settings_set(&all, "shop.file", files[i], NULL), STATUS_OK);
        assert_int_equal(settings_set(&all, "shop.on", i % 2 ? "on" : "off", NULL), STATUS_OK);
        assert_int_equal(settings_set(&all, "shop.door.latency", "1234567ps", NULL), STATUS_OK);
        char *yaml = settings_yaml(&all);
        settings_clear(&all);
        assert_int_equal(settings_set_defaults(&all, NULL), STATUS_OK);
        expect_read(yaml);
        free(yaml);
        if (files[i][0] == '\0')
            assert_null(values.file);
        else
            assert_string_equal(values.file, files[i]);
        assert_int_equal(values.on, i % 2);
        assert_int_equal(values.latency_ps, 1234567);
    }
}

struct watched {
    char names[64];
    const char *wrong;
};

static void note(void *context, const char *name, const char *value) {
    struct watched *watched = context;
    size_t length = strlen(watched->names);
    snprintf(watched->names + length, sizeof watched->names - length, "%s=%s;", name, value);
}

static const char *judge(void *context, struct status *status) {
    const struct watched *watched = context;
    if (watched->wrong != NULL) status_set(status, STATUS_USAGE, "not in this place");
    return watched->wrong;
}

static void a_watch_is_told_of_every_setting(void **state) {
    (void)state;
    char path[SCRATCH_FOLDER_BYTES];
    struct watched watched = {"", NULL};
    const struct config_watch watch = {&watched, note, judge};
    assert_true(scratch_file_of_text(path, "shop:\n  on: no\n  door: {latency: 5ns}\n"));
    struct status status = STATUS_INIT;
    assert_int_equal(config_file_read_watched(&all, &watch, path, &status), STATUS_OK);
    assert_string_equal(watched.names, "shop.on=no;shop.door.latency=5ns;");
    assert_int_equal(values.latency_ps, 5000);
    values.latency_ps = 7000;
    struct example before = values;
    watched.wrong = "shop.door.latency";
    assert_int_equal(config_file_read_watched(&all, &watch, path, &status), STATUS_INPUT);
    assert_non_null(
        strstr(status.text, ":3:10: error: not in this place\n    door: {latency: 5ns}"));
    assert_memory_equal(&before, &values, sizeof before);
    status_clear(&status);
    remove(path);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(all_kinds_of_settings_are_read),
        TEST(settings_left_out_keep_their_values),
        TEST(all_faults_come_in_one_report),
        TEST(faults_before_a_syntax_error_are_told),
        TEST(wrong_types_are_refused),
        TEST(duplicates_are_refused),
        TEST(anchors_aliases_and_tags_are_refused),
        TEST(unusual_characters_are_read_or_refused),
        TEST(hostile_files_are_refused),
        TEST(quoted_texts_are_texts),
        TEST(files_that_are_none_are_refused),
        TEST(a_watch_is_told_of_every_setting),
        TEST(printed_settings_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
