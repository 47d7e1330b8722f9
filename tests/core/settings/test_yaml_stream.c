/* YAML as a stream of nodes: kinds, places, texts, and faults where they are. */
#include "core/settings/yaml_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* At the content of the first document. */
static void begin(struct yaml_stream *stream, const char *text) {
    *stream = (struct yaml_stream){.report = SOURCE_REPORT("f.yaml", text, strlen(text))};
    assert_true(yaml_begin(stream));
    assert_int_equal(yaml_kind_of(stream), YAML_DOCUMENT);
    yaml_advance(stream);
}

static void expect_end(struct yaml_stream *stream) {
    yaml_end(stream);
    assert_false(stream->out_of_memory);
    assert_int_equal(source_report_close(&stream->report, NULL), STATUS_OK);
}

static void expect_fault(struct yaml_stream *stream, const char *fault) {
    struct status status = STATUS_INIT;
    yaml_end(stream);
    assert_int_equal(source_report_close(&stream->report, &status), STATUS_INPUT);
    if (strstr(status.text, fault) == NULL) fail_msg("%s", status.text);
    status_clear(&status);
}

static void expect_at(const struct yaml_stream *stream, yaml_kind kind, size_t line,
                      size_t column) {
    const struct yaml_mark mark = yaml_mark_of(stream);
    assert_int_equal(yaml_kind_of(stream), kind);
    assert_int_equal(mark.line, line);
    assert_int_equal(mark.column, column);
}

static void expect_text(struct yaml_stream *stream, const char *expected) {
    char *text = yaml_text(stream);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void nodes_come_with_their_places(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream, "a: 'b'\nc:\n  - \"d\"\n  - {e: f}\n");
    expect_at(&stream, YAML_MAP, 1, 1);
    yaml_advance(&stream);
    expect_at(&stream, YAML_SCALAR, 1, 1);
    expect_text(&stream, "a");
    yaml_advance(&stream);
    expect_at(&stream, YAML_SCALAR, 1, 4); /* its quote */
    expect_text(&stream, "b");
    yaml_advance(&stream);
    expect_at(&stream, YAML_SCALAR, 2, 1);
    yaml_advance(&stream);
    expect_at(&stream, YAML_LIST, 3, 3);
    yaml_advance(&stream);
    expect_at(&stream, YAML_SCALAR, 3, 5);
    expect_text(&stream, "d");
    yaml_advance(&stream);
    expect_at(&stream, YAML_MAP, 4, 5);
    yaml_skip_node(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_LIST_END);
    yaml_advance(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_MAP_END);
    yaml_advance(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_OTHER); /* the end of the document */
    expect_end(&stream);
}

static void skipping_goes_past_a_whole_node(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream, "[[1, {a: [2, 3]}], x, [4]]");
    yaml_advance(&stream);
    yaml_skip_node(&stream);
    expect_text(&stream, "x");
    yaml_skip_node(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_LIST);
    yaml_skip_node(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_LIST_END);
    expect_end(&stream);
}

static void only_what_was_not_written_is_empty(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream, "[a: , '', ~]");
    yaml_advance(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_MAP);
    assert_false(yaml_is_empty(&stream));
    yaml_advance(&stream);
    assert_false(yaml_is_empty(&stream));
    yaml_advance(&stream);
    assert_true(yaml_is_empty(&stream));
    yaml_advance(&stream);
    yaml_advance(&stream);
    assert_int_equal(yaml_kind_of(&stream), YAML_SCALAR);
    assert_false(yaml_is_empty(&stream));
    expect_text(&stream, "");
    yaml_advance(&stream);
    assert_false(yaml_is_empty(&stream));
    expect_end(&stream);
}

/* Texts of several chunks: escapes, folded lines, many lines. */
static void texts_are_joined(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream,
          "- \"a\\tb\\u00e9 \\\n  c\"\n- 'it''s'\n- >\n  one\n  two\n\n  three\n- |\n  x\n  y\n");
    yaml_advance(&stream);
    expect_text(&stream, "a\tb\xc3\xa9 c");
    yaml_advance(&stream);
    expect_text(&stream, "it's");
    yaml_advance(&stream);
    expect_text(&stream, "one two\nthree\n");
    yaml_advance(&stream);
    expect_text(&stream, "x\ny\n");
    expect_end(&stream);
}

/* The first node of a list is not bare. */
static void expect_not_bare(const char *text, yaml_kind kind, const char *fault) {
    struct yaml_stream stream;
    begin(&stream, text);
    yaml_advance(&stream);
    assert_int_equal(yaml_kind_of(&stream), kind);
    assert_false(yaml_is_bare(&stream));
    expect_fault(&stream, fault);
}

static void anchors_aliases_and_tags_are_faults(void **state) {
    (void)state;
    const char *means = "an anchor (&name) means nothing here";
    expect_not_bare("[&a x]", YAML_SCALAR, means);
    expect_not_bare("[&a {}]", YAML_MAP, means);
    expect_not_bare("[&a []]", YAML_LIST, means);
    expect_not_bare("[!t x]", YAML_SCALAR, "a tag (!name) means nothing here");
    expect_not_bare("[!t {}]", YAML_MAP, "a tag (!name) means nothing here");
    expect_not_bare("[*a]", YAML_ALIAS, "f.yaml:1:2: error: an alias (*name) cannot stand here");
    struct yaml_stream stream;
    begin(&stream, "[x]");
    assert_true(yaml_is_bare(&stream));
    yaml_advance(&stream);
    assert_true(yaml_is_bare(&stream));
    yaml_advance(&stream);
    assert_true(yaml_is_bare(&stream)); /* the end of the list */
    expect_end(&stream);
}

static void texts_that_no_value_has_are_faults(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream, "\"a\\0b\"");
    assert_null(yaml_text(&stream));
    expect_fault(&stream, "f.yaml:1:1: error: a text with a zero character");
    begin(&stream, "'a''''b'");
    assert_null(yaml_text(&stream));
    expect_fault(&stream, "several quotes in a row in a single-quoted text");
}

static void what_is_no_yaml_is_told_where(void **state) {
    (void)state;
    struct yaml_stream stream;
    begin(&stream, "a: b\nc: [d\ne: f\n");
    while (yaml_kind_of(&stream) != YAML_NONE)
        yaml_advance(&stream);
    expect_fault(&stream, "f.yaml:");
    begin(&stream, "a: b\n\"c: d\n");
    while (yaml_kind_of(&stream) != YAML_NONE)
        yaml_advance(&stream);
    assert_int_equal(yaml_mark_of(&stream).line, 1);
    yaml_advance(&stream); /* it stays at the end */
    assert_int_equal(yaml_kind_of(&stream), YAML_NONE);
    expect_fault(&stream, "error: YAML: ");
}

/* After as many faults as a report takes the stream ends, whatever follows. */
static void the_stream_ends_after_many_faults(void **state) {
    (void)state;
    struct yaml_stream stream;
    char text[4 * SOURCE_FAULTS_MAX * 3 + 3] = "[";
    for (size_t i = 0; i < 4 * SOURCE_FAULTS_MAX; i++)
        strcat(text, "*a,");
    strcat(text, "]");
    begin(&stream, text);
    yaml_advance(&stream);
    unsigned nodes = 0;
    for (; yaml_kind_of(&stream) == YAML_ALIAS; yaml_advance(&stream), nodes++)
        assert_false(yaml_is_bare(&stream));
    assert_int_equal(nodes, SOURCE_FAULTS_MAX);
    assert_int_equal(yaml_kind_of(&stream), YAML_NONE);
    expect_fault(&stream, "an alias");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_come_with_their_places),
        cmocka_unit_test(skipping_goes_past_a_whole_node),
        cmocka_unit_test(only_what_was_not_written_is_empty),
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(anchors_aliases_and_tags_are_faults),
        cmocka_unit_test(texts_that_no_value_has_are_faults),
        cmocka_unit_test(what_is_no_yaml_is_told_where),
        cmocka_unit_test(the_stream_ends_after_many_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
