/*
 * A process that was started alone is the only one: nothing to join, and every call may get NULL.
 */
#include <anax/anax.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_process_alone_is_the_only_one(void **state) {
    (void)state;
    unsigned count = 0;
    assert_int_equal(anax_processes_launched(&count), 0);
    assert_int_equal(count, 1);
    anax_error error = ANAX_ERROR_INIT;
    anax_processes *processes = NULL;
    assert_int_equal(anax_processes_begin(&processes, &error), ANAX_OK);
    assert_null(processes);
    assert_int_equal(anax_processes_number(processes), 0);
    assert_int_equal(anax_processes_count(processes), 1);
    assert_int_equal(anax_processes_finish(processes, ANAX_OK, NULL, &error), ANAX_OK);
    assert_int_equal(anax_processes_finish(processes, ANAX_ERROR_RUN, "failed", &error),
                     ANAX_ERROR_RUN);
    anax_processes_end(processes, 0);
    assert_int_equal(error.code, ANAX_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_alone_is_the_only_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
