/* Lists of offered loads: single loads and ranges, their ends, and what is refused with which text.
 */
#include "api/traffic/loads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_loads(const char *text, const int64_t *expected, size_t expected_count) {
    struct status status = STATUS_INIT;
    int64_t *loads = NULL;
    size_t count = 0;
    if (loads_parse(text, &loads, &count, &status) != STATUS_OK)
        fail_msg("%s: %s", text, status.text);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(loads[i], expected[i]);
    free(loads);
}
#define EXPECT(text, ...)                                                                          \
    expect_loads(text, (const int64_t[]){__VA_ARGS__},                                             \
                 sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void expect_refusal(const char *text, const char *reason) {
    struct status status = STATUS_INIT;
    int64_t *loads = NULL;
    size_t count = 0;
    if (loads_parse(text, &loads, &count, &status) != STATUS_USAGE)
        fail_msg("%s is accepted", text);
    if (strstr(status.text, reason) == NULL) fail_msg("%s: %s", text, status.text);
    assert_null(loads);
    status_clear(&status);
}

static void loads_are_read_in_millionths(void **state) {
    (void)state;
    EXPECT("0.1", 100000);
    EXPECT("30%,0.5", 300000, 500000);
    EXPECT("0.000001", 1);
    EXPECT("1", 1000000);
}

static void ranges_include_their_last_load_if_a_step_reaches_it(void **state) {
    (void)state;
    EXPECT("0.1:0.3:0.1", 100000, 200000, 300000);
    EXPECT("0.1:0.39:0.1", 100000, 200000, 300000);
    EXPECT("0.9:1:0.05", 900000, 950000, 1000000);
    EXPECT("0.5:0.5:0.1", 500000);
    EXPECT("0.7,0.1:0.2:0.1,0.4", 700000, 100000, 200000, 400000);
}

static void loads_outside_0_to_1_are_refused(void **state) {
    (void)state;
    expect_refusal("0", "load `0`: a load is a share of the injection bandwidth, above 0");
    expect_refusal("1.000001", "above 0 and at most 1");
    expect_refusal("-0.1", "above 0 and at most 1");
    expect_refusal("0:1:0.1", "above 0 and at most 1");
    expect_refusal("0.5:1.1:0.1", "above 0 and at most 1");
}

static void texts_that_are_no_lists_are_refused(void **state) {
    (void)state;
    expect_refusal("", "a range is first:last:step");
    expect_refusal("0.1,", "a range is first:last:step");
    expect_refusal("fast", "`fast` is not a ratio");
    expect_refusal("0.1:0.2", "a range is first:last:step");
    expect_refusal("0.1:0.2:0.1:0.1", "a range is first:last:step");
    expect_refusal("0.2:0.1:0.1", "a range goes up from first to last by a step above 0");
    expect_refusal("0.1:0.2:0", "a range goes up from first to last by a step above 0");
}

static void a_load_that_stands_twice_is_refused(void **state) {
    (void)state;
    expect_refusal("0.1,0.1", "0.1 is given twice; remove one");
    expect_refusal("0.3,0.2,0.1,0.3", "0.3 is given twice");
    expect_refusal("0.1:0.3:0.1,0.2", "0.2 is given twice");
}

static void a_thousand_loads_are_the_most(void **state) {
    (void)state;
    int64_t expected[1000];
    for (int64_t i = 0; i < 1000; i++)
        expected[i] = (i + 1) * 1000;
    expect_loads("0.001:1:0.001", expected, 1000);
    expect_refusal("0.0005,0.001:1:0.001", "1001 loads, and at most 1000 in one run");
    expect_refusal("0.000001:1:0.000001", "1000000 loads, and at most 1000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_read_in_millionths),
        cmocka_unit_test(ranges_include_their_last_load_if_a_step_reaches_it),
        cmocka_unit_test(loads_outside_0_to_1_are_refused),
        cmocka_unit_test(texts_that_are_no_lists_are_refused),
        cmocka_unit_test(a_load_that_stands_twice_is_refused),
        cmocka_unit_test(a_thousand_loads_are_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
