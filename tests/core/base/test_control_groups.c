/* What control groups of both versions allow, read from folders like the system's. */
#include "core/memory/memory_limit.h"
#include "core/processes/processors.h"

#include "tests/support/core/scratch_folder.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

static char base[SCRATCH_FOLDER_BYTES];
static char groups[128];

static void write_text(const char *name, const char *text) {
    char path[192];
    snprintf(path, sizeof path, "%s/%s", base, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name) {
    char path[192];
    snprintf(path, sizeof path, "%s/%s", base, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int make_base(void **state) {
    (void)state;
    if (!scratch_folder_make(base)) return -1;
    snprintf(groups, sizeof groups, "%s/groups", base);
    return 0;
}

static int remove_base(void **state) {
    (void)state;
    return scratch_folder_remove(base);
}

static void version_two_limits_memory(void **state) {
    (void)state;
    write_text("groups", "0::/job/step\n");
    assert_true(memory_control_group_limit_bytes(groups, base) == UINT64_MAX);
    make_folder("job");
    make_folder("job/step");
    write_text("job/step/memory.max", "max\n");
    assert_true(memory_control_group_limit_bytes(groups, base) == UINT64_MAX);
    write_text("job/memory.max", "3000000000\n"); /* limits all within */
    assert_int_equal(memory_control_group_limit_bytes(groups, base), 3000000000);
    write_text("job/step/memory.max", "2000000000\n");
    assert_int_equal(memory_control_group_limit_bytes(groups, base), 2000000000);
    write_text("memory.max", "1000000000\n"); /* a container's root */
    assert_int_equal(memory_control_group_limit_bytes(groups, base), 1000000000);
}

static void version_one_limits_memory(void **state) {
    (void)state;
    write_text("groups", "5:cpu,cpuacct:/other\n4:memory:/job\n");
    make_folder("memory");
    make_folder("memory/other");
    make_folder("memory/job");
    write_text("memory/other/memory.limit_in_bytes", "5\n");
    write_text("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(memory_control_group_limit_bytes(groups, base), 9223372036854771712u);
    write_text("memory/job/memory.limit_in_bytes", "4096000000\n");
    assert_int_equal(memory_control_group_limit_bytes(groups, base), 4096000000);
}

static void without_groups_memory_has_no_limit(void **state) {
    (void)state;
    assert_true(memory_control_group_limit_bytes(groups, base) == UINT64_MAX);
    write_text("groups", "what\n7:memory\n");
    assert_true(memory_control_group_limit_bytes(groups, base) == UINT64_MAX);
}

static void version_two_limits_processors(void **state) {
    (void)state;
    write_text("groups", "0::/job/step\n");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
    make_folder("job");
    make_folder("job/step");
    write_text("job/step/cpu.max", "max 100000\n");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
    write_text("job/cpu.max", "1200000 100000\n"); /* limits all within */
    assert_int_equal(processors_control_group_quota(groups, base), 12);
    write_text("job/step/cpu.max", "175000 50000\n");
    assert_int_equal(processors_control_group_quota(groups, base), 3);
    write_text("cpu.max", "20000 100000\n"); /* a container's root */
    assert_int_equal(processors_control_group_quota(groups, base), 1);
}

static void version_one_limits_processors(void **state) {
    (void)state;
    write_text("groups", "5:cpuset:/job\n4:cpuacct,cpu:/job\n3:memory:/job\n0::/\n");
    make_folder("cpu");
    make_folder("cpu/job");
    write_text("cpu/cpu.cfs_period_us", "100000\n");
    write_text("cpu/cpu.cfs_quota_us", "-1\n");
    write_text("cpu/job/cpu.cfs_quota_us", "450000\n");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX); /* no period */
    write_text("cpu/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(processors_control_group_quota(groups, base), 4);
    write_text("cpu/cpu.cfs_quota_us", "250000\n");
    assert_int_equal(processors_control_group_quota(groups, base), 2);
}

static void without_groups_processors_have_no_limit(void **state) {
    (void)state;
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
    write_text("groups", "what\n7:cpu\n0::/\n");
    write_text("cpu.max", "nonsense");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
    write_text("cpu.max", "100000 0\n");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
    write_text("cpu.max", "");
    assert_int_equal(processors_control_group_quota(groups, base), UINT_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_two_limits_memory, make_base, remove_base),
        cmocka_unit_test_setup_teardown(version_one_limits_memory, make_base, remove_base),
        cmocka_unit_test_setup_teardown(without_groups_memory_has_no_limit, make_base, remove_base),
        cmocka_unit_test_setup_teardown(version_two_limits_processors, make_base, remove_base),
        cmocka_unit_test_setup_teardown(version_one_limits_processors, make_base, remove_base),
        cmocka_unit_test_setup_teardown(without_groups_processors_have_no_limit, make_base,
                                        remove_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
