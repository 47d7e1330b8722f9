/* Output folders: nothing under the name before the end, and after a failure nothing at all. */
#include "core/files/output_folder.h"

#include "tests/support/core/scratch_folder.h"

#include <dirent.h>
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

static unsigned entries(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    unsigned count = 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2;
}

/* A file, and one in a folder inside. */
static void fill(const struct output_folder *folder) {
    struct status status = STATUS_INIT;
    char inner[256], name[300];
    FILE *file = NULL;
    assert_int_equal(output_folder_open(folder, "a.csv", &file, &status), STATUS_OK);
    fputs("1\n", file);
    assert_int_equal(output_folder_close(folder, "a.csv", file, &status), STATUS_OK);
    snprintf(inner, sizeof inner, "%s/inner", folder->temporary);
    assert_int_equal(mkdir(inner, 0777), 0);
    snprintf(name, sizeof name, "%s/b", inner);
    file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

static void a_folder_appears_when_it_is_complete(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct output_folder folder;
    assert_int_equal(output_folder_begin(&folder, path, &status), STATUS_OK);
    fill(&folder);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(output_folder_finish(&folder, STATUS_OK, &status), STATUS_OK);
    assert_int_equal(entries(path), 2);
    assert_int_equal(entries(base), 1);
}

static void failures_leave_nothing(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct output_folder folder;
    assert_int_equal(output_folder_begin(&folder, path, &status), STATUS_OK);
    fill(&folder);
    assert_int_equal(output_folder_finish(&folder, STATUS_RUN, &status), STATUS_RUN);
    assert_int_equal(entries(base), 0);
}

static void existing_folders_stay(void **state) {
    (void)state;
    struct status status = STATUS_INIT;
    struct output_folder folder;
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(output_folder_begin(&folder, path, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, "exists already"));
    status_clear(&status);
    assert_int_equal(rmdir(path), 0);
    char slash[160]; /* as a folder it would not be there */
    snprintf(slash, sizeof slash, "%s/", path);
    assert_int_equal(symlink("nowhere", path), 0);
    assert_int_equal(output_folder_begin(&folder, slash, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, "exists already"));
    status_clear(&status);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(output_folder_begin(&folder, "", &status), STATUS_USAGE);
    status_clear(&status);
    /* What came under the name meanwhile is not written over. */
    assert_int_equal(output_folder_begin(&folder, path, &status), STATUS_OK);
    fill(&folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(output_folder_finish(&folder, STATUS_OK, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, "exists already"));
    status_clear(&status);
    assert_int_equal(entries(base), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_folder_appears_when_it_is_complete, make_base,
                                        remove_base),
        cmocka_unit_test_setup_teardown(failures_leave_nothing, make_base, remove_base),
        cmocka_unit_test_setup_teardown(existing_folders_stay, make_base, remove_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
