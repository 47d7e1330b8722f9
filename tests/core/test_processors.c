/* The processors of a process that may use one of them only, and who asks how many there are. */
#define _GNU_SOURCE
#include "core/parallel.h"
#include "core/processors.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void of_a_process_that_is_bound(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(processors_count(), (unsigned)CPU_COUNT(&all));
    assert_int_equal(parallel_threads(0, UINT64_MAX), (unsigned)CPU_COUNT(&all));
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(processors_count(), 1);
    assert_int_equal(parallel_threads(0, UINT64_MAX), 1);
    assert_int_equal(parallel_threads(3, UINT64_MAX), 3);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_process_that_is_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
