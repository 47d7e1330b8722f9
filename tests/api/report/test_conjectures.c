/* Verdicts on conjectures as text and as tables, with and without exceptions; and a run that is
 * stopped. tests/cli/test_topology.sh verifies the conjectures themselves. */
#include "api/api.h"
#include "api/command_support.h"
#include "api/report/report_conjectures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct components_conjecture over = {
    "helix", 2, 3, 1, true, 200, true}; /* a from h + 1 on, odd ones */
static const struct components_conjecture plain = {"nautilus", 2, 3, 1, false, 12, false};

static void expect(char *text, const char *const *parts) {
    assert_non_null(text);
    for (; *parts != NULL; parts++)
        if (strstr(text, *parts) == NULL) fail_msg("`%s` is not in: %s", *parts, text);
    free(text);
}

/* Gives both forms of verdicts. */
static void report(const struct tables_verdict *verdicts, size_t count, status_code expected,
                   char **text, char **json) {
    struct status status = STATUS_INIT;
    assert_int_equal(report_conjectures(verdicts, count, text, json, &status), expected);
    status_clear(&status);
}

static void verdicts_state_what_was_verified(void **state) {
    (void)state;
    const struct tables_verdict verdicts[] = {{&over, 3, {.machines = 98}},
                                              {&plain, 2, {.machines = 1}}};
    char *text, *json;
    report(verdicts, 2, STATUS_OK, &text, &json);
    expect(text, (const char *const[]){
                     "helix           h = 3, odd a = 4 to 200: one component each, 98 machines\n",
                     "nautilus        h = 2, a = 1 to 12: one component each, 1 machine\n", NULL});
    expect(json,
           (const char *const[]){"\"least_routers_per_group\":4,", "\"odd_routers_only\":true",
                                 "\"first_routers_per_group\":null", "\"first_components\":null",
                                 "\"hold\":true", NULL});
}

static void verdicts_name_the_first_exception(void **state) {
    (void)state;
    const struct tables_verdict verdicts[] = {
        {&plain, 3, {.machines = 12}},
        {&plain, 2, {.machines = 12, .exceptions = 4, .routers = 5, .components = 3}}};
    char *text, *json;
    report(verdicts, 2, STATUS_RUN, &text, &json);
    expect(text, (const char *const[]){
                     "4 of 12 machines have several components, first a = 5 with 3\n", NULL});
    expect(json, (const char *const[]){"\"exceptions\":4", "\"first_routers_per_group\":5",
                                       "\"first_components\":3", "\"hold\":false", NULL});
}

static bool stop_at_second(void *context, const anax_progress *progress) {
    int *calls = context;
    assert_string_equal(progress->phase, "verifying");
    assert_int_equal(progress->done, *calls);
    assert_int_equal(progress->total, 16);
    return ++*calls < 2;
}

static void a_stopped_run_gives_no_verdict(void **state) {
    (void)state;
    int calls = 0;
    char *text = NULL, *json = NULL;
    anax_error error = ANAX_ERROR_INIT;
    anax_options options = ANAX_OPTIONS_INIT;
    options.progress = stop_at_second;
    options.progress_context = &calls;
    assert_int_equal(api_components_conjectures(&text, &json, &options, &error),
                     ANAX_ERROR_STOPPED);
    assert_int_equal(calls, 2);
    assert_string_equal(error.text, "stopped");
    assert_null(text);
    assert_null(json);
    anax_error_clear(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_state_what_was_verified),
                                       cmocka_unit_test(verdicts_name_the_first_exception),
                                       cmocka_unit_test(a_stopped_run_gives_no_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
