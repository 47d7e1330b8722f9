/* Numbers in JSON that json-c cannot hold keep their values, wherever they stand. */
#include "api/json/json_input.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct json_object *parse(const char *text) {
    struct status status = STATUS_INIT;
    struct json_object *object = NULL;
    if (json_input_parse(&object, text, strlen(text), &status) != STATUS_OK)
        fail_msg("%s: %s", text, status.text);
    return object;
}

static struct json_object *at(struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static void expect_whole(const char *number, const char *expected) {
    char text[128], digits[WIDE_TEXT_BYTES];
    wide value = 0;
    snprintf(text, sizeof text, "{\"before\":[1,2],\"number\":%s,\"after\":[{}]}", number);
    struct json_object *object = parse(text);
    assert_int_equal(json_object_array_length(at(object, "after")), 1);
    assert_true(json_input_whole(&value, at(object, "number")));
    assert_string_equal(wide_text(value, digits), expected);
    json_object_put(object);
}

static void expect_no_whole(const char *number) {
    char text[128];
    wide value = 0;
    snprintf(text, sizeof text, "{\"number\":%s}", number);
    struct json_object *object = parse(text);
    assert_false(json_input_whole(&value, at(object, "number")));
    json_object_put(object);
}

static void whole_numbers_are_exact(void **state) {
    (void)state;
    static const char *const numbers[] = {"0",
                                          "17",
                                          "999999999999999999",
                                          "1000000000000000000",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "25600000000000000000",
                                          "9999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expect_whole(numbers[i], numbers[i]);
    expect_whole(" 25600000000000000001\n", "25600000000000000001");
}

static void numbers_that_are_not_whole_are_refused(void **state) {
    (void)state;
    expect_no_whole("-1");
    expect_no_whole("-25600000000000000000");
    expect_no_whole("1.0");
    expect_no_whole("25600000000000000000.5");
    expect_no_whole("25600000000000000000e3");
    expect_no_whole("10000000000000000000000000000000"); /* a digit too many */
    expect_no_whole("\"25600000000000000000\"");
    expect_no_whole("null");
    expect_no_whole("[]");
}

static void other_values_stay_as_they_were(void **state) {
    (void)state;
    struct json_object *object = parse(
        "{\"a\":\"25600000000000000000, \\\"25600000000000000000\",\"25600000000000000000\":1,"
        "\"b\":0.25600000000000000001,\"c\":1e+25,\"d\":[25600000000000000000,3],"
        "\"e\":1.25600000000000000000e-20,\"f\":-25600000000000000000}");
    assert_string_equal(json_object_get_string(at(object, "a")),
                        "25600000000000000000, \"25600000000000000000");
    assert_int_equal(json_object_get_int(at(object, "25600000000000000000")), 1);
    assert_true(json_object_get_double(at(object, "b")) == 0.25600000000000000001);
    assert_true(json_object_get_double(at(object, "c")) == 1e25);
    assert_true(json_object_get_double(json_object_array_get_idx(at(object, "d"), 0)) == 2.56e19);
    assert_int_equal(json_object_get_int(json_object_array_get_idx(at(object, "d"), 1)), 3);
    assert_true(json_object_get_double(at(object, "e")) == 1.256e-20);
    assert_true(json_object_get_double(at(object, "f")) == -2.56e19);
    json_object_put(object);
}

/* The byte of an error is that of the text. */
static void errors_name_the_byte(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"{\"a\":1,x}", "byte 7: "},
        {"{\"a\":25600000000000000000,\"b\":x}", "byte 30: "},
        {"{\"a\":25600000000000000000", "ends too early"},
        {"{\"a\":25600000000000000000,", "ends too early"},
        {"{\"a\":\"\\", "ends too early"},
        {"25600000000000000000 ", "no JSON object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct status status = STATUS_INIT;
        struct json_object *object = NULL;
        const size_t length = strlen(cases[i].text);
        assert_int_equal(json_input_parse(&object, cases[i].text, length, &status), STATUS_INPUT);
        if (strstr(status.text, cases[i].error) == NULL)
            fail_msg("%s: %s", cases[i].text, status.text);
        status_clear(&status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(numbers_that_are_not_whole_are_refused),
        cmocka_unit_test(other_values_stay_as_they_were),
        cmocka_unit_test(errors_name_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
