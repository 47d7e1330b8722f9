/* core/status: texts, prefixes, lines and codes. */
#include "core/base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static status_code fails(struct status *status) {
    RETURN_ERROR_IF(1 + 1 == 2, status, STATUS_INPUT, "rank %d: too short", 17);
    return STATUS_OK;
}

static status_code forwards(struct status *status) {
    FORWARD_IF_ERROR(fails(status));
    return STATUS_OK;
}

static void texts_take_prefixes_and_lines(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    assert_int_equal(forwards(&status), STATUS_INPUT);
    assert_string_equal(status.text, "rank 17: too short");
    status_prefix(&status, "file %s", "a.otf2");
    status_append(&status, "line %d", 2);
    assert_string_equal(status.text, "file a.otf2: rank 17: too short\nline 2");
    assert_int_equal(status_exit_code(status.code), 2);
    status_clear(&status);
    assert_int_equal(status.code, STATUS_OK);
    assert_null(status.text);
}

static void nothing_to_fill_and_success_have_no_text(void **state) {
    (void)state;
    assert_int_equal(fails(NULL), STATUS_INPUT);
    struct status status = STATUS_INIT;
    assert_int_equal(status_prefix(&status, "nothing"), STATUS_OK);
    assert_null(status.text);
    assert_string_equal(status_code_text(STATUS_OK), "success");
    assert_int_equal(status_exit_code(STATUS_RUN), 1);
}

/* An error for whose text there was no memory is one of memory, whatever it was, and says so. */
static void texts_that_found_no_memory(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    assert_int_equal(status_take(&status, STATUS_INPUT, NULL), STATUS_MEMORY);
    assert_int_equal(status.code, STATUS_MEMORY);
    assert_string_equal(status.text, "out of memory");
    assert_int_equal(status_prefix(&status, "pattern %s", "halo3d"), STATUS_MEMORY);
    assert_string_equal(status.text, "pattern halo3d: out of memory");
    assert_int_equal(status_take(&status, STATUS_RUN, strdup("stopped")), STATUS_RUN);
    assert_string_equal(status.text, "stopped");
    assert_int_equal(status_take(&status, STATUS_OK, NULL), STATUS_OK);
    assert_null(status.text);
    assert_int_equal(status_take(NULL, STATUS_RUN, strdup("lost")), STATUS_RUN);
    assert_int_equal(status_take(NULL, STATUS_RUN, NULL), STATUS_MEMORY);
    struct status from = STATUS_INIT; /* a text that moves from one status to another */
    assert_int_equal(status_take(&from, STATUS_RUN, NULL), STATUS_MEMORY);
    assert_int_equal(status_take(&status, from.code, from.text), STATUS_MEMORY);
    assert_string_equal(status.text, "out of memory");
    status_clear(&status);
    assert_null(status.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_take_prefixes_and_lines),
        cmocka_unit_test(nothing_to_fill_and_success_have_no_text),
        cmocka_unit_test(texts_that_found_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
