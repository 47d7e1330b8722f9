/* Outputs that are given up from outside: all of this process and this name, and nothing else. */
#include "core/files/abandon_output.h"
#include "core/files/output_file.h"
#include "core/files/output_folder.h"

#include "tests/support/core/scratch_folder.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char base[SCRATCH_FOLDER_BYTES];
static char path[128];

static int make_base(void **state) {
    (void)state;
    if (!scratch_folder_make(base)) return -1;
    snprintf(path, sizeof path, "%s/out", base);
    return 0;
}

static int remove_base(void **state) {
    (void)state;
    return scratch_folder_remove(base);
}

static void touch(const char *name) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

static void files_are_given_up(void **state) {
    (void)state;
    struct output_file file, another;
    char others[160];
    snprintf(others, sizeof others, "%s.part-%ld-0", path, (long)getpid() + 1);
    touch(others);
    touch(path);
    assert_int_equal(output_file_open(&file, path, true, NULL), STATUS_OK);
    assert_int_equal(output_file_open(&another, path, true, NULL), STATUS_OK);
    abandon_output(path);
    assert_int_equal(access(file.temporary, F_OK), -1);
    assert_int_equal(access(another.temporary, F_OK), -1);
    assert_int_equal(access(others, F_OK), 0);
    assert_int_equal(access(path, F_OK), 0);
    output_file_finish(&file, STATUS_RUN, NULL);
    output_file_finish(&another, STATUS_RUN, NULL);
}

static void folders_are_given_up(void **state) {
    (void)state;
    struct output_folder folder;
    char name[256], slashes[160];
    assert_int_equal(output_folder_begin(&folder, path, NULL), STATUS_OK);
    snprintf(name, sizeof name, "%s/inner", folder.temporary);
    assert_int_equal(mkdir(name, 0777), 0);
    strcat(name, "/file");
    touch(name);
    snprintf(slashes, sizeof slashes, "%s//", path);
    abandon_output(slashes);
    assert_int_equal(access(folder.temporary, F_OK), -1);
    output_folder_finish(&folder, STATUS_RUN, NULL);
    abandon_output(path); /* there is nothing */
}

static void *abandon(void *unused) {
    (void)unused;
    abandon_output(path);
    return NULL;
}

enum { FILES = 500 };

static const char *file_of(const char *folder, int number) {
    static char name[256];
    snprintf(name, sizeof name, "%s/%d", folder, number);
    return name;
}

static int files_missing(const char *folder) {
    int missing = 0;
    for (int i = 0; i < FILES; i++)
        missing += access(file_of(folder, i), F_OK) != 0;
    return missing;
}

/* A folder that is finished while it is removed is whole, or it is not there. */
static void half_of_a_folder_is_not_finished(void **state) {
    (void)state;
    struct output_folder folder;
    assert_int_equal(output_folder_begin(&folder, path, NULL), STATUS_OK);
    for (int i = 0; i < FILES; i++)
        touch(file_of(folder.temporary, i));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, abandon, NULL), 0);
    while (files_missing(folder.temporary) == 0) {
    }
    status_code code = output_folder_finish(&folder, STATUS_OK, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(code, STATUS_SYSTEM);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(rmdir(base), 0); /* nothing is in it */
    assert_int_equal(mkdir(base, 0700), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_are_given_up, make_base, remove_base),
        cmocka_unit_test_setup_teardown(folders_are_given_up, make_base, remove_base),
        cmocka_unit_test_setup_teardown(half_of_a_folder_is_not_finished, make_base, remove_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
