/* The processors of a process that may use one of them only, and who asks how many there are. */
#define _GNU_SOURCE
#include "core/processes/parallel.h"
#include "core/processes/processors.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static size_t min_bytes; /* of a set; 0: no more than the system asks for */
static int failure;      /* errno of all calls; 0: none */

/* The system's function, or that of a computer with more processors, or without the call. */
__attribute__((visibility("default"))) int sched_getaffinity(pid_t process, size_t size,
                                                             cpu_set_t *set) {
    int (*of_system)(pid_t, size_t, cpu_set_t *);
    void *found = dlsym(RTLD_NEXT, "sched_getaffinity");
    memcpy(&of_system, &found, sizeof found);
    errno = failure != 0 ? failure : EINVAL;
    return failure != 0 || size < min_bytes ? -1 : of_system(process, size, set);
}

static unsigned lesser(int one, unsigned other) {
    return (unsigned)one < other ? (unsigned)one : other;
}

static void a_bound_process_counts_its_own_processors(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(processors_in_set(), (unsigned)CPU_COUNT(&all));
    assert_int_equal(processors_count(), lesser(CPU_COUNT(&all), processors_quota()));
    assert_int_equal(parallel_threads(0, UINT64_MAX), processors_count());
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

/* The set of a computer with 16,384 processors is larger than the usual one; the process is bound
 * there, too. */
static void large_computers_have_larger_sets(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    min_bytes = 16384 / 8;
    assert_int_equal(processors_count(), 1);
    min_bytes = 0;
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* A system that does not say it: all processors that are there. */
static void without_the_call_all_processors_count(void **state) {
    (void)state;
    failure = ENOSYS;
    assert_int_equal(processors_in_set(), (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    failure = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_bound_process_counts_its_own_processors),
                                       cmocka_unit_test(large_computers_have_larger_sets),
                                       cmocka_unit_test(without_the_call_all_processors_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
