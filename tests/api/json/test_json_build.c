/* Building JSON: what is written is what json-c reads, and nothing is left out in silence. */
#include "api/json/json_build.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void texts_are_read_back(void **state) {
    (void)state;
    static const char odd[] = "\"\\/\b\f\n\r\t\x01\x1f\x7f \xc3\xa9 %s";
    struct json_object *object = json_begin();
    json_put_text(object, odd, odd);
    json_put_text(object, "empty", "");
    json_put_int(object, "least", INT64_MIN);
    json_put_int(object, "most", INT64_MAX);
    json_put_count(object, "count", UINT64_MAX);
    json_put_millionths(object, "share", 1500000);
    json_put_null(object, "nothing");
    json_put_bool(object, "yes", true);
    json_put_object(object, "inner");
    struct json_object *array = json_put_array(object, "array");
    json_put_text(json_append_object(array), "key", "value");
    json_append_count(array, 7);
    json_append_text(array, odd);
    json_put_array(json_append_object(array), "none");
    struct json_object *before = json_tokener_parse(json_object_to_json_string(object));
    assert_non_null(before);
    char *text = json_finish(object);
    assert_non_null(text);
    struct json_object *read = json_tokener_parse(text);
    assert_non_null(read);
    assert_true(json_object_equal(read, before));
    assert_non_null(strstr(text, "\n  \"share\":1.5,\n"));
    assert_non_null(strstr(text, "\n  \"count\":18446744073709551615,\n"));
    assert_non_null(strstr(text, "\n  \"least\":-9223372036854775808,\n"));
    assert_non_null(strstr(text, "\n  \"inner\":{\n  },\n"));
    assert_non_null(strstr(text, "\n    {\n      \"key\":\"value\"\n    },\n    7,\n"));
    json_object_put(read);
    json_object_put(before);
    free(text);
}

/* Where memory ran out there is no text, however much was put in after it. */
static void gaps_are_no_results(void **state) {
    (void)state;
    struct json_object *object = json_begin();
    struct json_object *inner = json_append_object(json_put_array(object, "array"));
    json_give_up(json_put_object(inner, "deep"));
    json_put_int(object, "more", 1);
    assert_null(json_finish(object));

    object = json_begin();
    json_put_text(object, "text", NULL);
    assert_null(json_finish(object));

    json_put_int(NULL, "key", 1);
    json_put_null(NULL, "key");
    assert_null(json_put_object(NULL, "key"));
    assert_null(json_append_object(json_put_array(NULL, "key")));
    assert_null(json_finish(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_read_back),
                                       cmocka_unit_test(gaps_are_no_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
